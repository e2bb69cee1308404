// SyncMark: the file SYNCED of a data directory, which says how far the log is known to lie on the disk. At
// the next start everything up to there has to be found; what a crash may cost lies behind it.
//
// It is written after a sync, and not synced itself at every write: a power loss may leave an older one,
// which says less but nothing wrong. So it is no second sync per commit, and finds what RocksDB cannot know:
// that the end of the newest log was damaged, or that the whole log is gone.
#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "engine/engine.h"

namespace cairn::engine::internal {

class SyncMark {
 public:
  struct Value {
    uint64_t sequence = 0;                      // RocksDB's, of the last change that was synced
    Durability durability = Durability::kSync;  // how the logs from here on are written
  };

  static std::string PathIn(const std::string& directory) { return directory + "/SYNCED"; }
  // Nothing when there is none or it is not readable; then less is checked.
  static std::optional<Value> Read(rocksdb::FileSystem& files, const std::string& directory);

  // Writes it, synced, and keeps it open.
  static Result<std::unique_ptr<SyncMark>> Open(rocksdb::FileSystem& files, const std::string& directory,
                                                Value value);

  enum class Sync { kNo, kYes };
  // The log was synced up to this change. A failure is no harm: the older mark stays true.
  void Move(uint64_t sequence, Sync sync);

 private:
  explicit SyncMark(Value value) : value_(value) {}

  std::mutex mutex_;  // guards value_ and the order of writes
  Value value_;
  std::unique_ptr<rocksdb::FSRandomRWFile> file_;
};

}  // namespace cairn::engine::internal
