// How many bytes an item has in DynamoDB JSON, without writing it.
#pragma once

#include <cstddef>

#include "item/packed_item.h"

namespace cairn::item {

// Exactly what AppendItemJson appends.
size_t JsonBytes(const PackedItem& item);

// JsonBytes is at most this many times the item's packed bytes: a NULL in a list has one, and 14 in JSON.
inline constexpr size_t kJsonPerPackedByteMax = 14;

}  // namespace cairn::item
