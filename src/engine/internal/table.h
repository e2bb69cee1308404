// Table: what the engine knows of one table while it runs. Immutable: a change of definition publishes a new
// Table (internal/catalog.h); only the counters are shared between versions and move.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/table.h"

namespace cairn::engine::internal {

struct Counter {
  std::atomic<int64_t> items{0};
  std::atomic<int64_t> bytes{0};
};

// How far the filling of a new index has come: items up to this key have their rows. Touched only by the
// writer.
struct IndexFilling {
  std::string done_through;
};

struct Index {
  store::IndexDefinition definition;
  uint32_t id = 0;
  store::IndexStatus status = store::IndexStatus::kActive;
  std::shared_ptr<IndexFilling> filling;  // set while status is kCreating
  // Attributes an index row carries, sorted; empty with ProjectionType::kAll.
  std::vector<std::string> projected;
  std::shared_ptr<Counter> counter = std::make_shared<Counter>();

  bool carries_everything() const { return definition.projection == store::ProjectionType::kAll; }
};

struct Expiry {
  std::string attribute;
  uint32_t id = 0;
  bool backfilling = false;
};

struct StreamRef {
  uint32_t id = 0;
  std::string label;
  store::StreamView view = store::StreamView::kNewAndOldImages;
};

struct Table {
  store::TableDefinition definition;  // its `indexes` are kept in `indexes` below and empty here
  std::string uuid;
  uint32_t id = 0;
  store::TableStatus status = store::TableStatus::kActive;
  Time created;
  std::vector<Index> indexes;
  std::optional<Expiry> expiry;
  std::optional<StreamRef> stream;  // enabled
  std::string latest_stream_label;  // enabled or not
  std::optional<Time> billing_mode_changed, throughput_increased, throughput_decreased;
  std::string restored_from_backup, restored_from_table;
  std::optional<Time> restored_at;
  std::shared_ptr<Counter> counter = std::make_shared<Counter>();

  // Derived: the key's attributes; the same and those of index keys; those that any index key or the expiry
  // attribute needs. Sorted, each once.
  std::vector<std::string> key_names, all_key_names, watched;

  const std::string& name() const { return definition.name; }
  const item::KeySchema& key_schema() const { return definition.key_schema; }
  const Index* FindIndex(std::string_view index_name) const;
  bool has_local_indexes() const;

  // Fills what is derived (Index::projected and the lists of names); call after every change of definition.
  void Derive();
};

using TableRef = std::shared_ptr<const Table>;

store::TableDescription Describe(const Table& table);

}  // namespace cairn::engine::internal
