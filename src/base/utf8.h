// UTF-8: whether bytes are text.
#pragma once

#include <cstddef>
#include <string_view>

namespace cairn {

// Well-formed UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
bool IsUtf8(std::string_view text);

// The longest beginning of at most `bytes_max` bytes that does not end inside a character. Precondition:
// UTF-8.
std::string_view CutUtf8(std::string_view text, size_t bytes_max);

}  // namespace cairn
