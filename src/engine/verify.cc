// Verify: reads everything that is stored and checks that it fits together.
#include <set>

#include "engine/engine.h"
#include "engine/internal/catalog.h"
#include "engine/internal/counters.h"
#include "engine/internal/database.h"
#include "engine/internal/index_rows.h"
#include "engine/internal/scrub_catalog.h"
#include "engine/internal/scrub_streams.h"
#include "item/key_schema.h"

namespace cairn::engine {
namespace {

using internal::Database;
using internal::Family;
using internal::Index;
using internal::Table;
using internal::TableRef;
using internal::ToView;
using item::PackedItem;

constexpr size_t kFindingsMax = 100;
constexpr uint64_t kProgressEvery = 10'000;

std::string Hex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes.substr(0, 64)) {
    text += kDigits[static_cast<uint8_t>(c) >> 4];
    text += kDigits[static_cast<uint8_t>(c) & 15];
  }
  return text;
}

class Scrubber {
 public:
  Scrubber(const Database& database, const internal::Catalog& catalog, const Progress& progress)
      : database_(database), catalog_(catalog), progress_(progress), snapshot_(database.Snapshot()) {}

  Result<VerifyReport> Run() {
    if (auto checksums = database_.VerifyChecksums(); !checksums)
      Find("checksum: " + checksums.error().message);
    for (const TableRef& table : catalog_.Tables()) RETURN_IF_ERROR(CheckTable(*table));
    RETURN_IF_ERROR(CheckStreams());
    RETURN_IF_ERROR(CheckOwners());
    const internal::Find find = [this](std::string finding) { Find(std::move(finding)); };
    RETURN_IF_ERROR(internal::ScrubIds(database_, catalog_, snapshot_, find));
    RETURN_IF_ERROR(internal::ScrubTokens(database_, snapshot_, find));
    RETURN_IF_ERROR(internal::ScrubBackups(database_, catalog_, snapshot_, find));
    return std::move(report_);
  }

 private:
  struct Expected {
    int64_t rows = 0;
    int64_t bytes = 0;
  };

  void Find(std::string finding) {
    if (report_.findings.size() < kFindingsMax) report_.findings.push_back(std::move(finding));
  }
  void Advance() {
    if (++rows_ % kProgressEvery == 0 && progress_) progress_(rows_);
  }

  template <class Row>
  Status ForEach(Family family, uint32_t id, Row row) {
    const auto [low, high] = internal::IdRange(id);
    const rocksdb::Slice low_slice = internal::ToSlice(low), high_slice = internal::ToSlice(high);
    const auto rows = database_.Iterate(family, low_slice, high_slice, snapshot_);
    for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
      row(ToView(rows->key()), ToView(rows->value()));
      Advance();
    }
    if (!rows->status().ok()) Find("cannot read all rows: " + rows->status().ToString());
    return {};
  }

  Status CheckTable(const Table& table);
  Status CheckItem(const Table& table, std::string_view key, std::string_view value,
                   std::vector<Expected>& expected, Expected& expiring);
  Status CheckRow(const std::string& where, const std::string& key, std::string_view value);
  Status CountRows(const std::string& where, uint32_t id, int64_t expected);
  Status CheckCounters(const Table& table, const Expected& items, const std::vector<Expected>& indexes);
  Status CheckStreams();
  Status CheckOwners();

  const Database& database_;
  const internal::Catalog& catalog_;
  const Progress& progress_;
  const internal::SnapshotRef snapshot_;
  VerifyReport report_;
  uint64_t rows_ = 0;
};

Status Scrubber::CheckTable(const Table& table) {
  ++report_.tables;
  Expected items, expiring;
  std::vector<Expected> indexes(table.indexes.size());
  Status inner;
  RETURN_IF_ERROR(ForEach(Family::kItems, table.id, [&](std::string_view key, std::string_view value) {
    ++report_.items;
    ++items.rows;
    auto packed = PackedItem::FromStored(std::string(value));
    if (packed) items.bytes += static_cast<int64_t>(packed->ItemBytes());
    if (inner) inner = CheckItem(table, key, value, indexes, expiring);
  }));
  RETURN_IF_ERROR(inner);
  // Each expected row was found, so equal numbers mean there is no other.
  for (size_t i = 0; i < table.indexes.size(); ++i) {
    const Index& index = table.indexes[i];
    if (index.status != store::IndexStatus::kActive) continue;
    RETURN_IF_ERROR(CountRows(table.name() + "/" + index.definition.name, index.id, indexes[i].rows));
  }
  if (table.expiry && !table.expiry->backfilling) {
    RETURN_IF_ERROR(CountRows(table.name() + " expiry", table.expiry->id, expiring.rows));
  }
  return CheckCounters(table, items, indexes);
}

