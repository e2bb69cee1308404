// Reminders of a series: the series says how many minutes before, every occurrence has its own. Only the one
// of the next occurrence exists ahead of its time. Whatever ends its waiting (it fires, is put off, dismissed
// or deleted) makes the following one, in the same transaction. So a series of years costs one item, not a
// thousand. Occurrences that were edited on their own have theirs from then on.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "domains/nexus/following.h"
#include "domains/nexus/work.h"

namespace cairn::nexus {

// Of a reminder that waits no more: stages that of the occurrence after it, if it belongs to a series.
Task<Decision<void>> StageNextOfSeries(Work& work, const Reminder& ended);

// In the transaction that edits an occurrence on its own: it was the next one perhaps, and is not of the rule
// any more. Stages the reminders of the one that is the next then.
Task<Decision<void>> StageNextBeside(Work& work, const data::Master& master, std::string instance_id);

// Makes sure that the next occurrence has its reminders, with the right moment.
Task<Decision<void>> RefreshSeriesReminders(Nexus& nexus, model::Caller caller, data::Master master);

// Brings all reminders of a series that wait in line with its occurrences as they are: after some of them, or
// all with their series, have gone or moved. With those of the occurrences that are `gone`, waiting or not.
// Goes over everything that its user is reminded of.
Task<Decision<void>> SettleReminders(Nexus& nexus, model::Caller caller, std::string master_id,
                                     std::set<std::string> gone);

// Those of the occurrence itself, or those of its series; without what was deleted there.
model::typed::Set<int64_t> DistancesOf(const data::Master& master, const data::Instance& instance);
std::vector<int64_t> DistancesOf(const data::Master& master);

}  // namespace cairn::nexus
