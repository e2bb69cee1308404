// One event, series or task of a calendar into the store. Used by import_calendar.cc.
#pragma once

#include <string>

#include "domains/nexus/ics/calendar.h"
#include "domains/nexus/nexus.h"

namespace cairn::nexus {

enum class EntryFate { kCreated, kUpdated, kUnchanged };

Task<Decision<EntryFate>> ImportEvent(Nexus& nexus, model::Caller caller, const ics::Event& entry);
Task<Decision<EntryFate>> ImportSeries(Nexus& nexus, model::Caller caller, const ics::Event& entry);
// `zone` is where times are that do not say.
Task<Decision<EntryFate>> ImportTask(Nexus& nexus, model::Caller caller, const ics::Todo& todo,
                                     std::string zone);

}  // namespace cairn::nexus
