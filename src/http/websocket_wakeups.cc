#include "http/websocket_wakeups.h"

#include <utility>

#include "http/websocket_outbox.h"

namespace cairn::http {

void WebSocketWakeups::Add(std::shared_ptr<WebSocketOutbox> outbox) {
  std::lock_guard lock(mutex_);
  if (loop_ == nullptr) return;
  ready_.push_back(std::move(outbox));
  if (std::exchange(posted_, true)) return;
  loop_->Post([self = shared_from_this()] { self->Deliver(); });
}

void WebSocketWakeups::Deliver() {
  std::vector<std::shared_ptr<WebSocketOutbox>> ready;
  {
    std::lock_guard lock(mutex_);
    posted_ = false;
    ready.swap(ready_);
  }
  for (const auto& outbox : ready) outbox->Wake();
}

std::shared_ptr<void> WebSocketWakeups::Hold() {
  std::lock_guard lock(mutex_);
  if (loop_ == nullptr) return nullptr;
  ++holds_;
  return std::shared_ptr<void>(this, [self = shared_from_this()](void*) { self->Release(); });
}

void WebSocketWakeups::Release() {
  std::lock_guard lock(mutex_);
  if (--holds_ > 0 || loop_ == nullptr) return;
  loop_->Post([self = shared_from_this()] { self->on_released_(); });
}

bool WebSocketWakeups::is_held() const {
  std::lock_guard lock(mutex_);
  return holds_ > 0;
}

void WebSocketWakeups::Detach() {
  std::vector<std::shared_ptr<WebSocketOutbox>> dropped;  // destroyed without the lock
  std::lock_guard lock(mutex_);
  loop_ = nullptr;
  dropped.swap(ready_);
}

}  // namespace cairn::http
