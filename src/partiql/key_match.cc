#include "partiql/key_match.h"

#include <algorithm>
#include <variant>

namespace cairn::partiql {
namespace {

using expr::Comparator;
using expr::Condition;
using expr::ConditionPtr;
using expr::DocumentPath;
using expr::KeyComparison;
using expr::KeyOperator;
using expr::Operand;
using item::AttributeValue;

template <class Node>
void Split(const ConditionPtr& condition, Conditions& parts) {
  if (!condition) return;
  if (const auto* node = std::get_if<Node>(&condition->node)) {
    Split<Node>(node->left, parts);
    Split<Node>(node->right, parts);
  } else {
    parts.push_back(condition);
  }
}

template <class Node>
ConditionPtr Join(const Conditions& parts) {
  ConditionPtr all;
  for (const ConditionPtr& part : parts) {
    all = all ? std::make_shared<const Condition>(Condition{Node{std::move(all), part}}) : part;
  }
  return all;
}

bool IsAttribute(const Operand& operand, std::string_view attribute) {
  const auto* path = std::get_if<DocumentPath>(&operand);
  return path && path->steps.empty() && path->attribute == attribute;
}

const AttributeValue* Constant(const Operand& operand) { return std::get_if<AttributeValue>(&operand); }

void AddOnce(std::vector<AttributeValue>& values, const AttributeValue& value) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

std::optional<KeyComparison> FromComparison(const expr::Comparison& comparison, std::string_view attribute) {
  const bool mirrored = IsAttribute(comparison.right, attribute);
  if (!mirrored && !IsAttribute(comparison.left, attribute)) return std::nullopt;
  const AttributeValue* value = Constant(mirrored ? comparison.left : comparison.right);
  const KeyOperator op =
      expr::KeyOperatorOf(mirrored ? expr::Mirrored(comparison.comparator) : comparison.comparator);
  if (!value || op == KeyOperator::kUnsupported) return std::nullopt;
  return KeyComparison{std::string(attribute), op, *value, {}};
}

}  // namespace

Conditions SplitAnd(const ConditionPtr& condition) {
  Conditions parts;
  Split<expr::And>(condition, parts);
  return parts;
}

Conditions SplitOr(const ConditionPtr& condition) {
  Conditions parts;
  Split<expr::Or>(condition, parts);
  return parts;
}

ConditionPtr JoinAnd(const Conditions& parts) { return Join<expr::And>(parts); }
ConditionPtr JoinOr(const Conditions& parts) { return Join<expr::Or>(parts); }

ConditionPtr Exists(std::string_view attribute) {
  return std::make_shared<const Condition>(Condition{expr::AttributeExists{{std::string(attribute), {}}}});
}

ConditionPtr NotExists(std::string_view attribute) {
  return std::make_shared<const Condition>(Condition{expr::AttributeNotExists{{std::string(attribute), {}}}});
}

std::optional<std::vector<AttributeValue>> EqualValues(const Condition& condition,
                                                       std::string_view attribute) {
  std::vector<AttributeValue> values;
  if (const auto* comparison = std::get_if<expr::Comparison>(&condition.node)) {
    const auto key = FromComparison(*comparison, attribute);
    if (!key || key->op != KeyOperator::kEqual) return std::nullopt;
    return std::vector{key->value};
  }
  if (const auto* in = std::get_if<expr::In>(&condition.node)) {
    if (!IsAttribute(in->value, attribute)) return std::nullopt;
    for (const Operand& candidate : in->candidates) {
      if (!Constant(candidate)) return std::nullopt;
      AddOnce(values, *Constant(candidate));
    }
    return values;
  }
  if (const auto* either = std::get_if<expr::Or>(&condition.node)) {
    for (const ConditionPtr& side : {either->left, either->right}) {
      const auto side_values = EqualValues(*side, attribute);
      if (!side_values) return std::nullopt;
      for (const AttributeValue& value : *side_values) AddOnce(values, value);
    }
    return values;
  }
  return std::nullopt;
}

std::optional<KeyComparison> AsKeyComparison(const Condition& condition, std::string_view attribute) {
  if (const auto* comparison = std::get_if<expr::Comparison>(&condition.node)) {
    return FromComparison(*comparison, attribute);
  }
  if (const auto* between = std::get_if<expr::Between>(&condition.node)) {
    const AttributeValue* low = Constant(between->low);
    const AttributeValue* high = Constant(between->high);
    if (!IsAttribute(between->value, attribute) || !low || !high) return std::nullopt;
    return KeyComparison{std::string(attribute), KeyOperator::kBetween, *low, *high};
  }
  if (const auto* begins = std::get_if<expr::BeginsWith>(&condition.node)) {
    const AttributeValue* prefix = Constant(begins->prefix);
    if (!IsAttribute(begins->value, attribute) || !prefix) return std::nullopt;
    return KeyComparison{std::string(attribute), KeyOperator::kBeginsWith, *prefix, {}};
  }
  return std::nullopt;
}

bool Mentions(const Condition& condition, const item::KeySchema& schema) {
  return std::ranges::any_of(expr::ReferencedAttributes(condition),
                             [&](const std::string& name) { return schema.Contains(name); });
}

bool ExcludesSortValues(const Condition& condition, const item::KeySchema& schema) {
  const auto* comparison = std::get_if<expr::Comparison>(&condition.node);
  const bool excludes = std::holds_alternative<expr::Not>(condition.node) ||
                        (comparison && comparison->comparator == Comparator::kNotEqual);
  if (!excludes) return false;
  const std::vector<std::string> names = expr::ReferencedAttributes(condition);
  return std::ranges::any_of(schema.sort, [&](const item::KeyElement& element) {
    return std::ranges::binary_search(names, element.name);
  });
}

std::optional<KeyMatch> MatchKey(const ConditionPtr& where, const item::KeySchema& schema,
                                 KeyEquality equality) {
  KeyMatch match;
  Conditions rest;
  for (const ConditionPtr& part : SplitAnd(where)) {
    bool used = false;
    for (const auto* elements : {&schema.partition, &schema.sort}) {
      for (const item::KeyElement& element : *elements) {
        const bool is_choice = !std::holds_alternative<expr::Comparison>(part->node);
        if (used || (is_choice && equality == KeyEquality::kStrict)) continue;
        const auto values = EqualValues(*part, element.name);
        if (!values || values->size() != 1) continue;
        const AttributeValue* known = match.key.Find(element.name);
        if (known && (equality == KeyEquality::kStrict || *known != values->front())) continue;
        match.key.Set(element.name, values->front());
        used = true;
      }
    }
    if (!used) rest.push_back(part);
  }
  if (match.key.size() != schema.element_count()) return std::nullopt;
  match.rest = JoinAnd(rest);
  return match;
}

}  // namespace cairn::partiql
