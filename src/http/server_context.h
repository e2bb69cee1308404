// What all event loops of one server share.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "base/metrics.h"
#include "base/worker_pool.h"
#include "http/address_counts.h"
#include "http/memory_budget.h"
#include "http/server.h"
#include "http/shared_budget.h"

namespace cairn::http {

// One of a limited number of places; gives it back at its end.
struct GiveBackPlace {
  void operator()(std::atomic<size_t>* taken) const { taken->fetch_sub(1, std::memory_order_relaxed); }
};
using Place = std::unique_ptr<std::atomic<size_t>, GiveBackPlace>;

struct ServerContext {
  ServerContext(ServerOptions server_options, Handler server_handler, BodyAdmitter server_admit)
      : options(std::move(server_options)),
        handler(std::move(server_handler)),
        admit(std::move(server_admit)),
        body_memory(options.body_memory_bytes_max, options.body_memory_share_bytes_max),
        response_memory(options.response_memory_bytes_max, options.response_memory_share_bytes_max),
        websocket_memory(options.websocket_memory_bytes_max) {}

  // Whether an address has no share of its own: this machine, or proxies that speak for many.
  bool IsUncounted(const IpAddress& address) const {
    return (address.is_loopback() && !options.counts_loopback) || options.proxies.Trust(address);
  }
  size_t websockets_per_address_max() const {
    if (options.websockets_per_address_max > 0) return options.websockets_per_address_max;
    return std::clamp<size_t>(options.websockets_max / 4, 1, 500);
  }

  // From any loop. Null: there are websockets_max of them.
  Place TakeWebSocketPlace() {
    const size_t before = websockets.fetch_add(1, std::memory_order_relaxed);
    Place place(&websockets);
    if (before >= options.websockets_max) place.reset();
    return place;
  }

  const ServerOptions options;
  const Handler handler;
  const BodyAdmitter admit;  // may be null
  SharedBudget body_memory;
  SharedBudget response_memory;
  MemoryBudget websocket_memory;
  metrics::Histogram loop_holds{metrics::SecondBounds()};  // turns of loops that took a millisecond or more
  // Threads for what would hold up a loop; there as long as there are loops that run.
  std::optional<WorkerPool> helpers;
  std::atomic<size_t> connections = 0;
  std::atomic<size_t> websockets = 0;
  AddressCounts connections_by_address;
  AddressCounts websockets_by_address;
  // Turned away, because there were too many in all, or too many of the same address.
  std::atomic<uint64_t> connections_refused = 0;
  std::atomic<uint64_t> connections_of_address_refused = 0;
  std::atomic<uint64_t> websockets_refused = 0;
  std::atomic<uint64_t> websockets_of_address_refused = 0;
  std::atomic<uint64_t> hosts_refused = 0;      // requests by names that are not ours
  std::atomic<uint64_t> responses_aborted = 0;  // clients took them too slowly, or held too many of them
  std::atomic<uint64_t> bodies_refused = 0;     // not admitted, too large, too slow, or no memory for them
};

}  // namespace cairn::http
