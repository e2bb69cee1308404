#include "raw_database.h"

#include "base/check.h"

namespace cairn::faults {
namespace {

struct SilentLogger final : rocksdb::Logger {
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

}  // namespace

bool RawDatabase::IsThere(CrashFs& fs) {
  rocksdb::DBOptions options;
  options.env = fs.env();
  std::vector<std::string> families;
  return rocksdb::DB::ListColumnFamilies(options, "/data", &families).ok() && families.size() == 4;
}

RawDatabase::RawDatabase(CrashFs& fs) {
  rocksdb::DBOptions options;
  options.env = fs.env();
  options.info_log = std::make_shared<SilentLogger>();
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const char* name : {"default", "items", "indexes", "streams"}) {
    descriptors.emplace_back(name, rocksdb::ColumnFamilyOptions());
  }
  rocksdb::DB* db = nullptr;
  const auto status = rocksdb::DB::Open(options, "/data", descriptors, &families_, &db);
  CHECK(status.ok(), ("a store that was closed can be opened: " + status.ToString()).c_str());
  db_.reset(db);
  // It has brought the logs into table files, and the store's mark does not know.
  fs.DeleteFile("/data/SYNCED", {}, nullptr).PermitUncheckedError();
}

RawDatabase::~RawDatabase() {
  for (rocksdb::ColumnFamilyHandle* family : families_) {
    db_->DestroyColumnFamilyHandle(family).PermitUncheckedError();
  }
}

Rows RawDatabase::Read(Family family) const {
  Rows rows;
  const std::unique_ptr<rocksdb::Iterator> iterator(db_->NewIterator({}, families_[family]));
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    rows.emplace(iterator->key().ToString(), iterator->value().ToString());
  }
  return rows;
}

void RawDatabase::Put(Family family, const std::string& key, const std::string& value) {
  CHECK(db_->Put({}, families_[family], key, value).ok(), "writing works");
}

void RawDatabase::Delete(Family family, const std::string& key) {
  CHECK(db_->Delete({}, families_[family], key).ok(), "writing works");
}

}  // namespace cairn::faults
