#include "domains/values/plan/rollover.h"

#include <algorithm>
#include <cstdint>

#include "base/time_text.h"
#include "domains/values/plan/rules.h"

namespace cairn::values {
namespace {

int64_t FinishedPomodoros(const Plan& plan, const std::string& action_id, const std::string& now) {
  return std::ranges::count_if(plan.blocks, [&](const auto& entry) {
    const Block& block = entry.second;
    return block.type == BlockType::kPomodoro && block.action_id == action_id && block.end <= now;
  });
}

}  // namespace

RolloverResult RollOver(const Plan& target, const Plan& source, const std::string& source_day,
                        const ActionStates& states, Time now) {
  const std::string now_text = FormatIsoMilliseconds(now);
  RolloverResult result{.plan = target, .changed = false, .rolled = {}, .no_room = {}};
  for (const Todo& todo : source.todos) {
    if (FindTodo(result.plan, todo.action_id) != nullptr) continue;
    if (states(todo.action_id) != ActionState::kLiving) continue;
    if (result.plan.todos.size() >= kTodosMax) {
      result.no_room.push_back(todo.action_id);
      continue;
    }
    Todo rolled = todo;
    rolled.rolled_from = source_day;
    if (rolled.estimated_pomodoros) {
      const int64_t finished = FinishedPomodoros(source, todo.action_id, now_text);
      rolled.estimated_pomodoros = std::max<int64_t>(1, *rolled.estimated_pomodoros - finished);
    }
    result.plan.todos.push_back(std::move(rolled));
    result.rolled.push_back(todo.action_id);
  }
  result.changed = !result.rolled.empty();
  return result;
}

}  // namespace cairn::values
