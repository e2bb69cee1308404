// WebSockets (RFC 6455, no extensions) as the application sees them: a WebSocket to send through and a
// WebSocketListener that hears what the client does. websocket_upgrade.h makes one of a request.
//
// Text only: a client that sends binary messages is closed with 1003. Pings, pongs, the closing handshake and
// every limit (ServerOptions) are the transport's business.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace cairn::http {

// Why a socket is closed, as the standard numbers it. 3000 to 4999 are for applications.
namespace close_code {
inline constexpr uint16_t kNormal = 1000;
inline constexpr uint16_t kGoingAway = 1001;  // the server stops, or has heard nothing for too long
inline constexpr uint16_t kProtocolError = 1002;
inline constexpr uint16_t kUnsupported = 1003;  // a binary message
inline constexpr uint16_t kNone = 1005;         // never sent: stands for a close frame without a code
inline constexpr uint16_t kNotUtf8 = 1007;
inline constexpr uint16_t kPolicy = 1008;
inline constexpr uint16_t kTooBig = 1009;
inline constexpr uint16_t kTryAgainLater = 1013;  // reads more slowly than it is sent to
}  // namespace close_code

// One client after the upgrade. Thread-safe handle; outlives the connection harmlessly.
class WebSocket {
 public:
  virtual ~WebSocket() = default;
  // Queues a text message and returns; never waits for the client. Precondition: UTF-8. False: closed, or its
  // queue is full: then what was queued is dropped and the socket is being closed with 1013, so that it
  // comes back and catches up.
  virtual bool Send(std::string text) = 0;
  // Sends what is queued, then a close frame, then ends; only the first call counts. Precondition: a code the
  // standard lets an endpoint send. Reasons are cut at 123 bytes.
  virtual void Close(uint16_t code, std::string reason) = 0;
  // For a task that the listener spawns: as long as it keeps this, a stopping server waits for it as it waits
  // for a request's handler, and leaves the event loop in memory if the task takes too long. Without it a
  // task that is suspended in a store would continue on a loop that is gone.
  virtual std::shared_ptr<void> HoldLoop() { return nullptr; }
};

// What the application does with one client. Called on the client's event loop, never concurrently;
// Executor::Current() is that loop, so it may Spawn tasks there (see HoldLoop). A listener whose switch fails
// after all (too many sockets, a client that is gone) is destroyed without a call.
class WebSocketListener {
 public:
  virtual ~WebSocketListener() = default;
  virtual void OnOpen(std::shared_ptr<WebSocket> socket) = 0;
  // The text is UTF-8, at most websocket_message_bytes_max long, and valid during the call. Not called after
  // Close, or when the client's close frame has arrived.
  virtual void OnText(std::string_view text) = 0;
  // About once a second: for checks such as expired credentials.
  virtual void OnTick() {}
  // Last call; the connection is gone. Comes exactly once after OnOpen; where the server's grace ended
  // before, from the thread that stops it.
  virtual void OnClose() {}
};

}  // namespace cairn::http
