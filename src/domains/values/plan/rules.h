// What a plan may be. Used by whatever makes a plan: operations, merging, rolling over, scheduling.
//
// - An action stands among the todos once; only such an action has pomodoros, numbered 1..n by their start.
// - A block starts within the day and may run past its end by some hours. Blocks do not overlap, except
//   that a buffer may lie over anything.
// Whether an action exists is asked when it is added (plan/operations.h), for a plan outlives its actions.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domains/values/plan/day.h"
#include "domains/values/plan/plan.h"
#include "domains/values/refusal.h"

namespace cairn::values {

inline constexpr int64_t kPomodorosMax = 100;  // of one action in one day, estimated or planned
inline constexpr size_t kTodoNotesBytesMax = 10'000;
inline constexpr std::chrono::hours kAfterDayEndMax{6};

// Fails with what is wrong first: reason, and the field as in "blocks[01J...].end" or
// "todos[01J...].notes". `settled` is a plan that was right when it was made: a block that it has with the
// same times is not measured against the day again, or a user who changes the time zone could change nothing
// any more.
Decision<void> CheckPlan(const Plan& plan, const DayBounds& bounds, const Plan& settled = {});

// The same for callers that spell fields their own way.
struct PlanPlace {
  enum class In { kTodos, kBlocks };
  In in = In::kBlocks;
  std::string id;     // of the todo's action or the block; "": the list as a whole
  std::string field;  // as clients spell it: "end"
};
struct PlanFault {
  Code code = Code::kInvalidArgument;
  std::string reason, message;
  PlanPlace place;
  std::optional<PlanPlace> other;  // of an overlap: the end of the earlier block
};
std::optional<PlanFault> FindPlanFault(const Plan& plan, const DayBounds& bounds, const Plan& settled = {});
// "blocks[01J...].end"
std::string SpellPlanPlace(const PlanPlace& place);
Refusal RefusalOf(const PlanFault& fault, std::string field);

// In order of time; of equal starts the lesser id first.
std::vector<const Block*> BlocksByStart(const Plan& plan);
// Gives the pomodoros of each action the numbers 1..n, in order of time.
void NumberPomodoros(Plan& plan);

const Todo* FindTodo(const Plan& plan, std::string_view action_id);

}  // namespace cairn::values
