// Credentials: what a client gets for a session: a browser a cookie and a CSRF token, a program an access
// token and a refresh token. Made from the session and the signing key; stored nowhere.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/random.h"
#include "models/platform.h"

namespace cairn::identity {

namespace platform = models::platform;

inline constexpr std::chrono::seconds kSessionLifetime = std::chrono::days(30);
inline constexpr std::chrono::seconds kAccessTokenLifetime = std::chrono::minutes(15);

struct Credentials {
  std::string user_id, session_id;
  platform::SessionKind kind = platform::SessionKind::kProgram;
  Time expires;  // the session's end, unless it is renewed before
  // Of a browser.
  std::string cookie, csrf_token;
  std::string devices;  // the cookie of known_device.h; "": it stays as it is
  // Of a program.
  std::string access_token, refresh_token;
  Time access_expires;
};

// Precondition: a session as it was created or read, so that its ids are known.
Credentials MakeCredentials(std::string_view signing_key, const platform::Session& session, Time now,
                            Random& random);

}  // namespace cairn::identity
