#include "base/check.h"
#include "partiql/key_match.h"
#include "partiql/plan.h"

namespace cairn::partiql {
namespace {

const std::string& PartitionName(const store::TableDescription& table) {
  return table.definition.key_schema.partition.front().name;
}

Result<KeyMatch> RequireKey(const expr::ConditionPtr& where, const store::TableDescription& table) {
  auto match = MatchKey(where, table.definition.key_schema, KeyEquality::kStrict);
  if (!match)
    return Fail(Invalid("Where clause does not contain a mandatory equality on all key attributes"));
  return *std::move(match);
}

expr::ConditionPtr ExistsAnd(const store::TableDescription& table, const expr::ConditionPtr& rest) {
  Conditions parts = {Exists(PartitionName(table))};
  if (rest) parts.push_back(rest);
  return JoinAnd(parts);
}

Result<store::ConditionCheck> PlanExists(const ExistsCheck& check, const store::TableDescription& table) {
  auto match = MatchKey(check.select.where, table.definition.key_schema, KeyEquality::kStrict);
  if (!match || !match->rest || check.select.from.index) {
    return Fail(Invalid("EXISTS() must contain a single item read with additional condition"));
  }
  return store::ConditionCheck{check.select.from.table, std::move(match->key), ExistsAnd(table, match->rest)};
}

}  // namespace

store::PutItemRequest PlanInsert(const Insert& insert, const store::TableDescription& table) {
  return {.table = insert.table, .item = insert.item, .condition = NotExists(PartitionName(table))};
}

Result<store::UpdateItemRequest> PlanUpdate(const Update& update, const store::TableDescription& table) {
  ASSIGN_OR_RETURN(KeyMatch match, RequireKey(update.where, table));
  return store::UpdateItemRequest{.table = update.table,
                                  .key = std::move(match.key),
                                  .update = update.update,
                                  .condition = ExistsAnd(table, match.rest),
                                  .return_values = update.returning};
}

Result<store::DeleteItemRequest> PlanDelete(const Delete& deletion, const store::TableDescription& table) {
  ASSIGN_OR_RETURN(KeyMatch match, RequireKey(deletion.where, table));
  expr::ConditionPtr condition;
  if (match.rest) condition = JoinOr({NotExists(PartitionName(table)), match.rest});
  return store::DeleteItemRequest{.table = deletion.table,
                                  .key = std::move(match.key),
                                  .condition = std::move(condition),
                                  .return_values = deletion.returning};
}

Result<store::TransactAction> PlanTransactAction(const Statement& statement,
                                                 const store::TableDescription& table) {
  if (const auto* insert = std::get_if<Insert>(&statement)) {
    store::PutItemRequest put = PlanInsert(*insert, table);
    return store::TransactAction{
        store::TransactPut{std::move(put.table), std::move(put.item), std::move(put.condition)}};
  }
  if (const auto* update = std::get_if<Update>(&statement)) {
    ASSIGN_OR_RETURN(store::UpdateItemRequest request, PlanUpdate(*update, table));
    return store::TransactAction{store::TransactUpdate{std::move(request.table), std::move(request.key),
                                                       std::move(request.update),
                                                       std::move(request.condition)}};
  }
  if (const auto* deletion = std::get_if<Delete>(&statement)) {
    ASSIGN_OR_RETURN(store::DeleteItemRequest request, PlanDelete(*deletion, table));
    return store::TransactAction{store::TransactDelete{std::move(request.table), std::move(request.key),
                                                       std::move(request.condition)}};
  }
  const auto* check = std::get_if<ExistsCheck>(&statement);
  CHECK(check, "a SELECT is no action of a transaction that writes");
  ASSIGN_OR_RETURN(store::ConditionCheck action, PlanExists(*check, table));
  return store::TransactAction{std::move(action)};
}

Error DuplicateItem() { return {Code::kDuplicateItem, "Duplicate primary key exists in table"}; }

}  // namespace cairn::partiql
