// GET /api/account/usage: what a user keeps, and what they may.
#pragma once

#include <vector>

#include "quotas/quotas.h"
#include "rest/endpoint.h"

namespace cairn::quotas {

// Both must outlive the endpoints.
std::vector<rest::Endpoint> UsageEndpoints(const Quotas& quotas, UsageMeter& meter);

}  // namespace cairn::quotas
