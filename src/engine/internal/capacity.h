// Consumed capacity, as DynamoDB charges it: 4 KB per read unit (half for eventual reads), 1 KB per write
// unit.
#pragma once

#include "engine/internal/commit_group.h"
#include "engine/internal/table.h"
#include "store/item_requests.h"

namespace cairn::engine::internal {

enum class Multiplier { kPlain = 1, kTransaction = 2 };

// Units to read `bytes` at once; reading nothing costs as much as the smallest read.
double ReadUnits(size_t bytes, store::Consistency consistency, Multiplier multiplier);
double WriteUnits(size_t bytes, Multiplier multiplier);

// Item and index rows of one change.
store::ConsumedCapacity WriteCapacity(const ItemChange& change, Multiplier multiplier);
store::ConsumedCapacity ReadCapacity(const Table& table, double units);

// Adds `part` to the entry of its table, making one if needed.
void AddCapacity(std::vector<store::ConsumedCapacity>& total, const store::ConsumedCapacity& part);

}  // namespace cairn::engine::internal
