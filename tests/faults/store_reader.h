// Reads a whole store through the Store's own verbs: tables, indexes, streams.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "ledger.h"

namespace cairn::faults {

// Every item of a table, or every row of one of its indexes, by scanning all pages.
Result<Items> ReadTable(engine::Engine& engine, const std::string& table,
                        const std::optional<std::string>& index = std::nullopt);

struct TableRecord {
  std::string table;
  store::StreamRecord record;
};
Result<std::vector<TableRecord>> ReadStream(engine::Engine& engine, const std::string& table);

// What an index of `table` has to hold, given the items.
Items ExpectedRows(const Items& items, const std::string& table, const store::IndexDefinition& index);

}  // namespace cairn::faults
