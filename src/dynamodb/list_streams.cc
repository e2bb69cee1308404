#include "dynamodb/json_writer.h"
#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"
#include "dynamodb/stream_names.h"

namespace cairn::dynamodb {
namespace {

std::string ListAnswer(const store::ListStreamsResponse& page, const ArnSpace& arns) {
  JsonWriter json;
  json.BeginObject().Key("Streams").BeginArray();
  for (const store::StreamId& stream : page.streams) {
    json.BeginObject().Member("StreamArn", arns.Stream(stream)).Member("TableName", stream.table);
    json.Member("StreamLabel", stream.label).EndObject();
  }
  json.EndArray();
  if (page.last_evaluated) json.Member("LastEvaluatedStreamArn", arns.Stream(*page.last_evaluated));
  json.EndObject();
  return json.Take();
}

}  // namespace

Task<Answer> ListStreams(const OperationContext& context, const RequestReader& request) {
  store::ListStreamsRequest list;
  if (request.Has("TableName")) list.table = request.TableName(TableNameKind::kControl);
  list.limit = request.Integer("Limit", {.min = 1, .max = 100}).value_or(100);
  const auto start = request.String("ExclusiveStartStreamArn", kOptionalStreamArn);
  CO_RETURN_IF_ERROR(request.Check());
  if (start) {
    CO_ASSIGN_OR_RETURN(list.exclusive_start, ReadStreamArn(*start));
  }
  auto page = co_await context.store.ListStreams(std::move(list));
  if (!page) co_return std::unexpected(std::move(page).error());
  co_return ListAnswer(*page, context.arns);
}

}  // namespace cairn::dynamodb
