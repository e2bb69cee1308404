#include "dynamodb/json_writer.h"
#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"

namespace cairn::dynamodb {

Task<Answer> ListTables(const OperationContext& context, const RequestReader& request) {
  store::ListTablesRequest list;
  list.limit = request.Integer("Limit", {.min = 1, .max = 100}).value_or(100);
  list.exclusive_start_name = request.String("ExclusiveStartTableName", kOptionalName).value_or("");
  CO_RETURN_IF_ERROR(request.Check());
  auto page = co_await context.store.ListTables(std::move(list));
  if (!page) co_return std::unexpected(std::move(page).error());

  JsonWriter json;
  json.BeginObject().Key("TableNames").BeginArray();
  for (const std::string& name : page->names) json.Value(name);
  json.EndArray();
  if (!page->last_evaluated_name.empty()) json.Member("LastEvaluatedTableName", page->last_evaluated_name);
  json.EndObject();
  co_return json.Take();
}

}  // namespace cairn::dynamodb
