#include "partiql/cursor.h"

#include <algorithm>

namespace cairn::partiql {
namespace {

constexpr std::string_view kParameterMismatch = "Number of parameters in request and statement don't match.";

}  // namespace

Status Cursor::Level::Check() const {
  if (cursor_.depth_ > kDepthMax) return Fail(NotWellFormed("Nesting is too deep"));
  return {};
}

Cursor::Cursor(std::vector<Token> tokens, std::span<const item::AttributeValue> parameters)
    : tokens_(std::move(tokens)), parameters_(parameters) {
  const size_t count = tokens_.size();
  if (count >= 2 && tokens_[count - 2].kind == TokenKind::kSymbol && tokens_[count - 2].text == ";") {
    tokens_.erase(tokens_.end() - 2);
  }
}

const Token& Cursor::Peek(size_t ahead) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }

const Token& Cursor::Take() {
  const Token& token = Peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Cursor::AtKeyword(std::string_view word, size_t ahead) const {
  return Peek(ahead).kind == TokenKind::kKeyword && Peek(ahead).text == word;
}

bool Cursor::AtSymbol(std::string_view symbol, size_t ahead) const {
  return Peek(ahead).kind == TokenKind::kSymbol && Peek(ahead).text == symbol;
}

bool Cursor::AtName(size_t ahead) const {
  return Peek(ahead).kind == TokenKind::kIdentifier || Peek(ahead).kind == TokenKind::kQuotedIdentifier;
}

bool Cursor::AtCall() const {
  if (!AtSymbol("(", 1)) return false;
  if (Peek().kind == TokenKind::kIdentifier) return true;
  constexpr std::string_view kFunctionKeywords[] = {"exists", "size", "count", "sum",  "avg",
                                                    "min",    "max",  "upper", "lower"};
  return Peek().kind == TokenKind::kKeyword && std::ranges::count(kFunctionKeywords, Peek().text) > 0;
}

bool Cursor::TakeKeyword(std::string_view word) {
  if (!AtKeyword(word)) return false;
  Take();
  return true;
}

bool Cursor::TakeSymbol(std::string_view symbol) {
  if (!AtSymbol(symbol)) return false;
  Take();
  return true;
}

Result<item::AttributeValue> Cursor::TakeParameter() {
  Take();
  if (parameters_used_ == parameters_.size()) return Fail(Invalid(std::string(kParameterMismatch)));
  return parameters_[parameters_used_++];
}

Status Cursor::CheckAllParametersUsed() const {
  if (parameters_used_ != parameters_.size()) return Fail(Invalid(std::string(kParameterMismatch)));
  return {};
}

Error Cursor::UnexpectedHere() const {
  constexpr std::string_view kOperators[] = {"=", "<>", "!=",  "<",  "<=", ">",    ">=", "*",      "/",
                                             "%", "||", "and", "or", "is", "like", "in", "between"};
  const Token& token = Peek();
  const bool word_or_symbol = token.kind == TokenKind::kKeyword || token.kind == TokenKind::kSymbol;
  if (word_or_symbol && std::ranges::count(kOperators, token.text) > 0)
    return NotWellFormed("Unexpected operator");
  if (token.kind == TokenKind::kKeyword) return NotWellFormed("Unexpected keyword");
  return NotWellFormed("Unexpected term");
}

}  // namespace cairn::partiql
