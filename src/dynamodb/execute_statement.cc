#include "dynamodb/capacity_json.h"
#include "dynamodb/item_enum_names.h"
#include "dynamodb/operations.h"
#include "dynamodb/statement_request.h"
#include "dynamodb/write_request.h"
#include "item/item_json.h"
#include "partiql/execute.h"
#include "partiql/parse.h"

namespace cairn::dynamodb {
namespace {

struct ParsedRequest {
  partiql::Statement statement;
  uint64_t fingerprint = 0;  // what a NextToken is bound to
  partiql::ExecuteOptions options;
};

Result<ParsedRequest> ReadRequest(const RequestReader& request) {
  ParsedRequest parsed;
  parsed.options.return_capacity = ReadReturnCapacity(request);
  parsed.options.consistency = ReadConsistency(request);
  parsed.options.on_condition_failure = ReadOnConditionFailure(request);
  parsed.options.limit = request.Integer("Limit", {.min = 1});
  const auto next_token = request.String("NextToken", {.length_min = 1, .length_max = 32768});
  const StatementParameters given(request);
  RETURN_IF_ERROR(request.Check());
  ASSIGN_OR_RETURN(const std::vector<item::AttributeValue> parameters, given.Values());
  ASSIGN_OR_RETURN(parsed.statement, partiql::ParseStatement(given.text(), parameters));
  parsed.fingerprint = partiql::Fingerprint(given.text(), parameters);
  if (next_token) {
    ASSIGN_OR_RETURN(parsed.options.start, partiql::DecodeNextToken(parsed.fingerprint, *next_token));
  }
  return parsed;
}

std::string PrintAnswer(const partiql::ExecuteResponse& response, uint64_t fingerprint,
                        store::ReturnCapacity detail) {
  JsonWriter json;
  json.BeginObject().Key("Items").BeginArray();
  for (const item::PackedItem& item : response.items) item::AppendItemJson(json.RawValue(), item);
  json.EndArray();
  if (response.next) json.Member("NextToken", partiql::EncodeNextToken(fingerprint, *response.next));
  if (response.last_evaluated_key) {
    item::AppendItemJson(json.Key("LastEvaluatedKey").RawValue(), *response.last_evaluated_key);
  }
  AppendCapacity(json, response.capacity, detail);
  json.EndObject();
  return json.Take();
}

}  // namespace

Task<Answer> ExecuteStatement(const OperationContext& context, const RequestReader& request) {
  auto read = [&] { return ReadRequest(request); };
  CO_ASSIGN_OR_RETURN(const ParsedRequest parsed, co_await Aside(read, context.length()));
  auto response = co_await partiql::Execute(context.store, parsed.statement, parsed.options);
  if (!response) co_return std::unexpected(WriteError(std::move(response).error()));
  co_return PrintAnswer(*response, parsed.fingerprint, parsed.options.return_capacity);
}

}  // namespace cairn::dynamodb
