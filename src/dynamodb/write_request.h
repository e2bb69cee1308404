// What PutItem, UpdateItem and DeleteItem have in common: options, the condition's older form, rules, the
// answer.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "dynamodb/item_enum_names.h"
#include "dynamodb/legacy_parameters.h"
#include "dynamodb/operation.h"
#include "store/item_requests.h"

namespace cairn::dynamodb {

// The table and the options that the three requests share.
template <class Request>
void ReadWriteOptions(const RequestReader& request, Request& write) {
  write.return_capacity = ReadReturnCapacity(request);
  write.table = request.TableName(TableNameKind::kData);
  write.collection_metrics = ReadCollectionMetrics(request);
  write.return_values = request.Enum("ReturnValues", kReturnValues).value_or(store::ReturnValues::kNone);
  write.on_condition_failure = ReadOnConditionFailure(request);
}

// The condition of a write as Expected.
struct ExpectedParameter {
  explicit ExpectedParameter(const RequestReader& request)
      : conditional_operator(ReadConditionalOperator(request)), conditions(ReadExpected(request)) {}

  Status Check() const { return CheckConditionalOperator(conditional_operator, conditions); }
  // `from_expression` if there is one (they are never both given), else the condition that Expected states.
  Result<expr::ConditionPtr> Or(expr::ConditionPtr from_expression) const;

  std::optional<expr::ConditionalOperator> conditional_operator;
  std::optional<ConditionParameters> conditions;
};

// PutItem and DeleteItem have no new values to return.
Status CheckReturnsOldAtMost(store::ReturnValues return_values);
Status CheckItemSize(const item::Item& item);

std::string WriteAnswer(const store::WriteResponse& response, store::ReturnCapacity detail);
Failure WriteError(store::WriteFailure failure);

}  // namespace cairn::dynamodb
