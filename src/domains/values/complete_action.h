// Use case: an action (or milestone) is done, or open again. The tree gets a revision, and so does the plan
// of the day that has the action: both HEADs move in one transaction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/values/change_plan.h"
#include "domains/values/commit_tree.h"

namespace cairn::values {

struct CompleteAction {
  std::string node_id;
  bool completed = true;                         // false: open again
  std::optional<std::string> completed_at = {};  // else now
  std::optional<std::string> day =
      {};  // whose plan must have it; none: that of the day it was done, if it has it
  std::optional<std::string> base_rev_id = {};  // of the tree
  std::optional<std::string> plan_rev_id = {};  // of the plan of `day`, which must be at it
};

struct ActionCompleted {
  TreeCommitted tree;
  std::optional<PlanCommitted> plan = {};
  std::vector<std::string> offers =
      {};  // milestones above whose actions are all done now: offered to complete
};

// Refusals: "not-found", "stale-base", what Apply refuses.
Task<Decision<ActionCompleted>> Complete(Values& values, model::Caller caller, CompleteAction request,
                                         Witness<ActionCompleted> witness);

}  // namespace cairn::values
