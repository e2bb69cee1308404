#include "engine/internal/database.h"

#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>

#include "base/log.h"

namespace cairn::engine::internal {
namespace {

constexpr const char* kFamilyNames[kFamilyCount] = {"default", "items", "indexes", "streams"};

rocksdb::DBOptions DatabaseOptions(const EngineOptions& options, rocksdb::Env* env) {
  rocksdb::DBOptions db;
  db.create_if_missing = true;
  db.create_missing_column_families = true;
  db.env = env;
  db.paranoid_checks = true;
  // The default would open silently after damage in the middle of the log. Only a torn tail is what a crash
  // leaves.
  db.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  db.track_and_verify_wals_in_manifest = options.durability != Durability::kMemory;
  db.max_open_files = -1;
  db.max_background_jobs = 2;
  db.max_total_wal_size = 256 << 20;
  db.bytes_per_sync = 1 << 20;
  db.keep_log_file_num = 4;
  db.max_log_file_size = 4 << 20;
  db.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  db.stats_dump_period_sec = 0;
  db.stats_persist_period_sec = 0;
  db.enable_pipelined_write = false;
  db.avoid_flush_during_shutdown = false;
  return db;
}

rocksdb::ColumnFamilyOptions FamilyOptions(const EngineOptions& options,
                                           const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.block_size = 4 * 1024;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10, false));
  table.format_version = 5;
  table.whole_key_filtering = true;

  rocksdb::ColumnFamilyOptions family;
  family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  family.write_buffer_size = options.write_buffer_bytes;
  family.level_compaction_dynamic_level_bytes = true;
  family.compression = rocksdb::kLZ4Compression;
  family.paranoid_file_checks = true;
  return family;
}

std::string OpenFailure(const std::string& directory, const rocksdb::Status& status) {
  if (status.IsIOError() && status.ToString().find("lock") != std::string::npos) {
    return "data directory " + directory + " is in use by another process";
  }
  return "cannot open data directory " + directory + ": " + status.ToString();
}

}  // namespace

Error StorageError(const rocksdb::Status& status) {
  log::Failure("storage", {{"status", status.ToString()}});
  if (status.IsNoSpace()) return {Code::kStorageFull, "The disk is full. Nothing was written; reads go on."};
  if (status.IsCorruption()) return {Code::kDamaged, "Stored data did not pass its checksum."};
  return {Code::kInternal, "The storage layer failed."};
}

Result<std::unique_ptr<Database>> Database::Open(const EngineOptions& options) {
  std::unique_ptr<Database> self(new Database);
  self->options_ = options;
  rocksdb::Env* env = options.env ? options.env : rocksdb::Env::Default();
  const bool in_memory = options.durability == Durability::kMemory;
  if (in_memory) {
    self->memory_env_.reset(rocksdb::NewMemEnv(env));
    env = self->memory_env_.get();
  }
  self->write_options_.sync = options.durability == Durability::kSync;
  self->write_options_.disableWAL = in_memory;

  const auto cache = rocksdb::NewLRUCache(options.cache_bytes);
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const char* name : kFamilyNames) descriptors.emplace_back(name, FamilyOptions(options, cache));
  const std::string directory = in_memory ? "/memory" : options.directory;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(DatabaseOptions(options, env), directory, descriptors, &self->families_, &db);
  if (!status.ok()) {
    return Fail(status.IsCorruption() ? Code::kDamaged : Code::kUnavailable, OpenFailure(directory, status));
  }
  self->db_.reset(db);
  return self;
}

Database::~Database() {
  if (!db_) return;
  for (rocksdb::ColumnFamilyHandle* handle : families_) db_->DestroyColumnFamilyHandle(handle);
  db_->Close().PermitUncheckedError();
}

Result<std::optional<std::string>> Database::Get(Family which, std::string_view key,
                                                 const SnapshotRef& snapshot) const {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot.get();
  std::string value;
  const rocksdb::Status status = db_->Get(options, family(which), ToSlice(key), &value);
  if (status.ok()) return std::optional<std::string>(std::move(value));
  if (status.IsNotFound()) return std::optional<std::string>();
  return Fail(StorageError(status));
}

