// Rolling over: the unfinished todos of one day go on in another.
//
// They come behind those that are there, in their order, with classification and notes. What is completed or
// put away stays behind, and what is there already is not doubled: rolling over again changes nothing. Blocks
// never roll over. Pure: the states of actions and the moment come in.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "domains/values/plan/plan.h"

namespace cairn::values {

enum class ActionState {
  kLiving,
  kCompleted,
  kGone,  // archived, deleted or unknown
};
using ActionStates = std::function<ActionState(const std::string& action_id)>;

struct RolloverResult {
  Plan plan;  // the target as it becomes
  bool changed = false;
  std::vector<std::string> rolled;   // actions that came along, in order
  std::vector<std::string> no_room;  // actions beyond kTodosMax, left behind
};

// Makes `target` go on with the todos of `source`, the plan of `source_day`. A pomodoro of the source that
// has ended by `now` is finished: an estimate becomes less by those, but not less than one.
RolloverResult RollOver(const Plan& target, const Plan& source, const std::string& source_day,
                        const ActionStates& states, Time now);

}  // namespace cairn::values
