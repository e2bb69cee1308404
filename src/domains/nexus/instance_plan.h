// InstancePlan: what has to be written so that the occurrences of a series that exist as items are those its
// rule asks for. Pure: the same decision serves a new series, its growth, every edit, and a job that goes on
// after a crash.
//
// Occurrences that were edited on their own (exceptions) and cancelled ones are records of a decision: they
// stay as long as the rule still has the occurrence they stand for; an exception stays even then, as an
// orphan.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "calendar/recurrence.h"
#include "domains/nexus/nexus.h"
#include "domains/nexus/times.h"

namespace cairn::nexus {

// A rule with more occurrences in what is kept of it is refused.
inline constexpr size_t kOccurrencesMax = 100'000;

// Refuses with the field "rrule", "exdates" or "rdates".
Decision<calendar::Series> SeriesOf(const data::Master& master);

// From `from` on and before `until`, widened to whole days of the series' wall clock.
Decision<std::vector<LocalTime>> OccurrencesBetween(const data::Master& master, Time from, Time until);

// The midnight of the series' wall clock at or before a moment: what is kept of a series ends at whole days.
Time MidnightBefore(const data::Master& master, Time moment);

// The occurrence as an item, without an id.
Decision<data::Instance> InstanceAt(const data::Master& master, LocalTime original, std::string date);

// "2026-11-16" for the first occurrence of a day, "2026-11-16T140000" for the others. In the order of the
// originals, which are whole days.
std::vector<std::string> DatesOf(const std::vector<LocalTime>& originals);

struct InstancePlan {
  std::vector<data::Instance> create, change, remove;
  std::vector<data::Instance> orphans;  // exceptions that the rule has no occurrence for any more

  bool empty() const { return create.empty() && change.empty() && remove.empty(); }
};
// Between the moments that the master says it is materialised for. `existing` are all there are. What has
// begun by `now` keeps its instants as long as its wall times are the same: the law of a zone may have
// changed since. `taken` are ids that occurrences of other series have.
Decision<InstancePlan> PlanInstances(const data::Master& master, const std::vector<data::Instance>& existing,
                                     Time now, const std::set<std::string>& taken = {});

}  // namespace cairn::nexus
