#include "dynamodb/json_writer.h"
#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"

namespace cairn::dynamodb {

Task<Answer> DescribeTimeToLive(const OperationContext& context, const RequestReader& request) {
  std::string table = request.TableName(TableNameKind::kControl);
  CO_RETURN_IF_ERROR(request.Check());
  auto setting = co_await context.store.DescribeTimeToLive(std::move(table));
  if (!setting) co_return std::unexpected(std::move(setting).error());

  JsonWriter json;
  json.BeginObject().Key("TimeToLiveDescription").BeginObject();
  json.Member("TimeToLiveStatus", setting->enabled ? "ENABLED" : "DISABLED");
  if (setting->enabled) json.Member("AttributeName", setting->attribute);
  json.EndObject().EndObject();
  co_return json.Take();
}

}  // namespace cairn::dynamodb
