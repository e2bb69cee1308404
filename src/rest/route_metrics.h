// RouteMetrics: how often one endpoint was asked, what it answered, and how long that took.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/metrics.h"
#include "rest/endpoint.h"

namespace cairn::rest {

class RouteMetrics {
 public:
  void Observe(int status, std::chrono::steady_clock::duration time);
  uint64_t count() const { return seconds_.count(); }

 private:
  friend std::string MetricsText(std::span<const Endpoint> endpoints, std::span<const RouteMetrics> metrics);

  metrics::Histogram seconds_{metrics::SecondBounds()};
  std::array<std::atomic<uint64_t>, 6> statuses_{};  // by hundreds
};

// Of the endpoints that were asked; `metrics` is in their order.
std::string MetricsText(std::span<const Endpoint> endpoints, std::span<const RouteMetrics> metrics);

}  // namespace cairn::rest
