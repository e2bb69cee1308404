// RocksDB's own messages, as lines of our log. It would keep them in a file beside the data, and there the
// second message after a full disk ends the process: WritableFileWriter takes nothing after a failure, and
// Debian's RocksDB is built with its assertions.
#pragma once

#include <rocksdb/env.h>

#include <memory>

namespace cairn::engine::internal {

std::shared_ptr<rocksdb::Logger> RocksDbLog();

}  // namespace cairn::engine::internal
