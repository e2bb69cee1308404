#include "engine/internal/write_response.h"

#include <cmath>

#include "engine/internal/capacity.h"
#include "item/key_bytes.h"
#include "item/key_schema.h"

namespace cairn::engine::internal {

void AddUsage(store::WriteResponse& response, const ItemChange& change, store::ReturnCapacity return_capacity,
              store::CollectionMetrics metrics, const Database& database) {
  if (return_capacity != store::ReturnCapacity::kNone)
    response.capacity = WriteCapacity(change, Multiplier::kPlain);
  if (metrics == store::CollectionMetrics::kSize) response.collection = CollectionOf(change, database);
}

std::optional<store::ItemCollection> CollectionOf(const ItemChange& change, const Database& database) {
  const Table& table = *change.table;
  if (!table.has_local_indexes()) return std::nullopt;
  const std::vector<std::string> name = {table.key_schema().partition[0].name};
  const item::PackedItem* image = change.new_item   ? &*change.new_item
                                  : change.old_item ? &*change.old_item
                                                    : nullptr;
  if (!image) return std::nullopt;
  store::ItemCollection collection{.partition_key = image->UnpackOnly(name)};
  std::string partition;
  item::AppendPartition(partition, table.key_schema(), collection.partition_key);
  uint64_t bytes = 0;
  const auto add = [&](Family family, uint32_t id) {
    const std::string low = PartitionPrefix(id, partition);
    bytes += database.ApproximateBytes(family, low, item::PrefixEnd(low));
  };
  add(Family::kItems, table.id);
  for (const Index& index : table.indexes) {
    if (index.definition.kind == store::IndexKind::kLocal) add(Family::kIndexes, index.id);
  }
  collection.size_gb_low = std::floor(static_cast<double>(bytes) / (1 << 30));
  collection.size_gb_high = collection.size_gb_low + 1;
  return collection;
}

}  // namespace cairn::engine::internal
