// Scrubs the streams of a store: every record is readable, no sequence is missing, every record begins where
// the one before it on the same item ended, and the last one says what lies in the table.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "engine/internal/catalog.h"
#include "engine/internal/database.h"

namespace cairn::engine::internal {

using Find = std::function<void(std::string finding)>;

// Calls `find` for everything that is wrong and `advance` for every row; returns the number of records.
Result<uint64_t> ScrubStreams(const Database& database, const Catalog& catalog, const SnapshotRef& snapshot,
                              const Find& find, const std::function<void()>& advance);

}  // namespace cairn::engine::internal
