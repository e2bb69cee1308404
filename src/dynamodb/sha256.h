// SHA-256, for signatures and for fingerprints of client tokens. Wraps OpenSSL.
#pragma once

#include <string>
#include <string_view>

namespace cairn::dynamodb {

// 32 bytes, not text.
std::string Sha256(std::string_view text);
std::string HmacSha256(std::string_view key, std::string_view text);

}  // namespace cairn::dynamodb
