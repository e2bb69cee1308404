// What the use cases of recurring events share: loading a series or one of its occurrences, staging a changed
// master with whatever is due to it, publishing. Used by series.cc and repeating.cc.
#pragma once

#include <string>

#include "domains/nexus/series.h"
#include "domains/nexus/work.h"

namespace cairn::nexus {

// Refuses series of tasks.
Task<Decision<Master>> LoadEventMaster(Work& work, std::string master_id, SeenVersion seen);

// An occurrence with its series.
struct Occurrence {
  Instance instance;
  Master master;
  LocalTime original;
};
Task<Decision<Occurrence>> LoadOccurrence(Work& work, std::string instance_id, SeenVersion seen);

Task<Decision<std::optional<Instance>>> FindByOriginal(Work& work, const std::string& master_id,
                                                       const std::string& original);

// Refuses what was taken out of its series.
Decision<void> CheckTakesPlace(const Instance& instance);

// Stages the master, whatever is due to its times, and the job.
Task<Decision<SeriesChanged>> StageMaster(Work& work, Master master);

// Commits, then brings the occurrences in line. The receipt says nothing of orphans: which ones there are
// shows only then.
Task<Decision<SeriesChanged>> PublishSeries(Work& work, Decision<SeriesChanged> changed,
                                            const Witness<SeriesChanged>& witness);

// As many exceptions as fit a transaction with what else it has.
inline constexpr size_t kExceptionsOfOneCommit = 80;
std::unexpected<Refusal> TooManyExceptions();

}  // namespace cairn::nexus
