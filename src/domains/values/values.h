// Values: what every use case of this domain works with. A use case is a function in a file of its own:
// load, decide (tree/ and plan/, pure), publish.
#pragma once

#include <functional>
#include <string>

#include "base/clock.h"
#include "base/random.h"
#include "domains/values/history/repository.h"
#include "domains/values/plan/day.h"
#include "jobs/job_queue.h"
#include "model/database.h"

namespace cairn::values {

class Values {
 public:
  // The database is of models/values.toml; both live on the same store.
  Values(model::Database& database, jobs::JobQueue& jobs, const Clock& clock, Random& random);

  model::Database& database() { return database_; }
  jobs::JobQueue& jobs() { return jobs_; }
  TreeRepository& trees() { return trees_; }
  PlanRepository& plans() { return plans_; }

  Time Now() const { return clock_.Now(); }
  std::string NowText() const;
  std::string NewId() const { return database_.NewUlid(); }
  // Of a revision whose content must name it.
  std::string NewRevisionId(const std::string& parent_id) { return ids_.Next(parent_id); }

 private:
  model::Database& database_;
  jobs::JobQueue& jobs_;
  const Clock& clock_;
  RevisionIds ids_;
  TreeRepository trees_;
  PlanRepository plans_;
};

// Puts what a use case is about to answer into its transaction, for a repetition of the same request.
template <class T>
using Witness = std::function<model::Outcome<void>(model::Session& platform, const T& answer)>;

}  // namespace cairn::values
