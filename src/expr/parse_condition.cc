#include "expr/parse_condition.h"

#include <array>
#include <utility>

#include "expr/condition_rules.h"
#include "expr/expression_reader.h"
#include "expr/value_size.h"

namespace cairn::expr {
namespace {

using item::AttributeValue;

constexpr int kInOperandsMax = 100;

// Mistakes inside one condition, in the order in which DynamoDB looks for them.
enum ConditionRule : uint32_t {
  kRulePlaceholder,
  kRuleOperandCount,
  kRuleDistinct,
  kRuleOperandType,
  kRuleCount
};

// What stands between operators: an operand, or a condition that is complete in itself.
struct Term {
  std::variant<Operand, ConditionPtr> content;
  std::string_view function = {};  // set when the term is a function call
  bool in_parentheses = false;

  bool is_operand() const { return content.index() == 0; }
};

template <class Node>
ConditionPtr MakeCondition(Node node) {
  return std::make_shared<const Condition>(Condition{std::move(node)});
}

// Precedence, loosest first: OR, AND, NOT, everything else. Where a mistake was noted, nodes may be null or
// empty: such a tree is never handed out.
//
// Each Parse function leaves its term on terms_. That keeps the frames of the recursion small, so that the
// deepest text within the limits needs little stack.
class ConditionParser {
 public:
  ConditionParser(std::string_view kind, std::string_view text, Placeholders& placeholders)
      : reader_(kind, text, Keywords::kCondition, placeholders) {
    terms_.reserve(4);
    StartCondition(0);
  }

  Result<ParsedCondition> Parse() {
    RETURN_IF_ERROR(ParseLogical(kOrPrecedence));
    RETURN_IF_ERROR(RequireCondition());
    RETURN_IF_ERROR(reader_.Finish());
    return ParsedCondition{PopCondition(), folded_size_};
  }

 private:
  static constexpr int kOrPrecedence = 0;
  static constexpr int kAndPrecedence = 1;

  Status ParseLogical(int lowest_precedence);
  Status ParseUnary();
  Status ParseNegation();
  Status ParseOperator();
  Status ParseComparison(Comparator comparator);
  Status ParseBetween();
  Status ParseIn();
  Status ParseOperand();
  Status ParsePrimary();
  Status ParseGroup();
  Status ParseFunction();

  Term MakeFunction(std::string_view name, std::array<Operand, 2>& arguments, int count);
  Term MakeSize(Operand& argument);
  Term MakeExistence(std::string_view name, Operand& argument);
  Term MakeAttributeType(Operand& value, Operand& type);
  bool HasOperandCount(std::string_view name, int count);

  // Whether the last term can stand where a condition or an operand is wanted. A function of the wrong kind
  // is a mistake that is noted, with an empty term in its place; everything else a syntax error.
  Status RequireCondition();
  Status RequireOperand();

  void Push(Term term) { terms_.push_back(std::move(term)); }
  ConditionPtr PopCondition() {
    ConditionPtr condition = std::get<ConditionPtr>(std::move(terms_.back().content));
    terms_.pop_back();
    return condition;
  }
  Operand PopOperand() {
    Operand operand = std::get<Operand>(std::move(terms_.back().content));
    terms_.pop_back();
    return operand;
  }

  // The end of one condition: what follows belongs to the next.
  void PushCondition(ConditionPtr condition) {
    StartCondition(condition_ + 1);
    Push({std::move(condition)});
  }
  void StartCondition(uint32_t number) {
    condition_ = number;
    reader_.name_rank = reader_.value_rank = RankOf(kRulePlaceholder);
  }
  uint32_t RankOf(ConditionRule rule) const { return kRankCondition + condition_ * kRuleCount + rule; }
  void NoteBroken(ConditionRule rule, BrokenRule broken) {
    if (broken) reader_.mistakes.Note(RankOf(rule), [&] { return *std::move(broken); });
  }
  void NoteFunction(Rank rank, std::string_view what, std::string_view name) {
    reader_.mistakes.Note(rank, [&] { return std::string(what) + "; function: " + std::string(name); });
  }

