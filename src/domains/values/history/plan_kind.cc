// PlanKind: a day's plan as items.
#include "base/together.h"
#include "domains/values/history/repository_kinds.h"
#include "domains/values/history/revision_id.h"
#include "domains/values/plan/items.h"

namespace cairn::values {
namespace {

namespace data = models::values;
using PlanRevision = Revision<PlanKind::Label>;

PlanRevision RevisionOf(data::PlanRev stored) {
  return {.id = stored.rev_id.value_or(""),
          .ts = stored.rev_ts.value_or(""),
          .parent_id = std::move(stored.parent_rev_id),
          .message = std::move(stored.message).value_or(""),
          .label = stored.reason,
          .item_count = stored.item_count.value_or(-1),
          .restored_from = std::move(stored.restored_from),
          .restored_by = stored.restored_by,
          .values_rev_id = std::move(stored.values_rev_id),
          .touched = {}};
}

data::PlanRev StoredOf(const PlanKind::Where& where, const PlanRevision& revision) {
  data::PlanRev stored;
  stored.day = where.day;
  stored.rev_id = revision.id;
  stored.rev_ts = revision.ts;
  stored.parent_rev_id = revision.parent_id;
  if (!revision.message.empty()) stored.message = revision.message;
  stored.reason = revision.label;
  stored.item_count = revision.item_count;
  stored.values_rev_id = revision.values_rev_id;
  stored.restored_from = revision.restored_from;
  stored.restored_by = revision.restored_by;
  return stored;
}

}  // namespace

size_t PlanKind::BytesOf(const Snapshot& snapshot) {
  const Plan& plan = snapshot.content;
  size_t bytes = plan.todos.size() * sizeof(Todo) + plan.blocks.size() * sizeof(Block);
  for (const Todo& todo : plan.todos) bytes += todo.action_id.size() + (todo.notes ? todo.notes->size() : 0);
  for (const auto& [id, block] : plan.blocks)
    bytes += 2 * id.size() + (block.action_id ? block.action_id->size() : 0);
  return bytes;
}

Task<Decision<std::optional<Head>>> PlanKind::ReadHead(model::Session& session, Where where) {
  const data::PlanHeadKey key{.day = where.day};
  auto head = co_await data::GetPlanHead(session, key);
  if (!head) co_return std::unexpected(RefusalOf(std::move(head).error()));
  if (!*head) co_return std::nullopt;
  co_return Head{.rev_id = (*head)->head_rev_id,
                 .rev_ts = (*head)->head_rev_ts,
                 .updated_at = (*head)->updated_at.value_or(""),
                 .item_count = (*head)->item_count};
}

Task<Decision<std::optional<PlanRevision>>> PlanKind::ReadRevision(model::Session& session, Where where,
                                                                   std::string rev_id) {
  const data::PlanRevKey key{.day = where.day, .rev_ts = TimestampOf(rev_id), .rev_id = rev_id};
  auto stored = co_await data::GetPlanRev(session, key);
  if (!stored) co_return std::unexpected(RefusalOf(std::move(stored).error()));
  if (!*stored) co_return std::nullopt;
  co_return RevisionOf(**std::move(stored));
}

Task<Decision<RevisionPage<PlanKind::Label>>> PlanKind::ReadHistory(model::Session& session, Where where,
                                                                    PageOf page) {
  const data::PlanHistoryParameters parameters{.day = where.day};
  const model::typed::PageOptions options{.limit = page.limit, .cursor = page.cursor};
  auto read = co_await data::ReadPlanHistory(session, parameters, options);
  if (!read) co_return std::unexpected(RefusalOf(std::move(read).error()));
  RevisionPage<Label> answer;
  answer.next_cursor = read->next_cursor;
  for (data::PlanRev& stored : read->items) answer.revisions.push_back(RevisionOf(std::move(stored)));
  co_return answer;
}

Task<Decision<Plan>> PlanKind::ReadSnapshot(model::Session& session, Where where, std::string rev_id) {
  const data::PlanParameters parameters{.day = where.day, .rev_id = rev_id};
  auto read = co_await data::ReadPlan(session, parameters);
  if (!read) co_return std::unexpected(RefusalOf(std::move(read).error()));
  std::vector<data::PlanTodo> todos;
  std::vector<data::PlanBlock> blocks;
  for (auto& item : read->items) {
    if (auto* todo = std::get_if<data::PlanTodo>(&item)) {
      todos.push_back(std::move(*todo));
    } else {
      blocks.push_back(std::move(std::get<data::PlanBlock>(item)));
    }
  }
  co_return PlanOf(std::move(todos), std::move(blocks));
}

Task<Decision<size_t>> PlanKind::WriteSnapshot(model::Session& session, Where where, std::string rev_id,
                                               Snapshot& snapshot, const Snapshot*) {
  const Plan& plan = snapshot.content;
  const std::vector<data::PlanTodo> todos = TodoItems(plan, where.day, rev_id);
  const std::vector<data::PlanBlock> blocks = BlockItems(plan, where.day, rev_id);
  // Side by side: one sync for both.
  std::vector<Task<model::Outcome<size_t>>> writes;
  writes.push_back(data::CreateManyPlanTodo(session, todos));
  writes.push_back(data::CreateManyPlanBlock(session, blocks));
  for (auto& written : co_await Together(std::move(writes))) {
    if (!written) co_return std::unexpected(RefusalOf(std::move(written).error()));
  }
  co_return todos.size() + blocks.size();
}

Task<Decision<size_t>> PlanKind::DeleteSnapshot(model::Session& session, Where where, std::string rev_id) {
  const data::PlanParameters parameters{.day = where.day, .rev_id = rev_id};
  auto read = co_await data::ReadPlan(session, parameters);
  if (!read) co_return std::unexpected(RefusalOf(std::move(read).error()));
  std::vector<data::PlanTodoKey> todos;
  std::vector<data::PlanBlockKey> blocks;
  for (const auto& item : read->items) {
    if (const auto* todo = std::get_if<data::PlanTodo>(&item)) {
      todos.push_back(data::KeyOf(*todo));
    } else {
      blocks.push_back(data::KeyOf(std::get<data::PlanBlock>(item)));
    }
  }
  auto gone = co_await data::DeleteManyPlanTodo(session, todos);
  if (!gone) co_return std::unexpected(RefusalOf(std::move(gone).error()));
  auto freed = co_await data::DeleteManyPlanBlock(session, blocks);
  if (!freed) co_return std::unexpected(RefusalOf(std::move(freed).error()));
  co_return todos.size() + blocks.size();
}

Decision<void> PlanKind::Stage(model::Session& session, const Where& where, const PlanRevision& revision,
                               const std::optional<Head>& seen, const Plan& plan) {
  if (auto staged = data::CreatePlanRev(session, StoredOf(where, revision)); !staged)
    return std::unexpected(RefusalOf(std::move(staged).error()));
  data::PlanDay day;
  day.day = where.day;
  day.head_rev_id = revision.id;
  day.todo_count = static_cast<int64_t>(plan.todos.size());
  day.block_count = static_cast<int64_t>(plan.blocks.size());
  if (auto listed = data::CreatePlanDay(session, day); !listed)
    return std::unexpected(RefusalOf(std::move(listed).error()));
  model::Outcome<void> moved;
  if (seen) {
    data::PlanHeadChanges changes;
    changes.SetHeadRevId(revision.id).SetHeadRevTs(revision.ts).SetItemCount(revision.item_count);
    moved = data::UpdatePlanHead(session, {.day = where.day}, changes, seen->rev_id);
  } else {
    data::PlanHead head;
    head.day = where.day;
    head.head_rev_id = revision.id;
    head.head_rev_ts = revision.ts;
    head.item_count = revision.item_count;
    if (auto created = data::CreatePlanHead(session, head); !created)
      moved = std::unexpected(std::move(created).error());
  }
  if (!moved) return std::unexpected(RefusalOf(std::move(moved).error()));
  return {};
}

}  // namespace cairn::values
