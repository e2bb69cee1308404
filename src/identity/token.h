// Bearer tokens: JWTs (RFC 7519) signed with HMAC-SHA-256, and nothing else. Used by every REST edge to learn
// who is calling, and by `cairn token`.
//
// What a token may look like is decided here, not by its header: the algorithm is fixed, a header member
// other than `alg` and `typ` is refused, and so is everything that could be read in two ways (duplicate
// members, other spellings of the same bytes). There is no revocation here: a token is good until it ends.
// One that names a session is good only as long as that session is there; Authenticator looks.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "identity/json_members.h"

namespace cairn::identity {

inline constexpr size_t kTokenBytesMax = 4096;
// Tokens name this issuer; those of others are refused, and so are tokens made for another audience.
inline constexpr std::string_view kIssuer = "cairn";

struct Claims {
  std::string subject;                                     // "sub"; not empty
  std::map<std::string, std::string, std::less<>> others;  // further claims that are texts, e.g. "tenantId"
  Time expires;                                            // "exp", whole seconds
  std::string id;                                          // "jti"; "" when there is none
  std::string session_id;                                  // "sid"; "" when it belongs to no session
};

// Names with a meaning of their own, which Claims::others cannot have.
bool IsReservedClaim(std::string_view name);

// The claims of a payload that are texts and have no reserved name.
std::map<std::string, std::string, std::less<>> OtherTextClaims(const JsonMembers& payload);

// Preconditions: a subject, and no reserved name among the others.
std::string IssueToken(std::string_view key, const Claims& claims, Time now);

// Fails with kUnauthenticated and a sentence that says why, without repeating anything of the token.
Result<Claims> VerifyToken(std::string_view key, std::string_view token, Time now);

// The token of an Authorization field: "Bearer <token>". Fails with kUnauthenticated.
Result<std::string_view> BearerToken(std::string_view authorization);

}  // namespace cairn::identity
