#include "dynamodb/capacity_json.h"
#include "dynamodb/error_table.h"
#include "dynamodb/item_enum_names.h"
#include "dynamodb/operations.h"
#include "dynamodb/statement_request.h"
#include "item/item_json.h"
#include "item/item_json_bytes.h"
#include "partiql/capacity.h"
#include "partiql/execute.h"
#include "partiql/parse.h"
#include "store/answer_bytes.h"

namespace cairn::dynamodb {
namespace {

constexpr size_t kBatchStatementsMax = 25;

// One statement of the batch. One that does not parse fails alone.
struct Member {
  Result<partiql::Statement> statement;
  partiql::ExecuteOptions options;
};

Result<partiql::Statement> Parse(const StatementParameters& given) {
  ASSIGN_OR_RETURN(const std::vector<item::AttributeValue> parameters, given.Values());
  return partiql::ParseStatement(given.text(), parameters);
}

Status CheckAllReadOrAllWrite(const std::vector<Member>& members) {
  bool reads = false;
  bool writes = false;
  for (const Member& member : members) {
    if (!member.statement) continue;
    (partiql::IsRead(*member.statement) ? reads : writes) = true;
  }
  if (!reads || !writes) return {};
  return Fail(Invalid(
      "BatchExecuteStatement API does not support both read and write operations in the same request."));
}

Result<std::vector<Member>> ReadRequest(const RequestReader& request, store::ReturnCapacity detail) {
  const auto statements =
      request.Objects("Statements", "BatchStatementRequest",
                      {.presence = Presence::kRequired, .length_min = 1, .length_max = kBatchStatementsMax});
  std::vector<StatementParameters> given;
  std::vector<partiql::ExecuteOptions> options;
  if (statements) {
    for (const RequestReader& statement : *statements) {
      given.emplace_back(statement);
      partiql::ExecuteOptions& of_statement = options.emplace_back();
      of_statement.consistency = ReadConsistency(statement);
      of_statement.on_condition_failure = ReadOnConditionFailure(statement);
      of_statement.return_capacity = detail;
    }
  }
  RETURN_IF_ERROR(request.Check());
  std::vector<Member> members;
  for (size_t i = 0; i < given.size(); ++i) members.push_back({Parse(given[i]), std::move(options[i])});
  RETURN_IF_ERROR(CheckAllReadOrAllWrite(members));
  return members;
}

void AppendError(JsonWriter& json, const Error& error, const std::optional<item::PackedItem>& existing) {
  json.Key("Error")
      .BeginObject()
      .Member("Code", ReasonCode(error.code))
      .Member("Message", PublicMessage(error));
  if (existing) item::AppendItemJson(json.Key("Item").RawValue(), *existing);
  json.EndObject();
}

// A batch has no list of what was left undone, so every statement that was not run says so.
Error NotRun() {
  return {Code::kLimitExceeded,
          "The statement was not run, because the items of the answer take more than 32 MB already. Run it "
          "again."};
}

void AppendResponse(JsonWriter& json, const Member& member,
                    const Result<partiql::ExecuteResponse, store::WriteFailure>& response) {
  const bool found = response || response.error().error.code != Code::kResourceNotFound;
  if (!response) AppendError(json, response.error().error, response.error().existing);
  if (found) json.Member("TableName", partiql::TableOf(*member.statement));
  if (response && !response->items.empty()) {
    item::AppendItemJson(json.Key("Item").RawValue(), response->items.front());
  }
}

}  // namespace

Task<Answer> BatchExecuteStatement(const OperationContext& context, const RequestReader& request) {
  const store::ReturnCapacity detail = ReadReturnCapacity(request);
  CO_ASSIGN_OR_RETURN(const std::vector<Member> members, ReadRequest(request, detail));
  std::vector<store::ConsumedCapacity> capacities;
  size_t answer_bytes = 0;
  JsonWriter json;
  json.BeginObject().Key("Responses").BeginArray();
  for (const Member& member : members) {
    json.BeginObject();
    if (answer_bytes >= store::kAnswerBytesMax) {
      AppendError(json, NotRun(), std::nullopt);
    } else if (member.statement) {
      auto response = co_await partiql::ExecuteInBatch(context.store, *member.statement, member.options);
      if (response) {
        partiql::AddCapacity(capacities, std::move(response->capacity));
        if (!response->items.empty()) answer_bytes += item::JsonBytes(response->items.front());
      } else if (response.error().existing) {
        answer_bytes += item::JsonBytes(*response.error().existing);
      }
      AppendResponse(json, member, response);
    } else {
      AppendError(json, member.statement.error(), std::nullopt);
    }
    json.EndObject();
  }
  json.EndArray();
  AppendCapacities(json, capacities, detail, CapacityForm::kPlain);
  json.EndObject();
  co_return json.Take();
}

}  // namespace cairn::dynamodb
