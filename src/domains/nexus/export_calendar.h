// Use case: all that someone has, as a calendar for other programs: events, series with what was edited of
// them, tasks. The same text as long as nothing changes.
#pragma once

#include <string>

#include "domains/nexus/nexus.h"

namespace cairn::nexus {

Task<Decision<std::string>> ExportCalendar(Nexus& nexus, model::Caller caller);

}  // namespace cairn::nexus
