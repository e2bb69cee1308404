#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"
#include "dynamodb/table_description_json.h"

namespace cairn::dynamodb {

Task<Answer> DescribeTable(const OperationContext& context, const RequestReader& request) {
  std::string table = request.TableName(TableNameKind::kControl);
  CO_RETURN_IF_ERROR(request.Check());
  auto described = co_await context.store.DescribeTable(std::move(table));
  if (!described) co_return std::unexpected(std::move(described).error());
  co_return TableAnswer("Table", *described, context.arns);
}

}  // namespace cairn::dynamodb
