#include "engine/internal/catalog.h"

#include "engine/internal/catalog_record.h"
#include "engine/internal/counters.h"
#include "engine/internal/streams.h"
#include "item/key_bytes.h"

namespace cairn::engine::internal {

using item::PackedItem;

Result<std::unique_ptr<Catalog>> Catalog::Load(const Database& database) {
  auto catalog = std::make_unique<Catalog>();
  ASSIGN_OR_RETURN(const std::optional<std::string> next_id,
                   database.Get(Family::kCatalog, MetaKey("next_id")));
  if (next_id) catalog->next_id_ = static_cast<uint32_t>(ReadBigEndian(*next_id));
  RETURN_IF_ERROR(catalog->LoadRecords(database));
  RETURN_IF_ERROR(catalog->FindTrimmed(database));
  for (const auto& [name, table] : catalog->tables_) {
    ASSIGN_OR_RETURN(const std::optional<std::string> record,
                     database.Get(Family::kCatalog, CountersKey(table->id)));
    if (record) DecodeCounters(*record, *table);
  }
  return catalog;
}

Status Catalog::LoadRecords(const Database& database) {
  const rocksdb::Slice low("", 0), high("\xff", 1);
  const auto rows = database.Iterate(Family::kCatalog, low, high);
  for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
    const std::string_view key = ToView(rows->key());
    const char kind = key.empty() ? '\0' : key[0];
    if (kind != kTableRecordPrefix && kind != kStreamRecordPrefix && kind != kBackupRecordPrefix) continue;
    auto packed = PackedItem::FromStored(rows->value().ToString());
    if (!packed) return Fail(Code::kDamaged, "catalog record is not readable: " + std::string(key.substr(1)));
    const item::Item record = packed->Unpack();
    if (kind == kTableRecordPrefix) {
      ASSIGN_OR_RETURN(Table table, TableFromRecord(record));
      std::string name = table.name();
      tables_.emplace(std::move(name), std::make_shared<const Table>(std::move(table)));
    } else if (kind == kStreamRecordPrefix) {
      ASSIGN_OR_RETURN(Stream stream, StreamFromRecord(record));
      streams_.emplace(stream.id, std::move(stream));
    } else {
      ASSIGN_OR_RETURN(Backup backup, BackupFromRecord(record));
      std::string id = backup.description.id;
      backups_.emplace(std::move(id), std::move(backup));
    }
  }
  if (!rows->status().ok()) return Fail(StorageError(rows->status()));
  return {};
}

// Earlier versions did not note it for each stream: then the oldest record there is tells, and where there is
// none, what was trimmed of all streams.
Status Catalog::FindTrimmed(const Database& database) {
  ASSIGN_OR_RETURN(const auto stored, database.Get(Family::kCatalog, MetaKey("trimmed_through")));
  const uint64_t trimmed_through = stored ? ReadBigEndian(*stored) : 0;
  for (auto& [id, stream] : streams_) {
    if (stream.trimmed_to != 0) continue;
    stream.trimmed_to = stream.starting_sequence;
    if (trimmed_through < stream.starting_sequence) continue;
    ASSIGN_OR_RETURN(const std::optional<uint64_t> oldest, OldestSequence(database, id));
    stream.trimmed_to = oldest.value_or(trimmed_through + 1);
  }
  return {};
}

Result<TableRef> Catalog::Find(std::string_view table_name) const {
  std::shared_lock lock(mutex_);
  const auto found = tables_.find(table_name);
  if (found == tables_.end() || found->second->status == store::TableStatus::kCreating) {
    return Fail(Code::kResourceNotFound, "Requested resource not found");
  }
  return found->second;
}

Result<TableRef> Catalog::FindAny(std::string_view table_name) const {
  std::shared_lock lock(mutex_);
  const auto found = tables_.find(table_name);
  if (found != tables_.end()) return found->second;
  return Fail(Code::kResourceNotFound,
              "Requested resource not found: Table: " + std::string(table_name) + " not found");
}

Result<TableRef> Catalog::Current(const TableRef& table) const {
  ASSIGN_OR_RETURN(TableRef current, FindAny(table->name()));
  if (current->id != table->id) return Fail(Code::kResourceNotFound, "Requested resource not found");
  return current;
}

