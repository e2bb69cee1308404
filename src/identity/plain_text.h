// What people type, made comparable and storable: spaces around it, letters in upper and lower case, length.
// Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cairn::identity {

// Without spaces, tabs and line ends around.
std::string_view Trimmed(std::string_view text);
// A-Z to a-z; everything else stays.
std::string LowerAscii(std::string_view text);
// How many characters (code points). Precondition: UTF-8.
size_t CharacterCount(std::string_view text);
bool HasControlCharacter(std::string_view text);

// A text that only informs (a browser's name, a network address): cut to fit, and nothing when it is empty or
// no UTF-8.
std::optional<std::string> Storable(std::string_view text, size_t bytes_max);

}  // namespace cairn::identity
