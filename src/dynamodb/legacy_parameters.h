// The older parameters of item requests (Expected, QueryFilter, ScanFilter, KeyConditions, AttributeUpdates,
// AttributesToGet, ConditionalOperator): reading notes findings, then they become the trees of expr/.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dynamodb/request_reader.h"
#include "expr/legacy.h"
#include "expr/projection.h"

namespace cairn::dynamodb {

// One entry of Expected, QueryFilter, ScanFilter or KeyConditions as it was given.
struct ConditionParameter {
  std::string_view attribute;
  std::optional<expr::LegacyOperator> comparison_operator;
  std::string_view operator_name;
  std::optional<std::vector<Result<item::AttributeValue>>> value_list;
  std::optional<Result<item::AttributeValue>> value;  // only in Expected
  std::optional<bool> exists;                         // only in Expected
};
using ConditionParameters = std::vector<ConditionParameter>;

struct UpdateParameter {
  std::string_view attribute;
  expr::LegacyAction action = expr::LegacyAction::kPut;
  std::optional<Result<item::AttributeValue>> value;
};

std::optional<ConditionParameters> ReadExpected(const RequestReader& request);
// `name`: "QueryFilter", "ScanFilter" or "KeyConditions".
std::optional<ConditionParameters> ReadConditions(const RequestReader& request, std::string_view name);
std::optional<expr::ConditionalOperator> ReadConditionalOperator(const RequestReader& request);
std::optional<std::vector<UpdateParameter>> ReadAttributeUpdates(const RequestReader& request);
std::optional<std::vector<std::string_view>> ReadAttributesToGet(const RequestReader& request);

// ConditionalOperator needs a filter or Expected with at least two conditions.
Status CheckConditionalOperator(std::optional<expr::ConditionalOperator> conditional_operator,
                                const std::optional<ConditionParameters>& conditions);

// Null when there are no conditions.
Result<expr::ConditionPtr> ExpectedCondition(const std::optional<ConditionParameters>& expected,
                                             std::optional<expr::ConditionalOperator> conditional_operator);
Result<expr::ConditionPtr> FilterCondition(const std::optional<ConditionParameters>& filter,
                                           std::optional<expr::ConditionalOperator> conditional_operator);
Result<expr::KeyCondition> KeyConditionOf(const ConditionParameters& key_conditions);
Result<expr::Update> UpdateOf(const std::vector<UpdateParameter>& updates);
// None when AttributesToGet was not given.
Result<std::optional<expr::Projection>> ProjectionOf(
    const std::optional<std::vector<std::string_view>>& names);

}  // namespace cairn::dynamodb
