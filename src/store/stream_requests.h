// Streams: the ordered record of a table's changes, kept for 24 hours.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "item/packed_item.h"
#include "store/table.h"

namespace cairn::store {

// A stream is named by its table and its label (the moment it was enabled).
struct StreamId {
  std::string table;
  std::string label;
  friend bool operator==(const StreamId&, const StreamId&) = default;
};

enum class StreamStatus { kEnabled, kDisabled };

struct StreamDescription {
  StreamId id;
  StreamStatus status = StreamStatus::kEnabled;
  StreamView view = StreamView::kNewAndOldImages;
  item::KeySchema key_schema;
  Time created;
  std::string shard_id;
  uint64_t starting_sequence = 0;
  std::optional<uint64_t> ending_sequence;  // set once the stream is disabled: the shard is closed
};

struct ListStreamsRequest {
  std::string table;  // empty: of all tables
  std::optional<StreamId> exclusive_start;
  size_t limit = 100;
};
struct ListStreamsResponse {
  std::vector<StreamId> streams;
  std::optional<StreamId> last_evaluated;
};

enum class StreamEvent { kInsert, kModify, kRemove };
enum class ChangeOrigin { kClient, kTimeToLive };

struct StreamRecord {
  uint64_t sequence = 0;
  std::string event_id;
  StreamEvent event = StreamEvent::kInsert;
  ChangeOrigin origin = ChangeOrigin::kClient;
  Time created;
  StreamView view = StreamView::kNewAndOldImages;
  item::PackedItem keys;
  std::optional<item::PackedItem> old_image, new_image;
  int64_t size_bytes = 0;
  // Of the item before and after, also where the view has no images; 0: there was none, or nobody knows any
  // more (records that an older version wrote without images).
  int64_t old_item_bytes = 0, new_item_bytes = 0;
};

enum class IteratorType { kTrimHorizon, kLatest, kAtSequence, kAfterSequence };

// Where a reader of a shard stands: the next record has at least this sequence.
struct ShardPosition {
  StreamId stream;
  uint64_t next_sequence = 0;
};
struct GetShardPositionRequest {
  StreamId stream;
  std::string shard_id;
  IteratorType type = IteratorType::kTrimHorizon;
  uint64_t sequence = 0;  // for kAtSequence and kAfterSequence
};
struct GetRecordsRequest {
  ShardPosition position;
  size_t limit = 1000;
};
struct GetRecordsResponse {
  std::vector<StreamRecord> records;
  std::optional<ShardPosition> next;  // none: the shard is closed and read to its end
};

}  // namespace cairn::store
