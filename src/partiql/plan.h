// Statements to store requests, given the table's description. Pure.
//
// The callers add what the request says beyond the statement: capacity, limit, where to go on.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "expr/condition.h"
#include "partiql/statement.h"
#include "store/item_requests.h"
#include "store/table.h"

namespace cairn::partiql {

// At most that many reads are made of the values of INs on keys; more are left to a filter.
inline constexpr size_t kReadsMax = 100;

// One read of a SELECT. The store cannot filter a Query by key attributes, so conditions on those that are no
// key condition (sk <> 'a') are in `filter`, to be applied to what the store returns; null: nothing left to
// do.
struct Read {
  std::variant<store::GetItemRequest, store::QueryRequest, store::ScanRequest> request;
  expr::ConditionPtr filter;
};

// Reads to be done one after the other: one per value of the partition key, in the order of the answer.
struct SelectPlan {
  std::vector<Read> reads;
  std::vector<Column> columns;  // to shape the answer by; empty: as the store returns it
};

Result<SelectPlan> PlanSelect(const Select& select, const store::TableDescription& table,
                              store::Consistency consistency);

// The item `item` as the select list wants it.
item::Item Shape(const std::vector<Column>& columns, const item::Item& item);

// The only kind of SELECT that batches and transactions know: exactly one item by its key.
// `operation` is "BatchExecuteStatement" or "ExecuteTransaction", for the message.
struct SingleRead {
  item::Item key;
  std::optional<expr::Projection> projection;
  std::vector<Column> columns;
};
Result<SingleRead> PlanSingleRead(const Select& select, const store::TableDescription& table,
                                  std::string_view operation);

// INSERT creates only: a failing condition means that the item exists (DuplicateItem).
store::PutItemRequest PlanInsert(const Insert& insert, const store::TableDescription& table);
// UPDATE changes only what exists; the rest of the WHERE is its condition.
Result<store::UpdateItemRequest> PlanUpdate(const Update& update, const store::TableDescription& table);
// DELETE of what does not exist succeeds whatever the rest of the WHERE says.
Result<store::DeleteItemRequest> PlanDelete(const Delete& deletion, const store::TableDescription& table);

// A statement that writes (or EXISTS) as an action of a transaction.
Result<store::TransactAction> PlanTransactAction(const Statement& statement,
                                                 const store::TableDescription& table);

// `Duplicate primary key exists in table`: what a failed condition of an INSERT is called.
Error DuplicateItem();

}  // namespace cairn::partiql
