// LogFiles: the file system as RocksDB 7.8 sees it. It does three things for the logs (*.log), because
// RocksDB does not survive them:
//
// - Creating a log never fails. It is made up for at the first write, which fails in its place. When RocksDB
//   cannot create a log it forgets references to families (DBImpl::ScheduleFlushes), aborts at the next
//   close, and never goes on after a full disk.
// - What was synced is not synced again. A log that was just closed is synced by two threads; if it fails for
//   one of them, the other one aborts (WritableFileWriter::AssertFalseAndGetStatusForPrevError).
// - Sync() syncs all of them without RocksDB, which aborts when a log is synced beside a write that fails.
//
// The first sync of a log syncs its directory entry, too. Used by Database only; other files pass through.
#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/metrics.h"

namespace cairn::engine::internal {

class LogFiles final : public rocksdb::FileSystemWrapper {
 public:
  // `reserve_bytes` is the room RocksDB asks for before it goes on after a full disk.
  LogFiles(const std::shared_ptr<rocksdb::FileSystem>& files, uint64_t reserve_bytes);
  ~LogFiles() override;
  const char* Name() const override { return "LogFiles"; }

  // The database is open: from now on creating a log does not fail.
  void PostponeCreation() { postpone_ = true; }
  // Brings everything that was appended so far to the disk, the older log first.
  rocksdb::IOStatus Sync();
  // How long the disk took for each sync of a log.
  const metrics::Histogram& sync_seconds() const { return sync_seconds_; }
  // The database will not be used again, though it still exists: it creates no more files.
  void Retire() { retired_ = true; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override;
  // Too little to be worth a try, or enough.
  rocksdb::IOStatus GetFreeSpace(const std::string& path, const rocksdb::IOOptions& options, uint64_t* bytes,
                                 rocksdb::IODebugContext* debug) override;

 private:
  class Log;
  class LogHandle;

  const uint64_t reserve_bytes_;
  metrics::Histogram sync_seconds_{metrics::SecondBounds()};
  std::atomic<bool> postpone_{false}, retired_{false};
  std::mutex mutex_;                      // guards what follows
  std::vector<std::weak_ptr<Log>> logs_;  // in the order they were created
};

}  // namespace cairn::engine::internal
