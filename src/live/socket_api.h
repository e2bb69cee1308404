// SocketApi: GET /ws, where a request becomes a live connection (socket.h), or is refused.
//
// Browsers let every page open a WebSocket to everywhere and send cookies along, so the Origin is checked
// here: pages of other origins are refused, whatever they show. Tokens in the address are refused, because
// addresses end up in logs.
#pragma once

#include <string>
#include <vector>

#include "http/cors.h"
#include "http/router.h"
#include "live/hub.h"
#include "live/socket.h"
#include "rest/authenticator.h"

namespace cairn::live {

struct SocketApiOptions {
  std::string public_origin;     // "https://cairn.example"; "": whatever host a request names
  http::CorsPolicy other_pages;  // origins that may connect, too; their cookies count if the policy says so
  std::string cookie_name;       // of the session
  SocketLimits limits = {};
};

class SocketApi {
 public:
  // Everything passed in, and this, must outlive the server. Precondition: the hub has a feed for every kind
  // of room that has a rule.
  SocketApi(SocketApiOptions options, rest::Authenticator& authenticator, Hub& hub, const Clock& clock,
            RoomRules rules);

  // They call into this object.
  std::vector<http::Route> Routes();

 private:
  Task<http::Response> Connect(const http::Request& request);
  bool IsWelcomePage(const http::Request& request) const;
  bool MayUseCookie(const http::Request& request) const;

  const SocketApiOptions options_;
  const SocketContext context_;
};

}  // namespace cairn::live
