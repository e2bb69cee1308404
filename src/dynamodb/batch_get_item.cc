#include <algorithm>

#include "dynamodb/batch_tables.h"
#include "dynamodb/capacity_json.h"
#include "dynamodb/expression_parameters.h"
#include "dynamodb/item_enum_names.h"
#include "dynamodb/legacy_parameters.h"
#include "dynamodb/operations.h"
#include "item/item_json.h"

namespace cairn::dynamodb {
namespace {

constexpr size_t kPrintedHereBytesMax = 1 << 20;  // of items; more is done by a helper

// KeysAndAttributes of one table, as given.
struct TableParameters {
  std::string_view name;  // as the client wrote it; answers repeat it
  std::string table;
  std::vector<Result<item::Item>> keys;
  store::Consistency consistency;
  std::optional<std::vector<std::string_view>> attributes_to_get;
  ExpressionParameters expressions;
  RequestReader reader;
};

std::vector<Result<item::Item>> ReadKeys(const RequestReader& of_table, std::string_view name) {
  auto keys = of_table.AttributesList("Keys", {.presence = Presence::kRequired, .length_min = 1});
  if (!keys) return {};
  if (keys->size() > store::kBatchGetKeysMax) {
    of_table.findings().OddViolation(
        "Value at 'RequestItems." + std::string(name) +
        ".member.Keys' failed to satisfy constraint: Member must have length less than "
        "or equal to 100");
  }
  return *std::move(keys);
}

std::vector<TableParameters> ReadTables(const RequestReader& request) {
  std::vector<TableParameters> tables;
  const auto entries =
      request.ObjectMap("RequestItems", "KeysAndAttributes", {.presence = Presence::kRequired});
  if (!entries) return tables;
  for (const auto& [name, of_table] : *entries) {
    tables.push_back({.name = name,
                      .table = TableOfBatchKey(request, name),
                      .keys = ReadKeys(of_table, name),
                      .consistency = ReadConsistency(of_table),
                      .attributes_to_get = ReadAttributesToGet(of_table),
                      .expressions = ExpressionParameters(of_table, {ExpressionKind::kProjection}),
                      .reader = of_table});
  }
  return tables;
}

// Over all tables: DynamoDB takes the batch for one request.
Status CheckUseTogether(const std::vector<TableParameters>& tables) {
  const bool any_expression = std::ranges::any_of(tables, [](const TableParameters& table) {
    return table.expressions.Has(ExpressionKind::kProjection);
  });
  const bool any_names = std::ranges::any_of(
      tables, [](const TableParameters& table) { return table.attributes_to_get.has_value(); });
  if (!any_expression || !any_names) return {};
  return Fail(
      Invalid("Can not use both expression and non-expression parameters in the same request: "
              "Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"));
}

Result<store::BatchGetTable> TableOf(TableParameters& parameters) {
  store::BatchGetTable table{.table = parameters.table, .keys = {}, .consistency = parameters.consistency};
  RETURN_IF_ERROR(parameters.expressions.CheckUse(parameters.reader, {"AttributesToGet"}));
  ASSIGN_OR_RETURN(table.projection, ProjectionOf(parameters.attributes_to_get));
  ASSIGN_OR_RETURN(ParsedExpressions parsed, parameters.expressions.Parse());
  if (parsed.projection) table.projection = std::move(parsed.projection);
  table.keys.reserve(parameters.keys.size());
  for (Result<item::Item>& given : parameters.keys) {
    ASSIGN_OR_RETURN(item::Item key, std::move(given));
    if (table.keys.size() == store::kBatchGetKeysMax) {
      return Fail(Invalid("Too many items requested for the BatchGetItem call"));
    }
    if (std::ranges::find(table.keys, key) != table.keys.end()) {
      return Fail(Invalid("Provided list of item keys contains duplicates"));
    }
    table.keys.push_back(std::move(key));
  }
  return table;
}

Result<store::BatchGetItemRequest> ReadRequest(const RequestReader& request) {
  store::BatchGetItemRequest batch;
  batch.return_capacity = ReadReturnCapacity(request);
  std::vector<TableParameters> tables = ReadTables(request);
  RETURN_IF_ERROR(request.Check());
  RETURN_IF_ERROR(CheckNotEmptyBatch(tables.size(), "BatchGetItem"));
  RETURN_IF_ERROR(CheckUseTogether(tables));
  size_t keys = 0;
  for (TableParameters& parameters : tables) {
    keys += parameters.keys.size();
    ASSIGN_OR_RETURN(store::BatchGetTable table, TableOf(parameters));
    batch.tables.push_back(std::move(table));
  }
  if (keys > store::kBatchGetKeysMax) {
    return Fail(Invalid("Too many items requested for the BatchGetItem call"));
  }
  return batch;
}

// What the client sends again for the keys that were not read.
void AppendUnprocessed(JsonWriter& json, const TableParameters& parameters,
                       const std::vector<size_t>& positions) {
  json.Key(parameters.name).BeginObject().Key("Keys").BeginArray();
  for (const size_t position : positions) item::AppendItemJson(json.RawValue(), *parameters.keys[position]);
  json.EndArray();
  if (const auto consistent = parameters.reader.Boolean("ConsistentRead"))
    json.Member("ConsistentRead", *consistent);
  json.MemberIf("ProjectionExpression", parameters.reader.String("ProjectionExpression"));
  if (const auto names = parameters.reader.StringMap("ExpressionAttributeNames")) {
    json.Key("ExpressionAttributeNames").BeginObject();
    for (const auto& [key, name] : *names) json.Member(key, name);
    json.EndObject();
  }
  if (parameters.attributes_to_get) {
    json.Key("AttributesToGet").BeginArray();
    for (const std::string_view name : *parameters.attributes_to_get) json.Value(name);
    json.EndArray();
  }
  json.EndObject();
}

bool AllProcessed(const store::BatchGetItemResponse& response) {
  return std::ranges::all_of(response.unprocessed_keys,
                             [](const auto& positions) { return positions.empty(); });
}

std::string PrintAnswer(const RequestReader& request, const store::BatchGetItemResponse& response,
                        store::ReturnCapacity detail) {
  JsonWriter json;
  json.BeginObject().Key("Responses").BeginObject();
  const auto names = request.ObjectMap("RequestItems", "KeysAndAttributes");
  for (size_t i = 0; i < response.items.size(); ++i) {
    json.Key(names->at(i).first).BeginArray();
    for (const item::PackedItem& item : response.items[i]) item::AppendItemJson(json.RawValue(), item);
    json.EndArray();
  }
  json.EndObject().Key("UnprocessedKeys").BeginObject();
  if (!AllProcessed(response)) {
    const std::vector<TableParameters> tables = ReadTables(request);
    for (size_t i = 0; i < tables.size(); ++i) {
      if (!response.unprocessed_keys[i].empty())
        AppendUnprocessed(json, tables[i], response.unprocessed_keys[i]);
    }
  }
  json.EndObject();
  AppendCapacities(json, response.capacity, detail, CapacityForm::kPlain);
  json.EndObject();
  return json.Take();
}

}  // namespace

Task<Answer> BatchGetItem(const OperationContext& context, const RequestReader& request) {
  auto read = [&] { return ReadRequest(request); };
  CO_ASSIGN_OR_RETURN(store::BatchGetItemRequest batch, co_await Aside(read, context.length()));
  const store::ReturnCapacity detail = batch.return_capacity;
  CO_ASSIGN_OR_RETURN(const store::BatchGetItemResponse response,
                      co_await context.store.BatchGetItem(std::move(batch)));
  size_t bytes = 0;
  for (const auto& items : response.items) {
    for (const item::PackedItem& item : items) bytes += item.bytes().size();
  }
  auto print = [&] { return PrintAnswer(request, response, detail); };
  co_return co_await Aside(print, bytes > kPrintedHereBytesMax ? Length::kLong : Length::kShort);
}

}  // namespace cairn::dynamodb
