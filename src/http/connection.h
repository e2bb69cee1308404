// Connection: one client's HTTP/1.1 conversation, as a small state machine on its event loop.
//
// At any time exactly one thing is outstanding: a read, a wait for room to write, or a task (the handler, the
// question whether a body is admitted, the next part of an answer). Whatever completes it drives the machine
// on until the next thing is outstanding, or the connection is over and removes itself from the loop.
// Requests are handled one after the other, so pipelined ones are answered in order. A response that switches
// protocols hands the socket over to a WebSocketConnection. Used by EventLoop only.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "http/body_buffer.h"
#include "http/chunked_decoder.h"
#include "http/client_stream.h"
#include "http/conversation.h"
#include "http/event_loop.h"
#include "http/gzip.h"
#include "http/http.h"
#include "http/input_buffer.h"
#include "http/request_head.h"
#include "http/response_head.h"
#include "http/shared_budget.h"

namespace cairn::http {

class Connection final : public Conversation {
 public:
  Connection(EventLoop& loop, ClientStream stream);

  void Start();
  void OnSweep(TimePoint now) override {
    if (now >= deadline_) Expire();
  }
  // Closes an idle connection; others close after their response.
  void BeginDrain() override;
  bool is_handling() const override {
    return state_ == State::kHandling || state_ == State::kAdmitting || state_ == State::kProducing;
  }

 private:
  enum class State {
    kGreeting,   // the handshake of TLS
    kIdle,       // no byte of a request has arrived
    kHead,       // reading up to the empty line
    kAdmitting,  // whether the body is admitted is being decided
    kBody,       // reading the body
    kHandling,   // the handler's task runs, or a helper works on a large body
    kWriting,    // sending the response, or a part of it
    kProducing,  // the next part of the response is being made
    kLingering   // sent everything; waits for the peer to close, else a reset could overtake the response
  };
  enum class Next { kContinue, kWait, kClose, kHandOver };

  // Goes on until something is outstanding. May destroy the connection: nothing may follow it.
  void Drive(Next next);
  Next Advance();

  Next HandleHandshake(bool failed);
  // Whether the request calls this server by a name of its own.
  bool IsForUs();
  void FindClient();
  // Nothing: they are taken.
  std::optional<Fault> TakeWebSocketPlaces();

  // One state each.
  Next AdvanceHead();
  Next AdvanceBody();
  Next AdvanceWrite();
  Next AdvanceLinger();

  Next BeginBody();
  // Whose share of a budget a client takes who is not known otherwise.
  Account ClientAccount() const;
  Next BeginAdmission();
  Next FinishAdmission();
  Next BeginReadingBody();
  Next ReadSizedBody();
  Next ReadChunkedBody();
  Next Dispatch(std::string_view wire_body);
  Next DecodeBody();
  Next StartHandler(std::string_view body);
  Next BeginResponse();
  Next CompressBody();
  Next BeginStream();
  Next BeginUpgrade();
  Next BeginWriting(ResponseFraming framing);
  Next WaitForRoom();
  bool ChargeUnread();
  Next ProduceNext();
  Next FinishProducing();
  Next SendPart();
  Next Refuse(Fault fault);
  Next RefuseBody(Fault fault);
  Next RefuseTooLarge();
  Next Abort();
  Next AbortUnread();
  Next FinishResponse();
  void ContinueLater();
  void HandOver();
  Next BeginLinger();
  bool SendContinue();

  Next Read(std::span<char> room);
  Next HandleRead(bool failed, size_t count);
  // Starts a task whose outcome Advance() will find where `take` puts it.
  template <class T>
  void Run(Task<T> task, void (Connection::*take)(T));
  template <class T>
  void OnDone(void (Connection::*take)(T), T value);
  void TakeResponse(Response response) { response_ = std::move(response); }
  void TakeAdmission(BodyAdmission admission) { admission_ = std::move(admission); }
  void TakePart(Result<std::string> part) { part_ = std::move(part); }
  void ExtendBodyDeadline(size_t received);
  void Enter(State state, std::chrono::milliseconds timeout);
  void Expire();
  bool ReadsIntoBodyBuffer() const;
  const ServerOptions& options() const { return loop_.context().options; }

  EventLoop& loop_;
  ClientStream stream_;
  State state_ = State::kIdle;
  TimePoint deadline_ = TimePoint::max();
  bool expired_ = false;  // the deadline has passed and the outstanding operation was cancelled

  InputBuffer input_;
  HeadScanner scanner_;
  ChunkedDecoder chunks_;
  BodyBuffer body_;
  std::string decoded_body_;
  IpAddress peer_;
  bool peer_is_proxy_ = false;  // trusted to say where requests come from
  std::string host_;            // of the requests so far, and found to be ours
  IpAddress client_;
  std::string client_text_;
  Request request_;
  Framing framing_;
  std::optional<BodyAdmission> admission_;  // none: the body is small so far
  size_t body_bytes_max_ = 0;
  TimePoint body_begin_;
  size_t body_bytes_read_ = 0;
  size_t head_bytes_ = 0;
  size_t input_bytes_used_ = 0;  // of input_, by the current request

  bool starting_task_ = false;  // a task that finishes at once must not drive the machine again
  bool is_task_done_ = false;
  bool is_compressed_ = false;  // the body of response_, by this connection
  Response response_;
  std::unique_ptr<GzipStream> gzip_;          // compresses what the source makes
  Result<std::string> part_ = std::string();  // what it made last
  bool is_last_part_ = false;
  TimePoint stream_deadline_ = TimePoint::max();  // when the server stops
  BudgetShare unread_;                            // what of the response the client has not taken
  TimePoint write_deadline_;                      // once the client does not take it at once
  size_t stalled_at_bytes_ = 0;
  Place websocket_place_;  // taken: the response switches to its WebSocket
  AddressCounts::Place websocket_address_place_;
  bool close_after_response_ = false;
  std::string response_head_;
  size_t response_bytes_sent_ = 0;
};

}  // namespace cairn::http
