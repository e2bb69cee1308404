// Writing JSON text: string escaping, used by every writer of JSON (logs, wire answers, exports).
#pragma once

#include <string>
#include <string_view>

namespace cairn {

// Appends `text` as a JSON string with its quotes. `text` is UTF-8; it is not validated here.
void AppendJsonString(std::string& out, std::string_view text);

}  // namespace cairn
