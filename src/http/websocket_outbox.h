// WebSocketOutbox: what one socket has to send: the WebSocket that applications hold, and where its
// connection takes the frames from. No I/O.
//
// Order on the wire: the newest pong, a ping, messages in the order of Send, at last the close frame. Bytes
// of messages are counted until they are written. Above the socket's own limit, or when the budget of all
// sockets is spent, its messages are dropped and it is closed; but a socket that has nothing queued may
// always send, so that those who read do not pay for those who do not.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "http/memory_budget.h"
#include "http/websocket.h"
#include "http/websocket_wakeups.h"

namespace cairn::http {

// Who writes what an outbox holds.
class OutboxReader {
 public:
  virtual void OnOutput() = 0;  // there is something new; on the loop

 protected:
  ~OutboxReader() = default;
};

class WebSocketOutbox final : public WebSocket, public std::enable_shared_from_this<WebSocketOutbox> {
 public:
  // The budget must live until Detach.
  WebSocketOutbox(std::shared_ptr<WebSocketWakeups> wakeups, size_t bytes_max, MemoryBudget& budget)
      : wakeups_(std::move(wakeups)), bytes_max_(bytes_max), budget_(budget) {}

  // From any thread.
  bool Send(std::string text) override;
  void Close(uint16_t code, std::string reason) override;
  std::shared_ptr<void> HoldLoop() override { return wakeups_->Hold(); }
  // Nobody has asked to close it.
  bool is_open() const;

  // The rest is for the loop's own thread.
  void Attach(OutboxReader& reader) { reader_ = &reader; }
  // The connection is gone: drops everything, and nothing is called any more.
  void Detach();
  bool is_attached() const { return reader_ != nullptr; }
  void Wake();
  // Wakes the reader again, after the others.
  void Yield();

  // Only the newest pong that has not been taken is kept.
  void Pong(std::string_view payload);
  void Ping();
  // Closes a socket to which nothing more may be said: drops the messages first.
  void Abandon(uint16_t code, std::string_view reason);

  struct Batch {
    std::vector<std::string> frames;  // at most kFramesPerBatch
    bool ends_with_close = false;     // then there will be no other
  };
  static constexpr size_t kFramesPerBatch = 64;
  static constexpr size_t kBatchBytes = 64 * 1024;  // a batch ends with the frame that reaches it
  // The next frames; the ones taken before have been written.
  Batch TakeBatch();

 private:
  enum class State { kOpen, kClosing, kClosed };

  // With the mutex held.
  void BeginClose(uint16_t code, std::string_view reason);
  bool TakeMemory(size_t bytes);
  void ReturnMemory(size_t bytes);
  void DropMessages();
  // True: the caller adds the outbox to the wake-ups, without the mutex.
  bool NeedsWakeup();
  void AddWakeup() { wakeups_->Add(shared_from_this()); }

  const std::shared_ptr<WebSocketWakeups> wakeups_;
  const size_t bytes_max_;
  MemoryBudget& budget_;
  OutboxReader* reader_ = nullptr;  // the loop's

  mutable std::mutex mutex_;  // guards all below
  State state_ = State::kOpen;
  std::deque<std::string> messages_;  // as frames
  size_t bytes_ = 0;                  // of messages_ and of the batch being written
  size_t batch_bytes_ = 0;
  std::string pong_;   // as frames; empty: none
  std::string ping_;   //
  std::string close_;  //
  bool wakeup_pending_ = false;
};

}  // namespace cairn::http
