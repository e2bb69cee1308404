// Which texts a JSON string can hold as they are.
#pragma once

#include <string_view>

namespace cairn {

// Whether a JSON string with this text contains more than the text and its quotes (base/json_text.h writes
// it).
bool NeedsJsonEscape(std::string_view text);

}  // namespace cairn
