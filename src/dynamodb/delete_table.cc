#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"
#include "dynamodb/table_description_json.h"

namespace cairn::dynamodb {

Task<Answer> DeleteTable(const OperationContext& context, const RequestReader& request) {
  std::string table = request.TableName(TableNameKind::kControl);
  CO_RETURN_IF_ERROR(request.Check());
  auto deleted = co_await context.store.DeleteTable(std::move(table));
  if (!deleted) co_return std::unexpected(std::move(deleted).error());
  co_return TableAnswer("TableDescription", *deleted, context.arns);
}

}  // namespace cairn::dynamodb
