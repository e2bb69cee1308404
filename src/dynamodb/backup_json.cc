#include "dynamodb/backup_json.h"

#include "dynamodb/enum_names.h"
#include "dynamodb/table_description_json.h"

namespace cairn::dynamodb {
namespace {

store::BackupId IdOf(const store::BackupDescription& backup) {
  return {backup.table.definition.name, backup.id};
}

void WriteThroughput(JsonWriter& json, const store::Throughput& throughput) {
  json.Key("ProvisionedThroughput").BeginObject().Member("ReadCapacityUnits", throughput.read_units);
  json.Member("WriteCapacityUnits", throughput.write_units).EndObject();
}

void WriteSourceTable(JsonWriter& json, const store::TableDescription& table, const ArnSpace& arns) {
  const store::TableDefinition& definition = table.definition;
  json.BeginObject().Member("TableName", definition.name).Member("TableId", table.id);
  json.Member("TableArn", arns.Table(definition.name))
      .Member("TableSizeBytes", table.size_bytes)
      .Key("KeySchema");
  WriteKeySchema(json, definition.key_schema);
  json.Member("TableCreationDateTime", table.created);
  WriteThroughput(json, definition.throughput);
  WriteOnDemandThroughput(json, definition.on_demand);
  json.Member("ItemCount", table.item_count);
  json.Member("BillingMode", NameOf(kBillingModes, definition.billing_mode)).EndObject();
}

void WriteIndexInfos(JsonWriter& json, const store::TableDescription& table, store::IndexKind kind,
                     std::string_view member) {
  bool open = false;
  for (const store::IndexDescription& index : table.indexes) {
    if (index.definition.kind != kind) continue;
    if (!std::exchange(open, true)) json.Key(member).BeginArray();
    json.BeginObject().Member("IndexName", index.definition.name).Key("KeySchema");
    WriteKeySchema(json, index.definition.key_schema);
    json.Key("Projection");
    WriteProjection(json, index.definition);
    if (kind == store::IndexKind::kGlobal) {
      WriteThroughput(json, index.definition.throughput);
      WriteOnDemandThroughput(json, index.definition.on_demand);
    }
    json.EndObject();
  }
  if (open) json.EndArray();
}

void WriteSourceFeatures(JsonWriter& json, const store::TableDescription& table, const ArnSpace& arns) {
  json.BeginObject();
  WriteIndexInfos(json, table, store::IndexKind::kLocal, "LocalSecondaryIndexes");
  WriteIndexInfos(json, table, store::IndexKind::kGlobal, "GlobalSecondaryIndexes");
  if (table.stream_enabled && table.definition.stream) {
    json.Key("StreamDescription").BeginObject().Member("StreamEnabled", true);
    json.Member("StreamViewType", NameOf(kStreamViews, table.definition.stream->view)).EndObject();
  }
  WriteSseDescription(json, table.definition.sse_key, arns);
  json.EndObject();
}

}  // namespace

Result<store::BackupId> ReadBackupArn(std::string_view arn) {
  auto backup = BackupOfArn(arn);
  if (backup) return *std::move(backup);
  return Fail(Invalid("Invalid BackupArn: " + std::string(arn)));
}

void WriteBackupDetails(JsonWriter& json, const store::BackupDescription& backup, BackupStatus status,
                        const ArnSpace& arns) {
  json.BeginObject().Member("BackupArn", arns.Backup(IdOf(backup))).Member("BackupName", backup.name);
  json.Member("BackupSizeBytes", backup.size_bytes);
  json.Member("BackupStatus", status == BackupStatus::kAvailable ? "AVAILABLE" : "DELETED");
  json.Member("BackupType", "USER").Member("BackupCreationDateTime", backup.created).EndObject();
}

std::string BackupAnswer(const store::BackupDescription& backup, BackupStatus status, const ArnSpace& arns) {
  JsonWriter json;
  json.BeginObject().Key("BackupDescription").BeginObject().Key("BackupDetails");
  WriteBackupDetails(json, backup, status, arns);
  json.Key("SourceTableDetails");
  WriteSourceTable(json, backup.table, arns);
  json.Key("SourceTableFeatureDetails");
  WriteSourceFeatures(json, backup.table, arns);
  json.EndObject().EndObject();
  return json.Take();
}

}  // namespace cairn::dynamodb
