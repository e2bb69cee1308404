// Database: RocksDB with our settings, as the rest of the engine uses it. The only file that opens it or
// decides how a write reaches the disk.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/internal/layout.h"
#include "engine/internal/log_files.h"
#include "engine/internal/sync_mark.h"
#include "engine/internal/write_health.h"

namespace cairn::engine::internal {

inline rocksdb::Slice ToSlice(std::string_view text) { return {text.data(), text.size()}; }
inline std::string_view ToView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

// What a failed RocksDB call means to a client; never shows file names or RocksDB's words.
Error StorageError(const rocksdb::Status& status);

// Which file a path leads to.
struct FileIdentity {
  uint64_t device = 0, inode = 0;
  bool operator==(const FileIdentity&) const = default;
  // Nothing when there is none.
  static std::optional<FileIdentity> Of(const std::string& path);
};

// A consistent view of all families at one moment; released with its last copy.
using SnapshotRef = std::shared_ptr<const rocksdb::Snapshot>;

class Database {
 public:
  static Result<std::unique_ptr<Database>> Open(const EngineOptions& options);
  // While it takes no writes (a failed or full disk) RocksDB is not closed but left as it is, and its
  // directory stays locked until the process ends.
  ~Database();

  Result<std::optional<std::string>> Get(Family family, std::string_view key,
                                         const SnapshotRef& snapshot = nullptr) const;
  SnapshotRef Snapshot() const;
  // Iterates [low, high); both must outlive the iterator.
  std::unique_ptr<rocksdb::Iterator> Iterate(Family family, const rocksdb::Slice& low,
                                             const rocksdb::Slice& high,
                                             const SnapshotRef& snapshot = nullptr) const;
  rocksdb::ColumnFamilyHandle* family(Family which) const { return families_[static_cast<int>(which)]; }

  // Applies the batch, all or nothing, as durably as the options say. After a failed write that could have
  // left the log damaged the database takes no more writes; a full disk is tried again later.
  Status Write(rocksdb::WriteBatch& batch);
  // After a full disk: goes on if RocksDB has found room. True: the database can be written.
  bool TryResume();
  // Every second or so: goes on after a full disk although nobody writes; notices a directory that is gone.
  void Watch();
  // Brings what is only in memory and in the log into table files, so that the next start is quick.
  void Flush();
  // With Durability::kRelaxed: brings what was written so far to the disk. If that fails, no more writes are
  // taken.
  Status SyncLog();

  // Null when nothing is synced, because it is kept in memory.
  const metrics::Histogram* sync_seconds() const {
    return log_files_ ? &log_files_->sync_seconds() : nullptr;
  }

  EngineHealth Health() const { return health_->Describe(); }
  Status Checkpoint(const std::string& directory);
  Status VerifyChecksums() const;
  // A number that RocksDB has of itself; summed over all families.
  uint64_t ValueOf(const char* property) const;
  uint64_t SumOf(const char* property) const;
  uint64_t ApproximateBytes(Family family, std::string_view low, std::string_view high) const;

 private:
  Database() = default;
  Status OpenMark(rocksdb::Env& env, const std::optional<SyncMark::Value>& before);
  void LeaveOpen();
  // After a full disk: makes RocksDB begin a new log if it has not done so itself. False: it has not, yet.
  bool LeaveRefusedLog();

  EngineOptions options_;
  const std::shared_ptr<WriteHealth> health_ = std::make_shared<WriteHealth>();
  std::shared_ptr<LogFiles> log_files_;  // null with kMemory
  std::unique_ptr<rocksdb::Env> env_;    // that of log_files_, or of the memory
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
  rocksdb::WriteOptions write_options_;
  std::shared_ptr<SyncMark> mark_;     // null with kMemory
  std::mutex resuming_;                // one thread at a time
  std::optional<FileIdentity> place_;  // of the file LOCK, as it was opened; none where there is no real one
};

}  // namespace cairn::engine::internal
