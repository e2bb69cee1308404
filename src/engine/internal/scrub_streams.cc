#include "engine/internal/scrub_streams.h"

#include <functional>
#include <map>
#include <queue>
#include <unordered_map>

#include "engine/internal/sequences.h"
#include "engine/internal/stream_chunk.h"

namespace cairn::engine::internal {
namespace {

using item::PackedItem;
using store::StreamView;

// The last state of so many items is kept in memory while the records go by, about a hundred bytes each;
// records of further items are read but not compared.
constexpr size_t kItemsTrackedMax = 1'000'000;

bool HasOldImages(StreamView view) {
  return view == StreamView::kOldImage || view == StreamView::kNewAndOldImages;
}
bool HasNewImages(StreamView view) {
  return view == StreamView::kNewImage || view == StreamView::kNewAndOldImages;
}

// What is known of an item after one of its records.
struct State {
  bool there = false;
  size_t image = 0;  // a hash of its bytes
  friend bool operator==(const State&, const State&) = default;
};
State StateOf(const std::optional<PackedItem>& image) {
  return image ? State{true, std::hash<std::string>()(image->bytes())} : State{};
}

// The rows of one stream, in order.
struct Cursor {
  const Stream* stream;
  std::string low, high;
  rocksdb::Slice low_slice, high_slice;
  std::unique_ptr<rocksdb::Iterator> rows;
  std::unordered_map<std::string, State> states;  // by the item's key attributes

  uint64_t first_sequence() const { return ReadBigEndian(ToView(rows->key()).substr(kIdBytes)); }
};

class StreamScrub {
 public:
  StreamScrub(const Database& database, const Catalog& catalog, const SnapshotRef& snapshot, const Find& find)
      : database_(database), catalog_(catalog), snapshot_(snapshot), find_(find) {}

  Result<uint64_t> Run(const std::function<void()>& advance) {
    ASSIGN_OR_RETURN(next_sequence_, ReadMeta("next_sequence", 1));
    ASSIGN_OR_RETURN(const uint64_t trimmed, ReadMeta("trimmed_through", next_sequence_ - 1));
    expected_ = trimmed + 1;
    Open();
    // Sequences are one count for all streams, so their rows are taken in the order of all.
    while (!heads_.empty()) {
      Cursor& cursor = *heads_.top().second;
      heads_.pop();
      RETURN_IF_ERROR(Row(cursor, cursor.first_sequence(), ToView(cursor.rows->value())));
      advance();
      cursor.rows->Next();
      Push(cursor);
    }
    RETURN_IF_ERROR(Jump(next_sequence_));
    for (auto& [id, cursor] : cursors_) {
      if (!cursor.rows->status().ok()) find_(Where(cursor) + ": " + cursor.rows->status().ToString());
      RETURN_IF_ERROR(CompareWithTable(cursor));
    }
    return records_;
  }

 private:
  static std::string Where(const Cursor& cursor) {
    return "stream " + cursor.stream->name.table + "/" + cursor.stream->name.label;
  }

  Result<uint64_t> ReadMeta(std::string_view name, uint64_t otherwise) const {
    ASSIGN_OR_RETURN(const auto value, database_.Get(Family::kCatalog, MetaKey(name), snapshot_));
    return value ? ReadBigEndian(*value) : otherwise;
  }

  void Open() {
    streams_ = catalog_.Streams();
    for (const Stream& stream : streams_) {
      Cursor& cursor = cursors_[stream.id];
      cursor.stream = &stream;
      std::tie(cursor.low, cursor.high) = IdRange(stream.id);
      cursor.low_slice = ToSlice(cursor.low);
      cursor.high_slice = ToSlice(cursor.high);
      cursor.rows = database_.Iterate(Family::kStreams, cursor.low_slice, cursor.high_slice, snapshot_);
      cursor.rows->SeekToFirst();
      Push(cursor);
    }
  }

