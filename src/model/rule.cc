#include "model/rule.h"

#include <algorithm>

#include "model/rule_node.h"

namespace cairn::model {
namespace {

using Node = Rule::Node;

struct Values {
  const item::Item& record;
  const item::Item& parameters;

  // Null when absent.
  const item::AttributeValue* Find(const RuleOperand& operand) const {
    switch (operand.kind) {
      case RuleOperand::Kind::kAttribute:
        return record.Find(operand.name);
      case RuleOperand::Kind::kParameter:
        return parameters.Find(operand.name);
      case RuleOperand::Kind::kLiteral:
        return &operand.literal;
    }
    return nullptr;
  }
};

bool IsNull(const item::AttributeValue& value) { return value.is(item::Type::kNull); }

// Null equals what is absent; two absent ones are not equal, as nothing is known of either.
bool Equal(const item::AttributeValue* a, const item::AttributeValue* b) {
  if (a == nullptr && b == nullptr) return false;
  if (a == nullptr) return IsNull(*b);
  if (b == nullptr) return IsNull(*a);
  return *a == *b;
}

bool Compare(Node::Kind kind, const item::AttributeValue* a, const item::AttributeValue* b) {
  if (a == nullptr || b == nullptr || a->type() != b->type()) return false;
  std::strong_ordering order = std::strong_ordering::equal;
  if (a->is(item::Type::kNumber)) {
    order = a->number() <=> b->number();
  } else if (a->is(item::Type::kString)) {
    order = a->string().compare(b->string()) <=> 0;
  } else {
    return false;
  }
  switch (kind) {
    case Node::Kind::kLess:
      return order < 0;
    case Node::Kind::kLessOrEqual:
      return order <= 0;
    case Node::Kind::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

bool IsIn(const Node& node, const Values& values) {
  const item::AttributeValue* wanted = values.Find(node.operands[0]);
  return std::any_of(node.operands.begin() + 1, node.operands.end(),
                     [&](const RuleOperand& candidate) { return Equal(wanted, values.Find(candidate)); });
}

bool Evaluate(const Node& node, const Values& values) {
  const auto holds = [&](const Node& child) { return Evaluate(child, values); };
  const auto operand = [&](size_t i) { return values.Find(node.operands[i]); };
  switch (node.kind) {
    case Node::Kind::kOr:
      return std::ranges::any_of(node.children, holds);
    case Node::Kind::kAnd:
      return std::ranges::all_of(node.children, holds);
    case Node::Kind::kNot:
      return !holds(node.children[0]);
    case Node::Kind::kExists:
      return operand(0) != nullptr && !IsNull(*operand(0));
    case Node::Kind::kTrue:
      return operand(0) != nullptr && operand(0)->is(item::Type::kBoolean) && operand(0)->boolean();
    case Node::Kind::kEqual:
      return Equal(operand(0), operand(1));
    case Node::Kind::kNotEqual:
      return !Equal(operand(0), operand(1));
    case Node::Kind::kIn:
      return IsIn(node, values);
    case Node::Kind::kNotIn:
      return !IsIn(node, values);
    default:
      return Compare(node.kind, operand(0), operand(1));
  }
}

// Calls `visit` with every operand of the tree, a Node or a const Node; stops at the first error.
template <class Tree, class Visit>
Status VisitOperands(Tree& node, const Visit& visit) {
  for (auto& operand : node.operands) RETURN_IF_ERROR(visit(operand));
  for (auto& child : node.children) RETURN_IF_ERROR(VisitOperands(child, visit));
  return {};
}

void AddComparisons(const Node& node, std::vector<Rule::Comparison>& comparisons) {
  for (const Node& child : node.children) AddComparisons(child, comparisons);
  Rule::Comparison comparison;
  for (const RuleOperand& operand : node.operands) {
    if (operand.kind == RuleOperand::Kind::kAttribute) comparison.attribute = operand.name;
    if (operand.kind == RuleOperand::Kind::kLiteral) comparison.values.push_back(operand.literal);
  }
  if (!comparison.attribute.empty() && !comparison.values.empty())
    comparisons.push_back(std::move(comparison));
}

std::vector<std::string> NamesOf(const Node* node, RuleOperand::Kind kind) {
  std::vector<std::string> names;
  if (node == nullptr) return names;
  (void)VisitOperands(*node, [&](const RuleOperand& operand) -> Status {
    if (operand.kind == kind) names.push_back(operand.name);
    return {};
  });
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

Result<Rule> Rule::Parse(std::string_view text) {
  ASSIGN_OR_RETURN(Node node, ParseRule(text));
  Rule rule;
  rule.text_ = text;
  rule.node_ = std::make_shared<const Node>(std::move(node));
  return rule;
}

Status Rule::Bind(const std::function<Result<std::string>(const std::string&)>& stored_name) {
  if (node_ == nullptr) return {};
  Node bound = *node_;
  RETURN_IF_ERROR(VisitOperands(bound, [&](RuleOperand& operand) -> Status {
    if (operand.kind != RuleOperand::Kind::kAttribute) return {};
    ASSIGN_OR_RETURN(operand.name, stored_name(operand.name));
    return {};
  }));
  node_ = std::make_shared<const Node>(std::move(bound));
  return {};
}

bool Rule::Holds(const item::Item& record, const item::Item& parameters) const {
  return node_ == nullptr || Evaluate(*node_, {record, parameters});
}

std::vector<std::string> Rule::Dependencies() const {
  return NamesOf(node_.get(), RuleOperand::Kind::kAttribute);
}

std::vector<Rule::Comparison> Rule::Comparisons() const {
  std::vector<Comparison> comparisons;
  if (node_ != nullptr) AddComparisons(*node_, comparisons);
  return comparisons;
}

std::vector<std::string> Rule::Parameters() const {
  return NamesOf(node_.get(), RuleOperand::Kind::kParameter);
}

}  // namespace cairn::model
