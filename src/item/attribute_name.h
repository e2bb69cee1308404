// The rule for names of attributes. Names inside maps obey the second half of it only.
#pragma once

#include <string_view>

#include "base/result.h"

namespace cairn::item {

inline constexpr size_t kAttributeNameBytesMax = 65'535;

// What is wrong with the name of a top-level attribute: "" or one that is too long. The sentence stands
// alone; callers put in front where the name was given.
Status CheckAttributeName(std::string_view name);

}  // namespace cairn::item
