// Adding up what the reads and writes of statements consumed.
#pragma once

#include <optional>
#include <vector>

#include "store/item_requests.h"

namespace cairn::partiql {

// Both are about the same table.
void AddCapacity(std::optional<store::ConsumedCapacity>& total,
                 std::optional<store::ConsumedCapacity> capacity);

// One entry per table, in the order in which they came.
void AddCapacity(std::vector<store::ConsumedCapacity>& totals,
                 std::optional<store::ConsumedCapacity> capacity);

}  // namespace cairn::partiql
