// Sizes as DynamoDB counts them (its developer guide, "item sizes and formats"), used for the 400 KB limit,
// 1 MB pages and consumed capacity.
#pragma once

#include <cstddef>

#include "base/error.h"
#include "item/attribute_value.h"

namespace cairn::item {

inline constexpr size_t kItemBytesMax = 400 * 1024;
inline constexpr int kNestingMax = 32;

size_t ValueBytes(const AttributeValue& value);
size_t ItemBytes(const Item& item);
// How many lists and maps enclose the deepest value: 0 for a scalar and for [], 1 for {"a": []}. An item
// counts as a map, so an item with a depth above kNestingMax is refused.
int NestingDepth(const AttributeValue& value);
int NestingDepth(const Item& item);
// The error for an item that nests too deep.
Error NestingError();

}  // namespace cairn::item
