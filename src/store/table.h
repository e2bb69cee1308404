// Tables as the store describes them: definition (what was asked for) and state (what has become of it).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "item/attribute_value.h"
#include "item/key_schema.h"

namespace cairn::store {

inline constexpr size_t kGlobalIndexesMax = 20;
inline constexpr size_t kLocalIndexesMax = 5;

enum class BillingMode { kProvisioned, kPayPerRequest };
enum class TableStatus { kCreating, kUpdating, kDeleting, kActive };
enum class IndexStatus { kCreating, kUpdating, kDeleting, kActive };
enum class IndexKind { kLocal, kGlobal };
enum class ProjectionType { kAll, kKeysOnly, kInclude };
enum class StreamView { kKeysOnly, kNewImage, kOldImage, kNewAndOldImages };

struct Throughput {
  int64_t read_units = 0;
  int64_t write_units = 0;
  friend bool operator==(const Throughput&, const Throughput&) = default;
};

// Ceilings of an on-demand table or index; -1: none. Kept and reported, never enforced.
struct OnDemandThroughput {
  std::optional<int64_t> max_read_units = {}, max_write_units = {};
};

struct IndexDefinition {
  std::string name;
  IndexKind kind = IndexKind::kGlobal;
  item::KeySchema key_schema;
  ProjectionType projection = ProjectionType::kAll;
  std::vector<std::string> included;  // non-key attributes of kInclude
  Throughput throughput;              // kept and reported, never enforced
  std::optional<OnDemandThroughput> on_demand = {};
  std::optional<Throughput> warm = {};  // as asked for; kept and reported
};

// Kept and reported. No key: the service's own; "": the default key.
struct Encryption {
  std::optional<std::string> key;
};

struct StreamSettings {
  StreamView view = StreamView::kNewAndOldImages;
};

struct TableDefinition {
  std::string name;
  item::KeySchema key_schema;
  std::vector<item::KeyElement> attribute_definitions;  // as given; covers all key attributes
  std::vector<IndexDefinition> indexes;                 // local and global, in the given order
  BillingMode billing_mode = BillingMode::kProvisioned;
  Throughput throughput;
  std::optional<StreamSettings> stream;
  bool deletion_protection = false;
  std::string table_class;             // "" when not given
  std::optional<std::string> sse_key;  // kept and reported; "" means the default key
  std::map<std::string, std::string> tags;
  std::optional<OnDemandThroughput> on_demand = {};
  std::optional<Throughput> warm = {};  // as asked for; kept and reported
};

struct IndexDescription {
  IndexDefinition definition;
  IndexStatus status = IndexStatus::kActive;
  bool backfilling = false;
  int64_t item_count = 0;
  int64_t size_bytes = 0;
};

struct TableDescription {
  TableDefinition definition;
  std::string id;  // UUID, new for every incarnation of a name
  TableStatus status = TableStatus::kActive;
  Time created;
  std::vector<IndexDescription> indexes;
  int64_t item_count = 0;
  int64_t size_bytes = 0;
  std::optional<Time> billing_mode_changed;  // last change to kPayPerRequest
  std::optional<Time> throughput_increased, throughput_decreased;
  // The newest stream, enabled or not; its label is empty when there never was one.
  std::string stream_label;
  bool stream_enabled = false;
  // Restored tables remember where they came from.
  std::string restored_from_backup, restored_from_table;
  std::optional<Time> restored_at;
};

struct TimeToLive {
  bool enabled = false;
  std::string attribute;
};

}  // namespace cairn::store
