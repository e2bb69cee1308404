// Percent-encoding (RFC 3986) of path segments and query parameters.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace cairn::http {

enum class Plus { kIsPlus, kIsSpace };

// Strict: every '%' has two hexadecimal digits behind it, the result is UTF-8 and has no NUL. Fails with
// kMalformed.
Result<std::string> PercentDecode(std::string_view text, Plus plus);

// One path segment: everything but letters, digits and "-._~" is encoded, so that it comes back as one
// segment.
std::string EncodeSegment(std::string_view text);

}  // namespace cairn::http
