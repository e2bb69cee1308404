#include "domains/nexus/api/endpoints.h"

namespace cairn::nexus {

std::vector<rest::Endpoint> Endpoints(Nexus& nexus) {
  std::vector<rest::Endpoint> all;
  for (auto* area : {&CalendarEndpoints, &ReminderEndpoints, &SettingsEndpoints, &InterchangeEndpoints}) {
    for (rest::Endpoint& endpoint : area(nexus)) all.push_back(std::move(endpoint));
  }
  return all;
}

}  // namespace cairn::nexus