  void Push(Cursor& cursor) {
    if (cursor.rows->Valid()) heads_.emplace(cursor.first_sequence(), &cursor);
  }

  // Nothing lies between the expected sequence and `next`: what of that was not skipped is missing.
  Status Jump(uint64_t next) {
    while (expected_ < next) {
      ASSIGN_OR_RETURN(const uint64_t end, EndOfSkipped(database_, snapshot_, expected_));
      if (end == expected_) {
        find_("stream records " + std::to_string(expected_) + " to " + std::to_string(next - 1) +
              " are missing");
        expected_ = next;
      } else {
        expected_ = end;
      }
    }
    return {};
  }

  Status Row(Cursor& cursor, uint64_t first, std::string_view row) {
    const Stream& stream = *cursor.stream;
    const auto records = ReadStreamChunk(stream.id, first, row, first);
    if (!records) {
      find_(Where(cursor) + ": " + records.error().message);
      return {};
    }
    records_ += records->size();
    const uint64_t end = first + records->size();
    if (first < stream.starting_sequence || end > stream.ending_sequence.value_or(next_sequence_)) {
      find_(Where(cursor) + ": records " + std::to_string(first) + " to " + std::to_string(end - 1) +
            " lie outside the stream");
    }
    RETURN_IF_ERROR(Jump(first));
    expected_ = std::max(expected_, end);
    for (const store::StreamRecord& record : *records) Follow(cursor, record);
    return {};
  }

  // Does the record begin where the last one on the same item ended?
  void Follow(Cursor& cursor, const store::StreamRecord& record) {
    const auto known = cursor.states.find(record.keys.bytes());
    if (known != cursor.states.end()) {
      const bool inserts = record.event == store::StreamEvent::kInsert;
      const bool images = HasOldImages(record.view) && HasNewImages(record.view);
      if (known->second.there == inserts || (images && StateOf(record.old_image) != known->second)) {
        find_(Where(cursor) + ": record " + std::to_string(record.sequence) +
              " does not follow the one before it on the same item");
      }
    } else if (tracked_ == kItemsTrackedMax) {
      return;
    } else {
      ++tracked_;
    }
    State state = StateOf(record.new_image);
    state.there = record.event != store::StreamEvent::kRemove;
    cursor.states.insert_or_assign(record.keys.bytes(), state);
  }

  Status CompareWithTable(const Cursor& cursor) {
    const auto table = catalog_.FindAny(cursor.stream->name.table);
    if (!table || !(*table)->stream || (*table)->stream->id != cursor.stream->id)
      return {};  // no longer written
    for (const auto& [keys, state] : cursor.states) {
      const std::string item_key = ItemKey(**table, PackedItem::Trusted(keys).Unpack());
      ASSIGN_OR_RETURN(const auto stored, database_.Get(Family::kItems, item_key, snapshot_));
      const bool same_image =
          !HasNewImages(cursor.stream->view) || !stored || std::hash<std::string>()(*stored) == state.image;
      if (stored.has_value() != state.there || !same_image) {
        find_(Where(cursor) + ": the last record of an item is not what lies in the table");
      }
    }
    return {};
  }

  const Database& database_;
  const Catalog& catalog_;
  const SnapshotRef& snapshot_;
  const Find& find_;
  std::vector<Stream> streams_;
  std::map<uint32_t, Cursor> cursors_;  // by stream id
  using Head = std::pair<uint64_t, Cursor*>;
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads_;  // the next row of every stream
  uint64_t next_sequence_ = 1, expected_ = 1, records_ = 0;
  size_t tracked_ = 0;
};

}  // namespace

Result<uint64_t> ScrubStreams(const Database& database, const Catalog& catalog, const SnapshotRef& snapshot,
                              const Find& find, const std::function<void()>& advance) {
  return StreamScrub(database, catalog, snapshot, find).Run(advance);
}

}  // namespace cairn::engine::internal
