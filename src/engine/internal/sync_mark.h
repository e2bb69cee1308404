// SyncMark: the file SYNCED of a data directory. It says how far everything lies in table files, and how far
// the logs after that are known to lie on the disk. At the next start the logs have to hold what is between
// the two; what a crash may cost comes after it.
//
// It is written after a sync, and not synced itself at every write: a power loss may leave an older one,
// which says less but nothing wrong. So it is not a second sync per commit, and finds what RocksDB does not:
// a log that is gone, or whose end is.
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
    // The sequence up to which everything lies in table files; nothing: written by an older version.
    std::optional<uint64_t> flushed = std::nullopt;
  };

  static std::string PathIn(const std::string& directory) { return directory + "/SYNCED"; }
  // Nothing when there is none or it is not readable; then less is checked.
  static std::optional<Value> Read(rocksdb::FileSystem& files, const std::string& directory);

  // Writes it, synced, and keeps it open.
  static Result<std::unique_ptr<SyncMark>> Open(rocksdb::FileSystem& files, const std::string& directory,
                                                Value value);

  enum class Sync { kNo, kYes };
  // The log was synced up to this change. A failure does no harm: the older mark stays true.
  void Move(uint64_t sequence, Sync sync);
  // Everything up to this change lies in table files. Only when this has succeeded, and thus was synced, may
  // logs that hold it be deleted.
  rocksdb::IOStatus MoveFlushed(uint64_t sequence);

 private:
  explicit SyncMark(Value value) : value_(value), flushed_synced_(value.flushed.value_or(0)) {}

  std::mutex mutex_;  // guards what follows and the order of writes
  Value value_;
  uint64_t flushed_synced_;  // value_.flushed as it was last synced
  std::unique_ptr<rocksdb::FSRandomRWFile> file_;
};

}  // namespace cairn::engine::internal
