#include "live/metrics.h"

namespace cairn::live {
namespace {

std::string Metric(const std::string& name, const std::string& help, const std::string& type,
                   uint64_t value) {
  return "# HELP " + name + " " + help + "\n# TYPE " + name + " " + type + "\n" + name + " " +
         std::to_string(value) + "\n";
}

}  // namespace

std::string MetricsText(const HubNumbers& numbers) {
  return Metric("cairn_live_sockets", "Identified WebSockets.", "gauge", numbers.sockets) +
         Metric("cairn_live_rooms", "Rooms with somebody in them.", "gauge", numbers.rooms) +
         Metric("cairn_live_events_total", "Events published.", "counter", numbers.events) +
         Metric("cairn_live_dropped_total", "WebSockets that did not take what was sent to them.", "counter",
                numbers.dropped);
}

}  // namespace cairn::live
