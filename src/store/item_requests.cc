#include "store/item_requests.h"

namespace cairn::store {

CapacityUnits ConsumedCapacity::Total() const {
  CapacityUnits total = table_units;
  for (const auto* indexes : {&local_indexes, &global_indexes}) {
    for (const auto& [name, units] : *indexes) {
      total.read += units.read;
      total.write += units.write;
    }
  }
  return total;
}

}  // namespace cairn::store
