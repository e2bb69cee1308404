// Cursor: reads a statement's tokens one after another and hands out its parameters. Shared by the parse_*
// files.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "item/attribute_value.h"
#include "partiql/token.h"

namespace cairn::partiql {

class Cursor {
 public:
  // `tokens` end with kEnd; one closing semicolon is dropped.
  Cursor(std::vector<Token> tokens, std::span<const item::AttributeValue> parameters);

  // Past the end it is the end again.
  const Token& Peek(size_t ahead = 0) const;
  const Token& Take();

  bool AtEnd() const { return Peek().kind == TokenKind::kEnd; }
  bool AtKeyword(std::string_view word, size_t ahead = 0) const;
  bool AtSymbol(std::string_view symbol, size_t ahead = 0) const;
  // An identifier, quoted or not.
  bool AtName(size_t ahead = 0) const;
  // A name or a function-like keyword with an opening parenthesis behind it.
  bool AtCall() const;
  bool TakeKeyword(std::string_view word);
  bool TakeSymbol(std::string_view symbol);

  // The value of the question mark here, which is taken.
  Result<item::AttributeValue> TakeParameter();
  // Fails when parameters are left over.
  Status CheckAllParametersUsed() const;

  // What DynamoDB says about a token that cannot begin an expression.
  Error UnexpectedHere() const;

  // One level of nesting (parentheses, NOT, calls) while in scope.
  class Level {
   public:
    explicit Level(Cursor& cursor) : cursor_(cursor) { ++cursor_.depth_; }
    ~Level() { --cursor_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    // Fails when there are more levels than the stack should carry.
    Status Check() const;

   private:
    Cursor& cursor_;
  };

 private:
  static constexpr int kDepthMax = 200;

  std::vector<Token> tokens_;
  size_t at_ = 0;
  std::span<const item::AttributeValue> parameters_;
  size_t parameters_used_ = 0;
  int depth_ = 0;
};

}  // namespace cairn::partiql
