#include "engine/internal/copy_rows.h"

namespace cairn::engine::internal {
namespace {
constexpr size_t kPortionRowsMax = 500;
constexpr size_t kPortionBytesMax = 1 << 20;
}  // namespace

Result<RowPortion> ReadPortion(const Database& database, Family family, uint32_t id, std::string_view after,
                               const SnapshotRef& snapshot) {
  auto [low, high] = IdRange(id);
  if (!after.empty()) low = std::string(after) + '\0';
  const rocksdb::Slice low_slice = ToSlice(low), high_slice = ToSlice(high);
  const auto rows = database.Iterate(family, low_slice, high_slice, snapshot);
  RowPortion portion;
  size_t bytes = 0;
  for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
    if (portion.rows.size() == kPortionRowsMax || bytes > kPortionBytesMax) return portion;
    bytes += rows->key().size() + rows->value().size();
    portion.rows.emplace_back(rows->key().ToString(), rows->value().ToString());
  }
  if (!rows->status().ok()) return Fail(StorageError(rows->status()));
  portion.last = true;
  return portion;
}

}  // namespace cairn::engine::internal
