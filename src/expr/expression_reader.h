// ExpressionReader: what the parsers of all four expression languages share: tokens, document paths,
// placeholders, the operator count, and which of several mistakes is reported.
//
// DynamoDB reads an expression completely before it judges it: a syntax error anywhere comes first, then
// rules in a fixed order. The parsers here read in one pass, so they note broken rules by rank and go on; a
// syntax error ends the parse at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "expr/parse.h"
#include "expr/path.h"
#include "expr/tokenizer.h"

namespace cairn::expr {

// Of the noted mistakes the one with the lowest rank is reported, among equals the first.
enum Rank : uint32_t {
  kRankOperatorCount,
  kRankParentheses,
  kRankFunctionName,
  kRankFunctionUse,
  kRankPath,  // reserved words, list positions out of range, paths too deep
  kRankSection,
  kRankName,
  kRankValue,
  kRankOverlap,
  kRankConflict,
  kRankActionOperand,
  kRankFunctionOperand,
  kRankCondition,  // from here on the ranks of single conditions, in their order (parse_condition.cc)
};

class FirstMistake {
 public:
  // `make_text` is called only when this mistake is the one to report so far.
  template <class MakeText>
  void Note(uint32_t rank, MakeText&& make_text) {
    if (rank >= rank_) return;
    rank_ = rank;
    text_ = make_text();
  }
  bool any() const { return rank_ != kNone; }
  const std::string& text() const { return text_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t rank_ = kNone;
  std::string text_;
};

class ExpressionReader {
 public:
  // `kind` is the parameter's name in messages. All references must outlive the reader.
  ExpressionReader(std::string_view kind, std::string_view text, Keywords keywords,
                   Placeholders& placeholders)
      : tokens(text, keywords), kind_(kind), placeholders_(placeholders) {}

  Tokenizer tokens;
  FirstMistake mistakes;
  // Ranks for placeholders without a definition; conditions move them on from one condition to the next.
  uint32_t name_rank = kRankName;
  uint32_t value_rank = kRankValue;

  // The error for the current token.
  std::unexpected<Error> SyntaxError() const;
  // "Invalid <kind>: <text>".
  std::unexpected<Error> Refuse(std::string_view text) const;
  Status Expect(TokenKind token_kind);

  // A path that starts at the current token, into the empty `path`; at anything else a syntax error.
  Status ReadPath(DocumentPath& path);
  // More steps of a path that was read in parentheses, e.g. the ".b" of "(a).b".
  Status ReadSteps(DocumentPath& path);
  // The value of the current token, a ":value"; notes a mistake and gives Null when there is none.
  item::AttributeValue ReadValue();

  void CountOperator() { ++operator_count_; }
  // Every level of parentheses, functions and negations; fails when an expression that obeys the limits on
  // operators and parentheses cannot be nested so deep.
  Status EnterLevel();
  void LeaveLevel() { --depth_; }

  // At the end of the text: the mistake to report, if any.
  Status Finish();

 private:
  std::string ReadName();
  Status ReadIndex(DocumentPath& path);

  std::string_view kind_;
  Placeholders& placeholders_;
  int operator_count_ = 0;
  int depth_ = 0;
  size_t repeated_bytes_ = 0;  // of values that were used before
};

// The checks that come before everything else: an expression is not empty and not too long.
Status CheckExpressionText(std::string_view kind, std::string_view text);

// "[a, b, [1]]": how messages show a path.
std::string PathInMessage(const DocumentPath& path);

// "Incorrect number of operands for operator or function; ...", "Incorrect operand type ...".
std::string OperandCountMessage(std::string_view function, int count);
std::string OperandTypeMessage(std::string_view function, std::string_view type);

}  // namespace cairn::expr
