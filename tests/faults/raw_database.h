// RawDatabase: a data directory behind the engine's back: its rows as RocksDB has them, to be changed one by
// one. Open it while no engine has the directory.
#pragma once

#include <rocksdb/db.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "crash_fs.h"

namespace cairn::faults {

using Rows = std::map<std::string, std::string>;

class RawDatabase {
 public:
  // The column families, by the names of docs/storage-format.md.
  enum Family { kCatalog, kItems, kIndexes, kStreams };

  // False when the power went before the store was made.
  static bool IsThere(CrashFs& fs);
  // Precondition: it is there.
  explicit RawDatabase(CrashFs& fs);
  ~RawDatabase();

  Rows Read(Family family) const;
  void Put(Family family, const std::string& key, const std::string& value);
  void Delete(Family family, const std::string& key);

 private:
  std::unique_ptr<rocksdb::DB> db_;
  std::vector<rocksdb::ColumnFamilyHandle*> families_;
};

}  // namespace cairn::faults
