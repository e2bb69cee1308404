// What the function size() of conditions gives for a value.
#pragma once

#include <cstdint>
#include <optional>

#include "item/attribute_value.h"

namespace cairn::expr {

// Bytes of a binary, UTF-16 code units of a string (so DynamoDB counts), members of everything that has
// members; nothing for numbers, truth values and null.
std::optional<int64_t> ValueSize(const item::AttributeValue& value);

}  // namespace cairn::expr
