// Session tokens: what a browser's cookie and a program's refresh token consist of. They name a session and
// how often it was renewed, and carry a MAC over that; the session itself holds no secret, so reading the
// store lets nobody in.
//
//   <user id>.<session id>.<generation>.<MAC>
//
// Each purpose has a MAC of its own: a cookie is no refresh token, and neither is a CSRF token. Whether the
// session is still there is the store's to say. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::identity {

enum class SessionTokenPurpose { kCookie, kRefresh };

struct SessionToken {
  std::string user_id, session_id;
  int64_t generation = 0;
};

// Precondition: ids without a dot.
std::string SealSessionToken(std::string_view key, SessionTokenPurpose purpose, const SessionToken& token);

// Nothing unless SealSessionToken made exactly this text with this key and purpose.
std::optional<SessionToken> OpenSessionToken(std::string_view key, SessionTokenPurpose purpose,
                                             std::string_view text);

// What requests that come with the session's cookie must show besides, for a page of another site can send
// the cookie but not read this. The same for the whole session.
std::string CsrfToken(std::string_view key, std::string_view user_id, std::string_view session_id);

}  // namespace cairn::identity
