// Publication: one or more revisions that appear together: a completed action moves the HEAD of the tree and
// that of a plan in one transaction, with the receipt of the request. Used by every use case that commits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/values/values.h"

namespace cairn::values {

class Publication {
 public:
  Publication(Values& values, const model::Caller& caller);

  // For reading what is decided on.
  model::Session& session() { return session_; }
  // For what else belongs to the transaction.
  model::Session& platform() { return platform_; }

  // Writes the snapshot; the revision as it will be. On failure nothing is left behind.
  Task<Decision<TreeRepository::Rev>> Add(const TreeRepository::State& seen, TreeRepository::Draft draft);
  Task<Decision<PlanRepository::Rev>> Add(std::string day, const PlanRepository::State& seen,
                                          PlanRepository::Draft draft);

  // Everything or nothing. A HEAD that has moved since it was seen is refused with IsHeadMoved.
  Task<Decision<void>> Commit();
  // Gives up what was added.
  Task<Status> Abandon();

 private:
  Values& values_;
  model::Session session_;
  model::Session platform_;
  std::optional<TreeRepository::Prepared> tree_;
  std::vector<PlanRepository::Prepared> plans_;
};

// Someone else has committed meanwhile: worth another attempt on the new state.
bool IsHeadMoved(const Refusal& refusal);

// How often a change that insists on no base is tried again.
inline constexpr int kAttemptsMax = 20;

}  // namespace cairn::values
