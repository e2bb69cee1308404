// The older request parameters (Expected, QueryFilter, ScanFilter, KeyConditions, AttributeUpdates) as the
// same trees that expressions give. Everything below the wire knows only those trees.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/update.h"
#include "item/attribute_value.h"

namespace cairn::expr {

enum class LegacyOperator {
  kEq,
  kNe,
  kIn,
  kLe,
  kLt,
  kGe,
  kGt,
  kBetween,
  kNotNull,
  kNull,
  kContains,
  kNotContains,
  kBeginsWith,
};

// "EQ", "NE", ...; nothing for an unknown name.
std::optional<LegacyOperator> ParseLegacyOperator(std::string_view name);

struct LegacyComparison {
  std::string attribute;
  LegacyOperator op = LegacyOperator::kEq;
  std::vector<item::AttributeValue> values;
};

enum class ConditionalOperator { kAnd, kOr };

// Checks number and types of the values with DynamoDB's messages. No comparisons: null, no condition.
Result<ConditionPtr> ConditionFromLegacy(const std::vector<LegacyComparison>& comparisons,
                                         ConditionalOperator conditional_operator);
Result<KeyCondition> KeyConditionFromLegacy(const std::vector<LegacyComparison>& comparisons);

enum class LegacyAction { kPut, kAdd, kDelete };
struct LegacyUpdate {
  std::string attribute;
  LegacyAction action = LegacyAction::kPut;
  std::optional<item::AttributeValue> value;
};
Result<Update> UpdateFromLegacy(const std::vector<LegacyUpdate>& updates);

}  // namespace cairn::expr