std::vector<TableRef> Catalog::Tables() const {
  std::shared_lock lock(mutex_);
  std::vector<TableRef> tables;
  for (const auto& [name, table] : tables_) tables.push_back(table);
  return tables;
}

std::optional<Stream> Catalog::FindStream(const store::StreamId& name) const {
  std::shared_lock lock(mutex_);
  for (const auto& [id, stream] : streams_) {
    if (stream.name == name) return stream;
  }
  return std::nullopt;
}

std::vector<Stream> Catalog::Streams() const {
  std::vector<Stream> streams;
  {
    std::shared_lock lock(mutex_);
    for (const auto& [id, stream] : streams_) streams.push_back(stream);
  }
  std::sort(streams.begin(), streams.end(), [](const Stream& a, const Stream& b) {
    return std::tie(a.name.table, a.name.label) < std::tie(b.name.table, b.name.label);
  });
  return streams;
}

std::optional<uint64_t> Catalog::TrimmedTo(uint32_t stream_id) const {
  std::shared_lock lock(mutex_);
  const auto found = streams_.find(stream_id);
  return found == streams_.end() ? std::nullopt : std::optional(found->second.trimmed_to);
}

std::optional<Backup> Catalog::FindBackup(std::string_view backup_id) const {
  std::shared_lock lock(mutex_);
  const auto found = backups_.find(backup_id);
  return found == backups_.end() || !found->second.complete ? std::nullopt : std::optional(found->second);
}

std::vector<Backup> Catalog::Backups() const {
  std::shared_lock lock(mutex_);
  std::vector<Backup> backups;
  for (const auto& [id, backup] : backups_) backups.push_back(backup);
  return backups;
}

void Catalog::ReleaseBackup(std::string_view backup_id) {
  std::unique_lock lock(mutex_);
  if (const auto found = backups_.find(backup_id); found != backups_.end())
    found->second.is_being_copied = false;
}

uint32_t Catalog::NewId(CommitGroup& group) {
  const uint32_t id = next_id_++;
  std::string value;
  AppendBigEndian(value, next_id_, kIdBytes);
  group.Put(Family::kCatalog, MetaKey("next_id"), value);
  return id;
}

void Catalog::Save(CommitGroup& group, Table table) {
  table.Derive();
  group.Put(Family::kCatalog, TableRecordKey(table.name()), PackedItem::Pack(RecordOf(table)).bytes());
  group.OnCommit([this, published = std::make_shared<const Table>(std::move(table))] {
    std::unique_lock lock(mutex_);
    tables_[published->name()] = published;
  });
}

void Catalog::Remove(CommitGroup& group, const Table& table) {
  group.Delete(Family::kCatalog, TableRecordKey(table.name()));
  group.OnCommit([this, name = table.name()] {
    std::unique_lock lock(mutex_);
    tables_.erase(name);
  });
}

void Catalog::SaveStream(CommitGroup& group, Stream stream) {
  group.Put(Family::kCatalog, StreamRecordKey(stream.id), PackedItem::Pack(RecordOf(stream)).bytes());
  group.OnCommit([this, stream = std::move(stream)] {
    std::unique_lock lock(mutex_);
    streams_[stream.id] = stream;
  });
}

void Catalog::RemoveStream(CommitGroup& group, const Stream& stream) {
  group.Delete(Family::kCatalog, StreamRecordKey(stream.id));
  group.OnCommit([this, id = stream.id] {
    std::unique_lock lock(mutex_);
    streams_.erase(id);
  });
}

void Catalog::SaveBackup(CommitGroup& group, Backup backup) {
  group.Put(Family::kCatalog, BackupRecordKey(backup.description.id),
            PackedItem::Pack(RecordOf(backup)).bytes());
  group.OnCommit([this, backup = std::move(backup)] {
    std::unique_lock lock(mutex_);
    backups_[backup.description.id] = backup;
  });
}

void Catalog::RemoveBackup(CommitGroup& group, const Backup& backup) {
  group.Delete(Family::kCatalog, BackupRecordKey(backup.description.id));
  group.OnCommit([this, id = backup.description.id] {
    std::unique_lock lock(mutex_);
    backups_.erase(id);
  });
}

}  // namespace cairn::engine::internal
