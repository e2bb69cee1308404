// What all event loops of one server share.
#pragma once

#include <atomic>
#include <utility>

#include "http/body_buffer.h"
#include "http/server.h"

namespace cairn::http {

struct ServerContext {
  ServerContext(ServerOptions server_options, Handler server_handler)
      : options(std::move(server_options)),
        handler(std::move(server_handler)),
        body_memory(options.body_memory_bytes_max) {}

  const ServerOptions options;
  const Handler handler;
  BodyMemory body_memory;
  std::atomic<size_t> connections = 0;
};

}  // namespace cairn::http
