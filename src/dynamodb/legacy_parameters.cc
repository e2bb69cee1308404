#include "dynamodb/legacy_parameters.h"

#include <algorithm>
#include <unordered_set>

#include "dynamodb/item_enum_names.h"
#include "item/attribute_name.h"

namespace cairn::dynamodb {
namespace {

std::unexpected<Error> Broken(std::string rule) {
  return Fail(Invalid("One or more parameter values were invalid: " + std::move(rule)));
}

std::unexpected<Error> BrokenFor(std::string rule, std::string_view attribute) {
  return Broken(std::move(rule) + " for Attribute: " + std::string(attribute));
}

Status CheckName(std::string_view attribute) {
  const Status valid = item::CheckAttributeName(attribute);
  return valid ? Status() : Broken(valid.error().message);
}

ConditionParameter ReadCondition(std::string_view attribute, const RequestReader& entry,
                                 Presence operator_presence) {
  ConditionParameter condition;
  condition.attribute = attribute;
  condition.value_list = entry.Values("AttributeValueList");
  condition.comparison_operator = entry.Enum("ComparisonOperator", kComparisonOperators, operator_presence);
  if (condition.comparison_operator) condition.operator_name = *entry.String("ComparisonOperator");
  return condition;
}

Result<std::vector<item::AttributeValue>> ValuesOf(const ConditionParameter& condition) {
  RETURN_IF_ERROR(CheckName(condition.attribute));
  std::vector<item::AttributeValue> values;
  if (condition.value_list) {
    for (const auto& value : *condition.value_list) {
      ASSIGN_OR_RETURN(item::AttributeValue read, value);
      values.push_back(std::move(read));
    }
  }
  if (condition.value) {
    ASSIGN_OR_RETURN(item::AttributeValue read, *condition.value);
    values.push_back(std::move(read));
  }
  return values;
}

bool TakesNoValue(expr::LegacyOperator op) {
  return op == expr::LegacyOperator::kNull || op == expr::LegacyOperator::kNotNull;
}

// Expected has an older form still: Exists and Value, without an operator.
Result<expr::LegacyOperator> OperatorOfExpected(const ConditionParameter& expected) {
  if (expected.value_list && expected.value) {
    return BrokenFor("Value and AttributeValueList cannot be used together", expected.attribute);
  }
  if (expected.comparison_operator) {
    if (expected.exists) {
      return BrokenFor("Exists and ComparisonOperator cannot be used together", expected.attribute);
    }
    if (!TakesNoValue(*expected.comparison_operator) && !expected.value_list && !expected.value) {
      return BrokenFor("Value or AttributeValueList must be used with ComparisonOperator: " +
                           std::string(expected.operator_name),
                       expected.attribute);
    }
    return *expected.comparison_operator;
  }
  if (expected.value_list) {
    return BrokenFor("AttributeValueList can only be used with a ComparisonOperator", expected.attribute);
  }
  if (expected.exists.value_or(true)) {
    if (expected.value) return expr::LegacyOperator::kEq;
    return BrokenFor(
        std::string("Value must be provided when Exists is ") + (expected.exists ? "true" : "null"),
        expected.attribute);
  }
  if (expected.value) return BrokenFor("Value cannot be used when Exists is false", expected.attribute);
  return expr::LegacyOperator::kNull;
}

}  // namespace

std::optional<ConditionParameters> ReadExpected(const RequestReader& request) {
  const auto entries = request.ObjectMap("Expected", "ExpectedAttributeValue");
  if (!entries) return std::nullopt;
  ConditionParameters conditions;
  for (const auto& [attribute, entry] : *entries) {
    ConditionParameter condition = ReadCondition(attribute, entry, Presence::kOptional);
    condition.exists = entry.Boolean("Exists");
    condition.value = entry.Value("Value");
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

std::optional<ConditionParameters> ReadConditions(const RequestReader& request, std::string_view name) {
  const auto entries = request.ObjectMap(name, "Condition");
  if (!entries) return std::nullopt;
  ConditionParameters conditions;
  for (const auto& [attribute, entry] : *entries) {
    conditions.push_back(ReadCondition(attribute, entry, Presence::kRequired));
  }
  return conditions;
}

std::optional<expr::ConditionalOperator> ReadConditionalOperator(const RequestReader& request) {
  return request.Enum("ConditionalOperator", kConditionalOperators);
}

std::optional<std::vector<UpdateParameter>> ReadAttributeUpdates(const RequestReader& request) {
  const auto entries = request.ObjectMap("AttributeUpdates", "AttributeValueUpdate");
  if (!entries) return std::nullopt;
  std::vector<UpdateParameter> updates;
  for (const auto& [attribute, entry] : *entries) {
    const auto action = entry.Enum("Action", kUpdateActions);
    updates.push_back({attribute, action.value_or(expr::LegacyAction::kPut), entry.Value("Value")});
  }
  return updates;
}

std::optional<std::vector<std::string_view>> ReadAttributesToGet(const RequestReader& request) {
  return request.Strings("AttributesToGet", {.length_min = 1, .length_max = 255});
}

Status CheckConditionalOperator(std::optional<expr::ConditionalOperator> conditional_operator,
                                const std::optional<ConditionParameters>& conditions) {
  if (!conditional_operator) return {};
  if (!conditions || conditions->empty()) {
    return Fail(Invalid("ConditionalOperator cannot be used without Filter or Expected"));
  }
  if (conditions->size() == 1) {
    return Fail(
        Invalid("ConditionalOperator can only be used when Filter or Expected has two or more elements"));
  }
  return {};
}

Result<expr::ConditionPtr> ExpectedCondition(const std::optional<ConditionParameters>& expected,
                                             std::optional<expr::ConditionalOperator> conditional_operator) {
  if (!expected || expected->empty()) return nullptr;
  std::vector<expr::LegacyComparison> comparisons;
  for (const ConditionParameter& condition : *expected) {
    ASSIGN_OR_RETURN(const expr::LegacyOperator op, OperatorOfExpected(condition));
    ASSIGN_OR_RETURN(std::vector<item::AttributeValue> values, ValuesOf(condition));
    comparisons.push_back({std::string(condition.attribute), op, std::move(values)});
  }
  return expr::ConditionFromLegacy(comparisons,
                                   conditional_operator.value_or(expr::ConditionalOperator::kAnd));
}

namespace {

Result<std::vector<expr::LegacyComparison>> ComparisonsOf(const ConditionParameters& conditions) {
  std::vector<expr::LegacyComparison> comparisons;
  for (const ConditionParameter& condition : conditions) {
    ASSIGN_OR_RETURN(std::vector<item::AttributeValue> values, ValuesOf(condition));
    comparisons.push_back(
        {std::string(condition.attribute), *condition.comparison_operator, std::move(values)});
  }
  return comparisons;
}

}  // namespace

Result<expr::ConditionPtr> FilterCondition(const std::optional<ConditionParameters>& filter,
                                           std::optional<expr::ConditionalOperator> conditional_operator) {
  if (!filter || filter->empty()) return nullptr;
  ASSIGN_OR_RETURN(const auto comparisons, ComparisonsOf(*filter));
  return expr::ConditionFromLegacy(comparisons,
                                   conditional_operator.value_or(expr::ConditionalOperator::kAnd));
}

Result<expr::KeyCondition> KeyConditionOf(const ConditionParameters& key_conditions) {
  // How many there may be is the index's to say: one with several attributes in its key takes more than two.
  if (key_conditions.empty()) return Fail(Invalid("Conditions can be of length 1 or 2 only"));
  ASSIGN_OR_RETURN(const auto comparisons, ComparisonsOf(key_conditions));
  return expr::KeyConditionFromLegacy(comparisons);
}

Result<expr::Update> UpdateOf(const std::vector<UpdateParameter>& updates) {
  std::vector<expr::LegacyUpdate> legacy;
  for (const UpdateParameter& update : updates) {
    RETURN_IF_ERROR(CheckName(update.attribute));
    expr::LegacyUpdate one{std::string(update.attribute), update.action, std::nullopt};
    if (update.value) {
      ASSIGN_OR_RETURN(one.value, *update.value);
    }
    legacy.push_back(std::move(one));
  }
  return expr::UpdateFromLegacy(legacy);
}

Result<std::optional<expr::Projection>> ProjectionOf(
    const std::optional<std::vector<std::string_view>>& names) {
  if (!names) return std::optional<expr::Projection>();
  expr::Projection projection;
  std::unordered_set<std::string_view> seen;
  for (const std::string_view name : *names) {
    RETURN_IF_ERROR(CheckName(name));
    if (!seen.insert(name).second) return Broken("Duplicate value in attribute name: " + std::string(name));
    projection.paths.push_back({.attribute = std::string(name), .steps = {}});
  }
  return std::optional(std::move(projection));
}

}  // namespace cairn::dynamodb
