// What the operating system tells of this process, under the names Prometheus's own clients use.
#pragma once

#include <string>

namespace cairn::server {

std::string ProcessMetricsText();

}  // namespace cairn::server
