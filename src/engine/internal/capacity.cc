#include "engine/internal/capacity.h"

#include <algorithm>
#include <cmath>

#include "engine/internal/index_rows.h"

namespace cairn::engine::internal {
namespace {

constexpr double kReadUnitBytes = 4096;
constexpr double kWriteUnitBytes = 1024;

double Units(size_t bytes, double unit_bytes) {
  return std::max(1.0, std::ceil(static_cast<double>(bytes) / unit_bytes));
}

size_t BytesOf(const std::optional<item::PackedItem>& item) { return item ? item->ItemBytes() : 0; }

// A row that moves is deleted and inserted; one that stays is charged for the larger of both, if it changed
// at all. A transaction pays twice for its items, not for their index rows: so DynamoDB was measured to do.
double IndexUnits(const std::optional<IndexRow>& old_row, const std::optional<IndexRow>& new_row) {
  constexpr auto kOnce = Multiplier::kPlain;
  if (old_row && new_row && old_row->key == new_row->key) {
    if (old_row->value == new_row->value) return 0;
    return WriteUnits(std::max(old_row->value.ItemBytes(), new_row->value.ItemBytes()), kOnce);
  }
  double units = 0;
  if (old_row) units += WriteUnits(old_row->value.ItemBytes(), kOnce);
  if (new_row) units += WriteUnits(new_row->value.ItemBytes(), kOnce);
  return units;
}

}  // namespace

double ReadUnits(size_t bytes, store::Consistency consistency, Multiplier multiplier) {
  const double units = Units(bytes, kReadUnitBytes) * static_cast<int>(multiplier);
  return consistency == store::Consistency::kEventual && multiplier == Multiplier::kPlain ? units / 2 : units;
}

double WriteUnits(size_t bytes, Multiplier multiplier) {
  return Units(bytes, kWriteUnitBytes) * static_cast<int>(multiplier);
}

store::ConsumedCapacity WriteCapacity(const ItemChange& change, Multiplier multiplier) {
  const Table& table = *change.table;
  store::ConsumedCapacity capacity{.table = table.name()};
  capacity.table_units.write =
      WriteUnits(std::max(BytesOf(change.old_item), BytesOf(change.new_item)), multiplier);
  if (table.indexes.empty()) return capacity;
  const item::Item old_watched = change.old_item ? change.old_item->UnpackOnly(table.watched) : item::Item();
  const item::Item new_watched = change.new_item ? change.new_item->UnpackOnly(table.watched) : item::Item();
  for (const Index& index : table.indexes) {
    std::optional<IndexRow> old_row, new_row;
    if (change.old_item) old_row = RowIn(index, old_watched, *change.old_item, change.key);
    if (change.new_item) new_row = RowIn(index, new_watched, *change.new_item, change.key);
    const double units = IndexUnits(old_row, new_row);
    if (units == 0) continue;
    auto& indexes =
        index.definition.kind == store::IndexKind::kLocal ? capacity.local_indexes : capacity.global_indexes;
    indexes[index.definition.name].write = units;
  }
  return capacity;
}

store::ConsumedCapacity ReadCapacity(const Table& table, double units) {
  store::ConsumedCapacity capacity{.table = table.name()};
  capacity.table_units.read = units;
  return capacity;
}

void AddCapacity(std::vector<store::ConsumedCapacity>& total, const store::ConsumedCapacity& part) {
  auto entry = std::find_if(total.begin(), total.end(), [&](const auto& e) { return e.table == part.table; });
  if (entry == total.end()) {
    total.push_back(part);
    return;
  }
  const auto add = [](store::CapacityUnits& to, const store::CapacityUnits& from) {
    to.read += from.read;
    to.write += from.write;
  };
  add(entry->table_units, part.table_units);
  for (const auto& [name, units] : part.local_indexes) add(entry->local_indexes[name], units);
  for (const auto& [name, units] : part.global_indexes) add(entry->global_indexes[name], units);
}

}  // namespace cairn::engine::internal
