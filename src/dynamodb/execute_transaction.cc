#include <array>

#include "dynamodb/capacity_json.h"
#include "dynamodb/item_enum_names.h"
#include "dynamodb/operations.h"
#include "dynamodb/sha256.h"
#include "dynamodb/statement_request.h"
#include "dynamodb/transaction_error.h"
#include "item/item_json.h"
#include "partiql/parse.h"
#include "partiql/transaction.h"

namespace cairn::dynamodb {
namespace {

struct ParsedRequest {
  std::vector<partiql::Statement> statements;
  partiql::TransactionOptions options;
};

using Parameters = std::vector<item::AttributeValue>;

// Two requests with the same client token must have the same statements and parameters.
std::string Fingerprint(const std::vector<StatementParameters>& given,
                        const std::vector<Parameters>& parameters) {
  JsonWriter json;
  json.BeginArray().Value("ExecuteTransaction");
  for (size_t i = 0; i < given.size(); ++i) {
    json.Value(given[i].text()).BeginArray();
    for (const item::AttributeValue& parameter : parameters[i])
      item::AppendValueJson(json.RawValue(), parameter);
    json.EndArray();
  }
  json.EndArray();
  return Sha256(json.Take());
}

Result<ParsedRequest> ReadRequest(const RequestReader& request) {
  ParsedRequest parsed;
  parsed.options.return_capacity = ReadReturnCapacity(request);
  parsed.options.client_token =
      request.String("ClientRequestToken", {.length_min = 1, .length_max = 36}).value_or(std::string_view());
  const auto statements = request.Objects(
      "TransactStatements", "ParameterizedStatement",
      {.presence = Presence::kRequired, .length_min = 1, .length_max = store::kTransactActionsMax});
  std::vector<StatementParameters> given;
  if (statements) {
    for (const RequestReader& statement : *statements) {
      given.emplace_back(statement);
      parsed.options.on_condition_failure.push_back(ReadOnConditionFailure(statement));
    }
  }
  RETURN_IF_ERROR(request.Check());
  std::vector<Parameters> parameters;
  for (const StatementParameters& statement : given) {
    ASSIGN_OR_RETURN(Parameters values, statement.Values());
    parameters.push_back(std::move(values));
  }
  for (size_t i = 0; i < given.size(); ++i) {
    Result<partiql::Statement> statement = partiql::ParseStatement(given[i].text(), parameters[i]);
    if (!statement) return Fail(partiql::InTransactStatement(i, statement.error()));
    parsed.statements.push_back(*std::move(statement));
  }
  if (!parsed.options.client_token.empty()) parsed.options.token_fingerprint = Fingerprint(given, parameters);
  return parsed;
}

}  // namespace

Task<Answer> ExecuteTransaction(const OperationContext& context, const RequestReader& request) {
  auto read = [&] { return ReadRequest(request); };
  CO_ASSIGN_OR_RETURN(const ParsedRequest parsed, co_await Aside(read, context.length()));
  auto response = co_await partiql::ExecuteTransaction(context.store, parsed.statements, parsed.options);
  if (!response) co_return std::unexpected(TransactionError(std::move(response).error()));
  JsonWriter json;
  json.BeginObject().Key("Responses").BeginArray();
  for (const std::optional<item::PackedItem>& item : response->items) {
    json.BeginObject();
    if (item) item::AppendItemJson(json.Key("Item").RawValue(), *item);
    json.EndObject();
  }
  json.EndArray();
  AppendCapacities(json, response->capacity, parsed.options.return_capacity, CapacityForm::kTransaction);
  json.EndObject();
  co_return json.Take();
}

}  // namespace cairn::dynamodb
