// Authenticator: who sends a request. Implemented by identity; used by the frame and by WebSockets.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "base/task.h"
#include "http/http.h"
#include "model/caller.h"

namespace cairn::rest {

enum class Proof {
  kToken,   // the program sent it on purpose
  kCookie,  // the browser sends it with every request, whoever made it: changes need a CSRF token as well
};

struct Identified {
  model::Caller::Claims claims;  // with "sub"
  std::string user_id;
  Proof proof = Proof::kToken;
  std::string session_id;    // "" for tokens that belong to none
  std::string csrf_token;    // what requests with this cookie must show; "" for tokens
  bool is_operator = false;  // has a token that this server's operator made for the purpose
  Time expires;
};

class Authenticator {
 public:
  virtual ~Authenticator() = default;
  // Fails with kUnauthenticated.
  virtual Task<Result<Identified>> Identify(const http::Request& request) = 0;
  // The same for a token that came in another way than a header field.
  virtual Task<Result<Identified>> IdentifyToken(std::string token) = 0;
  // Whether someone who was identified some time ago still is: not expired, not logged out, not deleted.
  virtual Task<bool> IsStillValid(const Identified& identified) = 0;
};

}  // namespace cairn::rest
