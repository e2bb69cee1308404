// LogScan: what is in one of RocksDB's logs (*.log, MANIFEST-*), found out without RocksDB, which tells a
// torn tail and damage apart only roughly (log_recovery.h).
//
// A log is a row of blocks of 32 KB. A block is a row of fragments: checksum (4 bytes, little-endian as all
// numbers here), length (2), type (1), bytes. A record is one fragment of type 1, or fragments of type 2, 3,
// ..., 4. In *.log a record is one batch: sequence of its first change (8), count (4), changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::engine::internal {

struct LogScan {
  uint64_t bytes = 0;       // size of the file
  uint64_t good_bytes = 0;  // up to the end of the last whole record before any damage
  bool damaged = false;     // something else follows: the rest of a write, or damage
  // A whole record begins behind the damage: then it is not the tail of the log that was hit.
  bool records_follow = false;
  // Of the whole records before any damage, when they are batches.
  std::optional<uint64_t> first_sequence, last_sequence;
  // The sequence that the first damaged record claims to have, if so much of it can be read. Not checked.
  std::optional<uint64_t> damaged_sequence;
};

LogScan ScanLog(std::string_view log);

}  // namespace cairn::engine::internal
