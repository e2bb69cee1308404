// WebSocketConnection: one client after the upgrade, on its event loop: what arrives goes through the decoder
// to the listener, what the outbox holds goes out.
//
// Reading and writing are independent, so two things can be outstanding; whatever completes after the end
// finds the outbox detached and touches nothing. No buffer is held while nothing arrives. One wake-up handles
// a bounded number of messages, then the others have their turn.
//
// The end: our close frame is written and the client's has arrived (or its stream is broken); then we stop
// sending, and wait a little for the client to hang up, else a reset could overtake the close frame.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "http/client_stream.h"
#include "http/conversation.h"
#include "http/event_loop.h"
#include "http/websocket.h"
#include "http/websocket_decoder.h"
#include "http/websocket_outbox.h"

namespace cairn::http {

class WebSocketConnection final : public Conversation, private OutboxReader {
 public:
  struct Handover {
    std::shared_ptr<WebSocketListener> listener;
    Place place;                         // below websockets_max
    AddressCounts::Place address_place;  // below websockets_per_address_max
    std::string received;                // behind the upgrade request
  };

  WebSocketConnection(EventLoop& loop, ClientStream stream, Handover handover);

  // May destroy the connection, as every event may: nothing may follow it.
  void Start();
  // Pings, tells the listener the time, ends what is overdue.
  void OnSweep(TimePoint now) override;
  void BeginDrain() override;
  void OnHalt() override;

 private:
  using ErrorCode = ClientStream::ErrorCode;
  enum class Next { kWait, kEnd };

  // Events.
  void OnReadable(ErrorCode error);
  void OnBacklog();
  void OnWritable(ErrorCode error);
  void OnOutput() override;
  void Settle(Next next);

  void AwaitInput();
  Next ReadSome();
  Next Decode(std::string_view input);
  // One step of the decoder; kEnd never comes from here.
  void Handle(const WebSocketDecoder::Step& step);
  void KeepForLater(std::string_view input);

  Next Flush();
  ErrorCode WriteSome();
  void Consume(size_t bytes);

  bool IsOverdue(TimePoint now);
  Next EndIfBothClosed();
  // Says goodbye to the application.
  void Leave();
  const ServerOptions& options() const { return loop_.context().options; }

  EventLoop& loop_;
  ClientStream stream_;
  const std::shared_ptr<WebSocketListener> listener_;
  const Place place_;
  const AddressCounts::Place address_place_;
  const std::shared_ptr<WebSocketOutbox> outbox_;

  WebSocketDecoder decoder_;
  std::string backlog_;           // received, for the next turn
  bool awaits_input_ = false;     // until the socket is readable
  bool input_has_ended_ = false;  // the client sends nothing more
  bool client_is_done_ = false;   // its close frame has arrived, or its stream is broken: the rest is ignored
  TimePoint last_received_;
  TimePoint last_ping_;

  WebSocketOutbox::Batch batch_;  // being written
  size_t frames_written_ = 0;     // of it
  size_t frame_bytes_written_ = 0;
  bool awaits_room_ = false;  // until the socket is writable
  bool close_is_written_ = false;
  bool is_lingering_ = false;
  TimePoint write_deadline_ = TimePoint::max();  // of the frame being written
  TimePoint close_deadline_ = TimePoint::max();  // of the whole end
};

}  // namespace cairn::http
