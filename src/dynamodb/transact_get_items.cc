#include "dynamodb/capacity_json.h"
#include "dynamodb/expression_parameters.h"
#include "dynamodb/item_enum_names.h"
#include "dynamodb/operations.h"
#include "dynamodb/transaction_error.h"
#include "item/item_json.h"

namespace cairn::dynamodb {
namespace {

constexpr size_t kPrintedHereBytesMax = 1 << 20;  // of items; more is done by a helper

// One Get as given.
struct GetParameters {
  explicit GetParameters(const RequestReader& get)
      : reader(get),
        table(get.TableName(TableNameKind::kData)),
        key(get.Attributes("Key", Presence::kRequired)),
        expressions(get, {ExpressionKind::kProjection}) {}

  RequestReader reader;
  std::string table;
  std::optional<Result<item::Item>> key;
  ExpressionParameters expressions;
};

Result<store::TransactGet> GetOf(GetParameters& parameters) {
  store::TransactGet get{.table = std::move(parameters.table), .key = {}, .projection = {}};
  RETURN_IF_ERROR(parameters.expressions.CheckUse(parameters.reader, {}));
  ASSIGN_OR_RETURN(get.key, *std::move(parameters.key));
  ASSIGN_OR_RETURN(ParsedExpressions parsed, parameters.expressions.Parse());
  get.projection = std::move(parsed.projection);
  return get;
}

Result<store::TransactGetItemsRequest> ReadRequest(const RequestReader& request) {
  store::TransactGetItemsRequest transaction;
  transaction.return_capacity = ReadReturnCapacity(request);
  const auto items = request.Objects(
      "TransactItems", "TransactGetItem",
      {.presence = Presence::kRequired, .length_min = 1, .length_max = store::kTransactActionsMax});
  std::vector<GetParameters> gets;
  if (items) {
    for (const RequestReader& item : *items) {
      if (const auto get = item.Object("Get", "Get", Presence::kRequired)) gets.emplace_back(*get);
    }
  }
  RETURN_IF_ERROR(request.Check());
  for (GetParameters& parameters : gets) {
    ASSIGN_OR_RETURN(store::TransactGet get, GetOf(parameters));
    transaction.gets.push_back(std::move(get));
  }
  return transaction;
}

std::string PrintAnswer(const store::TransactGetItemsResponse& response, store::ReturnCapacity detail) {
  JsonWriter json;
  json.BeginObject().Key("Responses").BeginArray();
  for (const std::optional<item::PackedItem>& item : response.items) {
    json.BeginObject();
    if (item) item::AppendItemJson(json.Key("Item").RawValue(), *item);
    json.EndObject();
  }
  json.EndArray();
  AppendCapacities(json, response.capacity, detail, CapacityForm::kTransaction);
  json.EndObject();
  return json.Take();
}

}  // namespace

Task<Answer> TransactGetItems(const OperationContext& context, const RequestReader& request) {
  auto read = [&] { return ReadRequest(request); };
  CO_ASSIGN_OR_RETURN(store::TransactGetItemsRequest transaction, co_await Aside(read, context.length()));
  const store::ReturnCapacity detail = transaction.return_capacity;
  auto response = co_await context.store.TransactGetItems(std::move(transaction));
  if (!response) co_return std::unexpected(TransactionError(std::move(response).error()));
  size_t bytes = 0;
  for (const std::optional<item::PackedItem>& item : response->items)
    bytes += item ? item->bytes().size() : 0;
  auto print = [&] { return PrintAnswer(*response, detail); };
  co_return co_await Aside(print, bytes > kPrintedHereBytesMax ? Length::kLong : Length::kShort);
}

}  // namespace cairn::dynamodb
