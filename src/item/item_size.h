// Sizes as DynamoDB counts them (its developer guide, "item sizes and formats"), used for the 400 KB limit,
// 1 MB pages and consumed capacity.
#pragma once

#include <cstddef>

#include "item/attribute_value.h"

namespace cairn::item {

inline constexpr size_t kItemBytesMax = 400 * 1024;
inline constexpr int kNestingMax = 32;

size_t ValueBytes(const AttributeValue& value);
size_t ItemBytes(const Item& item);
// How deep lists and maps nest: a scalar is 0, {"a": []} as an item is 1.
int NestingDepth(const AttributeValue& value);

}  // namespace cairn::item
