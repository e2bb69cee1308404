#include "dynamodb/json_writer.h"
#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"

namespace cairn::dynamodb {

// There are none: tools that ask learn that point-in-time recovery is off.
Task<Answer> DescribeContinuousBackups(const OperationContext& context, const RequestReader& request) {
  const std::string table = request.TableName(TableNameKind::kControl);
  CO_RETURN_IF_ERROR(request.Check());
  auto described = co_await context.store.DescribeTable(table);
  if (!described && described.error().code == Code::kResourceNotFound) {
    co_return std::unexpected(Error{Code::kTableNotFound, "Table not found: " + table});
  }
  if (!described) co_return std::unexpected(std::move(described).error());

  JsonWriter json;
  json.BeginObject().Key("ContinuousBackupsDescription").BeginObject();
  json.Member("ContinuousBackupsStatus", "DISABLED").Key("PointInTimeRecoveryDescription").BeginObject();
  json.Member("PointInTimeRecoveryStatus", "DISABLED").EndObject();
  json.EndObject().EndObject();
  co_return json.Take();
}

}  // namespace cairn::dynamodb
