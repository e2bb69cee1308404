// Catalog: the tables, streams and backups there are. Readers get immutable Tables; changes go through the
// writer and are published when they are committed.
#pragma once

#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/internal/commit_group.h"
#include "engine/internal/database.h"
#include "engine/internal/table.h"
#include "store/backup_requests.h"
#include "store/stream_requests.h"

namespace cairn::engine::internal {

struct Stream {
  uint32_t id = 0;
  store::StreamId name;
  store::StreamView view = store::StreamView::kNewAndOldImages;
  item::KeySchema key_schema;
  Time created;
  uint64_t starting_sequence = 0;
  std::optional<uint64_t> ending_sequence;  // the stream was disabled before this sequence
  std::optional<Time> disabled;
  uint64_t trimmed_to =
      0;  // records before this sequence are gone or will be soon: readers must not miss them
};

struct Backup {
  store::BackupDescription description;
  uint32_t id = 0;  // its items lie in the items family under this id
  bool complete = false;
  bool is_being_copied = false;  // not stored: after a restart nobody copies it any more
};

class Catalog {
 public:
  static Result<std::unique_ptr<Catalog>> Load(const Database& database);

  // A table whose items can be read and written. kResourceNotFound: "Requested resource not found".
  Result<TableRef> Find(std::string_view table_name) const;
  // Also one that is still being restored. kResourceNotFound names the table.
  Result<TableRef> FindAny(std::string_view table_name) const;
  // The newest version of `table`, or kResourceNotFound when it was deleted since.
  Result<TableRef> Current(const TableRef& table) const;
  std::vector<TableRef> Tables() const;  // by name

  std::optional<Stream> FindStream(const store::StreamId& name) const;
  std::vector<Stream> Streams() const;                          // by table, then label
  std::optional<uint64_t> TrimmedTo(uint32_t stream_id) const;  // nothing: the stream is gone

  std::optional<Backup> FindBackup(std::string_view backup_id) const;
  std::vector<Backup> Backups() const;  // by id, complete or not
  // Nobody copies it any more. If it is not complete, the jobs remove it.
  void ReleaseBackup(std::string_view backup_id);

  // Changes; called on the writer's thread in a group of their own (Grouping::kAlone).
  uint32_t NewId(CommitGroup& group);
  void Save(CommitGroup& group, Table table);
  void Remove(CommitGroup& group, const Table& table);
  void SaveStream(CommitGroup& group, Stream stream);
  void RemoveStream(CommitGroup& group, const Stream& stream);
  void SaveBackup(CommitGroup& group, Backup backup);
  void RemoveBackup(CommitGroup& group, const Backup& backup);

 private:
  Status LoadRecords(const Database& database);
  Status FindTrimmed(const Database& database);

  mutable std::shared_mutex mutex_;  // guards the three maps
  std::map<std::string, TableRef, std::less<>> tables_;
  std::map<uint32_t, Stream> streams_;
  std::map<std::string, Backup, std::less<>> backups_;
  uint32_t next_id_ = 1;  // writer's thread only
};

}  // namespace cairn::engine::internal
