// Before RocksDB opens a data directory: looks through its logs and decides what a crash may have left there.
//
// RocksDB alone is too strict and too lax: it refuses a tail that a power loss left garbled (it takes only
// one that is short), it drops everything after a damaged length in the last block without a word, and does
// not notice that a log or its end is missing. Here:
// - The tail of the last log that no whole record follows and that was not synced is cut off.
// - With relaxed durability so is everything after the first hole in what was not synced.
// - What lies in table files (SyncMark::Value::flushed) may be damaged or missing; it is not needed.
// - Anything else is damage, and the directory is not opened: nothing in it was changed.
#pragma once

#include <rocksdb/file_system.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/internal/log_scan.h"
#include "engine/internal/sync_mark.h"

namespace cairn::engine::internal {

struct ScannedLog {
  std::string name;  // file name
  LogScan scan;
};
struct Cut {
  std::string name;
  uint64_t bytes = 0;  // what stays
};

// Decides; pure. `logs`: all *.log in order. kDamaged names the file and the place.
Result<std::vector<Cut>> DecideCuts(const std::vector<ScannedLog>& logs,
                                    const std::optional<SyncMark::Value>& mark);

// Decides and cuts, also the MANIFEST. Does nothing while another process has the directory open.
Status RecoverLogs(rocksdb::FileSystem& files, const std::string& directory,
                   const std::optional<SyncMark::Value>& mark);

}  // namespace cairn::engine::internal
