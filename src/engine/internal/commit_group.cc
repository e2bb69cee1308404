#include "engine/internal/commit_group.h"

#include "engine/internal/counters.h"
#include "engine/internal/index_rows.h"

namespace cairn::engine::internal {

using item::Item;
using item::PackedItem;

Result<std::optional<PackedItem>> CommitGroup::Read(const std::string& item_key) {
  if (const auto found = pending_.find(item_key); found != pending_.end()) return found->second->new_item;
  ASSIGN_OR_RETURN(std::optional<std::string> bytes, database_.Get(Family::kItems, item_key));
  if (!bytes) return std::optional<PackedItem>();
  return std::optional<PackedItem>(PackedItem::Trusted(*std::move(bytes)));
}

Result<const ItemChange*, store::WriteFailure> CommitGroup::Run(ItemWrite& write,
                                                                store::OnConditionFailure on_failure) {
  ASSIGN_OR_RETURN(OldItem old_item, Read(KeyOf(write)));
  auto change = Decide(write, old_item);
  if (!change) {
    const bool show = change.error().code == Code::kConditionFailed &&
                      on_failure == store::OnConditionFailure::kReturnOldItem;
    return std::unexpected(
        store::WriteFailure(std::move(change).error(), show ? std::move(old_item) : std::nullopt));
  }
  return &Apply(*std::move(change));
}

void CommitGroup::Put(Family family, std::string_view key, std::string_view value) {
  batch_.Put(database_.family(family), ToSlice(key), ToSlice(value)).PermitUncheckedError();
}

void CommitGroup::Delete(Family family, std::string_view key) {
  batch_.Delete(database_.family(family), ToSlice(key)).PermitUncheckedError();
}

void CommitGroup::DeleteRange(Family family, std::string_view low, std::string_view high) {
  batch_.DeleteRange(database_.family(family), ToSlice(low), ToSlice(high)).PermitUncheckedError();
}

CommitGroup::Delta& CommitGroup::DeltaOf(const TableRef& table) {
  Delta& delta = deltas_[table->id];
  if (!delta.table) {
    delta.table = table;
    delta.indexes.resize(table->indexes.size());
  }
  return delta;
}

const ItemChange& CommitGroup::Apply(ItemChange applied) {
  const ItemChange& change = changes_.emplace_back(std::move(applied));
  // Writing what is there already changes nothing, so it leaves no trace in indexes or streams either.
  if (change.old_item == change.new_item) return change;
  Delta& delta = DeltaOf(change.table);
  if (change.new_item) {
    Put(Family::kItems, change.key, change.new_item->bytes());
    delta.items += 1;
    delta.bytes += static_cast<int64_t>(change.new_item->ItemBytes());
  } else {
    Delete(Family::kItems, change.key);
  }
  if (change.old_item) {
    delta.items -= 1;
    delta.bytes -= static_cast<int64_t>(change.old_item->ItemBytes());
  }
  if (!change.table->watched.empty()) {
    ApplyIndexRows(change, delta);
    if (change.table->expiry) ApplyExpiryRow(change);
  }
  if (change.table->stream) AppendStreamRecord(change, delta);
  pending_.insert_or_assign(change.key, &change);
  return change;
}

void CommitGroup::ApplyIndexRows(const ItemChange& change, Delta& delta) {
  const Table& table = *change.table;
  const Item old_watched = change.old_item ? change.old_item->UnpackOnly(table.watched) : Item();
  const Item new_watched = change.new_item ? change.new_item->UnpackOnly(table.watched) : Item();
  for (size_t i = 0; i < table.indexes.size(); ++i) {
    const Index& index = table.indexes[i];
    if (index.status == store::IndexStatus::kDeleting) continue;
    // Items the filling has not reached yet are its business, as they will be then.
    if (index.filling && change.key > index.filling->done_through) continue;
    std::optional<IndexRow> old_row, new_row;
    if (change.old_item) old_row = RowIn(index, old_watched, *change.old_item, change.key);
    if (change.new_item) new_row = RowIn(index, new_watched, *change.new_item, change.key);
    auto& [items, bytes] = delta.indexes[i];
    if (old_row) {
      items -= 1;
      bytes -= static_cast<int64_t>(old_row->value.ItemBytes());
      if (!new_row || new_row->key != old_row->key) Delete(Family::kIndexes, old_row->key);
    }
    if (new_row) {
      items += 1;
      bytes += static_cast<int64_t>(new_row->value.ItemBytes());
      if (!old_row || old_row->key != new_row->key || old_row->value != new_row->value) {
        Put(Family::kIndexes, new_row->key, new_row->value.bytes());
      }
    }
  }
}

void CommitGroup::ApplyExpiryRow(const ItemChange& change) {
  const Expiry& expiry = *change.table->expiry;
  const std::vector<std::string> names = {expiry.attribute};
  std::optional<int64_t> old_time, new_time;
  if (change.old_item) old_time = ExpiresAt(expiry, change.old_item->UnpackOnly(names));
  if (change.new_item) new_time = ExpiresAt(expiry, change.new_item->UnpackOnly(names));
  if (old_time == new_time) return;
  if (old_time) Delete(Family::kIndexes, ExpiryRowKey(expiry.id, *old_time, change.key));
  if (new_time) PutExpiryRow(expiry, *new_time, change.key);
}

void CommitGroup::FillIndexRow(const TableRef& table, size_t index_position, const IndexRow& row) {
  Put(Family::kIndexes, row.key, row.value.bytes());
  auto& [items, bytes] = DeltaOf(table).indexes[index_position];
  items += 1;
  bytes += static_cast<int64_t>(row.value.ItemBytes());
}

void CommitGroup::PutExpiryRow(const Expiry& expiry, int64_t expires_seconds, std::string_view item_key) {
  Put(Family::kIndexes, ExpiryRowKey(expiry.id, expires_seconds, item_key), "");
}

void CommitGroup::AppendStreamRecord(const ItemChange& change, Delta& delta) {
  delta.records.Append(*change.table, change.old_item, change.new_item, change.origin);
  if (delta.records.size_bytes() >= kStreamChunkBytes) AppendStreamChunk(delta);
}

void CommitGroup::AppendStreamChunk(Delta& delta) {
  if (delta.records.count() == 0) return;
  const StreamRef& stream = *delta.table->stream;
  Put(Family::kStreams, StreamRowKey(stream.id, next_sequence_), delta.records.Encode(stream.view, now_));
  next_sequence_ += delta.records.count();
  sequence_moved_ = true;
  delta.records = {};
}

void CommitGroup::Close() {
  for (auto& [id, delta] : deltas_) {
    AppendStreamChunk(delta);
    Put(Family::kCatalog, CountersKey(id),
        EncodeCounters(*delta.table, delta.items, delta.bytes, delta.indexes));
  }
  if (sequence_moved_) {
    std::string value;
    AppendBigEndian(value, next_sequence_, 8);
    Put(Family::kCatalog, MetaKey("next_sequence"), value);
  }
}

void CommitGroup::Committed() {
  for (auto& [id, delta] : deltas_) {
    delta.table->counter->items += delta.items;
    delta.table->counter->bytes += delta.bytes;
    for (size_t i = 0; i < delta.indexes.size(); ++i) {
      delta.table->indexes[i].counter->items += delta.indexes[i].first;
      delta.table->indexes[i].counter->bytes += delta.indexes[i].second;
    }
  }
  for (const auto& action : on_commit_) action();
}

}  // namespace cairn::engine::internal
