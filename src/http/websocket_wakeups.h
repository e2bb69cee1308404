// WebSocketWakeups: which sockets of one event loop have something new to write. However many there are, and
// whoever fills them, the loop gets one piece of work for all: a broadcast costs one wake-up per loop.
//
// Outlives its loop, as the sockets' handles do. Also counts the tasks that need the loop
// (WebSocket::HoldLoop).
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/executor.h"

namespace cairn::http {

class WebSocketOutbox;

class WebSocketWakeups : public std::enable_shared_from_this<WebSocketWakeups> {
 public:
  // `on_released` is called on the loop when nobody holds it any more.
  WebSocketWakeups(Executor& loop, std::function<void()> on_released)
      : loop_(&loop), on_released_(std::move(on_released)) {}

  // Thread-safe. Calls outbox->Wake() on the loop, soon; never when the loop is gone.
  void Add(std::shared_ptr<WebSocketOutbox> outbox);
  // Thread-safe. Held until the last copy is gone; null when the loop is gone already.
  std::shared_ptr<void> Hold();
  bool is_held() const;

  // The loop runs nothing any more: whatever is added from now on is ignored.
  void Detach();

 private:
  void Deliver();
  void Release();

  mutable std::mutex mutex_;  // guards all below; the loop cannot go while it is locked
  Executor* loop_;
  const std::function<void()> on_released_;
  std::vector<std::shared_ptr<WebSocketOutbox>> ready_;
  bool posted_ = false;  // Deliver is on its way
  size_t holds_ = 0;
};

}  // namespace cairn::http
