#include "domains/values/data_partitions.h"

#include "base/check.h"
#include "domains/values/settings.h"

namespace cairn::values {
namespace {

// The partition in which the model keeps items of this entity.
data_api::StartingPartition PartitionOf(const model::Session& session, std::string label,
                                        std::string_view entity_name, item::Item values) {
  const model::Entity* entity = session.database().model().FindEntity(entity_name);
  CHECK(entity != nullptr, "the values model has trees and plans");
  values.Set("userId", *session.caller().Claim("sub"));
  auto key = entity->pk.Build(values);
  CHECK(key, "user ids, days and revision ids stand in keys");
  return {.label = std::move(label), .table = entity->table, .key = *std::move(key)};
}

Error ErrorOf(const Refusal& refusal) { return {refusal.code, refusal.message}; }

}  // namespace

Task<Result<std::vector<data_api::StartingPartition>>> StartingPartitions(Values& values,
                                                                          model::Session& session) {
  std::vector<data_api::StartingPartition> starts;
  starts.push_back(PartitionOf(session, "Log of the tree, tags, settings, list of days", "ValuesHead", {}));
  auto head = co_await TreeKind::ReadHead(session, {});
  if (!head) co_return Fail(ErrorOf(head.error()));
  if (*head) {
    item::Item revision;
    revision.Set("revId", (*head)->rev_id);
    starts.push_back(PartitionOf(session, "Current tree", "ValuesNode", std::move(revision)));
  }
  auto settings = co_await ReadSettings(session);
  if (!settings) co_return Fail(ErrorOf(settings.error()));
  const auto today = DayOf(values.Now(), RulesOf(*settings));
  if (!today) co_return Fail(today.error());
  const PlanKind::Where where{.day = *today};
  auto plan = co_await PlanKind::ReadHead(session, where);
  if (!plan) co_return Fail(ErrorOf(plan.error()));
  if (*plan) {
    item::Item day, revision;
    day.Set("day", *today);
    revision.Set("day", *today);
    revision.Set("revId", (*plan)->rev_id);
    starts.push_back(PartitionOf(session, "Today's plan", "PlanTodo", std::move(revision)));
    starts.push_back(PartitionOf(session, "Log of today's plan", "PlanHead", std::move(day)));
  }
  co_return starts;
}

}  // namespace cairn::values
