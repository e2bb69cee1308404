// Use cases: unfinished todos come over from an earlier day; the day is filled with pomodoros.
#pragma once

#include <optional>
#include <string>

#include "domains/values/change_plan.h"
#include "domains/values/plan/autoschedule.h"

namespace cairn::values {

struct RollOverDay {
  std::string day;
  std::optional<std::string> from_day = {};     // none: the last day before it that has a plan
  std::optional<std::string> base_rev_id = {};  // only if this is still the plan
};
// The same a second time changes nothing. Refusals: "not-found" when the earlier day has no plan, "same-day".
Task<Decision<PlanCommitted>> RollOver(Values& values, model::Caller caller, RollOverDay request,
                                       Witness<PlanCommitted> witness);

struct FillDay {
  std::string day;
  std::optional<std::string> from = {};  // an instant; none: now, or the start of the day if that is later
  PomodoroOptions options = {};
  bool preview = false;  // tells what it would do, and changes nothing
  std::optional<std::string> base_rev_id = {};
};
Task<Decision<PlanCommitted>> Fill(Values& values, model::Caller caller, FillDay request,
                                   Witness<PlanCommitted> witness);

}  // namespace cairn::values
