// The wire's names for the enums of the item operations, in the order in which DynamoDB's messages list them.
#pragma once

#include "dynamodb/request_reader.h"
#include "expr/legacy.h"
#include "store/item_requests.h"

namespace cairn::dynamodb {

inline constexpr EnumName<store::ReturnCapacity> kReturnCapacities[] = {
    {"INDEXES", store::ReturnCapacity::kIndexes},
    {"TOTAL", store::ReturnCapacity::kTotal},
    {"NONE", store::ReturnCapacity::kNone}};
inline constexpr EnumName<store::ReturnValues> kReturnValues[] = {
    {"ALL_NEW", store::ReturnValues::kAllNew},
    {"UPDATED_OLD", store::ReturnValues::kUpdatedOld},
    {"ALL_OLD", store::ReturnValues::kAllOld},
    {"NONE", store::ReturnValues::kNone},
    {"UPDATED_NEW", store::ReturnValues::kUpdatedNew}};
inline constexpr EnumName<store::OnConditionFailure> kOnConditionFailures[] = {
    {"ALL_OLD", store::OnConditionFailure::kReturnOldItem},
    {"NONE", store::OnConditionFailure::kReturnNothing}};
inline constexpr EnumName<store::CollectionMetrics> kCollectionMetrics[] = {
    {"SIZE", store::CollectionMetrics::kSize}, {"NONE", store::CollectionMetrics::kNone}};
inline constexpr EnumName<store::Select> kSelects[] = {
    {"SPECIFIC_ATTRIBUTES", store::Select::kSpecificAttributes},
    {"COUNT", store::Select::kCount},
    {"ALL_ATTRIBUTES", store::Select::kAllAttributes},
    {"ALL_PROJECTED_ATTRIBUTES", store::Select::kAllProjectedAttributes}};
inline constexpr EnumName<expr::ConditionalOperator> kConditionalOperators[] = {
    {"OR", expr::ConditionalOperator::kOr}, {"AND", expr::ConditionalOperator::kAnd}};
inline constexpr EnumName<expr::LegacyOperator> kComparisonOperators[] = {
    {"IN", expr::LegacyOperator::kIn},
    {"NULL", expr::LegacyOperator::kNull},
    {"BETWEEN", expr::LegacyOperator::kBetween},
    {"LT", expr::LegacyOperator::kLt},
    {"NOT_CONTAINS", expr::LegacyOperator::kNotContains},
    {"EQ", expr::LegacyOperator::kEq},
    {"GT", expr::LegacyOperator::kGt},
    {"NOT_NULL", expr::LegacyOperator::kNotNull},
    {"NE", expr::LegacyOperator::kNe},
    {"LE", expr::LegacyOperator::kLe},
    {"BEGINS_WITH", expr::LegacyOperator::kBeginsWith},
    {"GE", expr::LegacyOperator::kGe},
    {"CONTAINS", expr::LegacyOperator::kContains}};
inline constexpr EnumName<expr::LegacyAction> kUpdateActions[] = {{"ADD", expr::LegacyAction::kAdd},
                                                                  {"DELETE", expr::LegacyAction::kDelete},
                                                                  {"PUT", expr::LegacyAction::kPut}};

inline store::ReturnCapacity ReadReturnCapacity(const RequestReader& request) {
  return request.Enum("ReturnConsumedCapacity", kReturnCapacities).value_or(store::ReturnCapacity::kNone);
}
inline store::CollectionMetrics ReadCollectionMetrics(const RequestReader& request) {
  return request.Enum("ReturnItemCollectionMetrics", kCollectionMetrics)
      .value_or(store::CollectionMetrics::kNone);
}
inline store::OnConditionFailure ReadOnConditionFailure(const RequestReader& request) {
  return request.Enum("ReturnValuesOnConditionCheckFailure", kOnConditionFailures)
      .value_or(store::OnConditionFailure::kReturnNothing);
}
inline store::Consistency ReadConsistency(const RequestReader& request) {
  return request.Boolean("ConsistentRead").value_or(false) ? store::Consistency::kStrong
                                                           : store::Consistency::kEventual;
}

}  // namespace cairn::dynamodb
