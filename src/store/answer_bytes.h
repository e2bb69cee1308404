// How much an answer may really take. Pages and batches end where DynamoDB's do, which counts items in its
// own way: a number such as 1E125 counts 2 bytes and is stored and written with 126. So they end as well when
// what was read, or what will be written, reaches these bounds; only such numbers, and the smallest of values
// by the hundred thousand, get that far. The item that crosses a bound is still part of the answer.
#pragma once

#include <cstddef>

#include "store/item_requests.h"

namespace cairn::store {

// Of a page of Query, Scan or GetRecords: its items as they are stored. An item has at most eight times as
// many bytes in JSON as it counts or is stored with.
inline constexpr size_t kPageStoredBytesMax = 4 * kPageBytesMax;
// Of a batch or a transaction of reads: its items as JSON.
inline constexpr size_t kAnswerBytesMax = 32 * 1024 * 1024;

}  // namespace cairn::store
