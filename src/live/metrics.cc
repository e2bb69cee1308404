#include "live/metrics.h"

#include "base/metrics.h"

namespace cairn::live {

std::string MetricsText(const HubNumbers& numbers) {
  using metrics::Kind;
  std::string text;
  const auto metric = [&](std::string_view name, std::string_view help, Kind kind, uint64_t value) {
    metrics::AppendMetric(text, name, kind, help, static_cast<double>(value));
  };
  metric("cairn_live_sockets", "Identified WebSockets.", Kind::kGauge, numbers.sockets);
  metric("cairn_live_rooms", "Rooms with somebody in them.", Kind::kGauge, numbers.rooms);
  metric("cairn_live_events_total", "Events published.", Kind::kCounter, numbers.events);
  metric("cairn_live_dropped_total", "WebSockets that did not take what was sent to them.", Kind::kCounter,
         numbers.dropped);
  return text;
}

}  // namespace cairn::live
