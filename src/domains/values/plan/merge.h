// Two changes of the same plan made into one: by todo and field, by block and field.
//
// What one side changed and the other left alone is taken. The same field changed differently, a thing that
// one side removed and the other changed, and two new orders are conflicts; resolutions decide them. A todo
// whose pomodoros changed counts as changed. Numbers of pomodoros follow from their starts and never
// conflict.
#pragma once

#include <span>
#include <string>

#include "domains/values/plan/day.h"
#include "domains/values/plan/fields.h"
#include "domains/values/plan/plan.h"
#include "domains/values/refusal.h"

namespace cairn::values {

// Decides one field, or with field "" whether a thing stays, whether or not there is a conflict about it.
// With id "todos" and field "order" the order of all todos. One that fits nothing has no effect: what it was
// about may be gone by now.
struct PlanResolution {
  enum class Take { kTheirs, kMine, kValue };
  std::string id;     // as in MergeConflict
  std::string field;  // likewise
  Take take = Take::kTheirs;
  PlanValue value = {};  // of kValue
};

struct PlanMerge {
  const Plan& base;
  const Plan& theirs;  // published already
  const Plan& mine;
  DayBounds bounds;
  std::span<const PlanResolution> resolutions = {};
};

// Fails with kConditionFailed, "merge-conflict" and all conflicts; with kInvalidArgument when a resolution
// makes no sense or the merged plan breaks a rule (two meetings at the same time).
Decision<Plan> MergePlans(const PlanMerge& merge);

}  // namespace cairn::values
