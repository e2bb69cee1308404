// HMAC-SHA-256: signs tokens, derives further secrets from the signing key. Wraps OpenSSL.
#pragma once

#include <string>
#include <string_view>

namespace cairn::rest {

// 32 bytes, not text.
std::string HmacSha256(std::string_view key, std::string_view text);

// Compares without telling by its duration where two texts differ. Their lengths are no secret.
bool EqualInConstantTime(std::string_view a, std::string_view b);

}  // namespace cairn::rest
