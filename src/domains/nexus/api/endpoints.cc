#include "domains/nexus/api/endpoints.h"

#include "domains/nexus/api/conformance_routes.h"
#include "domains/nexus/api/search_routes.h"

namespace cairn::nexus {

std::vector<rest::Endpoint> Endpoints(Nexus& nexus) {
  std::vector<rest::Endpoint> all;
  for (auto* area :
       {&CalendarEndpoints, &ReminderEndpoints, &TaskEndpoints, &NoteEndpoints, &TagEndpoints,
        &SearchEndpoints, &SettingsEndpoints, &ConformanceEndpoints, &InterchangeEndpoints, &DemoEndpoints}) {
    for (rest::Endpoint& endpoint : area(nexus)) all.push_back(std::move(endpoint));
  }
  return all;
}

}  // namespace cairn::nexus
