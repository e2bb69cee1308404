// Conversation: what an event loop keeps of one client, whichever protocol they speak (Connection for HTTP,
// WebSocketConnection after an upgrade).
#pragma once

#include <chrono>
#include <cstddef>

namespace cairn::http {

class Conversation {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  virtual ~Conversation() = default;

  // Neither of them removes the conversation from its loop at once: the loop is going through all of them.
  virtual void OnSweep(TimePoint now) = 0;  // about once a second
  virtual void BeginDrain() = 0;            // the server stops: finish soon
  // The loop's thread has ended with this conversation still open.
  virtual void OnHalt() {}
  // Whether a handler runs that will be completed later.
  virtual bool is_handling() const { return false; }

  size_t registry_index = 0;  // where the loop keeps it
};

}  // namespace cairn::http
