#include "engine/internal/scrub_catalog.h"

#include "item/packed_item.h"

namespace cairn::engine::internal {
namespace {

constexpr size_t kExpiryBytes = 8;

template <class Row>
Status ForEachWith(const Database& database, const SnapshotRef& snapshot, char prefix, Row row) {
  const std::string low(1, prefix), high(1, static_cast<char>(prefix + 1));
  const rocksdb::Slice low_slice = ToSlice(low), high_slice = ToSlice(high);
  const auto rows = database.Iterate(Family::kCatalog, low_slice, high_slice, snapshot);
  for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
    RETURN_IF_ERROR(row(ToView(rows->key()).substr(1), ToView(rows->value())));
  }
  if (!rows->status().ok()) return Fail(StorageError(rows->status()));
  return {};
}

}  // namespace

Status ScrubIds(const Database& database, const Catalog& catalog, const SnapshotRef& snapshot,
                const Find& find) {
  uint64_t highest = 0;
  for (const TableRef& table : catalog.Tables()) {
    highest = std::max<uint64_t>(highest, table->id);
    for (const Index& index : table->indexes) highest = std::max<uint64_t>(highest, index.id);
    if (table->expiry) highest = std::max<uint64_t>(highest, table->expiry->id);
  }
  for (const Stream& stream : catalog.Streams()) highest = std::max<uint64_t>(highest, stream.id);
  for (const Backup& backup : catalog.Backups()) highest = std::max<uint64_t>(highest, backup.id);
  ASSIGN_OR_RETURN(const auto next_id, database.Get(Family::kCatalog, MetaKey("next_id"), snapshot));
  if (highest > 0 && (!next_id || ReadBigEndian(*next_id) <= highest)) {
    find("the id " + std::to_string(highest) + " is in use and would be given out again");
  }
  return {};
}

Status ScrubTokens(const Database& database, const SnapshotRef& snapshot, const Find& find) {
  RETURN_IF_ERROR(ForEachWith(
      database, snapshot, kTokenPrefix, [&](std::string_view token, std::string_view record) -> Status {
        if (record.size() < kExpiryBytes) {
          find("client token " + std::string(token) + ": its record is not readable");
          return {};
        }
        const auto expires = static_cast<int64_t>(ReadBigEndian(record.substr(0, kExpiryBytes)));
        ASSIGN_OR_RETURN(const auto row,
                         database.Get(Family::kCatalog, TokenExpiryKey(expires, token), snapshot));
        if (!row) find("client token " + std::string(token) + ": it would never expire");
        return {};
      }));
  return ForEachWith(
      database, snapshot, kTokenExpiryPrefix, [&](std::string_view row, std::string_view) -> Status {
        const std::string_view token = row.substr(std::min(kExpiryBytes, row.size()));
        ASSIGN_OR_RETURN(const auto record, database.Get(Family::kCatalog, TokenKey(token), snapshot));
        // A token that was used again after it had expired has a later time; the old row goes with the next
        // trimming.
        if (!record || record->compare(0, kExpiryBytes, row, 0, kExpiryBytes) < 0) {
          find("client token " + std::string(token) + ": its expiry is kept, but not the token");
        }
        return {};
      });
}

Status ScrubBackups(const Database& database, const Catalog& catalog, const SnapshotRef& snapshot,
                    const Find& find) {
  for (const Backup& backup : catalog.Backups()) {
    const auto [low, high] = IdRange(backup.id);
    const rocksdb::Slice low_slice = ToSlice(low), high_slice = ToSlice(high);
    const auto rows = database.Iterate(Family::kItems, low_slice, high_slice, snapshot);
    for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
      if (auto item = item::PackedItem::FromStored(rows->value().ToString()); !item) {
        find("backup " + backup.description.id + ": " + item.error().message);
      }
    }
    if (!rows->status().ok()) find("backup " + backup.description.id + ": " + rows->status().ToString());
  }
  return {};
}

}  // namespace cairn::engine::internal
