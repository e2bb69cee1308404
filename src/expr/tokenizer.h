// Tokenizer: expression text as tokens, one at a time. Knows characters and keywords, no grammar.
//
// Used by the parsers of this folder through ExpressionReader. Never fails: what is no token of the language
// becomes one of kind kUnknown, which no grammar accepts.
#pragma once

#include <cstdint>
#include <string_view>

namespace cairn::expr {

enum class TokenKind : uint8_t {
  kEnd,
  kIdentifier,  // a letter, then letters, digits and underscores
  kName,        // #name
  kValue,       // :value
  kNumber,      // digits
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kOpen,
  kClose,
  kOpenBracket,
  kCloseBracket,
  kComma,
  kDot,
  kPlus,
  kMinus,
  // Keywords of conditions
  kAnd,
  kOr,
  kNot,
  kBetween,
  kIn,
  // Keywords of updates
  kSet,
  kRemove,
  kAdd,
  kDelete,
  kUnknown,  // any other character
};

// Which words are keywords rather than identifiers.
enum class Keywords : uint8_t { kNone, kCondition, kUpdate };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;  // part of the expression; empty at its end
};

class Tokenizer {
 public:
  Tokenizer(std::string_view text, Keywords keywords);

  const Token& current() const { return current_; }
  const Token& next() const { return next_; }
  bool At(TokenKind kind) const { return current_.kind == kind; }
  // Returns the current token and moves on.
  Token Take();
  // Moves on if the current token is of that kind.
  bool TakeIf(TokenKind kind);

  // The text around the current token, as syntax errors quote it: the token before it to the token after it.
  std::string_view Near() const;

 private:
  Token Read();

  std::string_view text_;
  size_t position_ = 0;
  Keywords keywords_;
  Token previous_;
  Token current_;
  Token next_;
};

}  // namespace cairn::expr
