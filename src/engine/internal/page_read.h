// Reading one page of rows in key order: what Query and Scan have in common.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/task.h"
#include "engine/internal/database.h"
#include "engine/internal/table.h"
#include "store/item_requests.h"

namespace cairn::engine::internal {

// Where a page comes from: the rows of a table or of one of its indexes with keys in [low, high).
struct PageSource {
  TableRef table;
  const Index* index = nullptr;  // null: the table's own items
  std::string low, high;
  store::Order order = store::Order::kAscending;
  std::optional<std::string> after;  // begin behind this row

  uint32_t id() const { return index ? index->id : table->id; }
  const item::KeySchema& key_schema() const {
    return index ? index->definition.key_schema : table->key_schema();
  }
};

// Resolves the index and refuses what the index cannot give (consistent reads, attributes it does not carry).
Result<PageSource> OpenSource(TableRef table, const store::PageRequest& request);

// The row an ExclusiveStartKey names; kInvalidArgument when it does not fit the schema.
Result<std::string> StartRow(const PageSource& source, const item::Item& start_key);

// The attributes of `names` that the index does not carry.
std::vector<std::string> NotCarried(const Index& index, const std::vector<std::string>& names);

// Reads until the limit, 1 MB (store/answer_bytes.h) or the end of the range. One consistent view per page.
// What takes longer than a slice is done aside (base/aside.h). The arguments are borrowed until it is done.
Task<Result<store::PageResponse>> ReadPage(const Database& database, const PageSource& source,
                                           const store::PageRequest& request);

}  // namespace cairn::engine::internal
