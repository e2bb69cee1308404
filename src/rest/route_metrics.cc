#include "rest/route_metrics.h"

#include <algorithm>

namespace cairn::rest {

void RouteMetrics::Observe(int status, std::chrono::steady_clock::duration time) {
  const size_t hundreds = static_cast<size_t>(std::clamp(status / 100, 0, 5));
  statuses_[hundreds].fetch_add(1, std::memory_order_relaxed);
  seconds_.Observe(time);
}

std::string MetricsText(std::span<const Endpoint> endpoints, std::span<const RouteMetrics> metrics) {
  constexpr std::string_view kTotal = "cairn_rest_requests_total";
  constexpr std::string_view kSeconds = "cairn_rest_request_seconds";
  std::string totals, times;
  metrics::AppendHead(totals, kTotal, metrics::Kind::kCounter,
                      "Requests of the applications, by route and kind of answer.");
  metrics::AppendHead(times, kSeconds, metrics::Kind::kHistogram,
                      "Time from the request's last byte to the answer's first, by route.");
  for (size_t i = 0; i < metrics.size(); ++i) {
    if (metrics[i].count() == 0) continue;
    const std::string route = metrics::Label("method", endpoints[i].info.method) + "," +
                              metrics::Label("route", endpoints[i].info.path);
    for (size_t hundreds = 0; hundreds < metrics[i].statuses_.size(); ++hundreds) {
      const uint64_t count = metrics[i].statuses_[hundreds].load(std::memory_order_relaxed);
      if (count == 0) continue;
      const std::string status = std::to_string(hundreds) + "xx";
      metrics::AppendSample(totals, kTotal, route + "," + metrics::Label("status", status),
                            static_cast<double>(count));
    }
    metrics[i].seconds_.AppendTo(times, kSeconds, route);
  }
  return totals + times;
}

}  // namespace cairn::rest
