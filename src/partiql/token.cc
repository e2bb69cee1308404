#include "partiql/token.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>

#include "partiql/keywords.h"

namespace cairn::partiql {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool StartsWord(char c) { return IsLetter(c) || c == '_' || c == '$'; }
bool ContinuesWord(char c) { return StartsWord(c) || IsDigit(c); }
bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
// The first byte of a character in UTF-8.
bool StartsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

std::string Lower(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  }
  return lower;
}

// Longest first.
constexpr std::string_view kSymbols[] = {"<<", ">>", "<=", ">=", "<>", "!=", "||", "(", ")",
                                         "[",  "]",  "{",  "}",  ",",  ".",  ":",  ";", "*",
                                         "+",  "-",  "/",  "%",  "=",  "<",  ">"};

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> Run() {
    for (;;) {
      RETURN_IF_ERROR(SkipSpaceAndComments());
      if (at_ == text_.size()) break;
      ASSIGN_OR_RETURN(Token token, Take());
      tokens_.push_back(std::move(token));
    }
    tokens_.push_back({TokenKind::kEnd, "", {line_, column_, 0}});
    return std::move(tokens_);
  }

 private:
  char Look(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void Advance(size_t bytes) {
    for (const size_t end = at_ + bytes; at_ < end; ++at_) {
      if (text_[at_] == '\n') {
        ++line_;
        column_ = 1;
      } else if (StartsCharacter(text_[at_])) {
        ++column_;
      }
    }
  }

  Status SkipSpaceAndComments() {
    while (at_ < text_.size()) {
      if (IsSpace(Look())) {
        Advance(1);
      } else if (Look() == '-' && Look(1) == '-') {
        const size_t end = text_.find('\n', at_);
        Advance((end == text_.npos ? text_.size() : end) - at_);
      } else if (Look() == '/' && Look(1) == '*') {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == text_.npos) return Fail(NotWellFormed(""));
        Advance(end + 2 - at_);
      } else {
        break;
      }
    }
    return {};
  }

  Result<Token> Take() {
    if (Look() == '\'') return Quoted(TokenKind::kString);
    if (Look() == '"') return Quoted(TokenKind::kQuotedIdentifier);
    if (IsDigit(Look()) || (Look() == '.' && IsDigit(Look(1)) && !EndsPathStep())) return NumberToken();
    if (StartsWord(Look())) return Word();
    if (Look() == '?') return Cut(TokenKind::kParameter, 1);
    for (const std::string_view symbol : kSymbols) {
      if (text_.substr(at_).starts_with(symbol)) return Cut(TokenKind::kSymbol, symbol.size());
    }
    return Fail(NotWellFormed(""));
  }

  // Whether a point here continues a path instead of opening a number.
  bool EndsPathStep() const {
    if (tokens_.empty()) return false;
    const Token& last = tokens_.back();
    return last.kind == TokenKind::kIdentifier || last.kind == TokenKind::kQuotedIdentifier ||
           last.text == "]";
  }

  Token Cut(TokenKind kind, size_t bytes) {
    Token token{kind, std::string(text_.substr(at_, bytes)), {line_, column_, 0}};
    for (const char c : token.text) token.position.length += StartsCharacter(c) ? 1 : 0;
    Advance(bytes);
    return token;
  }

  Result<Token> Quoted(TokenKind kind) {
    const char quote = Look();
    std::string content;
    size_t end = at_ + 1;
    for (;; ++end) {
      if (end >= text_.size()) return Fail(NotWellFormed(""));
      if (text_[end] == quote) {
        if (end + 1 >= text_.size() || text_[end + 1] != quote) break;
        ++end;  // a doubled quote stands for one
      }
      content += text_[end];
    }
    Token token = Cut(kind, end + 1 - at_);
    token.text = std::move(content);
    return token;
  }

  Token Word() {
    size_t length = 1;
    while (ContinuesWord(Look(length))) ++length;
    std::string lower = Lower(text_.substr(at_, length));
    if (!IsKeyword(lower)) return Cut(TokenKind::kIdentifier, length);
    Token token = Cut(TokenKind::kKeyword, length);
    token.text = std::move(lower);
    return token;
  }

  size_t CountDigits(size_t from) const {
    size_t count = 0;
    while (IsDigit(Look(from + count))) ++count;
    return count;
  }

  Result<Token> NumberToken() {
    size_t length = CountDigits(0);
    int64_t fraction_digits = 0;
    if (Look(length) == '.') {
      fraction_digits = static_cast<int64_t>(CountDigits(length + 1));
      length += 1 + fraction_digits;
    }
    int64_t exponent = 0;
    if (Look(length) == 'e' || Look(length) == 'E') {
      const bool has_sign = Look(length + 1) == '+' || Look(length + 1) == '-';
      const size_t digits_at = length + 1 + (has_sign ? 1 : 0);
      const size_t digits = CountDigits(digits_at);
      if (digits == 0) return Fail(NotWellFormed(""));
      const char* const first = text_.data() + at_ + digits_at;
      if (std::from_chars(first, first + digits, exponent).ec != std::errc()) return Fail(NotWellFormed(""));
      if (Look(length + 1) == '-') exponent = -exponent;
      length = digits_at + digits;
    }
    if (ContinuesWord(Look(length)) || !FitsInt32(exponent) || !FitsInt32(fraction_digits - exponent)) {
      return Fail(NotWellFormed(""));
    }
    return Cut(TokenKind::kNumber, length);
  }

  static bool FitsInt32(int64_t value) {
    return value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max();
  }

  const std::string_view text_;
  size_t at_ = 0;
  size_t line_ = 1;
  size_t column_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

Result<std::vector<Token>> Tokenize(std::string_view statement) { return Tokenizer(statement).Run(); }

Error NotWellFormed(std::string_view detail) {
  return Invalid("Statement wasn't well formed, can't be processed: " + std::string(detail));
}

std::string AtPosition(const Position& position) {
  return " at " + std::to_string(position.line) + ":" + std::to_string(position.column) + ":" +
         std::to_string(position.length);
}

}  // namespace cairn::partiql
