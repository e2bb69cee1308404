// Use cases: a series that becomes a single event, and an event that begins to repeat.
//
// They are different items, so the id changes: the answer tells the new one, and the old one is gone. To
// other calendars it stays the same entry (`uid`), and turning it back gives it its former id again.
#pragma once

#include <string>

#include "domains/nexus/series.h"

namespace cairn::nexus {

// What is left of the series is its first occurrence.
Task<Decision<SeriesChanged>> EndRepeating(Nexus& nexus, model::Caller caller, std::string master_id,
                                           SeriesPatch patch, SeenVersion seen,
                                           Witness<SeriesChanged> witness);
// What is left is this occurrence; with `following` the ones before it stay a series.
Task<Decision<SeriesChanged>> EndRepeatingAt(Nexus& nexus, model::Caller caller, std::string instance_id,
                                             Scope scope, SeriesPatch patch, SeenVersion seen,
                                             Witness<SeriesChanged> witness);
// The event is gone, a series begins with it; its reminders are the series'.
Task<Decision<SeriesChanged>> BeginRepeating(Nexus& nexus, model::Caller caller, std::string event_id,
                                             SeriesPatch patch, SeenVersion seen,
                                             Witness<SeriesChanged> witness);

}  // namespace cairn::nexus
