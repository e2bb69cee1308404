// ChangePlan: how every change of a day's plan goes: load what deciding needs, decide, publish, and start
// over when someone else was faster. Used by the use cases about plans.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domains/values/history/publication.h"
#include "domains/values/plan/autoschedule.h"
#include "domains/values/values.h"

namespace cairn::values {

using PlanReason = models::values::PlanReason;

// What deciding about a day may look at.
struct PlanScene {
  std::string day;
  DayRules rules;
  DayBounds bounds;
  Time now;
  std::shared_ptr<const Tree> tree;          // the current one
  std::optional<std::string> values_rev_id;  // its revision
};

struct PlanCommitted {
  std::string day;
  PlanRepository::Rev revision;  // the current one when nothing has changed; without id when there is none
  bool changed = false;
  bool merged = false;
  std::vector<std::string> added_blocks = {};
  std::vector<std::string> rolled = {};            // of a rollover: actions that came along
  std::vector<Unscheduled> unscheduled = {};       // of scheduling: what did not fit
  std::optional<std::vector<Block>> preview = {};  // of a preview: the blocks as they would be, by time
};

// What was decided: the plan as it shall be, and what to say about it.
struct PlanDecision {
  PlanRepository::Draft draft;
  PlanCommitted answer = {};
};
using DecidePlan = std::function<Task<Decision<PlanDecision>>(
    model::Session& session, const PlanRepository::State& current, const PlanScene& scene)>;

struct PlanChange {
  std::string day;
  DecidePlan decide;
  bool starts_over = true;                      // when HEAD has moved meanwhile
  bool preview = false;                         // decide and tell, but change nothing
  std::optional<std::string> base_rev_id = {};  // only if this is still HEAD; refused with "stale-base"
};

// A plan that is as it was makes no revision.
Task<Decision<PlanCommitted>> ChangePlan(Values& values, model::Caller caller, PlanChange change,
                                         Witness<PlanCommitted> witness);

// The scene of a day; refused when it is no day.
Task<Decision<PlanScene>> SceneOf(Values& values, model::Session& session, std::string day);

// Whether a todo can be made of it: an action that is neither completed nor put away.
bool IsLivingAction(const Tree& tree, const std::string& action_id);

}  // namespace cairn::values
