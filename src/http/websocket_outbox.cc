#include "http/websocket_outbox.h"

#include <utility>

#include "base/check.h"
#include "http/websocket_frame.h"

namespace cairn::http {
namespace {

constexpr size_t kFrameOverheadBytes = 64;  // a short message costs at least this much memory

size_t CostOf(const std::string& frame) { return frame.size() + kFrameOverheadBytes; }

}  // namespace

bool WebSocketOutbox::Send(std::string text) {
  std::string frame = EncodeFrame(Opcode::kText, std::move(text));
  const size_t cost = CostOf(frame);
  bool is_queued = false;
  {
    std::lock_guard lock(mutex_);
    if (state_ != State::kOpen) return false;
    is_queued = TakeMemory(cost);
    if (is_queued) {
      messages_.push_back(std::move(frame));
    } else {
      DropMessages();
      BeginClose(close_code::kTryAgainLater, "Too many messages are waiting; connect again.");
    }
    if (!NeedsWakeup()) return is_queued;
  }
  AddWakeup();
  return is_queued;
}

void WebSocketOutbox::Close(uint16_t code, std::string reason) {
  CHECK(IsCloseCode(code), "the standard has codes for close frames");
  {
    std::lock_guard lock(mutex_);
    if (state_ != State::kOpen) return;
    BeginClose(code, reason);
    if (!NeedsWakeup()) return;
  }
  AddWakeup();
}

bool WebSocketOutbox::is_open() const {
  std::lock_guard lock(mutex_);
  return state_ == State::kOpen;
}

void WebSocketOutbox::Detach() {
  reader_ = nullptr;
  std::lock_guard lock(mutex_);
  state_ = State::kClosed;
  DropMessages();
  ReturnMemory(std::exchange(batch_bytes_, 0));
  pong_ = ping_ = close_ = std::string();
}

void WebSocketOutbox::Wake() {
  {
    std::lock_guard lock(mutex_);
    wakeup_pending_ = false;
  }
  if (reader_ != nullptr) reader_->OnOutput();
}

void WebSocketOutbox::Yield() {
  {
    std::lock_guard lock(mutex_);
    if (!NeedsWakeup()) return;
  }
  AddWakeup();
}

void WebSocketOutbox::Pong(std::string_view payload) {
  {
    std::lock_guard lock(mutex_);
    if (state_ == State::kClosed) return;
    pong_ = EncodeFrame(Opcode::kPong, std::string(payload));
    if (!NeedsWakeup()) return;
  }
  AddWakeup();
}

void WebSocketOutbox::Ping() {
  {
    std::lock_guard lock(mutex_);
    if (state_ != State::kOpen) return;
    ping_ = EncodeFrame(Opcode::kPing, "");
    if (!NeedsWakeup()) return;
  }
  AddWakeup();
}

void WebSocketOutbox::Abandon(uint16_t code, std::string_view reason) {
  {
    std::lock_guard lock(mutex_);
    if (state_ == State::kClosed) return;
    DropMessages();
    if (state_ == State::kOpen) BeginClose(code, reason);
    if (!NeedsWakeup()) return;
  }
  AddWakeup();
}

WebSocketOutbox::Batch WebSocketOutbox::TakeBatch() {
  Batch batch;
  std::lock_guard lock(mutex_);
  ReturnMemory(std::exchange(batch_bytes_, 0));
  if (state_ == State::kClosed) return batch;
  for (std::string* control : {&pong_, &ping_}) {
    if (!control->empty()) batch.frames.push_back(std::exchange(*control, std::string()));
  }
  while (!messages_.empty() && batch.frames.size() < kFramesPerBatch && batch_bytes_ < kBatchBytes) {
    batch_bytes_ += CostOf(messages_.front());
    batch.frames.push_back(std::move(messages_.front()));
    messages_.pop_front();
  }
  if (state_ == State::kClosing && messages_.empty() && batch.frames.size() < kFramesPerBatch) {
    batch.frames.push_back(std::move(close_));
    batch.ends_with_close = true;
    state_ = State::kClosed;
  }
  return batch;
}

void WebSocketOutbox::BeginClose(uint16_t code, std::string_view reason) {
  state_ = State::kClosing;
  close_ = EncodeClose(code, reason);
}

void WebSocketOutbox::DropMessages() {
  messages_ = {};
  ReturnMemory(bytes_ - batch_bytes_);
}

bool WebSocketOutbox::TakeMemory(size_t bytes) {
  if (bytes > bytes_max_ || bytes_ > bytes_max_ - bytes) return false;
  if (bytes_ == 0) {
    budget_.Take(bytes);
  } else if (!budget_.TryTake(bytes)) {
    return false;
  }
  bytes_ += bytes;
  return true;
}

void WebSocketOutbox::ReturnMemory(size_t bytes) {
  bytes_ -= bytes;
  budget_.Return(bytes);
}

bool WebSocketOutbox::NeedsWakeup() { return !std::exchange(wakeup_pending_, true); }

}  // namespace cairn::http
