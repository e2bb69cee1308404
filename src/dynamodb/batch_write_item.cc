#include "dynamodb/batch_tables.h"
#include "dynamodb/capacity_json.h"
#include "dynamodb/operations.h"
#include "dynamodb/write_request.h"
#include "item/item_json.h"

namespace cairn::dynamodb {
namespace {

// One WriteRequest as given: a put, a delete, or wrongly neither or both.
struct ActionParameters {
  std::optional<Result<item::Item>> put;
  std::optional<Result<item::Item>> remove;
};
struct TableParameters {
  std::string_view name;  // as the client wrote it; answers repeat it
  std::string table;
  std::vector<ActionParameters> actions;
};

ActionParameters ReadAction(const RequestReader& write) {
  ActionParameters action;
  if (const auto remove = write.Object("DeleteRequest", "DeleteRequest")) {
    action.remove = remove->Attributes("Key", Presence::kRequired);
  }
  if (const auto put = write.Object("PutRequest", "PutRequest")) {
    action.put = put->Attributes("Item", Presence::kRequired);
  }
  return action;
}

std::vector<TableParameters> ReadTables(const RequestReader& request) {
  std::vector<TableParameters> tables;
  const auto entries =
      request.ObjectListMap("RequestItems", "WriteRequest", {.presence = Presence::kRequired});
  if (!entries) return tables;
  bool bad_length = false;
  for (const auto& [name, writes] : *entries) {
    TableParameters table{.name = name, .table = TableOfBatchKey(request, name), .actions = {}};
    bad_length = bad_length || writes.empty() || writes.size() > store::kBatchWriteItemsMax;
    for (const RequestReader& write : writes) table.actions.push_back(ReadAction(write));
    tables.push_back(std::move(table));
  }
  if (bad_length) {
    request.findings().Violation(request.TextOf("RequestItems"), "requestItems",
                                 "Map value must satisfy constraint: [Member must have length less than or "
                                 "equal to 25, Member must have "
                                 "length greater than or equal to 1]");
  }
  return tables;
}

Result<store::BatchWriteAction> ActionOf(ActionParameters& parameters) {
  if (parameters.put.has_value() == parameters.remove.has_value()) {
    // DynamoDB's own words, although no AttributeValue is meant.
    return Fail(Invalid(
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
        "datatypes"));
  }
  if (parameters.put) {
    ASSIGN_OR_RETURN(item::Item item, *std::move(parameters.put));
    RETURN_IF_ERROR(CheckItemSize(item));
    return store::BatchPut{std::move(item)};
  }
  ASSIGN_OR_RETURN(item::Item key, *std::move(parameters.remove));
  return store::BatchDelete{std::move(key)};
}

Result<store::BatchWriteItemRequest> ReadRequest(const RequestReader& request) {
  store::BatchWriteItemRequest batch;
  batch.return_capacity = ReadReturnCapacity(request);
  batch.collection_metrics = ReadCollectionMetrics(request);
  std::vector<TableParameters> tables = ReadTables(request);
  RETURN_IF_ERROR(request.Check());
  RETURN_IF_ERROR(CheckNotEmptyBatch(tables.size(), "BatchWriteItem"));
  size_t actions = 0;
  for (const TableParameters& parameters : tables) actions += parameters.actions.size();
  if (actions > store::kBatchWriteItemsMax) {
    return Fail(Invalid("Too many items requested for the BatchWriteItem call"));
  }
  for (TableParameters& parameters : tables) {
    store::BatchWriteTable table{.table = std::move(parameters.table), .actions = {}};
    for (ActionParameters& given : parameters.actions) {
      ASSIGN_OR_RETURN(store::BatchWriteAction action, ActionOf(given));
      table.actions.push_back(std::move(action));
    }
    batch.tables.push_back(std::move(table));
  }
  return batch;
}

void AppendUnprocessed(JsonWriter& json, const TableParameters& table, const std::vector<size_t>& positions) {
  json.Key(table.name).BeginArray();
  for (const size_t position : positions) {
    const ActionParameters& action = table.actions[position];
    json.BeginObject().Key(action.put ? "PutRequest" : "DeleteRequest").BeginObject();
    json.Key(action.put ? "Item" : "Key");
    item::AppendItemJson(json.RawValue(), action.put ? **action.put : **action.remove);
    json.EndObject().EndObject();
  }
  json.EndArray();
}

bool AllProcessed(const store::BatchWriteItemResponse& response) {
  for (const std::vector<size_t>& positions : response.unprocessed) {
    if (!positions.empty()) return false;
  }
  return true;
}

std::string PrintAnswer(const RequestReader& request, const store::BatchWriteItemResponse& response,
                        store::ReturnCapacity detail) {
  JsonWriter json;
  json.BeginObject().Key("UnprocessedItems").BeginObject();
  if (!AllProcessed(response)) {
    const std::vector<TableParameters> tables = ReadTables(request);
    for (size_t i = 0; i < response.unprocessed.size(); ++i) {
      if (!response.unprocessed[i].empty()) AppendUnprocessed(json, tables[i], response.unprocessed[i]);
    }
  }
  json.EndObject();
  AppendCapacities(json, response.capacity, detail, CapacityForm::kPlain);
  AppendCollections(json, response.collections);
  json.EndObject();
  return json.Take();
}

}  // namespace

Task<Answer> BatchWriteItem(const OperationContext& context, const RequestReader& request) {
  auto read = [&] { return ReadRequest(request); };
  CO_ASSIGN_OR_RETURN(store::BatchWriteItemRequest batch, co_await Aside(read, context.length()));
  const store::ReturnCapacity detail = batch.return_capacity;
  CO_ASSIGN_OR_RETURN(const store::BatchWriteItemResponse response,
                      co_await context.store.BatchWriteItem(std::move(batch)));
  co_return PrintAnswer(request, response, detail);
}

}  // namespace cairn::dynamodb
