#include "dynamodb/write_request.h"

#include "dynamodb/capacity_json.h"
#include "item/item_json.h"
#include "item/item_size.h"

namespace cairn::dynamodb {

Result<expr::ConditionPtr> ExpectedParameter::Or(expr::ConditionPtr from_expression) const {
  if (from_expression != nullptr) return from_expression;
  return ExpectedCondition(conditions, conditional_operator);
}

Status CheckReturnsOldAtMost(store::ReturnValues return_values) {
  if (return_values == store::ReturnValues::kNone || return_values == store::ReturnValues::kAllOld) return {};
  return Fail(Invalid("ReturnValues can only be ALL_OLD or NONE"));
}

Status CheckItemSize(const item::Item& item) {
  if (item::ItemBytes(item) <= item::kItemBytesMax) return {};
  return Fail(Invalid("Item size has exceeded the maximum allowed size"));
}

std::string WriteAnswer(const store::WriteResponse& response, store::ReturnCapacity detail) {
  JsonWriter json;
  json.BeginObject();
  if (response.attributes) item::AppendItemJson(json.Key("Attributes").RawValue(), *response.attributes);
  AppendCapacity(json, response.capacity, detail);
  AppendCollection(json, response.collection);
  json.EndObject();
  return json.Take();
}

Failure WriteError(store::WriteFailure failure) {
  if (!failure.existing) return Failure(std::move(failure.error));
  std::string members = "\"Item\":";
  item::AppendItemJson(members, *failure.existing);
  return Failure(std::move(failure.error), std::move(members));
}

}  // namespace cairn::dynamodb
