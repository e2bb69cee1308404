#include "http/websocket_connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <span>
#include <utility>

namespace cairn::http {
namespace {

namespace asio = boost::asio;

constexpr size_t kReadBytes = 16 * 1024;
constexpr int kStepsPerWakeup = 64;    // messages and control frames of one client
constexpr int kBatchesPerWakeup = 16;  // about 1 MB to one client
constexpr int kDiscardReadsMax = 16;
constexpr std::chrono::milliseconds kCloseTimeout{5000};
constexpr std::chrono::milliseconds kDrainTimeout{1000};  // a stopping server is in a hurry
constexpr std::chrono::milliseconds kLingerTimeout{2000};

}  // namespace

WebSocketConnection::WebSocketConnection(EventLoop& loop, ClientStream stream, Handover handover)
    : loop_(loop),
      stream_(std::move(stream)),
      listener_(std::move(handover.listener)),
      place_(std::move(handover.place)),
      address_place_(std::move(handover.address_place)),
      outbox_(std::make_shared<WebSocketOutbox>(loop.wakeups(), options().websocket_queue_bytes_max,
                                                loop.context().websocket_memory)),
      decoder_(options().websocket_message_bytes_max),
      backlog_(std::move(handover.received)),
      last_received_(loop.now()),
      last_ping_(loop.now()) {}

void WebSocketConnection::Start() {
  outbox_->Attach(*this);
  listener_->OnOpen(outbox_);
  if (loop_.draining()) BeginDrain();  // began while the handshake was being written
  OnBacklog();
}

void WebSocketConnection::Settle(Next next) {
  if (next != Next::kEnd) return;
  Leave();
  loop_.Remove(*this);
}

void WebSocketConnection::Leave() {
  outbox_->Detach();
  listener_->OnClose();
}

// ---- reading ----

void WebSocketConnection::AwaitInput() {
  if (input_has_ended_ || std::exchange(awaits_input_, true)) return;
  stream_.AsyncWaitForInput([this, &loop = loop_, outbox = outbox_](ErrorCode error) {
    const LoopWatch::Turn turn(loop.watch());
    if (outbox->is_attached()) OnReadable(error);
  });
}

void WebSocketConnection::OnReadable(ErrorCode error) {
  awaits_input_ = false;
  Settle(error ? Next::kEnd : ReadSome());
}

WebSocketConnection::Next WebSocketConnection::ReadSome() {
  std::array<char, kReadBytes> bytes;
  ErrorCode error;
  const size_t count = stream_.ReadSome(bytes, error);
  if (error == asio::error::eof) {
    input_has_ended_ = true;
    // A client that has said goodbye still gets our close frame.
    return client_is_done_ && !close_is_written_ ? Next::kWait : Next::kEnd;
  }
  if (error && error != asio::error::would_block) return Next::kEnd;
  if (count > 0) last_received_ = loop_.now();
  return Decode(std::string_view(bytes.data(), count));
}

WebSocketConnection::Next WebSocketConnection::Decode(std::string_view input) {
  for (int steps = 0; steps < kStepsPerWakeup; ++steps) {
    const WebSocketDecoder::Step step = decoder_.Next(input);
    input.remove_prefix(step.consumed);
    if (step.outcome == WebSocketDecoder::Outcome::kNeedMore) {
      AwaitInput();
      return EndIfBothClosed();
    }
    Handle(step);
  }
  KeepForLater(input);
  return Next::kWait;
}

void WebSocketConnection::Handle(const WebSocketDecoder::Step& step) {
  switch (step.outcome) {
    case WebSocketDecoder::Outcome::kText:
      if (outbox_->is_open()) listener_->OnText(step.payload);
      return;
    case WebSocketDecoder::Outcome::kPing:
      return outbox_->Pong(step.payload);
    case WebSocketDecoder::Outcome::kClose:
      client_is_done_ = true;
      return outbox_->Abandon(step.code, {});
    case WebSocketDecoder::Outcome::kBroken:
      client_is_done_ = true;
      return outbox_->Abandon(step.code, step.payload);
    case WebSocketDecoder::Outcome::kPong:
    case WebSocketDecoder::Outcome::kNeedMore:
      return;
  }
}

void WebSocketConnection::KeepForLater(std::string_view input) {
  backlog_ = input;
  loop_.Post([this, outbox = outbox_] {
    if (outbox->is_attached()) OnBacklog();
  });
}

void WebSocketConnection::OnBacklog() {
  const std::string received = std::exchange(backlog_, std::string());
  Settle(Decode(received));
}

// ---- writing ----

void WebSocketConnection::OnOutput() { Settle(Flush()); }

void WebSocketConnection::OnWritable(ErrorCode error) {
  awaits_room_ = false;
  Settle(error ? Next::kEnd : Flush());
}

WebSocketConnection::Next WebSocketConnection::Flush() {
  if (awaits_room_) return Next::kWait;
  for (int batches = 0; batches <= kBatchesPerWakeup;) {
    if (frames_written_ == batch_.frames.size()) {
      close_is_written_ = close_is_written_ || batch_.ends_with_close;
      batch_ = outbox_->TakeBatch();
      frames_written_ = 0;
      write_deadline_ = TimePoint::max();
      if (batch_.frames.empty()) return EndIfBothClosed();
      write_deadline_ = loop_.DeadlineAfter(options().write_timeout);
      ++batches;
    }
    const ErrorCode error = WriteSome();
    if (error == asio::error::would_block) {
      awaits_room_ = true;
      stream_.AsyncWaitForRoom([this, &loop = loop_, outbox = outbox_](ErrorCode failed) {
        const LoopWatch::Turn turn(loop.watch());
        if (outbox->is_attached()) OnWritable(failed);
      });
      return Next::kWait;
    }
    if (error) return Next::kEnd;
  }
  outbox_->Yield();
  return Next::kWait;
}

WebSocketConnection::ErrorCode WebSocketConnection::WriteSome() {
  std::array<asio::const_buffer, WebSocketOutbox::kFramesPerBatch> buffers;
  size_t count = 0;
  for (size_t i = frames_written_; i < batch_.frames.size(); ++i) {
    const size_t skip = i == frames_written_ ? frame_bytes_written_ : 0;
    buffers[count++] = asio::buffer(batch_.frames[i]) + skip;
  }
  ErrorCode error;
  Consume(stream_.WriteSome(std::span(buffers).first(count), error));
  return error;
}

void WebSocketConnection::Consume(size_t bytes) {
  while (bytes > 0) {
    std::string& frame = batch_.frames[frames_written_];
    const size_t taken = std::min(bytes, frame.size() - frame_bytes_written_);
    frame_bytes_written_ += taken;
    bytes -= taken;
    if (frame_bytes_written_ < frame.size()) return;
    frame = std::string();
    frame_bytes_written_ = 0;
    ++frames_written_;
    write_deadline_ = loop_.DeadlineAfter(options().write_timeout);
  }
}

// ---- time, and the end ----

void WebSocketConnection::OnSweep(TimePoint now) {
  if (IsOverdue(now)) {
    if (frames_written_ < batch_.frames.size()) {
      stream_.Reset();
    } else {
      stream_.Close();
    }
    loop_.Post([this, outbox = outbox_] {
      if (outbox->is_attached()) Settle(Next::kEnd);
    });
    return;
  }
  if (!outbox_->is_open()) return;
  if (now - last_received_ >= options().websocket_idle_timeout) {
    return outbox_->Close(close_code::kGoingAway, "Nothing was heard for too long.");
  }
  if (now - std::max(last_received_, last_ping_) >= options().websocket_ping_interval) {
    last_ping_ = now;
    outbox_->Ping();
  }
  listener_->OnTick();
}

bool WebSocketConnection::IsOverdue(TimePoint now) {
  // Here and not where it was asked for, which may have been on another thread.
  const bool is_ending = !outbox_->is_open();
  if (is_ending && close_deadline_ == TimePoint::max()) close_deadline_ = loop_.DeadlineAfter(kCloseTimeout);
  return now >= std::min(write_deadline_, close_deadline_);
}

void WebSocketConnection::BeginDrain() {
  close_deadline_ = std::min(close_deadline_, loop_.DeadlineAfter(kDrainTimeout));
  outbox_->Close(close_code::kGoingAway, "The server is stopping.");
}

WebSocketConnection::Next WebSocketConnection::EndIfBothClosed() {
  if (!client_is_done_ || !close_is_written_ || std::exchange(is_lingering_, true)) return Next::kWait;
  ErrorCode error = stream_.ShutdownSend();
  if (error || input_has_ended_) return Next::kEnd;
  close_deadline_ = std::min(close_deadline_, loop_.DeadlineAfter(kLingerTimeout));
  if (!loop_.draining()) return Next::kWait;
  // No time to wait: take what has arrived, so that closing does not reset.
  std::array<char, kReadBytes> ignored;
  for (int i = 0; i < kDiscardReadsMax && !error; ++i) stream_.ReadSome(ignored, error);
  return Next::kEnd;
}

void WebSocketConnection::OnHalt() {
  stream_.Close();
  if (outbox_->is_attached()) Leave();
}

}  // namespace cairn::http
