// The grammar of model/rule.h by recursive descent.
#include <algorithm>
#include <array>

#include "model/rule_node.h"
#include "model/text_form.h"

namespace cairn::model {
namespace {

using Node = Rule::Node;

constexpr size_t kTextBytesMax = 4096;
constexpr int kDepthMax = 64;  // of parentheses and `not`s: recursion must end before the stack does

constexpr std::array<std::string_view, 7> kReserved{"and", "or", "not", "in", "true", "false", "null"};

struct Comparison {
  std::string_view symbol;
  Node::Kind kind;
};
// The longer symbols first: "<=" begins with "<".
constexpr std::array kComparisons{
    Comparison{"==", Node::Kind::kEqual},       Comparison{"!=", Node::Kind::kNotEqual},
    Comparison{"<=", Node::Kind::kLessOrEqual}, Comparison{">=", Node::Kind::kGreaterOrEqual},
    Comparison{"<", Node::Kind::kLess},         Comparison{">", Node::Kind::kGreater}};

bool IsReserved(std::string_view word) { return std::ranges::find(kReserved, word) != kReserved.end(); }
bool IsLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Node> ParseAll() {
    if (text_.size() > kTextBytesMax) return Fail(Invalid("the rule is longer than 4096 bytes"));
    if (!IsUtf8(text_)) return Fail(Invalid("the rule is not valid UTF-8"));
    ASSIGN_OR_RETURN(Node node, ParseOr());
    SkipSpace();
    if (position_ != text_.size()) return Fail(Expected("'and', 'or' or the end"));
    return node;
  }

 private:
  Error Expected(std::string_view what) {
    SkipSpace();
    std::string message = "expected " + std::string(what) + " at offset " + std::to_string(position_);
    if (position_ == text_.size()) return Invalid(message + ", where the rule ends");
    return Invalid(message + ", not '" + NextWord() + "'" + std::string(Advice()));
  }

  // What stands at the position, for a message: a whole word, or one character.
  std::string NextWord() const {
    size_t end = position_;
    while (end < text_.size() && end - position_ < 40 && (IsLetter(text_[end]) || IsDigit(text_[end]))) ++end;
    if (end == position_) {  // one character, with all its bytes
      do ++end;
      while (end < text_.size() && (static_cast<uint8_t>(text_[end]) & 0xc0) == 0x80);
    }
    return std::string(text_.substr(position_, end - position_));
  }

  std::string_view Advice() const {
    const std::string_view rest = text_.substr(position_);
    if (rest.starts_with("&&")) return "; write 'and'";
    if (rest.starts_with("||")) return "; write 'or'";
    if (rest.starts_with("!") && !rest.starts_with("!=")) return "; write 'not'";
    if (rest.starts_with("=") || rest.starts_with("<>")) return "; equality is '==', its opposite '!='";
    return "";
  }

  void SkipSpace() {
    while (position_ < text_.size() &&
           (text_[position_] == ' ' || (text_[position_] >= '\t' && text_[position_] <= '\r')))
      ++position_;
  }

  // The identifier at the position, without taking it.
  std::string_view PeekWord() {
    SkipSpace();
    size_t end = position_;
    if (end < text_.size() && IsLetter(text_[end])) {
      while (end < text_.size() && (IsLetter(text_[end]) || IsDigit(text_[end]))) ++end;
    }
    return text_.substr(position_, end - position_);
  }
  bool TakeWord(std::string_view word) {
    if (PeekWord() != word) return false;
    position_ += word.size();
    return true;
  }
  bool TakeSymbol(std::string_view symbol) {
    SkipSpace();
    if (!text_.substr(position_).starts_with(symbol)) return false;
    position_ += symbol.size();
    return true;
  }

  Result<Node> ParseOr() { return ParseSequence("or", Node::Kind::kOr, &Parser::ParseAnd); }
  Result<Node> ParseAnd() { return ParseSequence("and", Node::Kind::kAnd, &Parser::ParseNot); }

  Result<Node> ParseSequence(std::string_view word, Node::Kind kind, Result<Node> (Parser::*parse_child)()) {
    ASSIGN_OR_RETURN(Node first, (this->*parse_child)());
    if (PeekWord() != word) return first;
    Node sequence{.kind = kind};
    sequence.children.push_back(std::move(first));
    while (TakeWord(word)) {
      ASSIGN_OR_RETURN(Node next, (this->*parse_child)());
      sequence.children.push_back(std::move(next));
    }
    return sequence;
  }

  Result<Node> ParseNot() {
    if (!TakeWord("not")) return ParsePrimary();
    if (++depth_ > kDepthMax) return Fail(TooDeep());
    Node negation{.kind = Node::Kind::kNot};
    ASSIGN_OR_RETURN(Node child, ParseNot());
    --depth_;
    negation.children.push_back(std::move(child));
    return negation;
  }

  Result<Node> ParsePrimary() {
    if (TakeSymbol("(")) {
      if (++depth_ > kDepthMax) return Fail(TooDeep());
      ASSIGN_OR_RETURN(Node inner, ParseOr());
      --depth_;
      if (!TakeSymbol(")")) return Fail(Expected("')'"));
      return inner;
    }
    const size_t begin = position_;
    if (TakeWord("exists")) {
      if (TakeSymbol("(")) return ParseExists();
      position_ = begin;  // an attribute of that name
    }
    return ParseComparison();
  }

