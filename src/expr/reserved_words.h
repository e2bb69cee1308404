// The words that an expression may not use as attribute names directly, only through a placeholder.
#pragma once

#include <string_view>

namespace cairn::expr {

// Case-insensitive.
bool IsReservedWord(std::string_view word);

}  // namespace cairn::expr
