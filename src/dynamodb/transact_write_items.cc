#include <array>

#include "dynamodb/capacity_json.h"
#include "dynamodb/expression_parameters.h"
#include "dynamodb/operations.h"
#include "dynamodb/sha256.h"
#include "dynamodb/transaction_error.h"
#include "dynamodb/write_request.h"
#include "item/item_json.h"
#include "item/item_size.h"

namespace cairn::dynamodb {
namespace {

enum class ActionKind { kConditionCheck, kPut, kDelete, kUpdate };

struct ActionName {
  std::string_view member;
  std::string_view subject;  // the member that says which item
};
constexpr auto kActionNames = std::to_array<ActionName>(
    {{"ConditionCheck", "Key"}, {"Put", "Item"}, {"Delete", "Key"}, {"Update", "Key"}});

std::initializer_list<ExpressionKind> ExpressionsOf(ActionKind kind) {
  static constexpr std::initializer_list<ExpressionKind> kCondition = {ExpressionKind::kCondition};
  static constexpr std::initializer_list<ExpressionKind> kBoth = {ExpressionKind::kUpdate,
                                                                  ExpressionKind::kCondition};
  return kind == ActionKind::kUpdate ? kBoth : kCondition;
}

// One action as given.
struct ActionParameters {
  ActionParameters(ActionKind k, const RequestReader& action)
      : kind(k),
        reader(action),
        table(action.TableName(TableNameKind::kData)),
        subject(action.Attributes(kActionNames[static_cast<size_t>(k)].subject, Presence::kRequired)),
        on_condition_failure(ReadOnConditionFailure(action)),
        expressions(action, ExpressionsOf(k)) {
    if (k == ActionKind::kConditionCheck)
      action.String("ConditionExpression", {.presence = Presence::kRequired});
    if (k == ActionKind::kUpdate) action.String("UpdateExpression", {.presence = Presence::kRequired});
  }

  ActionKind kind;
  RequestReader reader;
  std::string table;
  std::optional<Result<item::Item>> subject;  // the item or its key
  store::OnConditionFailure on_condition_failure;
  ExpressionParameters expressions;
};

// Reads the one action of a TransactWriteItem; `wrong_count` when there is none or there are several.
void ReadAction(const RequestReader& item, std::vector<ActionParameters>& actions, bool& wrong_count) {
  size_t count = 0;
  for (size_t kind = 0; kind < kActionNames.size(); ++kind) {
    const auto action = item.Object(kActionNames[kind].member, kActionNames[kind].member);
    if (!action) continue;
    actions.emplace_back(static_cast<ActionKind>(kind), *action);
    ++count;
  }
  wrong_count = wrong_count || count != 1;
}

Result<store::TransactAction> ActionOf(ActionParameters& parameters) {
  RETURN_IF_ERROR(parameters.expressions.CheckUse(parameters.reader, {}));
  ASSIGN_OR_RETURN(item::Item subject, *std::move(parameters.subject));
  ASSIGN_OR_RETURN(ParsedExpressions parsed, parameters.expressions.Parse());
  store::TransactAction action;
  action.on_condition_failure = parameters.on_condition_failure;
  std::string table = std::move(parameters.table);
  switch (parameters.kind) {
    case ActionKind::kConditionCheck:
      action.action =
          store::ConditionCheck{std::move(table), std::move(subject), std::move(parsed.condition)};
      break;
    case ActionKind::kPut:
      RETURN_IF_ERROR(CheckItemSize(subject));
      action.action = store::TransactPut{std::move(table), std::move(subject), std::move(parsed.condition)};
      break;
    case ActionKind::kDelete:
      action.action =
          store::TransactDelete{std::move(table), std::move(subject), std::move(parsed.condition)};
      break;
    case ActionKind::kUpdate:
      action.action = store::TransactUpdate{std::move(table), std::move(subject), *std::move(parsed.update),
                                            std::move(parsed.condition)};
      break;
  }
  return action;
}

// Two requests with the same client token must ask for the same thing. How their JSON is laid out does not
// matter, nor does what the answer shall report.
std::string Fingerprint(const std::vector<ActionParameters>& actions) {
  JsonWriter json;
  json.BeginArray();
  for (const ActionParameters& action : actions) {
    json.BeginArray().Value(kActionNames[static_cast<size_t>(action.kind)].member).Value(action.table);
    if (*action.subject) item::AppendItemJson(json.RawValue(), **action.subject);
    action.expressions.AppendCanonical(json);
    json.EndArray();
  }
  json.EndArray();
  return Sha256(json.Take());
}

Result<store::TransactWriteItemsRequest> ReadRequest(const RequestReader& request) {
  store::TransactWriteItemsRequest transaction;
  transaction.return_capacity = ReadReturnCapacity(request);
  transaction.collection_metrics = ReadCollectionMetrics(request);
  transaction.client_token =
      request.String("ClientRequestToken", {.length_min = 1, .length_max = 36}).value_or(std::string_view());
  const auto items = request.Objects(
      "TransactItems", "TransactWriteItem",
      {.presence = Presence::kRequired, .length_min = 1, .length_max = store::kTransactActionsMax});
  std::vector<ActionParameters> actions;
  bool wrong_count = false;
  if (items) {
    for (const RequestReader& item : *items) ReadAction(item, actions, wrong_count);
  }
  RETURN_IF_ERROR(request.Check());
  if (wrong_count) {
    return Fail(Invalid("TransactItems can only contain one of Check, Put, Update or Delete"));
  }
  if (!transaction.client_token.empty()) transaction.token_fingerprint = Fingerprint(actions);
  size_t bytes = 0;
  for (ActionParameters& parameters : actions) {
    if (*parameters.subject) bytes += item::ItemBytes(**parameters.subject);
    ASSIGN_OR_RETURN(store::TransactAction action, ActionOf(parameters));
    transaction.actions.push_back(std::move(action));
  }
  if (bytes > store::kTransactBytesMax) {
    return Fail(Invalid("Transaction request cannot include items whose aggregate size exceeds 4 MB"));
  }
  return transaction;
}

}  // namespace

Task<Answer> TransactWriteItems(const OperationContext& context, const RequestReader& request) {
  auto read = [&] { return ReadRequest(request); };
  CO_ASSIGN_OR_RETURN(store::TransactWriteItemsRequest transaction, co_await Aside(read, context.length()));
  const store::ReturnCapacity detail = transaction.return_capacity;
  auto response = co_await context.store.TransactWriteItems(std::move(transaction));
  if (!response) co_return std::unexpected(TransactionError(std::move(response).error()));
  JsonWriter json;
  json.BeginObject();
  AppendCapacities(json, response->capacity, detail, CapacityForm::kTransaction);
  AppendCollections(json, response->collections);
  json.EndObject();
  co_return json.Take();
}

}  // namespace cairn::dynamodb
