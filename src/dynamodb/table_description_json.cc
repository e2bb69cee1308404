#include "dynamodb/table_description_json.h"

#include "store/capacity.h"

#include "dynamodb/enum_names.h"

namespace cairn::dynamodb {
namespace {

void WriteAttributeDefinitions(JsonWriter& json, const std::vector<item::KeyElement>& definitions) {
  json.Key("AttributeDefinitions").BeginArray();
  for (const item::KeyElement& definition : definitions) {
    json.BeginObject().Member("AttributeName", definition.name);
    json.Member("AttributeType", NameOf(kKeyTypes, definition.type)).EndObject();
  }
  json.EndArray();
}

struct ThroughputHistory {
  std::optional<Time> increased, decreased;
};

void WriteThroughput(JsonWriter& json, const store::Throughput& throughput,
                     const ThroughputHistory& history) {
  json.Key("ProvisionedThroughput").BeginObject();
  json.MemberIf("LastIncreaseDateTime", history.increased);
  json.MemberIf("LastDecreaseDateTime", history.decreased);
  json.Member("NumberOfDecreasesToday", 0);
  json.Member("ReadCapacityUnits", throughput.read_units);
  json.Member("WriteCapacityUnits", throughput.write_units).EndObject();
}

// `definition`: a table's or an index's.
template <class Definition>
void WriteWarmThroughput(JsonWriter& json, store::BillingMode billing_mode, const Definition& definition,
                         std::string_view status) {
  const store::Throughput warm = store::WarmOf(billing_mode, definition.throughput, definition.warm);
  json.Key("WarmThroughput").BeginObject();
  json.Member("ReadUnitsPerSecond", warm.read_units).Member("WriteUnitsPerSecond", warm.write_units);
  json.Member("Status", status).EndObject();
}

void WriteBillingMode(JsonWriter& json, const store::TableDescription& table) {
  const bool on_demand = table.definition.billing_mode == store::BillingMode::kPayPerRequest;
  // A table that was always provisioned has no summary.
  if (!on_demand && !table.billing_mode_changed) return;
  json.Key("BillingModeSummary").BeginObject();
  json.Member("BillingMode", NameOf(kBillingModes, table.definition.billing_mode));
  json.MemberIf("LastUpdateToPayPerRequestDateTime", table.billing_mode_changed).EndObject();
}

void WriteIndex(JsonWriter& json, const store::TableDescription& table, const store::IndexDescription& index,
                const ArnSpace& arns) {
  const store::IndexDefinition& definition = index.definition;
  json.BeginObject().Member("IndexName", definition.name).Key("KeySchema");
  WriteKeySchema(json, definition.key_schema);
  json.Key("Projection");
  WriteProjection(json, definition);
  if (definition.kind == store::IndexKind::kGlobal) {
    const std::string_view status = NameOf(kIndexStatuses, index.status);
    json.Member("IndexStatus", status);
    if (index.backfilling) json.Member("Backfilling", true);
    WriteThroughput(json, definition.throughput, {});
    WriteOnDemandThroughput(json, definition.on_demand);
    WriteWarmThroughput(json, table.definition.billing_mode, definition, status);
  }
  json.Member("IndexSizeBytes", index.size_bytes).Member("ItemCount", index.item_count);
  json.Member("IndexArn", arns.Index(table.definition.name, definition.name)).EndObject();
}

void WriteIndexes(JsonWriter& json, const store::TableDescription& table, store::IndexKind kind,
                  std::string_view member, const ArnSpace& arns) {
  bool open = false;
  for (const store::IndexDescription& index : table.indexes) {
    if (index.definition.kind != kind) continue;
    if (!std::exchange(open, true)) json.Key(member).BeginArray();
    WriteIndex(json, table, index, arns);
  }
  if (open) json.EndArray();
}

void WriteStream(JsonWriter& json, const store::TableDescription& table, const ArnSpace& arns) {
  if (table.stream_enabled && table.definition.stream) {
    json.Key("StreamSpecification").BeginObject().Member("StreamEnabled", true);
    json.Member("StreamViewType", NameOf(kStreamViews, table.definition.stream->view)).EndObject();
  }
  if (table.stream_label.empty()) return;
  json.Member("LatestStreamLabel", table.stream_label);
  json.Member("LatestStreamArn", arns.Stream({table.definition.name, table.stream_label}));
}

void WriteRestore(JsonWriter& json, const store::TableDescription& table, const ArnSpace& arns) {
  if (table.restored_from_table.empty()) return;
  json.Key("RestoreSummary").BeginObject();
  if (!table.restored_from_backup.empty()) {
    json.Member("SourceBackupArn", arns.Backup({table.restored_from_table, table.restored_from_backup}));
  }
  json.Member("SourceTableArn", arns.Table(table.restored_from_table));
  json.Member("RestoreDateTime", table.restored_at.value_or(table.created));
  json.Member("RestoreInProgress", table.status == store::TableStatus::kCreating).EndObject();
}

}  // namespace

void WriteOnDemandThroughput(JsonWriter& json, const std::optional<store::OnDemandThroughput>& on_demand) {
  if (!on_demand) return;
  json.Key("OnDemandThroughput").BeginObject();
  json.MemberIf("MaxReadRequestUnits", on_demand->max_read_units);
  json.MemberIf("MaxWriteRequestUnits", on_demand->max_write_units).EndObject();
}

void WriteKeySchema(JsonWriter& json, const item::KeySchema& schema) {
  json.BeginArray();
  const auto write = [&json](const std::vector<item::KeyElement>& elements, KeyRole role) {
    for (const item::KeyElement& element : elements) {
      json.BeginObject().Member("AttributeName", element.name);
      json.Member("KeyType", NameOf(kKeyRoles, role)).EndObject();
    }
  };
  write(schema.partition, KeyRole::kHash);
  write(schema.sort, KeyRole::kRange);
  json.EndArray();
}

void WriteProjection(JsonWriter& json, const store::IndexDefinition& index) {
  json.BeginObject().Member("ProjectionType", NameOf(kProjectionTypes, index.projection));
  if (!index.included.empty()) {
    json.Key("NonKeyAttributes").BeginArray();
    for (const std::string& name : index.included) json.Value(name);
    json.EndArray();
  }
  json.EndObject();
}

void WriteSseDescription(JsonWriter& json, const std::optional<std::string>& sse_key, const ArnSpace& arns) {
  if (!sse_key) return;
  const std::string key = sse_key->empty() ? "alias/aws/dynamodb" : *sse_key;
  json.Key("SSEDescription").BeginObject().Member("Status", "ENABLED").Member("SSEType", "KMS");
  json.Member("KMSMasterKeyArn",
              LooksLikeArn(key) ? key : "arn:aws:kms:" + arns.region + ":" + arns.account + ":key/" + key);
  json.EndObject();
}

void WriteTableDescription(JsonWriter& json, const store::TableDescription& table, const ArnSpace& arns) {
  const store::TableDefinition& definition = table.definition;
  const std::string_view status = NameOf(kTableStatuses, table.status);
  json.BeginObject();
  WriteAttributeDefinitions(json, definition.attribute_definitions);
  json.Member("TableName", definition.name).Key("KeySchema");
  WriteKeySchema(json, definition.key_schema);
  json.Member("TableStatus", status).Member("CreationDateTime", table.created);
  WriteThroughput(json, definition.throughput, {table.throughput_increased, table.throughput_decreased});
  json.Member("TableSizeBytes", table.size_bytes).Member("ItemCount", table.item_count);
  json.Member("TableArn", arns.Table(definition.name)).Member("TableId", table.id);
  WriteBillingMode(json, table);
  WriteIndexes(json, table, store::IndexKind::kLocal, "LocalSecondaryIndexes", arns);
  WriteIndexes(json, table, store::IndexKind::kGlobal, "GlobalSecondaryIndexes", arns);
  WriteStream(json, table, arns);
  WriteRestore(json, table, arns);
  WriteSseDescription(json, definition.sse_key, arns);
  if (!definition.table_class.empty()) {
    json.Key("TableClassSummary").BeginObject().Member("TableClass", definition.table_class).EndObject();
  }
  json.Member("DeletionProtectionEnabled", definition.deletion_protection);
  WriteOnDemandThroughput(json, definition.on_demand);
  WriteWarmThroughput(json, definition.billing_mode, definition, status);
  json.EndObject();
}

std::string TableAnswer(std::string_view member, const store::TableDescription& table, const ArnSpace& arns) {
  JsonWriter json;
  json.BeginObject().Key(member);
  WriteTableDescription(json, table, arns);
  json.EndObject();
  return json.Take();
}

}  // namespace cairn::dynamodb
