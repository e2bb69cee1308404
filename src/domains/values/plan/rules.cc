#include "domains/values/plan/rules.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/utf8.h"
#include "domains/values/plan/refusal.h"
#include "domains/values/tree/texts.h"

namespace cairn::values {
namespace {

using Found = std::optional<PlanFault>;

PlanFault TodoFault(const Todo& todo, std::string field, std::string reason, std::string message) {
  return {.reason = std::move(reason),
          .message = std::move(message),
          .place = {PlanPlace::In::kTodos, todo.action_id, std::move(field)},
          .other = {}};
}

PlanFault BlockFault(const Block& block, std::string field, std::string reason, std::string message) {
  return {.reason = std::move(reason),
          .message = std::move(message),
          .place = {PlanPlace::In::kBlocks, block.id, std::move(field)},
          .other = {}};
}

Found FindSizeFault(const Plan& plan) {
  PlanFault fault{.code = Code::kLimitExceeded, .reason = {}, .message = {}, .place = {}, .other = {}};
  if (plan.todos.size() > kTodosMax) {
    fault.reason = "too-many-todos";
    fault.message = "A day has at most " + std::to_string(kTodosMax) + " todos. Remove some first.";
    fault.place.in = PlanPlace::In::kTodos;
    return fault;
  }
  if (plan.blocks.size() > kBlocksMax) {
    fault.reason = "too-many-blocks";
    fault.message = "A day has at most " + std::to_string(kBlocksMax) + " blocks. Remove some first.";
    return fault;
  }
  return std::nullopt;
}

Found FindFault(const Todo& todo) {
  if (auto fault = IdFault(todo.action_id)) return TodoFault(todo, "actionId", "bad-id", *std::move(fault));
  if (todo.estimated_pomodoros &&
      (*todo.estimated_pomodoros < 0 || *todo.estimated_pomodoros > kPomodorosMax)) {
    return TodoFault(todo, "estimatedPomodoros", "bad-estimate",
                     "Estimate 0 to " + std::to_string(kPomodorosMax) + " pomodoros.");
  }
  if (todo.notes && todo.notes->size() > kTodoNotesBytesMax) {
    return TodoFault(todo, "notes", "bad-notes",
                     "Notes of a todo have at most " + std::to_string(kTodoNotesBytesMax) + " bytes.");
  }
  if (todo.notes && !IsUtf8(*todo.notes))
    return TodoFault(todo, "notes", "bad-notes", "Notes of a todo are UTF-8 text.");
  if (todo.rolled_from && !IsDay(*todo.rolled_from))
    return TodoFault(todo, "rolledFrom", "bad-day", "Write days like 2026-11-16.");
  return std::nullopt;
}

Found FindTodoFault(const Plan& plan) {
  std::set<std::string_view> seen;
  for (const Todo& todo : plan.todos) {
    if (Found fault = FindFault(todo)) return fault;
    if (!seen.insert(todo.action_id).second) {
      return TodoFault(todo, "actionId", "duplicate-todo",
                       "The action " + InQuotes(todo.action_id) + " is a todo of this day already.");
    }
  }
  return std::nullopt;
}

// A moment in the one form that is stored; nothing for any other text.
std::optional<Time> StoredInstant(const std::string& text) {
  const auto time = ParseInstant(text);
  if (!time || NormalInstant(text).value() != text) return std::nullopt;
  return *time;
}

bool IsSettled(const Block& block, const Plan& settled) {
  const auto before = settled.blocks.find(block.id);
  return before != settled.blocks.end() && before->second.start == block.start &&
         before->second.end == block.end;
}

Found FindTimeFault(const Block& block, const DayBounds& bounds, const Plan& settled) {
  const auto start = StoredInstant(block.start);
  const auto end = StoredInstant(block.end);
  if (!start || !end) {
    return BlockFault(block, start ? "end" : "start", "bad-time",
                      "Write moments like 2026-11-16T09:30:00.000Z.");
  }
  if (*end <= *start)
    return BlockFault(block, "end", "end-before-start", "A block ends after it starts. Move one of the two.");
  if (IsSettled(block, settled)) return std::nullopt;
  if (*start < bounds.start || *start >= bounds.end) {
    return BlockFault(block, "start", "outside-day",
                      "The block starts on another day. Put it into the plan of that day.");
  }
  if (*end > bounds.end + kAfterDayEndMax) {
    return BlockFault(block, "end", "outside-day",
                      "A block runs at most " + std::to_string(kAfterDayEndMax.count()) +
                          " hours into the next day. Let it end earlier.");
  }
  return std::nullopt;
}

Found FindPomodoroFault(const Block& block, const std::set<std::string_view>& todos) {
  if (block.type != BlockType::kPomodoro) {
    if (block.action_id)
      return BlockFault(block, "actionId", "unexpected-action", "Only pomodoros have an action.");
    if (block.pomodoro_index)
      return BlockFault(block, "pomodoroIndex", "unexpected-index", "Only pomodoros are numbered.");
    return std::nullopt;
  }
  if (!block.action_id)
    return BlockFault(block, "actionId", "missing-action",
                      "A pomodoro needs an action. Name one of the todos.");
  if (!todos.contains(*block.action_id)) {
    return BlockFault(
        block, "actionId", "not-in-todos",
        "The action " + InQuotes(*block.action_id) + " is no todo of this day. Add it to the todos first.");
  }
  if (!block.pomodoro_index)
    return BlockFault(block, "pomodoroIndex", "missing-index", "A pomodoro needs its number.");
  return std::nullopt;
}

Found FindNumberFault(const std::vector<const Block*>& by_start) {
  std::map<std::string_view, int64_t> counts;
  for (const Block* block : by_start) {
    if (block->type != BlockType::kPomodoro) continue;
    const int64_t number = ++counts[*block->action_id];
    if (number > kPomodorosMax) {
      return BlockFault(*block, "pomodoroIndex", "too-many-pomodoros",
                        "An action has at most " + std::to_string(kPomodorosMax) + " pomodoros a day.");
    }
    if (*block->pomodoro_index != number) {
      return BlockFault(*block, "pomodoroIndex", "index-gap",
                        "Pomodoros of an action are numbered 1, 2, 3 in order of time; this one is number " +
                            std::to_string(number) + ".");
    }
  }
  return std::nullopt;
}

// By its times: whoever adds a block may not have seen its id. "MEETING from ... to ...".
std::string SpanOf(const Block& block) {
  return std::string(models::values::ToText(block.type)) + " from " + block.start + " to " + block.end;
}

Found FindOverlap(const std::vector<const Block*>& by_start) {
  const Block* before = nullptr;
  for (const Block* block : by_start) {
    if (block->type == BlockType::kBuffer) continue;
    if (before != nullptr && block->start < before->end) {
      PlanFault fault = BlockFault(*block, "start", "overlap",
                                   "The " + SpanOf(*block) + " starts before the " + SpanOf(*before) +
                                       " ends. Only buffers may overlap others.");
      fault.other = PlanPlace{PlanPlace::In::kBlocks, before->id, "end"};
      return fault;
    }
    before = block;
  }
  return std::nullopt;
}

Found FindBlockFault(const Plan& plan, const DayBounds& bounds, const Plan& settled) {
  std::set<std::string_view> todos;
  for (const Todo& todo : plan.todos) todos.insert(todo.action_id);
  const auto by_start = BlocksByStart(plan);
  for (const Block* block : by_start) {
    if (auto fault = IdFault(block->id)) return BlockFault(*block, "blockId", "bad-id", *std::move(fault));
    if (Found fault = FindTimeFault(*block, bounds, settled)) return fault;
    if (Found fault = FindPomodoroFault(*block, todos)) return fault;
  }
  if (Found fault = FindOverlap(by_start)) return fault;
  return FindNumberFault(by_start);
}

}  // namespace

std::optional<PlanFault> FindPlanFault(const Plan& plan, const DayBounds& bounds, const Plan& settled) {
  if (Found fault = FindSizeFault(plan)) return fault;
  if (Found fault = FindTodoFault(plan)) return fault;
  return FindBlockFault(plan, bounds, settled);
}

std::string SpellPlanPlace(const PlanPlace& place) {
  std::string text = place.in == PlanPlace::In::kTodos ? "todos" : "blocks";
  if (!place.id.empty()) text += "[" + place.id + "]";
  if (!place.field.empty()) text += "." + place.field;
  return text;
}

Refusal RefusalOf(const PlanFault& fault, std::string field) {
  Refusal refusal(fault.code, fault.reason, fault.message);
  refusal.fields.push_back({.field = std::move(field), .message = fault.message});
  return refusal;
}

Decision<void> CheckPlan(const Plan& plan, const DayBounds& bounds, const Plan& settled) {
  if (const Found fault = FindPlanFault(plan, bounds, settled))
    return std::unexpected(RefusalOf(*fault, SpellPlanPlace(fault->place)));
  return {};
}

std::vector<const Block*> BlocksByStart(const Plan& plan) {
  std::vector<const Block*> blocks;
  blocks.reserve(plan.blocks.size());
  for (const auto& [id, block] : plan.blocks) blocks.push_back(&block);
  std::ranges::stable_sort(blocks, {}, &Block::start);  // the map has them by id
  return blocks;
}

void NumberPomodoros(Plan& plan) {
  std::map<std::string, int64_t> counts;
  for (const Block* block : BlocksByStart(plan)) {
    if (block->type != BlockType::kPomodoro || !block->action_id) continue;
    plan.blocks.at(block->id).pomodoro_index = ++counts[*block->action_id];
  }
}

const Todo* FindTodo(const Plan& plan, std::string_view action_id) {
  const auto found = std::ranges::find(plan.todos, action_id, &Todo::action_id);
  return found == plan.todos.end() ? nullptr : &*found;
}

}  // namespace cairn::values
