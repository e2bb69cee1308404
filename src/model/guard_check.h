// Whether the guards of unique values and the items they belong to fit together: what CheckItem cannot tell
// from one item alone.
#pragma once

#include <string>
#include <vector>

#include "base/task.h"
#include "model/check_item.h"

namespace cairn::model {

struct GuardFinding {
  std::string attribute;  // what is unique; "" for an orphaned guard
  std::string message;
  // Writes that put it right; empty: a person must decide.
  std::vector<store::TransactAction> repair;
};

// Of an item: does it hold its unique values? Of a guard: does it belong to an item that has its value?
Task<Result<std::vector<GuardFinding>>> CheckGuards(const Database& database, size_t table,
                                                    const item::PackedItem& item);

}  // namespace cairn::model