SnapshotRef Database::Snapshot() const {
  return SnapshotRef(db_->GetSnapshot(),
                     [this](const rocksdb::Snapshot* held) { db_->ReleaseSnapshot(held); });
}

std::unique_ptr<rocksdb::Iterator> Database::Iterate(Family which, const rocksdb::Slice& low,
                                                     const rocksdb::Slice& high,
                                                     const SnapshotRef& snapshot) const {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot.get();
  options.iterate_lower_bound = &low;
  options.iterate_upper_bound = &high;
  options.auto_prefix_mode = false;
  return std::unique_ptr<rocksdb::Iterator>(db_->NewIterator(options, family(which)));
}

Status Database::Refuse() const {
  if (state_ == State::kFull)
    return Fail(Code::kStorageFull, "The disk is full. Nothing was written; reads go on.");
  return Fail(Code::kReadOnly,
              "A write to disk failed, so the store takes no more writes until it is restarted.");
}

Status Database::Write(rocksdb::WriteBatch& batch) {
  if (state_ != State::kHealthy && !TryResume()) return Refuse();
  const rocksdb::Status status = db_->Write(write_options_, &batch);
  if (status.ok()) return {};
  NoteFailure(status);
  return Refuse();
}

// A failed sync is never tried again: the kernel may have dropped the pages and would then report success.
// A full disk is different: RocksDB's Resume() writes the memtables to new files and starts a new log.
void Database::NoteFailure(const rocksdb::Status& status) {
  log::Failure("write failed", {{"status", status.ToString()}});
  state_ = status.IsNoSpace() ? State::kFull : State::kReadOnly;
  resume_tried_ = std::chrono::steady_clock::now();
}

bool Database::TryResume() {
  if (state_ != State::kFull) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now - resume_tried_ < std::chrono::milliseconds(500)) return false;
  resume_tried_ = now;
  const rocksdb::Status status = db_->Resume();
  if (!status.ok()) {
    if (!status.IsNoSpace() && !status.IsBusy()) NoteFailure(status);
    return false;
  }
  log::Info("writing again", {{"reason", "the disk has room"}});
  state_ = State::kHealthy;
  return true;
}

void Database::SyncLog() {
  if (state_ != State::kHealthy) return;
  const rocksdb::Status status = db_->FlushWAL(/*sync=*/true);
  if (!status.ok() && !status.IsNotSupported()) NoteFailure(status);
}

EngineHealth Database::Health() const {
  if (state_ == State::kHealthy) return {};
  return {.writable = false, .reason = Refuse().error().message};
}

Status Database::Checkpoint(const std::string& directory) {
  // Flushing first keeps the copy independent of the log of the running database.
  rocksdb::FlushOptions flush;
  if (const auto status = db_->Flush(flush, families_); !status.ok()) return Fail(StorageError(status));
  rocksdb::Checkpoint* checkpoint = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(db_.get(), &checkpoint);
  const std::unique_ptr<rocksdb::Checkpoint> owned(checkpoint);
  if (status.ok()) status = checkpoint->CreateCheckpoint(directory);
  if (status.ok()) return {};
  if (status.IsInvalidArgument())
    return Fail(Code::kInvalidArgument, "backup target exists already: " + directory);
  return Fail(Code::kUnavailable, "cannot write the backup to " + directory + ": " + status.ToString());
}

Status Database::VerifyChecksums() const {
  if (const auto status = db_->VerifyChecksum(); !status.ok()) return Fail(Code::kDamaged, status.ToString());
  return {};
}

uint64_t Database::ApproximateBytes(Family which, std::string_view low, std::string_view high) const {
  const rocksdb::Range range(ToSlice(low), ToSlice(high));
  rocksdb::SizeApproximationOptions options;
  options.include_memtables = true;
  options.include_files = true;
  uint64_t bytes = 0;
  if (!db_->GetApproximateSizes(options, family(which), &range, 1, &bytes).ok()) return 0;
  return bytes;
}

}  // namespace cairn::engine::internal
