// Changes of a plan as a list of operations, applied all or none. Used by every request that changes a plan;
// pure: times, ids and what the tree knows come in.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "domains/values/plan/day.h"
#include "domains/values/plan/plan.h"
#include "domains/values/refusal.h"

namespace cairn::values {

// At the end, unless a place is given.
struct AddTodo {
  std::string action_id;
  Classification classification = Classification::kOther;
  std::optional<int64_t> estimated_pomodoros = {};
  std::optional<std::string> notes = {};
  bool first = false;                               // before all others
  std::optional<std::string> after_action_id = {};  // behind this todo
};

// What is absent stays. Of optional<optional<T>>, the inner one is what the field becomes: empty removes it.
struct EditTodo {
  std::string action_id;
  std::optional<Classification> classification = {};
  std::optional<std::optional<int64_t>> estimated_pomodoros = {};
  std::optional<std::optional<std::string>> notes = {};
};

// Takes the action's pomodoros along.
struct RemoveTodo {
  std::string action_id;
};

// All todos in their new order.
struct ReorderTodos {
  std::vector<std::string> action_ids;
};

// Times in any form that ParseInstant takes. Pomodoros are numbered by their start, so a number that comes
// along is a wish without effect, checked only to belong to a pomodoro.
struct AddBlock {
  std::optional<std::string> block_id = {};  // none: a new one
  BlockType type = BlockType::kMeeting;
  std::string start, end;
  std::optional<std::string> action_id = {};
  std::optional<int64_t> pomodoro_index = {};
};

// What is absent stays, but a pomodoro that becomes something else loses its action.
struct EditBlock {
  std::string block_id;
  std::optional<BlockType> type = {};
  std::optional<std::string> start = {}, end = {};
  std::optional<std::optional<std::string>> action_id = {};
};

struct RemoveBlock {
  std::string block_id;
};

// These blocks and no others. Those without an id ("") get a new one.
struct ReplaceBlocks {
  std::vector<Block> blocks;
};

using PlanOperation = std::variant<AddTodo, EditTodo, RemoveTodo, ReorderTodos, AddBlock, EditBlock,
                                   RemoveBlock, ReplaceBlocks>;

struct PlanContext {
  DayBounds bounds;
  std::function<std::string()> new_id;
  // Whether a todo may be made of it: an action of the tree, neither completed nor archived nor deleted.
  std::function<bool(const std::string& action_id)> is_living_action;
};

struct PlanApplied {
  Plan plan;
  bool changed = false;                   // whether it differs from what it was
  std::vector<std::string> added_blocks;  // ids, one for each AddBlock
};

// Rules are checked once all operations are done, so that two blocks can change places. A refusal names the
// field of the operation that caused it, "operations[1].actionId", or the part of the plan, "blocks[x].end".
// An unknown todo or block is kResourceNotFound.
Decision<PlanApplied> ApplyPlan(const Plan& plan, std::span<const PlanOperation> operations,
                                const PlanContext& context);

}  // namespace cairn::values
