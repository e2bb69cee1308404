// What all event loops of one server share.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "http/memory_budget.h"
#include "http/server.h"

namespace cairn::http {

// One of a limited number of places; gives it back at its end.
struct GiveBackPlace {
  void operator()(std::atomic<size_t>* taken) const { taken->fetch_sub(1, std::memory_order_relaxed); }
};
using Place = std::unique_ptr<std::atomic<size_t>, GiveBackPlace>;

struct ServerContext {
  ServerContext(ServerOptions server_options, Handler server_handler)
      : options(std::move(server_options)),
        handler(std::move(server_handler)),
        body_memory(options.body_memory_bytes_max),
        websocket_memory(options.websocket_memory_bytes_max) {}

  // From any loop. Null: there are websockets_max of them.
  Place TakeWebSocketPlace() {
    const size_t before = websockets.fetch_add(1, std::memory_order_relaxed);
    Place place(&websockets);
    if (before >= options.websockets_max) place.reset();
    return place;
  }

  const ServerOptions options;
  const Handler handler;
  MemoryBudget body_memory;
  MemoryBudget websocket_memory;
  std::atomic<size_t> connections = 0;
  std::atomic<size_t> websockets = 0;
};

}  // namespace cairn::http
