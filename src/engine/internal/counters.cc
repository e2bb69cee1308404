#include "engine/internal/counters.h"

#include "engine/internal/layout.h"

namespace cairn::engine::internal {
namespace {

void Append(std::string& out, const Counter& counter, int64_t items, int64_t bytes) {
  AppendBigEndian(out, static_cast<uint64_t>(counter.items + items), 8);
  AppendBigEndian(out, static_cast<uint64_t>(counter.bytes + bytes), 8);
}

void Read(std::string_view record, Counter& counter) {
  counter.items = static_cast<int64_t>(ReadBigEndian(record.substr(0, 8)));
  counter.bytes = static_cast<int64_t>(ReadBigEndian(record.substr(8, 8)));
}

}  // namespace

std::string EncodeCounters(const Table& table, int64_t items, int64_t bytes,
                           std::span<const std::pair<int64_t, int64_t>> index_deltas) {
  std::string out;
  Append(out, *table.counter, items, bytes);
  for (size_t i = 0; i < table.indexes.size(); ++i) {
    const auto [index_items, index_bytes] =
        i < index_deltas.size() ? index_deltas[i] : std::pair<int64_t, int64_t>(0, 0);
    AppendBigEndian(out, table.indexes[i].id, kIdBytes);
    Append(out, *table.indexes[i].counter, index_items, index_bytes);
  }
  return out;
}

void DecodeCounters(std::string_view record, const Table& table) {
  if (record.size() < 16) return;
  Read(record, *table.counter);
  for (record.remove_prefix(16); record.size() >= kIdBytes + 16; record.remove_prefix(kIdBytes + 16)) {
    const uint64_t id = ReadBigEndian(record.substr(0, kIdBytes));
    for (const Index& index : table.indexes) {
      if (index.id == id) Read(record.substr(kIdBytes), *index.counter);
    }
  }
}

}  // namespace cairn::engine::internal
