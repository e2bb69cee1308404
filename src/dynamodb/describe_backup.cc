#include "dynamodb/backup_json.h"
#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"

namespace cairn::dynamodb {

Task<Answer> DescribeBackup(const OperationContext& context, const RequestReader& request) {
  const std::string_view arn = request.String("BackupArn", kBackupArn).value_or("");
  CO_RETURN_IF_ERROR(request.Check());
  CO_ASSIGN_OR_RETURN(store::BackupId id, ReadBackupArn(arn));
  auto backup = co_await context.store.DescribeBackup(std::move(id));
  if (!backup) co_return std::unexpected(std::move(backup).error());
  co_return BackupAnswer(*backup, BackupStatus::kAvailable, context.arns);
}

}  // namespace cairn::dynamodb
