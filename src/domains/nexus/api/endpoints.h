// All routes of this domain. Each area has a table of its own, *_routes.cc: the places to look first.
#pragma once

#include <vector>

#include "domains/nexus/nexus.h"
#include "rest/endpoint.h"

namespace cairn::nexus {

// They call into `nexus`, which must outlive them.
std::vector<rest::Endpoint> Endpoints(Nexus& nexus);

std::vector<rest::Endpoint> TaskEndpoints(Nexus& nexus);
std::vector<rest::Endpoint> NoteEndpoints(Nexus& nexus);
std::vector<rest::Endpoint> SettingsEndpoints(Nexus& nexus);
std::vector<rest::Endpoint> CalendarEndpoints(Nexus& nexus);
std::vector<rest::Endpoint> ReminderEndpoints(Nexus& nexus);
std::vector<rest::Endpoint> InterchangeEndpoints(Nexus& nexus);
std::vector<rest::Endpoint> TagEndpoints(Nexus& nexus);
std::vector<rest::Endpoint> DemoEndpoints(Nexus& nexus);

}  // namespace cairn::nexus
