// CommitGroup: the changes of several writes on their way into one batch and one sync.
//
// Runs on the writer's thread only. Each write reads the state so far (what is stored, plus what earlier
// writes of the same group decided), decides, and then appends; appending cannot fail, so a refused write
// leaves no trace.
#pragma once

#include <rocksdb/write_batch.h>

#include <functional>
#include <list>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "engine/internal/database.h"
#include "engine/internal/index_rows.h"
#include "engine/internal/item_change.h"
#include "engine/internal/item_write.h"
#include "engine/internal/stream_chunk.h"
#include "engine/internal/table.h"
#include "item/packed_item.h"
#include "store/item_requests.h"

namespace cairn::engine::internal {

class CommitGroup {
 public:
  CommitGroup(const Database& database, Time now, uint64_t next_sequence)
      : database_(database), now_(now), next_sequence_(next_sequence) {}

  Time now() const { return now_; }

  // The item under this key as of the state so far.
  Result<std::optional<item::PackedItem>> Read(const std::string& item_key);

  // Runs one write: reads the old item, lets the write decide, applies the change, which stays valid as long
  // as the group. A refusal for a failed condition carries the old item when `on_failure` asks for it.
  Result<const ItemChange*, store::WriteFailure> Run(ItemWrite& write, store::OnConditionFailure on_failure);

  // Appends the item, its index rows, its expiry row and its stream record, and keeps the counts.
  const ItemChange& Apply(ItemChange change);

  // Appends a row as it is.
  void Put(Family family, std::string_view key, std::string_view value);
  void Delete(Family family, std::string_view key);
  void DeleteRange(Family family, std::string_view low, std::string_view high);
  // Single rows, for filling a new index; the item itself does not change.
  void FillIndexRow(const TableRef& table, size_t index_position, const IndexRow& row);
  void PutExpiryRow(const Expiry& expiry, int64_t expires_seconds, std::string_view item_key);

  // Writes the table's counters with this group even if no item changes.
  void KeepCounters(const TableRef& table) { DeltaOf(table); }

  // Runs after the batch is committed, before any waiter continues; not at all when the commit fails.
  void OnCommit(std::function<void()> action) { on_commit_.push_back(std::move(action)); }

  size_t batch_bytes() const { return batch_.GetDataSize(); }
  bool empty() const { return batch_.Count() == 0; }

 private:
  friend class Writer;
  struct Delta {
    TableRef table;
    int64_t items = 0, bytes = 0;
    std::vector<std::pair<int64_t, int64_t>> indexes;  // items, bytes; in the table's order
    StreamChunk records = {};                          // not appended yet
  };

  Delta& DeltaOf(const TableRef& table);
  void ApplyIndexRows(const ItemChange& change, Delta& delta);
  void ApplyExpiryRow(const ItemChange& change);
  void AppendStreamRecord(const ItemChange& change, Delta& delta);
  // Gives the records their sequences and appends them as one row.
  void AppendStreamChunk(Delta& delta);
  // Appends the counters and the sequence; then the batch is complete.
  void Close();
  void Committed();

  const Database& database_;
  const Time now_;
  uint64_t next_sequence_;
  bool sequence_moved_ = false;
  rocksdb::WriteBatch batch_;
  std::pmr::monotonic_buffer_resource memory_;  // of the following two: freed as a whole
  std::pmr::list<ItemChange> changes_{&memory_};
  // Item key -> the latest change of that item, which tells the state so far. Keys lie in the changes.
  std::pmr::unordered_map<std::string_view, const ItemChange*> pending_{&memory_};
  std::unordered_map<uint32_t, Delta> deltas_;  // by table id
  std::vector<std::function<void()>> on_commit_;
};

}  // namespace cairn::engine::internal