Status Scrubber::CheckItem(const Table& table, std::string_view key, std::string_view value,
                           std::vector<Expected>& expected, Expected& expiring) {
  const std::string where = table.name() + " item " + Hex(key);
  auto packed = PackedItem::FromStored(std::string(value));
  if (!packed) {
    Find(where + ": " + packed.error().message);
    return {};
  }
  const item::Item whole = packed->Unpack();
  if (PackedItem::Pack(whole) != *packed) Find(where + ": its size or order of attributes is wrong");
  if (!item::HasKey(table.key_schema(), whole) || internal::ItemKey(table, whole) != key) {
    Find(where + ": lies under a key that is not its own");
    return {};
  }
  for (size_t i = 0; i < table.indexes.size(); ++i) {
    const Index& index = table.indexes[i];
    if (index.status != store::IndexStatus::kActive) continue;
    const auto row = internal::RowIn(index, whole, *packed, key);
    if (!row) continue;
    ++expected[i].rows;
    expected[i].bytes += static_cast<int64_t>(row->value.ItemBytes());
    RETURN_IF_ERROR(CheckRow(where + " in index " + index.definition.name, row->key, row->value.bytes()));
  }
  if (table.expiry && !table.expiry->backfilling) {
    if (const auto expires = internal::ExpiresAt(*table.expiry, whole)) {
      ++expiring.rows;
      RETURN_IF_ERROR(
          CheckRow(where + " expiry", internal::ExpiryRowKey(table.expiry->id, *expires, key), ""));
    }
  }
  return {};
}

Status Scrubber::CheckRow(const std::string& where, const std::string& key, std::string_view value) {
  ASSIGN_OR_RETURN(const auto stored, database_.Get(Family::kIndexes, key, snapshot_));
  if (!stored) {
    Find(where + ": row is missing");
  } else if (*stored != value) {
    Find(where + ": row differs from the item");
  }
  return {};
}

Status Scrubber::CountRows(const std::string& where, uint32_t id, int64_t expected) {
  int64_t found = 0;
  RETURN_IF_ERROR(ForEach(Family::kIndexes, id, [&](std::string_view, std::string_view) { ++found; }));
  report_.index_rows += static_cast<uint64_t>(found);
  if (found != expected) {
    Find(where + ": " + std::to_string(found) + " rows, but items call for " + std::to_string(expected));
  }
  return {};
}

Status Scrubber::CheckCounters(const Table& table, const Expected& items,
                               const std::vector<Expected>& indexes) {
  ASSIGN_OR_RETURN(const auto record,
                   database_.Get(Family::kCatalog, internal::CountersKey(table.id), snapshot_));
  Table counted = table;  // with counters of its own, as the snapshot has them
  counted.counter = std::make_shared<internal::Counter>();
  for (Index& index : counted.indexes) index.counter = std::make_shared<internal::Counter>();
  if (record) internal::DecodeCounters(*record, counted);
  const auto check = [&](const std::string& where, const internal::Counter& counter,
                         const Expected& expected) {
    if (counter.items == expected.rows && counter.bytes == expected.bytes) return;
    Find(where + ": counted " + std::to_string(counter.items) + " items of " + std::to_string(counter.bytes) +
         " bytes, found " + std::to_string(expected.rows) + " of " + std::to_string(expected.bytes));
  };
  check(table.name(), *counted.counter, items);
  for (size_t i = 0; i < indexes.size(); ++i) {
    if (counted.indexes[i].status != store::IndexStatus::kActive) continue;
    check(table.name() + "/" + counted.indexes[i].definition.name, *counted.indexes[i].counter, indexes[i]);
  }
  return {};
}

Status Scrubber::CheckStreams() {
  const internal::Find find = [this](std::string finding) { Find(std::move(finding)); };
  ASSIGN_OR_RETURN(report_.stream_records,
                   internal::ScrubStreams(database_, catalog_, snapshot_, find, [this] { Advance(); }));
  return {};
}

// Rows of an id that belongs to no table, index, stream or backup.
Status Scrubber::CheckOwners() {
  std::set<uint64_t> owners;
  for (const TableRef& table : catalog_.Tables()) {
    owners.insert(table->id);
    for (const Index& index : table->indexes) owners.insert(index.id);
    if (table->expiry) owners.insert(table->expiry->id);
  }
  for (const internal::Stream& stream : catalog_.Streams()) owners.insert(stream.id);
  for (const internal::Backup& backup : catalog_.Backups()) owners.insert(backup.id);
  const rocksdb::Slice low("", 0), high("\xff\xff\xff\xff\xff", 5);
  for (const Family family : {Family::kItems, Family::kIndexes, Family::kStreams}) {
    const auto rows = database_.Iterate(family, low, high, snapshot_);
    rows->SeekToFirst();
    while (rows->Valid()) {
      const auto id =
          static_cast<uint32_t>(internal::ReadBigEndian(ToView(rows->key()).substr(0, internal::kIdBytes)));
      if (!owners.contains(id)) Find("rows of unknown owner " + std::to_string(id));
      rows->Seek(internal::IdRange(id).second);
    }
    if (!rows->status().ok()) return Fail(internal::StorageError(rows->status()));
  }
  return {};
}

}  // namespace

Result<VerifyReport> Engine::Verify(const Progress& progress) {
  return Scrubber(*database_, *catalog_, progress).Run();
}

}  // namespace cairn::engine
