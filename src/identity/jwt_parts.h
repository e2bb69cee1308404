// The parts of a JWT (RFC 7519) as text and as members, and the rules that hold whoever signed it. Used by
// token.cc (our own tokens) and external_token.cc (those of other issuers). Verifies no signature.
//
// Every failure is kUnauthenticated with a sentence that says why, without repeating anything of the token.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "identity/json_members.h"

namespace cairn::identity {

// How far the clocks of issuer and server may differ.
inline constexpr std::chrono::seconds kClockSkew{60};

// "The token is not valid: <why>"
std::unexpected<Error> RefuseToken(std::string why);

// Encoded, as they stand in the token.
struct JwtParts {
  std::string_view header, payload, signature;
  std::string_view signed_text;
};
Result<JwtParts> SplitJwt(std::string_view token, size_t bytes_max);

// The members of a header or payload; `what` names it in refusals.
Result<JsonMembers> ReadJwtObject(std::string_view encoded, std::string_view what);

// Nothing when there is no such member; fails when it is no text.
Result<std::optional<std::string>> JwtText(const JsonMembers& members, std::string_view name);

// When the token ends ("exp", which it must have). Fails when it has ended or its time has not come ("nbf",
// "iat"), give or take the clock skew.
Result<Time> CheckJwtTimes(const JsonMembers& payload, Time now);

}  // namespace cairn::identity
