#include "engine/internal/table.h"

#include <algorithm>

namespace cairn::engine::internal {
namespace {

void SortUnique(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

void AppendNames(std::vector<std::string>& names, const item::KeySchema& schema) {
  for (const item::KeyElement& element : schema.partition) names.push_back(element.name);
  for (const item::KeyElement& element : schema.sort) names.push_back(element.name);
}

}  // namespace

const Index* Table::FindIndex(std::string_view index_name) const {
  for (const Index& index : indexes) {
    if (index.definition.name == index_name) return &index;
  }
  return nullptr;
}

bool Table::has_local_indexes() const {
  return std::any_of(indexes.begin(), indexes.end(),
                     [](const Index& index) { return index.definition.kind == store::IndexKind::kLocal; });
}

void Table::Derive() {
  key_names.clear();
  AppendNames(key_names, key_schema());
  SortUnique(key_names);
  watched.clear();
  for (Index& index : indexes) {
    AppendNames(watched, index.definition.key_schema);
    index.projected.clear();
    if (index.carries_everything()) continue;
    AppendNames(index.projected, key_schema());
    AppendNames(index.projected, index.definition.key_schema);
    if (index.definition.projection == store::ProjectionType::kInclude) {
      index.projected.insert(index.projected.end(), index.definition.included.begin(),
                             index.definition.included.end());
    }
    SortUnique(index.projected);
  }
  if (expiry) watched.push_back(expiry->attribute);
  SortUnique(watched);
  all_key_names = key_names;
  for (const Index& index : indexes) AppendNames(all_key_names, index.definition.key_schema);
  SortUnique(all_key_names);
}

store::TableDescription Describe(const Table& table) {
  store::TableDescription description{
      .definition = table.definition,
      .id = table.uuid,
      .status = table.status,
      .created = table.created,
      .indexes = {},
      .item_count = table.counter->items,
      .size_bytes = table.counter->bytes,
      .billing_mode_changed = table.billing_mode_changed,
      .throughput_increased = table.throughput_increased,
      .throughput_decreased = table.throughput_decreased,
      .stream_label = table.latest_stream_label,
      .stream_enabled = table.stream.has_value(),
      .restored_from_backup = table.restored_from_backup,
      .restored_from_table = table.restored_from_table,
      .restored_at = table.restored_at,
  };
  for (const Index& index : table.indexes) {
    description.definition.indexes.push_back(index.definition);
    description.indexes.push_back({index.definition, index.status, index.filling != nullptr,
                                   index.counter->items, index.counter->bytes});
    if (table.status == store::TableStatus::kActive && index.status != store::IndexStatus::kActive) {
      description.status = store::TableStatus::kUpdating;
    }
  }
  return description;
}

}  // namespace cairn::engine::internal
