#include "dynamodb/backup_json.h"
#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"

namespace cairn::dynamodb {

Task<Answer> CreateBackup(const OperationContext& context, const RequestReader& request) {
  store::CreateBackupRequest create;
  create.table = request.TableName(TableNameKind::kControl);
  create.name = request.String("BackupName", kRequiredName).value_or("");
  CO_RETURN_IF_ERROR(request.Check());
  auto backup = co_await context.store.CreateBackup(std::move(create));
  if (!backup) co_return std::unexpected(std::move(backup).error());

  JsonWriter json;
  json.BeginObject().Key("BackupDetails");
  WriteBackupDetails(json, *backup, BackupStatus::kAvailable, context.arns);
  json.EndObject();
  co_return json.Take();
}

}  // namespace cairn::dynamodb
