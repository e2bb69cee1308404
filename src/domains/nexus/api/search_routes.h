// The route of /api/nexus/search.
#pragma once

#include <vector>

#include "domains/nexus/nexus.h"
#include "rest/endpoint.h"

namespace cairn::nexus {

std::vector<rest::Endpoint> SearchEndpoints(Nexus& nexus);

}  // namespace cairn::nexus