  ExpressionReader reader_;
  std::vector<Term> terms_;
  uint32_t condition_ = 0;
  bool folded_size_ = false;
};

Status ConditionParser::ParseLogical(int lowest_precedence) {
  RETURN_IF_ERROR(ParseUnary());
  while (reader_.tokens.At(TokenKind::kAnd) || reader_.tokens.At(TokenKind::kOr)) {
    const bool is_and = reader_.tokens.At(TokenKind::kAnd);
    const int precedence = is_and ? kAndPrecedence : kOrPrecedence;
    if (precedence < lowest_precedence) break;
    RETURN_IF_ERROR(RequireCondition());
    reader_.tokens.Take();
    reader_.CountOperator();
    RETURN_IF_ERROR(ParseLogical(precedence + 1));
    RETURN_IF_ERROR(RequireCondition());
    ConditionPtr right = PopCondition();
    ConditionPtr left = PopCondition();
    Push({is_and ? MakeCondition(And{std::move(left), std::move(right)})
                 : MakeCondition(Or{std::move(left), std::move(right)})});
  }
  return {};
}

Status ConditionParser::ParseUnary() {
  if (reader_.tokens.At(TokenKind::kNot)) return ParseNegation();
  RETURN_IF_ERROR(ParsePrimary());
  return ParseOperator();
}

Status ConditionParser::ParseNegation() {
  RETURN_IF_ERROR(reader_.EnterLevel());
  reader_.tokens.Take();
  reader_.CountOperator();
  RETURN_IF_ERROR(ParseUnary());
  RETURN_IF_ERROR(RequireCondition());
  reader_.LeaveLevel();
  Push({MakeCondition(Not{PopCondition()})});
  return {};
}

// What may follow a first operand to make it a condition.
Status ConditionParser::ParseOperator() {
  const TokenKind kind = reader_.tokens.current().kind;
  const bool is_comparison = kind >= TokenKind::kEqual && kind <= TokenKind::kGreaterOrEqual;
  if (!is_comparison && kind != TokenKind::kBetween && kind != TokenKind::kIn) {
    const Term& term = terms_.back();
    const bool is_whole_condition = !term.function.empty() && !term.is_operand() && !term.in_parentheses;
    if (is_whole_condition) StartCondition(condition_ + 1);
    return {};
  }
  RETURN_IF_ERROR(RequireOperand());
  reader_.tokens.Take();
  reader_.CountOperator();
  if (kind == TokenKind::kBetween) return ParseBetween();
  if (kind == TokenKind::kIn) return ParseIn();
  return ParseComparison(
      static_cast<Comparator>(static_cast<int>(kind) - static_cast<int>(TokenKind::kEqual)));
}

Status ConditionParser::ParseComparison(Comparator comparator) {
  static constexpr auto kSymbols = std::to_array<std::string_view>({"=", "<>", "<", "<=", ">", ">="});
  const std::string_view symbol = kSymbols[static_cast<size_t>(comparator)];
  RETURN_IF_ERROR(ParseOperand());
  Operand right = PopOperand();
  Operand left = PopOperand();
  NoteBroken(kRuleDistinct, CheckDistinct(symbol, left, right));
  if (comparator > Comparator::kNotEqual) {
    NoteBroken(kRuleOperandType, CheckOrdered(symbol, left));
    NoteBroken(kRuleOperandType, CheckOrdered(symbol, right));
  }
  PushCondition(MakeCondition(Comparison{std::move(left), comparator, std::move(right)}));
  return {};
}

Status ConditionParser::ParseBetween() {
  RETURN_IF_ERROR(ParseOperand());
  RETURN_IF_ERROR(reader_.Expect(TokenKind::kAnd));
  RETURN_IF_ERROR(ParseOperand());
  Operand high = PopOperand();
  Operand low = PopOperand();
  Operand value = PopOperand();
  for (const Operand* bound : {&low, &high})
    NoteBroken(kRuleDistinct, CheckDistinct("BETWEEN", value, *bound));
  for (const Operand* operand : {&value, &low, &high}) {
    NoteBroken(kRuleOperandType, CheckOrdered("BETWEEN", *operand));
  }
  NoteBroken(kRuleOperandType, CheckBounds(low, high));
  PushCondition(MakeCondition(Between{std::move(value), std::move(low), std::move(high)}));
  return {};
}

Status ConditionParser::ParseIn() {
  RETURN_IF_ERROR(reader_.Expect(TokenKind::kOpen));
  Operand value = PopOperand();
  std::vector<Operand> candidates;
  do {
    RETURN_IF_ERROR(ParseOperand());
    candidates.push_back(PopOperand());
    NoteBroken(kRuleDistinct, CheckDistinct("IN", value, candidates.back()));
  } while (reader_.tokens.TakeIf(TokenKind::kComma));
  RETURN_IF_ERROR(reader_.Expect(TokenKind::kClose));
  if (candidates.size() > kInOperandsMax) {
    NoteBroken(kRuleOperandCount, "The IN operator is provided with too many operands; number of operands: " +
                                      std::to_string(candidates.size()));
  }
  PushCondition(MakeCondition(In{std::move(value), std::move(candidates)}));
  return {};
}

Status ConditionParser::ParseOperand() {
  RETURN_IF_ERROR(ParsePrimary());
  return RequireOperand();
}

Status ConditionParser::ParsePrimary() {
  const TokenKind kind = reader_.tokens.current().kind;
  if (kind == TokenKind::kOpen) return ParseGroup();
  if (kind == TokenKind::kIdentifier && reader_.tokens.next().kind == TokenKind::kOpen)
    return ParseFunction();
  Operand& operand = std::get<Operand>(terms_.emplace_back().content);
  if (kind == TokenKind::kValue) {
    operand = reader_.ReadValue();
    return {};
  }
  return reader_.ReadPath(std::get<DocumentPath>(operand));
}

Status ConditionParser::ParseGroup() {
  RETURN_IF_ERROR(reader_.EnterLevel());
  reader_.tokens.Take();
  RETURN_IF_ERROR(ParseLogical(kOrPrecedence));
  RETURN_IF_ERROR(reader_.Expect(TokenKind::kClose));
  reader_.LeaveLevel();
  Term& term = terms_.back();
  if (term.in_parentheses) {
    reader_.mistakes.Note(kRankParentheses,
                          [] { return std::string("The expression has redundant parentheses;"); });
  }
  term.in_parentheses = true;
  const bool goes_on = reader_.tokens.At(TokenKind::kDot) || reader_.tokens.At(TokenKind::kOpenBracket);
  if (!goes_on || !term.is_operand()) return {};
  auto* path = std::get_if<DocumentPath>(&std::get<Operand>(term.content));
  if (path == nullptr) return {};
  term.in_parentheses = false;
  return reader_.ReadSteps(*path);
}

Status ConditionParser::ParseFunction() {
  RETURN_IF_ERROR(reader_.EnterLevel());
  const std::string_view name = reader_.tokens.Take().text;
  reader_.tokens.Take();  // the opening parenthesis
  reader_.CountOperator();
  const size_t first_argument = terms_.size();
  do {
    RETURN_IF_ERROR(ParseOperand());
  } while (reader_.tokens.TakeIf(TokenKind::kComma));
  RETURN_IF_ERROR(reader_.Expect(TokenKind::kClose));
  reader_.LeaveLevel();
  const auto count = static_cast<int>(terms_.size() - first_argument);
  std::array<Operand, 2> arguments;
  while (terms_.size() > first_argument) {
    const size_t position = terms_.size() - first_argument - 1;
    Operand argument = PopOperand();
    if (position < arguments.size()) arguments[position] = std::move(argument);
  }
  Push(MakeFunction(name, arguments, count));
  terms_.back().function = name;
  return {};
}

Term ConditionParser::MakeFunction(std::string_view name, std::array<Operand, 2>& arguments, int count) {
  auto& [first, second] = arguments;
  if (name == "size") return HasOperandCount(name, count) ? MakeSize(first) : Term{Operand()};
  if (name == "attribute_exists" || name == "attribute_not_exists") {
    return HasOperandCount(name, count) ? MakeExistence(name, first) : Term{ConditionPtr()};
  }
  if (name == "if_not_exists" || name == "list_append") {
    NoteFunction(kRankFunctionName, "The function is not allowed in a condition expression", name);
    return Term{ConditionPtr()};
  }
  if (name != "attribute_type" && name != "begins_with" && name != "contains") {
    NoteFunction(kRankFunctionName, "Invalid function name", name);
    return Term{ConditionPtr()};
  }
  if (!HasOperandCount(name, count)) return Term{ConditionPtr()};
  NoteBroken(kRuleDistinct, CheckDistinct(name, first, second));
  if (name == "attribute_type") return MakeAttributeType(first, second);
  if (name == "contains") {
    NoteBroken(kRuleOperandType, CheckContainer(first));
    return Term{MakeCondition(Contains{std::move(first), std::move(second)})};
  }
  NoteBroken(kRuleOperandType, CheckBeginsWithOperand(first));
  NoteBroken(kRuleOperandType, CheckBeginsWithOperand(second));
  return Term{MakeCondition(BeginsWith{std::move(first), std::move(second)})};
}

bool ConditionParser::HasOperandCount(std::string_view name, int count) {
  const bool takes_one = name == "size" || name == "attribute_exists" || name == "attribute_not_exists";
  if (count == (takes_one ? 1 : 2)) return true;
  NoteBroken(kRuleOperandCount, OperandCountMessage(name, count));
  return false;
}

Term ConditionParser::MakeSize(Operand& argument) {
  NoteBroken(kRuleOperandType, CheckSizeOperand(argument));
  if (auto* path = std::get_if<DocumentPath>(&argument)) return Term{Operand(SizeOf{std::move(*path)})};
  if (const auto* constant = std::get_if<AttributeValue>(&argument)) {
    folded_size_ = true;
    return Term{Operand(AttributeValue(item::Number(ValueSize(*constant).value_or(0))))};
  }
  return Term{Operand()};
}

Term ConditionParser::MakeExistence(std::string_view name, Operand& argument) {
  auto* path = std::get_if<DocumentPath>(&argument);
  if (path == nullptr) {
    NoteBroken(kRuleOperandType,
               "Operator or function requires a document path; operator or function: " + std::string(name));
    return Term{ConditionPtr()};
  }
  return Term{name == "attribute_exists" ? MakeCondition(AttributeExists{std::move(*path)})
                                         : MakeCondition(AttributeNotExists{std::move(*path)})};
}

// The type of a constant is known, so asking for it is a comparison of two names.
Term ConditionParser::MakeAttributeType(Operand& value, Operand& type) {
  NoteBroken(kRuleOperandType, CheckTypeName(type));
  if (auto* path = std::get_if<DocumentPath>(&value)) {
    return Term{MakeCondition(AttributeType{std::move(*path), std::move(type)})};
  }
  const auto* constant = std::get_if<AttributeValue>(&value);
  const std::string_view name = item::TypeName(constant != nullptr ? constant->type() : item::Type::kNumber);
  return Term{MakeCondition(Comparison{Operand(AttributeValue(name)), Comparator::kEqual, std::move(type)})};
}

Status ConditionParser::RequireCondition() {
  Term& term = terms_.back();
  if (!term.is_operand()) return {};
  if (term.function.empty()) return reader_.SyntaxError();
  NoteFunction(kRankFunctionUse, "The function is not allowed to be used this way in an expression",
               term.function);
  term.content = ConditionPtr();
  return {};
}

Status ConditionParser::RequireOperand() {
  Term& term = terms_.back();
  if (term.is_operand()) return {};
  if (term.function.empty()) return reader_.SyntaxError();
  NoteFunction(kRankFunctionUse, "The function is not allowed to be used this way in an expression",
               term.function);
  term.content = Operand();
  return {};
}

}  // namespace

Result<ParsedCondition> ParseConditionText(std::string_view kind, std::string_view text,
                                           Placeholders& placeholders) {
  RETURN_IF_ERROR(CheckExpressionText(kind, text));
  return ConditionParser(kind, text, placeholders).Parse();
}

Result<ConditionPtr> ParseCondition(std::string_view kind, std::string_view text,
                                    Placeholders& placeholders) {
  ASSIGN_OR_RETURN(ParsedCondition parsed, ParseConditionText(kind, text, placeholders));
  return std::move(parsed.condition);
}

}  // namespace cairn::expr
