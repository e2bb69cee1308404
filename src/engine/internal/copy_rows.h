// Reading a table's rows in portions, for work that goes through the writer bit by bit (backups, restores,
// filling an index), so that no long work holds up other writes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/internal/database.h"

namespace cairn::engine::internal {

struct RowPortion {
  std::vector<std::pair<std::string, std::string>> rows;  // key, value
  bool last = false;                                      // nothing behind them
};

// Up to about 1 MB or 500 rows of `id` in a family, beginning behind key `after` (empty: at the start).
Result<RowPortion> ReadPortion(const Database& database, Family family, uint32_t id, std::string_view after,
                               const SnapshotRef& snapshot = nullptr);

}  // namespace cairn::engine::internal
