#include "expr/tokenizer.h"

#include <algorithm>
#include <array>

namespace cairn::expr {
namespace {

constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

constexpr auto kWordCharacters = [] {
  std::array<bool, 256> table{};
  for (size_t i = 0; i < table.size(); ++i) {
    const char c = static_cast<char>(i);
    table[i] = IsLetter(c) || IsDigit(c) || c == '_';
  }
  return table;
}();

size_t EndOfWord(std::string_view text, size_t position) {
  while (position < text.size() && kWordCharacters[static_cast<uint8_t>(text[position])]) ++position;
  return position;
}

size_t EndOfDigits(std::string_view text, size_t position) {
  while (position < text.size() && IsDigit(text[position])) ++position;
  return position;
}

// A character outside ASCII is quoted whole in messages, so it takes all its bytes.
size_t EndOfCharacter(std::string_view text, size_t position) {
  ++position;
  while (position < text.size() && (static_cast<uint8_t>(text[position]) & 0xc0) == 0x80) ++position;
  return position;
}

struct Keyword {
  std::string_view word;
  TokenKind kind;
};
constexpr auto kConditionKeywords = std::to_array<Keyword>({{"AND", TokenKind::kAnd},
                                                            {"OR", TokenKind::kOr},
                                                            {"NOT", TokenKind::kNot},
                                                            {"BETWEEN", TokenKind::kBetween},
                                                            {"IN", TokenKind::kIn}});
constexpr auto kUpdateKeywords = std::to_array<Keyword>({{"SET", TokenKind::kSet},
                                                         {"REMOVE", TokenKind::kRemove},
                                                         {"ADD", TokenKind::kAdd},
                                                         {"DELETE", TokenKind::kDelete}});

// `word` consists of letters, digits and underscores, for which clearing bit 5 upper-cases letters and maps
// nothing else to a letter.
bool IsWord(std::string_view word, std::string_view upper) {
  return word.size() == upper.size() &&
         std::equal(word.begin(), word.end(), upper.begin(), [](char a, char b) { return (a & ~0x20) == b; });
}

TokenKind WordKind(std::string_view word, Keywords keywords) {
  if (keywords == Keywords::kCondition) {
    for (const Keyword& keyword : kConditionKeywords) {
      if (IsWord(word, keyword.word)) return keyword.kind;
    }
  } else if (keywords == Keywords::kUpdate) {
    for (const Keyword& keyword : kUpdateKeywords) {
      if (IsWord(word, keyword.word)) return keyword.kind;
    }
  }
  return TokenKind::kIdentifier;
}

TokenKind SymbolKind(char c) {
  switch (c) {
    case '=':
      return TokenKind::kEqual;
    case '<':
      return TokenKind::kLess;
    case '>':
      return TokenKind::kGreater;
    case '(':
      return TokenKind::kOpen;
    case ')':
      return TokenKind::kClose;
    case '[':
      return TokenKind::kOpenBracket;
    case ']':
      return TokenKind::kCloseBracket;
    case ',':
      return TokenKind::kComma;
    case '.':
      return TokenKind::kDot;
    case '+':
      return TokenKind::kPlus;
    case '-':
      return TokenKind::kMinus;
    default:
      return TokenKind::kUnknown;
  }
}

}  // namespace

Tokenizer::Tokenizer(std::string_view text, Keywords keywords) : text_(text), keywords_(keywords) {
  current_ = Read();
  next_ = Read();
}

Token Tokenizer::Take() {
  previous_ = current_;
  current_ = next_;
  if (current_.kind != TokenKind::kEnd) next_ = Read();
  return previous_;
}

bool Tokenizer::TakeIf(TokenKind kind) {
  if (current_.kind != kind) return false;
  Take();
  return true;
}

std::string_view Tokenizer::Near() const {
  const Token& first = previous_.text.empty() ? current_ : previous_;
  const Token& last = !next_.text.empty() ? next_ : !current_.text.empty() ? current_ : first;
  if (first.text.empty()) return {};
  return {first.text.data(), static_cast<size_t>(last.text.data() + last.text.size() - first.text.data())};
}

Token Tokenizer::Read() {
  while (position_ < text_.size() && IsSpace(text_[position_])) ++position_;
  if (position_ == text_.size()) return {};
  const size_t start = position_;
  const char c = text_[start];
  TokenKind kind = TokenKind::kUnknown;
  if (IsLetter(c)) {
    position_ = EndOfWord(text_, start);
    kind = WordKind(text_.substr(start, position_ - start), keywords_);
  } else if (c == '#' || c == ':') {
    position_ = EndOfWord(text_, start + 1);
    if (position_ > start + 1) kind = c == '#' ? TokenKind::kName : TokenKind::kValue;
  } else if (IsDigit(c)) {
    position_ = EndOfDigits(text_, start);
    kind = TokenKind::kNumber;
  } else {
    position_ = EndOfCharacter(text_, start);
    kind = SymbolKind(c);
    const char following = position_ < text_.size() ? text_[position_] : '\0';
    if (c == '<' && (following == '=' || following == '>')) {
      ++position_;
      kind = following == '=' ? TokenKind::kLessOrEqual : TokenKind::kNotEqual;
    } else if (c == '>' && following == '=') {
      ++position_;
      kind = TokenKind::kGreaterOrEqual;
    }
  }
  return {kind, text_.substr(start, position_ - start)};
}

}  // namespace cairn::expr
