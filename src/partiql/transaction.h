// Runs the statements of ExecuteTransaction on a store as one transaction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "partiql/statement.h"
#include "store/store.h"

namespace cairn::partiql {

struct TransactionOptions {
  std::string client_token;       // empty: none
  std::string token_fingerprint;  // hash of the request
  store::ReturnCapacity return_capacity = store::ReturnCapacity::kNone;
  // One per statement.
  std::vector<store::OnConditionFailure> on_condition_failure;
};

struct TransactionResponse {
  std::vector<std::optional<item::PackedItem>> items;  // of reads, one per statement; empty for writes
  std::vector<store::ConsumedCapacity> capacity;
};

// "Validation failed in TransactStatements[2]: " and the error's own message.
Error InTransactStatement(size_t index, const Error& error);

// All statements must read or all must write (EXISTS counts as a write). A reason of a canceled transaction
// that is due to an INSERT of an item that exists has kDuplicateItem. `statements` live until the task has
// finished.
Task<Result<TransactionResponse, store::TransactionFailure>> ExecuteTransaction(
    store::Store& store, const std::vector<Statement>& statements, TransactionOptions options);

}  // namespace cairn::partiql
