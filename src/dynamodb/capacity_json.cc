#include "dynamodb/capacity_json.h"

#include "item/item_json.h"

namespace cairn::dynamodb {
namespace {

void AppendUnits(JsonWriter& json, const store::CapacityUnits& units, CapacityForm form) {
  json.Member("CapacityUnits", units.total());
  if (form == CapacityForm::kPlain) return;
  if (units.read > 0) json.Member("ReadCapacityUnits", units.read);
  if (units.write > 0) json.Member("WriteCapacityUnits", units.write);
}

void AppendIndexes(JsonWriter& json, std::string_view name,
                   const std::map<std::string, store::CapacityUnits>& indexes, CapacityForm form) {
  if (indexes.empty()) return;
  json.Key(name).BeginObject();
  for (const auto& [index, units] : indexes) {
    json.Key(index).BeginObject();
    AppendUnits(json, units, form);
    json.EndObject();
  }
  json.EndObject();
}

void AppendOne(JsonWriter& json, const store::ConsumedCapacity& capacity, store::ReturnCapacity detail,
               CapacityForm form) {
  json.BeginObject().Member("TableName", capacity.table);
  AppendUnits(json, capacity.Total(), form);
  if (detail == store::ReturnCapacity::kIndexes) {
    json.Key("Table").BeginObject();
    AppendUnits(json, capacity.table_units, form);
    json.EndObject();
    AppendIndexes(json, "LocalSecondaryIndexes", capacity.local_indexes, form);
    AppendIndexes(json, "GlobalSecondaryIndexes", capacity.global_indexes, form);
  }
  json.EndObject();
}

void AppendOne(JsonWriter& json, const store::ItemCollection& collection) {
  json.BeginObject();
  item::AppendItemJson(json.Key("ItemCollectionKey").RawValue(), collection.partition_key);
  json.Key("SizeEstimateRangeGB").BeginArray();
  json.Value(collection.size_gb_low).Value(collection.size_gb_high).EndArray().EndObject();
}

}  // namespace

void AppendCapacity(JsonWriter& json, const std::optional<store::ConsumedCapacity>& capacity,
                    store::ReturnCapacity detail) {
  if (!capacity || detail == store::ReturnCapacity::kNone) return;
  json.Key("ConsumedCapacity");
  AppendOne(json, *capacity, detail, CapacityForm::kPlain);
}

void AppendCapacities(JsonWriter& json, const std::vector<store::ConsumedCapacity>& capacities,
                      store::ReturnCapacity detail, CapacityForm form) {
  if (detail == store::ReturnCapacity::kNone) return;
  json.Key("ConsumedCapacity").BeginArray();
  for (const store::ConsumedCapacity& capacity : capacities) AppendOne(json, capacity, detail, form);
  json.EndArray();
}

void AppendCollection(JsonWriter& json, const std::optional<store::ItemCollection>& collection) {
  if (!collection) return;
  json.Key("ItemCollectionMetrics");
  AppendOne(json, *collection);
}

void AppendCollections(JsonWriter& json,
                       const std::map<std::string, std::vector<store::ItemCollection>>& collections) {
  if (collections.empty()) return;
  json.Key("ItemCollectionMetrics").BeginObject();
  for (const auto& [table, of_table] : collections) {
    json.Key(table).BeginArray();
    for (const store::ItemCollection& collection : of_table) AppendOne(json, collection);
    json.EndArray();
  }
  json.EndObject();
}

}  // namespace cairn::dynamodb
