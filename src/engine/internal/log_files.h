// LogFiles: the file system as RocksDB 7.8 sees it. It takes care of the logs (*.log) of one database,
// because RocksDB does not survive their failures, and does not notice later that one is missing:
//
// - Creating a log never fails. It is made up for at the first write, which fails in its place. When RocksDB
//   cannot create a log it forgets references to families (DBImpl::ScheduleFlushes), aborts at the next
//   close, and never goes on after a full disk.
// - What a full disk has refused does not stay in the log: it is cut off at once, or when RocksDB syncs the
//   log before it goes on in another one. A start that replays the log for one family and not for another
//   would bring back half of a batch, beside later ones that have the same sequences.
// - What was synced is not synced again. A log that was just closed is synced by two threads; if it fails for
//   one of them, the other one aborts (WritableFileWriter::AssertFalseAndGetStatusForPrevError).
// - Sync() syncs all of them without RocksDB, which aborts when a log is synced beside a write that fails.
// - Before a log is deleted, SyncMark says that what was in it lies in table files.
//
// The first sync of a log syncs its directory entry, too. Used by Database only; other files pass through.
#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/metrics.h"
#include "engine/engine.h"
#include "engine/internal/sync_mark.h"

namespace cairn::engine::internal {

class LogFiles final : public rocksdb::FileSystemWrapper {
 public:
  struct Settings {
    std::string directory;  // of the database
    Durability durability = Durability::kSync;
    uint64_t reserve_bytes = 0;  // the room RocksDB asks for before it goes on after a full disk
  };
  LogFiles(const std::shared_ptr<rocksdb::FileSystem>& files, Settings settings);
  ~LogFiles() override;
  const char* Name() const override { return "LogFiles"; }

  // The database is open: from now on creating a log does not fail. Logs that RocksDB had no more use for
  // while it opened are deleted only now that there is a mark.
  void Opened(std::shared_ptr<SyncMark> mark, std::function<uint64_t()> last_sequence);
  // Brings everything that was appended so far to the disk, the older log first.
  rocksdb::IOStatus Sync();
  // Whether the log that RocksDB writes to has refused something. RocksDB aborts when it writes to it again.
  bool CurrentHasRefused();
  // How long the disk took for each sync of a log.
  const metrics::Histogram& sync_seconds() const { return sync_seconds_; }
  // The database is about to be closed while the disk is full: there will be no room any more. Returns when
  // RocksDB has seen that, or `has_recovered`: closed while it tries to go on, it would look at itself once
  // more afterwards (SstFileManagerImpl::ClearError). False: it does not look.
  bool StopLookingForRoom(const std::function<bool()>& has_recovered);
  // The database will not be used again, though it still exists: it creates and deletes no more files.
  void Retire() { retired_ = true; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  // Too little to be worth a try, or enough.
  rocksdb::IOStatus GetFreeSpace(const std::string& path, const rocksdb::IOOptions& options, uint64_t* bytes,
                                 rocksdb::IODebugContext* debug) override;

 private:
  class Log;
  class LogHandle;

  // Nothing for other files, and for logs elsewhere: a backup is made through here, too.
  std::optional<uint64_t> LogNumber(const std::string& path) const;
  // The sequence of the first change in a log after this one.
  std::optional<uint64_t> FirstSequenceAfter(uint64_t number);

  const Settings settings_;
  metrics::Histogram sync_seconds_{metrics::SecondBounds()};
  std::atomic<bool> opened_{false}, retired_{false}, closing_{false};
  std::atomic<bool> closing_was_seen_{false};      // by the thread that looks for room
  std::shared_ptr<SyncMark> mark_;                 // set before opened_
  std::function<uint64_t()> last_sequence_;        // set before opened_
  std::mutex mutex_;                               // guards what follows
  std::map<uint64_t, std::shared_ptr<Log>> logs_;  // those created since the start that were not deleted
  std::vector<std::string> to_delete_;             // until the database is open
};

}  // namespace cairn::engine::internal
