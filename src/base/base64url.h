// Base64url without padding (RFC 4648, section 5), as tokens and cursors use it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cairn {

std::string EncodeBase64Url(std::string_view bytes);

// Nothing when the text has padding, a character outside the alphabet, an impossible length, or bits that no
// byte uses: every value has exactly one text, so a token cannot be altered without breaking it.
std::optional<std::string> DecodeBase64Url(std::string_view text);

}  // namespace cairn
