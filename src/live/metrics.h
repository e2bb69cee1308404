// The hub's numbers as Prometheus reads them, for /metrics.
#pragma once

#include <string>

#include "live/hub.h"

namespace cairn::live {

std::string MetricsText(const HubNumbers& numbers);

}  // namespace cairn::live
