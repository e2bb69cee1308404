// Runs one statement on a store: describe the table, plan, read or write. What ExecuteStatement and
// BatchExecuteStatement do between their JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "partiql/next_token.h"
#include "partiql/statement.h"
#include "store/store.h"

namespace cairn::partiql {

struct ExecuteOptions {
  store::Consistency consistency = store::Consistency::kEventual;
  std::optional<int64_t> limit;  // items a SELECT inspects, before its filter
  ReadPosition start;
  store::OnConditionFailure on_condition_failure = store::OnConditionFailure::kReturnNothing;
  store::ReturnCapacity return_capacity = store::ReturnCapacity::kNone;
};

struct ExecuteResponse {
  std::vector<item::PackedItem> items;  // of a SELECT, or of RETURNING
  std::optional<ReadPosition> next;     // of a SELECT that has not come to its end
  std::optional<item::Item> last_evaluated_key;
  std::optional<store::ConsumedCapacity> capacity;
};

// An INSERT of an item that exists fails with kDuplicateItem. `statement` lives until the task has finished.
Task<Result<ExecuteResponse, store::WriteFailure>> Execute(store::Store& store, const Statement& statement,
                                                           ExecuteOptions options);

// The same within a batch, where a SELECT must name one item by its key; at most one item comes back.
Task<Result<ExecuteResponse, store::WriteFailure>> ExecuteInBatch(store::Store& store,
                                                                  const Statement& statement,
                                                                  ExecuteOptions options);

// The table's description; a missing one is called as PartiQL's operations call it.
Task<Result<store::TableDescription>> DescribeForStatement(store::Store& store, std::string table);

}  // namespace cairn::partiql
