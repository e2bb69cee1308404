// The WebSocket handshake (RFC 6455, section 4): from a request to the response that switches its connection.
//
//   Task<Response> Live(const Request& request) {
//     const auto upgrade = ParseUpgrade(request);
//     if (!upgrade) co_return ToResponse(upgrade.error());
//     co_return SwitchToWebSocket(*upgrade, std::make_shared<Listener>(...), "");
//   }
//
// Who may connect is the handler's question, and the browser asks nobody: check the Origin (cors.h) before
// trusting a cookie.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/http.h"
#include "http/problem.h"
#include "http/websocket.h"

namespace cairn::http {

// A valid request to switch.
struct WebSocketUpgrade {
  std::string accept;  // for Sec-WebSocket-Accept
  std::vector<std::string_view>
      subprotocols;  // offered, the client's favourite first; views into the request

  bool Offers(std::string_view subprotocol) const;
};

// Fails with 405 (not GET), 426 (no upgrade asked for, or another version than 13; the reply says which one)
// or 400 (HTTP/1.0, a body, a key that is not 16 bytes in base64, badly written subprotocols).
Result<WebSocketUpgrade, Problem> ParseUpgrade(const Request& request);

// 101. `subprotocol` is the one the server has picked, or empty. Precondition: the client offers it.
Response SwitchToWebSocket(const WebSocketUpgrade& upgrade, std::shared_ptr<WebSocketListener> listener,
                           std::string_view subprotocol);

}  // namespace cairn::http
