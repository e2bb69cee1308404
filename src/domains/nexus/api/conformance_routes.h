// The route of /api/admin/conformance.
#pragma once

#include <vector>

#include "domains/nexus/nexus.h"
#include "rest/endpoint.h"

namespace cairn::nexus {

std::vector<rest::Endpoint> ConformanceEndpoints(Nexus& nexus);

}  // namespace cairn::nexus