  Error TooDeep() const {
    return Invalid("the rule nests deeper than " + std::to_string(kDepthMax) + " at offset " +
                   std::to_string(position_));
  }

  Result<Node> ParseExists() {
    const std::string_view name = PeekWord();
    if (name.empty() || IsReserved(name)) return Fail(Expected("an attribute"));
    position_ += name.size();
    if (!TakeSymbol(")")) return Fail(Expected("')'"));
    Node node{.kind = Node::Kind::kExists};
    node.operands.push_back({.kind = RuleOperand::Kind::kAttribute, .name = std::string(name)});
    return node;
  }

  Result<Node> ParseComparison() {
    Node node;
    ASSIGN_OR_RETURN(RuleOperand left, ParseOperand());
    const bool may_stand_alone =
        left.kind != RuleOperand::Kind::kLiteral || left.literal.is(item::Type::kBoolean);
    node.operands.push_back(std::move(left));
    for (const Comparison& comparison : kComparisons) {
      if (!TakeSymbol(comparison.symbol)) continue;
      node.kind = comparison.kind;
      ASSIGN_OR_RETURN(RuleOperand right, ParseOperand());
      node.operands.push_back(std::move(right));
      return node;
    }
    if (TakeWord("in")) return ParseMembers(std::move(node), Node::Kind::kIn);
    if (TakeWord("not")) {
      if (!TakeWord("in")) return Fail(Expected("'in'"));
      return ParseMembers(std::move(node), Node::Kind::kNotIn);
    }
    if (!may_stand_alone) return Fail(Expected("a comparison (==, !=, <, <=, >, >=, in, not in)"));
    node.kind = Node::Kind::kTrue;
    return node;
  }

  Result<Node> ParseMembers(Node node, Node::Kind kind) {
    node.kind = kind;
    if (!TakeSymbol("[")) return Fail(Expected("'['"));
    do {
      ASSIGN_OR_RETURN(RuleOperand member, ParseOperand());
      node.operands.push_back(std::move(member));
    } while (TakeSymbol(","));
    if (!TakeSymbol("]")) return Fail(Expected("',' or ']'"));
    return node;
  }

  Result<RuleOperand> ParseOperand() {
    SkipSpace();
    if (position_ == text_.size()) return Fail(Expected("an attribute, a $parameter or a value"));
    const char c = text_[position_];
    if (c == '\'' || c == '"') return ParseQuoted(c);
    if (c == '-' || IsDigit(c)) return ParseNumber();
    if (c == '$') return ParseParameter();
    const std::string_view word = PeekWord();
    if (word == "true" || word == "false") {
      position_ += word.size();
      return Literal(item::AttributeValue(word == "true"));
    }
    if (word == "null") {
      position_ += word.size();
      return Literal(item::Null{});
    }
    if (word.empty() || IsReserved(word)) {
      return Fail(Expected("an attribute, a $parameter or a value"));
    }
    position_ += word.size();
    return RuleOperand{.kind = RuleOperand::Kind::kAttribute, .name = std::string(word)};
  }

  static RuleOperand Literal(item::AttributeValue value) { return {.literal = std::move(value)}; }

  Result<RuleOperand> ParseParameter() {
    ++position_;
    const size_t begin = position_;
    const std::string_view name = PeekWord();
    if (name.empty() || position_ != begin) return Fail(Expected("a parameter's name behind the '$'"));
    position_ += name.size();
    return RuleOperand{.kind = RuleOperand::Kind::kParameter, .name = std::string(name)};
  }

  Result<RuleOperand> ParseQuoted(char quote) {
    const size_t begin = position_++;
    std::string value;
    for (; position_ < text_.size(); ++position_) {
      char c = text_[position_];
      if (c == quote) {
        ++position_;
        return Literal(std::move(value));
      }
      if (c == '\\') {
        if (++position_ == text_.size()) break;
        c = text_[position_];
        if (c != '\\' && c != '\'' && c != '"') {
          return Fail(Invalid("expected a quote or a backslash behind the backslash at offset " +
                              std::to_string(position_ - 1)));
        }
      }
      value += c;
    }
    return Fail(Invalid("the text that begins at offset " + std::to_string(begin) + " has no closing quote"));
  }

  Result<RuleOperand> ParseNumber() {
    size_t end = position_ + 1;
    while (end < text_.size()) {
      const char c = text_[end];
      const bool sign_of_exponent =
          (c == '+' || c == '-') && (text_[end - 1] == 'e' || text_[end - 1] == 'E');
      if (!IsDigit(c) && c != '.' && c != 'e' && c != 'E' && !sign_of_exponent) break;
      ++end;
    }
    const auto number = item::Number::Parse(text_.substr(position_, end - position_));
    if (!number) return Fail(Expected("a number"));
    position_ = end;
    return Literal(*number);
  }

  std::string_view text_;
  size_t position_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<Rule::Node> ParseRule(std::string_view text) { return Parser(text).ParseAll(); }

}  // namespace cairn::model
