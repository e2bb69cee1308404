// Use cases: a list of operations becomes a revision of a day's plan; an older revision becomes the newest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/values/change_plan.h"
#include "domains/values/plan/merge.h"
#include "domains/values/plan/operations.h"

namespace cairn::values {

struct CommitPlan {
  std::string day;
  std::optional<std::string> base_rev_id = {};  // as in CommitTree
  std::vector<PlanOperation> operations;
  std::optional<PlanReason> reason = {};  // none: the first of a day is its morning plan, later ones replan
  std::string message = {};
  bool merge = false;
  std::vector<PlanResolution> resolutions = {};
};
Task<Decision<PlanCommitted>> Commit(Values& values, model::Caller caller, CommitPlan request,
                                     Witness<PlanCommitted> witness);

struct RestorePlan {
  std::string day;
  Restore by = Restore::kRollback;
  std::optional<std::string> to_rev_id = {};  // of a rollback
  std::optional<std::string> base_rev_id = {};
  std::string message = {};
};
Task<Decision<PlanCommitted>> RestoreRevision(Values& values, model::Caller caller, RestorePlan request,
                                              Witness<PlanCommitted> witness);

}  // namespace cairn::values
