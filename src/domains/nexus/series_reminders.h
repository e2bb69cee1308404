// Reminders of a series: the series says how many minutes before, every occurrence has its own. Only the one
// of the next occurrence exists ahead of its time; firing it makes the following one, in the same
// transaction. So a series of years costs one item, not a thousand.
#pragma once

#include <vector>

#include "domains/nexus/reminders.h"
#include "domains/nexus/work.h"

namespace cairn::nexus {

// After a reminder has fired: stages that of the occurrence behind it, if it belongs to a series.
Task<Decision<void>> StageNextOfSeries(Work& work, const Reminder& fired);

// Makes sure that the next occurrence has its reminders, with the right moment.
Task<Decision<void>> RefreshSeriesReminders(Nexus& nexus, model::Caller caller, data::Master master);

// Removes the reminders of occurrences, at these distances and their own.
Task<Decision<void>> ForgetReminders(Nexus& nexus, model::Caller caller, std::vector<int64_t> distances,
                                     std::vector<data::Instance> instances);

// Those of the occurrence itself, or those of its series.
model::typed::Set<int64_t> DistancesOf(const data::Master& master, const data::Instance& instance);
std::vector<int64_t> DistancesOf(const data::Master& master);

}  // namespace cairn::nexus
