#include <cmath>

#include "dynamodb/backup_json.h"
#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"

namespace cairn::dynamodb {
namespace {

enum class BackupKind { kUser, kSystem, kAwsBackup, kAll };
constexpr EnumName<BackupKind> kBackupKinds[] = {{"USER", BackupKind::kUser},
                                                 {"SYSTEM", BackupKind::kSystem},
                                                 {"AWS_BACKUP", BackupKind::kAwsBackup},
                                                 {"ALL", BackupKind::kAll}};

// Seconds since 1970 as a client may give them; moments beyond the year 9999 are the year 9999.
Time TimeOf(double seconds) {
  constexpr double kSecondsMax = 253402300799.0;
  const double bounded = std::isnan(seconds) ? 0 : std::clamp(seconds, 0.0, kSecondsMax);
  return Time(std::chrono::microseconds(static_cast<int64_t>(bounded * 1e6)));
}

void WriteSummary(JsonWriter& json, const store::BackupDescription& backup, const ArnSpace& arns) {
  const std::string& table = backup.table.definition.name;
  json.BeginObject().Member("TableName", table).Member("TableId", backup.table.id);
  json.Member("TableArn", arns.Table(table)).Member("BackupArn", arns.Backup({table, backup.id}));
  json.Member("BackupName", backup.name).Member("BackupCreationDateTime", backup.created);
  json.Member("BackupStatus", "AVAILABLE").Member("BackupType", "USER");
  json.Member("BackupSizeBytes", backup.size_bytes).EndObject();
}

std::string ListAnswer(const store::ListBackupsResponse& page, const ArnSpace& arns) {
  JsonWriter json;
  json.BeginObject().Key("BackupSummaries").BeginArray();
  for (const store::BackupDescription& backup : page.backups) WriteSummary(json, backup, arns);
  json.EndArray();
  if (!page.last_evaluated_id.empty() && !page.backups.empty()) {
    const std::string& table = page.backups.back().table.definition.name;
    json.Member("LastEvaluatedBackupArn", arns.Backup({table, page.last_evaluated_id}));
  }
  json.EndObject();
  return json.Take();
}

}  // namespace

Task<Answer> ListBackups(const OperationContext& context, const RequestReader& request) {
  store::ListBackupsRequest list;
  if (request.Has("TableName")) list.table = request.TableName(TableNameKind::kControl);
  list.limit = request.Integer("Limit", {.min = 1, .max = 100}).value_or(100);
  if (const auto from = request.Double("TimeRangeLowerBound")) list.created_from = TimeOf(*from);
  if (const auto before = request.Double("TimeRangeUpperBound")) list.created_before = TimeOf(*before);
  const auto start = request.String("ExclusiveStartBackupArn", kOptionalBackupArn);
  const auto kind = request.Enum("BackupType", kBackupKinds).value_or(BackupKind::kUser);
  CO_RETURN_IF_ERROR(request.Check());
  if (start) {
    CO_ASSIGN_OR_RETURN(const store::BackupId id, ReadBackupArn(*start));
    list.exclusive_start_id = id.id;
  }
  // Only users make backups here.
  if (kind == BackupKind::kSystem || kind == BackupKind::kAwsBackup) co_return ListAnswer({}, context.arns);
  auto page = co_await context.store.ListBackups(std::move(list));
  if (!page) co_return std::unexpected(std::move(page).error());
  co_return ListAnswer(*page, context.arns);
}

}  // namespace cairn::dynamodb
