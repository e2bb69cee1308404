// Counters: items and bytes of a table and of its indexes, kept exact in the same batch as every change.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "engine/internal/table.h"

namespace cairn::engine::internal {

// The record after adding the deltas to what the table's counters say now. Per index: [id][items][bytes].
std::string EncodeCounters(const Table& table, int64_t items, int64_t bytes,
                           std::span<const std::pair<int64_t, int64_t>> index_deltas);

// Sets the table's counters from a record; indexes the record does not know stay zero.
void DecodeCounters(std::string_view record, const Table& table);

}  // namespace cairn::engine::internal
