#include "partiql/capacity.h"

#include <algorithm>

namespace cairn::partiql {
namespace {

void Add(store::CapacityUnits& total, const store::CapacityUnits& units) {
  total.read += units.read;
  total.write += units.write;
}

void Add(store::ConsumedCapacity& total, const store::ConsumedCapacity& capacity) {
  Add(total.table_units, capacity.table_units);
  for (const auto& [name, units] : capacity.local_indexes) Add(total.local_indexes[name], units);
  for (const auto& [name, units] : capacity.global_indexes) Add(total.global_indexes[name], units);
}

}  // namespace

void AddCapacity(std::optional<store::ConsumedCapacity>& total,
                 std::optional<store::ConsumedCapacity> capacity) {
  if (total && capacity) {
    Add(*total, *capacity);
  } else if (capacity) {
    total = std::move(capacity);
  }
}

void AddCapacity(std::vector<store::ConsumedCapacity>& totals,
                 std::optional<store::ConsumedCapacity> capacity) {
  if (!capacity) return;
  const auto same = std::ranges::find(totals, capacity->table, &store::ConsumedCapacity::table);
  if (same == totals.end()) {
    totals.push_back(*std::move(capacity));
  } else {
    Add(*same, *capacity);
  }
}

}  // namespace cairn::partiql
