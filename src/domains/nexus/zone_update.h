// When zones change their laws. Wall times are what people have agreed on, so the instants of what is to come
// are worked out anew: of single events, of occurrences of series, and of the reminders that follow them.
// What has begun stays as it was.
//
// The rules in use have a version (calendar/zone_data.h), and the store keeps the one that its instants were
// made with. When they differ at the start of a server, a job goes over the whole table in small steps, each
// of which notes how far it has come. When they do not differ, one item is read.
#pragma once

#include <string>

#include "domains/nexus/work.h"

namespace cairn::nexus {

inline constexpr std::string_view kZoneJob = "nexus-zones";
inline constexpr std::string_view kFollowJob = "nexus-follow";

// Before jobs run. Plans the work if there is any. A store that knows no version yet takes this one.
Task<Status> PlanZoneUpdate(Nexus& nexus, std::string zone_version);

// One step; plans the next.
Task<Status> UpdateZones(Nexus& nexus, jobs::Job job);

// Floating times are where the user is: when that changes, what reminds of them moves. Stages the job for it,
// in the transaction that changes the zone.
Decision<void> StageFollowJob(Work& work);
Task<Status> FollowAgainAll(Nexus& nexus, jobs::Job job);

}  // namespace cairn::nexus
