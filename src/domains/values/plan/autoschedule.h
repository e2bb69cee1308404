// Scheduling by itself: the pomodoros that the todos of a day still need, put around what is fixed.
//
// - Meetings and buffers stay, and so do pomodoros and breaks that start before `from`; later pomodoros and
//   breaks are planned anew. Where nothing changed, a block keeps its id, so that scheduling again is no
//   change.
// - A todo needs as many pomodoros as it is estimated at (one without an estimate) less those that stayed.
//   Urgent ones come first, then important, then others, each in the order of the todos; the pomodoros of a
//   todo follow each other.
// - Between two pomodoros is a break, a long one after every fourth of the day. Where a break and another
//   pomodoro do not fit in front of what is fixed, the time stays free and the break is left out: nothing
//   ends with a break. What lies between counts as the break then.
// Pure: the moment and new ids come in.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "domains/values/plan/day.h"
#include "domains/values/plan/plan.h"
#include "domains/values/refusal.h"

namespace cairn::values {

struct PomodoroOptions {
  std::chrono::minutes pomodoro{25};    // 1 to 240
  std::chrono::minutes short_break{5};  // 0 to 240; 0: none
  std::chrono::minutes long_break{15};  // likewise
  int64_t long_break_after = 4;         // pomodoros; 1 to 100
  std::optional<Time> latest_end = {};  // of the last block; none: the end of the day
};

struct PomodoroRequest {
  DayBounds bounds;
  Time from;  // nothing new starts earlier; made a full minute
  PomodoroOptions options = {};
  std::function<std::string()> new_id;
  std::function<bool(const std::string& action_id)> is_living_action;  // others get no time
};

struct Unscheduled {
  std::string action_id;
  int64_t pomodoros_left = 0;
  friend bool operator==(const Unscheduled&, const Unscheduled&) = default;
};

struct PomodoroSchedule {
  std::vector<Block> blocks;             // all of the day in order of time, numbered: for ReplaceBlocks
  std::vector<Unscheduled> unscheduled;  // what did not fit, in the order of scheduling
};

// Fails when an option is outside its limits, with the field as in "options.pomodoroMinutes". Precondition:
// the plan keeps the rules; then so does the result.
Decision<PomodoroSchedule> SchedulePomodoros(const Plan& plan, const PomodoroRequest& request);

}  // namespace cairn::values
