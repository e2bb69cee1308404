// SeriesStore: the occurrences of a series as items: reading them, bringing them in line with the master,
// growing the series as time goes on, clearing it away. Long work goes in transactions of at most 90 items; a
// job planned with the change of the master goes on where a crash leaves off.
#pragma once

#include <string>
#include <vector>

#include "domains/nexus/instance_plan.h"
#include "domains/nexus/settings.h"
#include "domains/nexus/work.h"

namespace cairn::nexus {

inline constexpr std::string_view kSeriesJob = "nexus-series";
inline constexpr std::string_view kSeriesDeletionJob = "nexus-series-deletion";

// What is kept of a series as items, around now.
inline constexpr std::chrono::days kKeptBack{30}, kKeptAhead{400}, kGrowthStep{30};
inline constexpr std::chrono::days kKeptAtMostAhead{5 * 365};
// Of a dense series at most so many occurrences are kept ahead, of an imported one perhaps fewer (keptAhead);
// what comes later has no items. Enough for every hour of every working day.
inline constexpr size_t kOccurrencesKeptAhead = 2'500;

// Sets from when to when the series is materialised: around now, and at most a thousand occurrences at once.
// Of a series that is not kept as far ahead as others, nothing is kept of the past either, except what was
// before. Refuses rules that cannot be worked out.
Decision<Density> SetHorizon(data::Master& master, Time now);

// Stages the job that completes the occurrences if this process does not live to do it.
Decision<void> StageSeriesJob(Work& work, const std::string& master_id, Time due);
// The moment for such a job after a change.
Time SoonAfter(Time now);

// All items of a series that are its occurrences.
Task<Decision<std::vector<data::Instance>>> ReadAllInstances(Work& work, std::string master_id);

struct Aligned {
  std::vector<data::Instance> orphans;
};
// Brings the occurrences in line with the master as it is stored, and the reminders of the series with them.
Task<Decision<Aligned>> AlignSeries(Nexus& nexus, model::Caller caller, std::string master_id);

// Takes the series further: until `until`, but at most a thousand occurrences and five years from now, and
// not beyond what is kept of dense ones.
// Returns the master as it is then.
Task<Decision<data::Master>> GrowSeries(Nexus& nexus, model::Caller caller, std::string master_id, Time from,
                                        Time until);

// Plans the job that takes the series further when it is time to.
Task<Decision<void>> PlanGrowth(Nexus& nexus, model::Caller caller, data::Master master);

// Removes all occurrences, and what reminds of them. The master is gone already.
Task<Decision<void>> ClearSeries(Nexus& nexus, model::Caller caller, std::string master_id);
// Stages the job that does so if this process does not live to do it.
Decision<void> StageDeletionJob(Work& work, const data::Master& master);

// The workers of the jobs.
Task<Status> KeepSeries(Nexus& nexus, jobs::Job job);
Task<Status> FinishDeletion(Nexus& nexus, jobs::Job job);

}  // namespace cairn::nexus
