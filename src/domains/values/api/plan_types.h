// The plans' requests and answers as they go over the wire: structs, and what their fields are called
// (rest/fields.h). Used in this folder only.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "domains/values/api/fields.h"
#include "domains/values/api/tree_types.h"
#include "domains/values/history/revision.h"
#include "domains/values/plan/operations.h"

namespace cairn::values {

// ---- operations on a plan

struct AddTodoOp : AddTodo {
  static constexpr std::string_view kOp = "addTodo";
};
template <class Fields>
void DescribeTodo(Fields& fields, AddTodo& todo) {
  fields.Body("actionId", todo.action_id, kId);
  fields.Body("classification", todo.classification, {.optional = true});
  fields.Body("estimatedPomodoros", todo.estimated_pomodoros, {.min = 0, .max = 100});
  fields.Body("notes", todo.notes, {.max = 10'000});
  fields.Body("first", todo.first, {.optional = true});
  fields.Body("afterActionId", todo.after_action_id, kId);
}
template <class Fields>
void Describe(Fields& fields, AddTodoOp& todo) {
  DescribeTodo(fields, todo);
}

struct EditTodoOp : EditTodo {
  static constexpr std::string_view kOp = "editTodo";
};
template <class Fields>
void DescribeChanges(Fields& fields, EditTodo& todo) {
  fields.Body("classification", todo.classification);
  fields.Body("estimatedPomodoros", todo.estimated_pomodoros, {.min = 0, .max = 100});
  fields.Body("notes", todo.notes, {.max = 10'000});
}
template <class Fields>
void Describe(Fields& fields, EditTodoOp& todo) {
  fields.Body("actionId", todo.action_id, kId);
  DescribeChanges(fields, todo);
}

struct RemoveTodoOp : RemoveTodo {
  static constexpr std::string_view kOp = "removeTodo";
};
template <class Fields>
void Describe(Fields& fields, RemoveTodoOp& todo) {
  fields.Body("actionId", todo.action_id, kId);
}

struct ReorderTodosOp : ReorderTodos {
  static constexpr std::string_view kOp = "reorderTodos";
};
template <class Fields>
void Describe(Fields& fields, ReorderTodosOp& reorder) {
  fields.Body("actionIds", reorder.action_ids, kId);
}

struct AddBlockOp : AddBlock {
  static constexpr std::string_view kOp = "addBlock";
};
template <class Fields>
void DescribeBlock(Fields& fields, AddBlock& block) {
  fields.Body("blockId", block.block_id, {.kind = Kind::kId, .form = rest::Form::kNewId});
  fields.Body("blockType", block.type);
  fields.Body("start", block.start, kInstant);
  fields.Body("end", block.end, kInstant);
  fields.Body("actionId", block.action_id, kId);
  fields.Body("pomodoroIndex", block.pomodoro_index, {.min = 1, .max = 100});
}
template <class Fields>
void Describe(Fields& fields, AddBlockOp& block) {
  DescribeBlock(fields, block);
}

struct EditBlockOp : EditBlock {
  static constexpr std::string_view kOp = "editBlock";
};
template <class Fields>
void DescribeChanges(Fields& fields, EditBlock& block) {
  fields.Body("blockType", block.type);
  fields.Body("start", block.start, kInstant);
  fields.Body("end", block.end, kInstant);
  fields.Body("actionId", block.action_id, kId);
}
template <class Fields>
void Describe(Fields& fields, EditBlockOp& block) {
  fields.Body("blockId", block.block_id, kId);
  DescribeChanges(fields, block);
}

struct RemoveBlockOp : RemoveBlock {
  static constexpr std::string_view kOp = "removeBlock";
};
template <class Fields>
void Describe(Fields& fields, RemoveBlockOp& block) {
  fields.Body("blockId", block.block_id, kId);
}

using PlanOperationOp =
    std::variant<AddTodoOp, EditTodoOp, RemoveTodoOp, ReorderTodosOp, AddBlockOp, EditBlockOp, RemoveBlockOp>;

// ---- answers

struct TodoView {
  std::string action_id;
  int64_t order = 0;
  Classification classification{};
  std::optional<int64_t> estimated_pomodoros;
  std::optional<std::string> notes, rolled_from;
  // From the tree.
  std::optional<std::string> title, completed_at;
  bool archived = false;
};
template <class Fields>
void Describe(Fields& fields, TodoView& todo) {
  fields.Name("Todo");
  fields.Body("actionId", todo.action_id, kId);
  fields.Body("order", todo.order, {.min = 1});
  fields.Body("classification", todo.classification);
  fields.Body("estimatedPomodoros", todo.estimated_pomodoros);
  fields.Body("notes", todo.notes, {.max = 10'000});
  fields.Body("rolledFrom", todo.rolled_from, kDay);
  fields.Body("title", todo.title,
              {.max = 1'000, .doc = "Of the action, in the tree the plan is shown with."});
  fields.Body("completedAt", todo.completed_at, kInstant);
  fields.Body("archived", todo.archived);
}

struct BlockView {
  std::string id;
  BlockType type{};
  std::string start, end;
  std::optional<std::string> action_id;
  std::optional<int64_t> pomodoro_index;
};
template <class Fields>
void Describe(Fields& fields, BlockView& block) {
  fields.Name("Block");
  fields.Body("blockId", block.id, kId);
  fields.Body("blockType", block.type);
  fields.Body("start", block.start, kInstant);
  fields.Body("end", block.end, kInstant);
  fields.Body("actionId", block.action_id, kId);
  fields.Body("pomodoroIndex", block.pomodoro_index);
}

struct PlanAnswer {
  std::string day;
  std::optional<std::string> rev_id, rev_ts, values_rev_id;
  std::string day_start, day_end;
  std::vector<TodoView> todos;
  std::vector<BlockView> blocks;
};
template <class Fields>
void Describe(Fields& fields, PlanAnswer& plan) {
  fields.Name("Plan");
  fields.Body("day", plan.day, kDay);
  fields.Body("revId", plan.rev_id, {.kind = Kind::kUlid, .doc = "Absent: the day has no plan yet."});
  fields.Body("revTs", plan.rev_ts, kInstant);
  fields.Body("valuesRevId", plan.values_rev_id,
              {.kind = Kind::kUlid, .doc = "The tree that titles are from."});
  fields.Body("dayStart", plan.day_start, kInstant);
  fields.Body("dayEnd", plan.day_end, kInstant);
  fields.Body("todos", plan.todos);
  fields.Body("blocks", plan.blocks);
}

struct PlanCommitView {
  std::string rev_id, rev_ts;
  std::optional<std::string> parent_rev_id;
  std::string message;
  models::values::PlanReason reason{};
  int64_t item_count = 0;
  std::optional<std::string> values_rev_id, restored_from;
  std::optional<Restore> restored_by;
};
template <class Fields>
void Describe(Fields& fields, PlanCommitView& commit) {
  fields.Name("PlanCommit");
  fields.Body("revId", commit.rev_id, kRevId);
  fields.Body("revTs", commit.rev_ts, kInstant);
  fields.Body("parentRevId", commit.parent_rev_id, kRevId);
  fields.Body("message", commit.message, kMessage);
  fields.Body("reason", commit.reason);
  fields.Body("itemCount", commit.item_count);
  fields.Body("valuesRevId", commit.values_rev_id, kRevId);
  fields.Body("restoredFrom", commit.restored_from, kRevId);
  fields.Body("restoredBy", commit.restored_by);
}

struct UnscheduledView {
  std::string action_id;
  int64_t pomodoros_left = 0;
};
template <class Fields>
void Describe(Fields& fields, UnscheduledView& left) {
  fields.Name("Unscheduled");
  fields.Body("actionId", left.action_id, kId);
  fields.Body("pomodorosLeft", left.pomodoros_left);
}

struct PlanCommitAnswer {
  std::string day;
  std::optional<PlanCommitView> commit;
  bool changed = false, merged = false;
  std::vector<std::string> added_blocks, rolled;
  std::vector<UnscheduledView> unscheduled;
  std::optional<std::vector<BlockView>> preview;
};
template <class Fields>
void Describe(Fields& fields, PlanCommitAnswer& answer) {
  fields.Name("PlanCommitAnswer");
  fields.Body("day", answer.day, kDay);
  fields.Body("commit", answer.commit);
  fields.Body("changed", answer.changed, {.doc = "False: nothing differs, and there is no new revision."});
  fields.Body("merged", answer.merged);
  fields.Body("addedBlocks", answer.added_blocks, kId);
  fields.Body("rolled", answer.rolled, {.kind = Kind::kId, .doc = "Actions that came over."});
  fields.Body("unscheduled", answer.unscheduled, {.doc = "What did not fit into the day."});
  fields.Body("preview", answer.preview, {.doc = "Of a preview: all blocks of the day as they would be."});
}

struct CompleteAnswer {
  CommitAnswer tree;
  std::optional<PlanCommitAnswer> plan;
  std::vector<std::string> offers;
};
template <class Fields>
void Describe(Fields& fields, CompleteAnswer& answer) {
  fields.Name("CompleteAnswer");
  fields.Body("values", answer.tree);
  fields.Body("plan", answer.plan, {.doc = "The plan that has the action, if any; it moved along."});
  fields.Body("offers", answer.offers, {.kind = Kind::kId, .doc = "Milestones that could be completed now."});
}

struct PlanCommitList {
  std::vector<PlanCommitView> items;
  std::optional<std::string> next_cursor;
};
template <class Fields>
void Describe(Fields& fields, PlanCommitList& list) {
  fields.Name("PlanCommitList");
  fields.Body("items", list.items);
  fields.Body("nextCursor", list.next_cursor, {.max = 4'000});
}

struct PlanDayView {
  std::string day, head_rev_id;
  int64_t todo_count = 0, block_count = 0;
  std::optional<std::string> updated_at;
};
template <class Fields>
void Describe(Fields& fields, PlanDayView& day) {
  fields.Name("PlanDay");
  fields.Body("day", day.day, kDay);
  fields.Body("headRevId", day.head_rev_id, kRevId);
  fields.Body("todoCount", day.todo_count);
  fields.Body("blockCount", day.block_count);
  fields.Body("updatedAt", day.updated_at, kInstant);
}

struct PlanDayList {
  std::vector<PlanDayView> items;
  std::optional<std::string> next_cursor;
};
template <class Fields>
void Describe(Fields& fields, PlanDayList& list) {
  fields.Name("PlanDayList");
  fields.Body("items", list.items);
  fields.Body("nextCursor", list.next_cursor, {.max = 4'000});
}

struct PlanFieldView {
  std::string field;
  std::optional<Json> from, to;
};
template <class Fields>
void Describe(Fields& fields, PlanFieldView& change) {
  fields.Body("field", change.field);
  fields.Body("from", change.from);
  fields.Body("to", change.to);
}
struct PlanThingView {
  std::string id;
  std::vector<PlanFieldView> fields;
};
template <class Fields>
void Describe(Fields& fields, PlanThingView& thing) {
  fields.Body("id", thing.id, kId);
  fields.Body("fields", thing.fields);
}
struct TodoMoveView {
  std::string action_id;
  int64_t from = 0, to = 0;
};
template <class Fields>
void Describe(Fields& fields, TodoMoveView& move) {
  fields.Body("actionId", move.action_id, kId);
  fields.Body("from", move.from);
  fields.Body("to", move.to);
}
struct PlanDiffAnswer {
  std::vector<TodoView> todos_added, todos_removed;
  std::vector<PlanThingView> todos_changed;
  std::vector<TodoMoveView> todos_moved;
  std::vector<BlockView> blocks_added, blocks_removed;
  std::vector<PlanThingView> blocks_changed;
};
template <class Fields>
void Describe(Fields& fields, PlanDiffAnswer& diff) {
  fields.Name("PlanDiff");
  fields.Body("todosAdded", diff.todos_added);
  fields.Body("todosRemoved", diff.todos_removed);
  fields.Body("todosChanged", diff.todos_changed);
  fields.Body("todosMoved", diff.todos_moved);
  fields.Body("blocksAdded", diff.blocks_added);
  fields.Body("blocksRemoved", diff.blocks_removed);
  fields.Body("blocksChanged", diff.blocks_changed);
}

struct SettingsView {
  std::string timezone;
  int64_t day_start_hour = 0;
  bool auto_rollover = false;
  std::optional<std::string> next_rollover_at;
  std::string today;
};
template <class Fields>
void Describe(Fields& fields, SettingsView& settings) {
  fields.Name("PlanSettings");
  fields.Body("timezone", settings.timezone);
  fields.Body("dayStartHour", settings.day_start_hour);
  fields.Body("autoRollover", settings.auto_rollover);
  fields.Body("nextRolloverAt", settings.next_rollover_at, kInstant);
  fields.Body("today", settings.today, {.kind = Kind::kDate, .doc = "The day it is for this user."});
}

// ---- requests

struct SettingsRequest {
  std::optional<std::string> timezone;
  std::optional<int64_t> day_start_hour;
  std::optional<bool> auto_rollover;
};
template <class Fields>
void Describe(Fields& fields, SettingsRequest& request) {
  fields.Body("timezone", request.timezone, {.max = 100});
  fields.Body("dayStartHour", request.day_start_hour, {.min = 0, .max = 23});
  fields.Body("autoRollover", request.auto_rollover);
}

struct DaysRequest {
  std::string from, to;
  PageQuery page;
};
template <class Fields>
void Describe(Fields& fields, DaysRequest& request) {
  fields.Query("from", request.from, kDay);
  fields.Query("to", request.to, kDay);
  DescribePage(fields, request.page);
}

struct PlanRequest {
  std::string day;
  std::optional<std::string> rev;
};
template <class Fields>
void Describe(Fields& fields, PlanRequest& request) {
  fields.Path("day", request.day, kDay);
  fields.Query("rev", request.rev, {.kind = Kind::kUlid, .doc = "A revision; else the current one."});
}

struct PlanResolutionView {
  std::string id, field, take;
  std::optional<std::string> text;
  std::optional<int64_t> number;
  std::optional<std::vector<std::string>> list;
};
template <class Fields>
void Describe(Fields& fields, PlanResolutionView& resolution) {
  fields.Name("PlanResolution");
  fields.Body("id", resolution.id, kId);
  fields.Body("field", resolution.field, {.max = 100});
  fields.Body("take", resolution.take, {.max = 10, .doc = "theirs, mine or value"});
  fields.Body("text", resolution.text, {.max = 10'000, .doc = "The value, where it is a text."});
  fields.Body("number", resolution.number);
  fields.Body("list", resolution.list, kId);
}

struct PlanCommitRequest {
  std::string day;
  std::optional<std::string> base_rev_id;
  std::vector<PlanOperationOp> operations;
  std::optional<models::values::PlanReason> reason;
  std::optional<std::string> message, on_conflict;
  std::vector<PlanResolutionView> resolutions;
};
template <class Fields>
void Describe(Fields& fields, PlanCommitRequest& commit) {
  fields.Path("day", commit.day, kDay);
  fields.Body("baseRevId", commit.base_rev_id, kRevId);
  fields.Body("operations", commit.operations, {.min = 1, .max = 1'000});
  fields.Body("reason", commit.reason);
  fields.Body("message", commit.message, kMessage);
  fields.Body("onConflict", commit.on_conflict, {.max = 10, .doc = "fail (default) or merge"});
  fields.Body("resolutions", commit.resolutions, {.optional = true});
}

struct PlanHistoryRequest {
  std::string day;
  PageQuery page;
};
template <class Fields>
void Describe(Fields& fields, PlanHistoryRequest& request) {
  fields.Path("day", request.day, kDay);
  DescribePage(fields, request.page);
}

struct PlanDiffRequest {
  std::string day, from, to;
};
template <class Fields>
void Describe(Fields& fields, PlanDiffRequest& request) {
  fields.Path("day", request.day, kDay);
  fields.Query("from", request.from, kRevId);
  fields.Query("to", request.to, kRevId);
}

struct PlanRollbackRequest {
  std::string day, to_rev_id;
  std::optional<std::string> message, base_rev_id;
};
template <class Fields>
void Describe(Fields& fields, PlanRollbackRequest& request) {
  fields.Path("day", request.day, kDay);
  fields.Body("toRevId", request.to_rev_id, kRevId);
  fields.Body("message", request.message, kMessage);
  fields.Body("baseRevId", request.base_rev_id, kRevId);
}

struct DayRequest {
  std::string day;
};
template <class Fields>
void Describe(Fields& fields, DayRequest& request) {
  fields.Path("day", request.day, kDay);
}

struct RolloverRequest {
  std::string day;
  std::optional<std::string> from_day;
};
template <class Fields>
void Describe(Fields& fields, RolloverRequest& request) {
  fields.Path("day", request.day, kDay);
  fields.Body("fromDay", request.from_day, {.kind = Kind::kDate, .doc = "Else the last day with a plan."});
}

struct AutoscheduleRequest {
  std::string day;
  std::optional<std::string> from, until;
  std::optional<int64_t> pomodoro_minutes, break_minutes, long_break_minutes;
  std::optional<bool> preview;
};
template <class Fields>
void Describe(Fields& fields, AutoscheduleRequest& request) {
  fields.Path("day", request.day, kDay);
  fields.Body("from", request.from, {.kind = Kind::kInstantMs, .doc = "Else now, or the start of the day."});
  fields.Body("until", request.until, {.kind = Kind::kInstantMs, .doc = "Else the end of the day."});
  fields.Body("pomodoroMinutes", request.pomodoro_minutes, {.min = 1, .max = 240});
  fields.Body("breakMinutes", request.break_minutes, {.min = 0, .max = 240});
  fields.Body("longBreakMinutes", request.long_break_minutes, {.min = 0, .max = 240});
  fields.Body("preview", request.preview, {.doc = "Only tell what would come of it, and change nothing."});
}

struct AddTodoRequest {
  std::string day;
  AddTodo todo;
};
template <class Fields>
void Describe(Fields& fields, AddTodoRequest& request) {
  fields.Path("day", request.day, kDay);
  DescribeTodo(fields, request.todo);
}

struct EditTodoRequest {
  std::string day;
  EditTodo todo;
};
template <class Fields>
void Describe(Fields& fields, EditTodoRequest& request) {
  fields.Path("day", request.day, kDay);
  fields.Path("actionId", request.todo.action_id, kId);
  DescribeChanges(fields, request.todo);
}

struct TodoRequest {
  std::string day, action_id;
};
template <class Fields>
void Describe(Fields& fields, TodoRequest& request) {
  fields.Path("day", request.day, kDay);
  fields.Path("actionId", request.action_id, kId);
}

struct CompleteTodoRequest : TodoRequest {
  std::optional<std::string> completed_at;
};
template <class Fields>
void Describe(Fields& fields, CompleteTodoRequest& request) {
  fields.Path("day", request.day, kDay);
  fields.Path("actionId", request.action_id, kId);
  fields.Body("completedAt", request.completed_at, {.kind = Kind::kInstantMs, .doc = "Else now."});
}

struct ReorderTodosRequest {
  std::string day;
  ReorderTodos reorder;
};
template <class Fields>
void Describe(Fields& fields, ReorderTodosRequest& request) {
  fields.Path("day", request.day, kDay);
  fields.Body("actionIds", request.reorder.action_ids, kId);
}

struct AddBlockRequest {
  std::string day;
  AddBlock block;
};
template <class Fields>
void Describe(Fields& fields, AddBlockRequest& request) {
  fields.Path("day", request.day, kDay);
  DescribeBlock(fields, request.block);
}

struct EditBlockRequest {
  std::string day;
  EditBlock block;
};
template <class Fields>
void Describe(Fields& fields, EditBlockRequest& request) {
  fields.Path("day", request.day, kDay);
  fields.Path("blockId", request.block.block_id, kId);
  DescribeChanges(fields, request.block);
}

struct BlockRequest {
  std::string day, block_id;
};
template <class Fields>
void Describe(Fields& fields, BlockRequest& request) {
  fields.Path("day", request.day, kDay);
  fields.Path("blockId", request.block_id, kId);
}

}  // namespace cairn::values
