// One event, series or task of a calendar into the store. Used by import_calendar.cc.
#pragma once

#include <optional>
#include <string>

#include "domains/nexus/ics/calendar.h"
#include "domains/nexus/nexus.h"

namespace cairn::nexus {

// kUnfinished: the time was up. What was written stays; importing the entry again goes on from there.
enum class EntryFate { kCreated, kUpdated, kUnchanged, kUnfinished };

Task<Decision<EntryFate>> ImportEvent(Nexus& nexus, model::Caller caller, const ics::Event& entry);
// Works until `until`. `kept_ahead`: of a new series, how many occurrences are kept (import_share.h).
Task<Decision<EntryFate>> ImportSeries(Nexus& nexus, model::Caller caller, const ics::Event& entry,
                                       std::optional<int64_t> kept_ahead, Time until);
// `zone` is where times are that do not say.
Task<Decision<EntryFate>> ImportTask(Nexus& nexus, model::Caller caller, const ics::Todo& todo,
                                     std::string zone);

}  // namespace cairn::nexus
