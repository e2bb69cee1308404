#include "dynamodb/capacity_json.h"
#include "dynamodb/expression_parameters.h"
#include "dynamodb/item_enum_names.h"
#include "dynamodb/legacy_parameters.h"
#include "dynamodb/operations.h"
#include "item/item_json.h"

namespace cairn::dynamodb {
namespace {

Result<store::GetItemRequest> ReadRequest(const RequestReader& request) {
  store::GetItemRequest get;
  get.return_capacity = ReadReturnCapacity(request);
  const auto attributes_to_get = ReadAttributesToGet(request);
  get.table = request.TableName(TableNameKind::kData);
  auto key = request.Attributes("Key", Presence::kRequired);
  get.consistency = ReadConsistency(request);
  const ExpressionParameters expressions(request, {ExpressionKind::kProjection});
  RETURN_IF_ERROR(request.Check());
  RETURN_IF_ERROR(expressions.CheckUse(request, {"AttributesToGet"}));
  ASSIGN_OR_RETURN(get.key, *std::move(key));
  ASSIGN_OR_RETURN(get.projection, ProjectionOf(attributes_to_get));
  ASSIGN_OR_RETURN(ParsedExpressions parsed, expressions.Parse());
  if (parsed.projection) get.projection = std::move(parsed.projection);
  return get;
}

}  // namespace

Task<Answer> GetItem(const OperationContext& context, const RequestReader& request) {
  auto read = [&] { return ReadRequest(request); };
  CO_ASSIGN_OR_RETURN(store::GetItemRequest get, co_await Aside(read, context.length()));
  const store::ReturnCapacity detail = get.return_capacity;
  CO_ASSIGN_OR_RETURN(const store::GetItemResponse response, co_await context.store.GetItem(std::move(get)));
  JsonWriter json;
  json.BeginObject();
  if (response.item) item::AppendItemJson(json.Key("Item").RawValue(), *response.item);
  AppendCapacity(json, response.capacity, detail);
  json.EndObject();
  co_return json.Take();
}

}  // namespace cairn::dynamodb
