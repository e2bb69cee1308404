#include "engine/internal/database.h"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/env.h>
#include <rocksdb/file_checksum.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/sst_file_manager.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/system_clock.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>
#include <rocksdb/write_buffer_manager.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>

#include "base/log.h"
#include "engine/internal/log_recovery.h"
#include "engine/internal/rocksdb_log.h"

namespace cairn::engine::internal {
namespace {

constexpr const char* kFamilyNames[kFamilyCount] = {"default", "items", "indexes", "streams"};

rocksdb::DBOptions DatabaseOptions(rocksdb::Env* env) {
  rocksdb::DBOptions db;
  db.create_if_missing = true;
  db.create_missing_column_families = true;
  db.env = env;
  db.paranoid_checks = true;
  // The default would open silently after damage in the middle of the log. What a crash leaves is cut off
  // before (log_recovery.h).
  db.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  // The list of logs in the MANIFEST would be written in the middle of a commit, and a full disk there could
  // not be recovered from. That all logs are complete is found out before, too.
  db.track_and_verify_wals_in_manifest = false;
  // A checksum of every table file as a whole beside those of its blocks: filters and the like have none that
  // RocksDB would insist on.
  db.file_checksum_gen_factory = rocksdb::GetFileChecksumGenCrc32cFactory();
  db.max_open_files = -1;
  db.max_background_jobs = 2;
  // Families that are seldom written keep old logs alive, and a start reads all of them.
  db.max_total_wal_size = 64 << 20;
  db.bytes_per_sync = 1 << 20;
  db.info_log = RocksDbLog();
  db.info_log_level = db.info_log->GetInfoLogLevel();
  db.stats_dump_period_sec = 0;
  db.stats_persist_period_sec = 0;
  db.enable_pipelined_write = false;
  // One thread writes, so nothing is gained by inserting side by side; and only then hints are used (below).
  db.allow_concurrent_memtable_write = false;
  db.avoid_flush_during_shutdown = false;
  db.max_bgerror_resume_count = 0;  // only a full disk is recovered from (write_health.h)
  return db;
}

rocksdb::ColumnFamilyOptions FamilyOptions(const EngineOptions& options,
                                           const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.block_size = 4 * 1024;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10, false));
  table.format_version = 5;
  table.checksum = rocksdb::kXXH3;  // Debian's RocksDB computes CRC32C byte by byte
  table.whole_key_filtering = true;
  // Finds a key in its block without a binary search, and with few steps from there.
  table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
  table.block_restart_interval = 4;
  // Indexes and filters stay in memory, and count as part of the cache.
  table.cache_usage_options.options_overrides[rocksdb::CacheEntryRole::kBlockBasedTableReader].charged =
      rocksdb::CacheEntryRoleOptions::Decision::kEnabled;

  rocksdb::ColumnFamilyOptions family;
  family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  family.write_buffer_size = options.write_buffer_bytes;
  family.level_compaction_dynamic_level_bytes = true;
  family.compression = rocksdb::kLZ4Compression;
  family.paranoid_file_checks = true;
  // Every write looks for the item it replaces, and most find none: a filter saves the walk through the
  // memtable.
  family.memtable_prefix_bloom_size_ratio = 0.05;
  family.memtable_whole_key_filtering = true;
  // What the rows of a partition have in common. A query skips files that have none of them; every key is
  // at least as long.
  family.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(kIdBytes + kHashBytes));
  // Stream records come in order, and so do most rows of a batch: the last insert of the same id tells where.
  family.memtable_insert_with_hint_prefix_extractor = family.prefix_extractor;
  return family;
}

std::string WithPlace(const std::string& directory, const std::string& why) {
  return "cannot open data directory " + directory + ": " + why;
}

bool IsWritable(const std::string& directory) { return ::access(directory.c_str(), W_OK | X_OK) == 0; }

// RocksDB looks for room on a full disk five seconds after it looked last, by this clock: for one that is
// four seconds slow that is a second. Nothing else goes by it.
class SlowClock final : public rocksdb::SystemClockWrapper {
 public:
  using SystemClockWrapper::SystemClockWrapper;
  const char* Name() const override { return "SlowClock"; }
  uint64_t NowMicros() override { return SystemClockWrapper::NowMicros() - 4'000'000; }
};
class EnvWithSlowClock final : public rocksdb::EnvWrapper {
 public:
  explicit EnvWithSlowClock(rocksdb::Env* env) : EnvWrapper(env) {
    system_clock_ = std::make_shared<SlowClock>(env->GetSystemClock());
  }
};

std::shared_ptr<rocksdb::SstFileManager> LooksForRoomEverySecond(rocksdb::Env* env) {
  EnvWithSlowClock slow(env);
  return std::shared_ptr<rocksdb::SstFileManager>(
      rocksdb::NewSstFileManager(&slow, env->GetFileSystem(), RocksDbLog()));
}

// RocksDB opens every table file at the start, and does not always say which one it could not read.
std::string UnreadableTables(rocksdb::Env* env, const std::string& directory) {
  std::vector<std::string> names;
  if (!env->GetChildren(directory, &names).ok()) return {};
  std::string unreadable;
  for (const std::string& name : names) {
    if (!name.ends_with(".sst")) continue;
    rocksdb::Options options;
    options.env = env;
    if (rocksdb::SstFileReader reader(options); !reader.Open(directory + "/" + name).ok())
      unreadable += " " + name;
  }
  return unreadable;
}

// RocksDB tells the kind of an I/O error only in words: those of the system, at the end.
bool Says(const std::string& why, int error) { return why.find(std::strerror(error)) != why.npos; }

std::string OpenFailure(rocksdb::Env* env, const std::string& directory, const rocksdb::Status& status) {
  std::string why = status.ToString();
  // Another process has the lock, or this one has.
  if (status.IsIOError() && why.find("lock") != why.npos &&
      (Says(why, EAGAIN) || Says(why, EACCES) || why.find("lock hold by current process") != why.npos) &&
      IsWritable(directory)) {
    return "data directory " + directory + " is in use by another process";
  }
  if (Says(why, EROFS)) return WithPlace(directory, "its file system is read-only");
  if (Says(why, EACCES) || Says(why, EPERM))
    return WithPlace(directory, "this user may not write there (" + why + ")");
  // RocksDB names a missing table file as LevelDB called them, which it tries last.
  if (const size_t suffix = why.find(".ldb"); suffix != std::string::npos) why.replace(suffix, 4, ".sst");
  if (status.IsCorruption()) {
    if (const std::string unreadable = UnreadableTables(env, directory); !unreadable.empty()) {
      why += ". Not readable:" + unreadable;
    }
  }
  return WithPlace(directory, why);
}

}  // namespace

std::optional<FileIdentity> FileIdentity::Of(const std::string& path) {
  struct stat found;
  if (::stat(path.c_str(), &found) != 0) return std::nullopt;
  return FileIdentity{.device = found.st_dev, .inode = found.st_ino};
}

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
    self->env_.reset(rocksdb::NewMemEnv(env));
    env = self->env_.get();
  }
  self->write_options_.sync = options.durability == Durability::kSync;
  self->write_options_.disableWAL = in_memory;

  // The rest goes to what is not counted: the process itself, buffers of compactions, rounding up.
  const auto cache = rocksdb::NewLRUCache(options.cache_bytes / 8 * 5);
  std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
  for (const char* name : kFamilyNames) descriptors.emplace_back(name, FamilyOptions(options, cache));
  const std::string directory = in_memory ? "/memory" : options.directory;
  if (in_memory) env->CreateDirIfMissing(directory);  // else RocksDB complains about a directory nobody knows
  std::optional<SyncMark::Value> mark;
  if (!in_memory) {
    rocksdb::FileSystem& files = *env->GetFileSystem();
    mark = SyncMark::Read(files, directory);
    if (auto recovered = RecoverLogs(files, directory, mark); !recovered) {
      return Fail(recovered.error().code, WithPlace(directory, recovered.error().message));
    }
    self->log_files_ = std::make_shared<LogFiles>(
        env->GetFileSystem(), LogFiles::Settings{.directory = directory,
                                                 .durability = options.durability,
                                                 .reserve_bytes = options.write_buffer_bytes});
    self->env_ = rocksdb::NewCompositeEnv(self->log_files_);
  }
  rocksdb::DBOptions database_options = DatabaseOptions(self->env_.get());
  // Memtables count as part of the cache, too.
  database_options.write_buffer_manager = std::make_shared<rocksdb::WriteBufferManager>(0, cache);
  database_options.sst_file_manager = LooksForRoomEverySecond(self->env_.get());
  database_options.listeners.push_back(WriteHealth::Listen(self->health_));
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status =
      rocksdb::DB::Open(database_options, directory, descriptors, &self->families_, &db);
  if (!status.ok()) {
    return Fail(status.IsCorruption() ? Code::kDamaged : Code::kUnavailable,
                OpenFailure(env, directory, status));
  }
  self->db_.reset(db);
  if (!in_memory) {
    RETURN_IF_ERROR(self->OpenMark(*env, mark));
    self->log_files_->Opened(self->mark_, [db] { return db->GetLatestSequenceNumber(); });
    if (options.env == nullptr) self->place_ = FileIdentity::Of(directory + "/LOCK");
  }
  return self;
}

Status Database::OpenMark(rocksdb::Env& env, const std::optional<SyncMark::Value>& before) {
  const uint64_t found = db_->GetLatestSequenceNumber();
  if (before && found < before->sequence) {
    return Fail(
        Code::kDamaged,
        WithPlace(options_.directory,
                  "writes that were acknowledged are missing, because a log that held them (*.log) is gone "
                  "or damaged. Restore a backup; or, to go on without them, delete the file SYNCED."));
  }
  // RocksDB has brought what it found in the logs into table files.
  const SyncMark::Value now{.sequence = found, .durability = options_.durability, .flushed = found};
  ASSIGN_OR_RETURN(mark_, SyncMark::Open(*env.GetFileSystem(), options_.directory, now));
  return {};
}

void Database::Flush() {
  if (!health_->healthy()) return;
  const rocksdb::Status status = db_->Flush(rocksdb::FlushOptions(), families_);
  if (!status.ok())
    log::Warning("the log stays to be read at the next start", {{"status", status.ToString()}});
}

Database::~Database() {
  if (!db_) return;
  const bool looks_for_room = health_->state() == WriteHealth::State::kFull &&
                              !log_files_->StopLookingForRoom([this] { return health_->has_recovered(); });
  if (health_->state() == WriteHealth::State::kReadOnly || looks_for_room) {
    LeaveOpen();
    return;
  }
  // First, because a flush that meets a full disk while RocksDB is being closed can make it wait for itself
  // (SstFileManagerImpl::StartErrorRecovery joins the thread that it has just given new work).
  rocksdb::CancelAllBackgroundWork(db_.get(), /*wait=*/true);
  for (rocksdb::ColumnFamilyHandle* handle : families_) db_->DestroyColumnFamilyHandle(handle);
  db_->Close().PermitUncheckedError();
}

// When a write failed in the middle of a change of memtables RocksDB has lost count of its references, and
// asserts at the close that it has not (~ColumnFamilySet; Debian's RocksDB asserts). There is nothing to save
// by closing: what was acknowledged is on the disk.
void Database::LeaveOpen() {
  rocksdb::CancelAllBackgroundWork(db_.get(), /*wait=*/true);
  if (log_files_) log_files_->Retire();
  struct Left {
    std::unique_ptr<rocksdb::Env> env;
    std::unique_ptr<rocksdb::DB> db;
    std::vector<rocksdb::ColumnFamilyHandle*> families;
  };
  static std::mutex mutex;  // guards what follows
  static auto& left = *new std::vector<Left>;
  std::lock_guard lock(mutex);
  left.push_back({std::move(env_), std::move(db_), std::move(families_)});
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
  options.auto_prefix_mode = true;  // the prefix counts only where both bounds have the same one
  return std::unique_ptr<rocksdb::Iterator>(db_->NewIterator(options, family(which)));
}

Status Database::Write(rocksdb::WriteBatch& batch) {
  if (!health_->healthy() && !TryResume()) return health_->Refusal();
  const rocksdb::Status status = db_->Write(write_options_, &batch);
  if (!status.ok()) return health_->WriteFailed(status);
  if (write_options_.sync) mark_->Move(db_->GetLatestSequenceNumber(), SyncMark::Sync::kNo);
  return {};
}

// RocksDB begins a new log only together with a memtable, and leaves empty ones as they are. So after a full
// disk that the first write of all met (after a start, or after everything was flushed) it would go on in the
// log that has failed, and abort. Only while it recovers from an error does it leave that log: then one
// memtable must not be empty.
bool Database::LeaveRefusedLog() {
  if (!log_files_ || !log_files_->CurrentHasRefused()) return true;
  rocksdb::WriteOptions without_log;
  without_log.disableWAL = true;
  rocksdb::WriteBatch nothing;
  nothing.Delete(family(Family::kCatalog), rocksdb::Slice());  // no row has an empty key
  if (!db_->Write(without_log, &nothing).ok()) return false;   // it has met another error, and recovers
  health_->StopOnPurpose([&] { db_->Flush({}, family(Family::kCatalog)).PermitUncheckedError(); });
  const rocksdb::Status resumed = db_->Resume();
  if (!resumed.ok()) health_->Fail(resumed);
  return resumed.ok();
}

bool Database::TryResume() {
  std::lock_guard lock(resuming_);
  if (!health_->has_recovered()) return health_->healthy();
  if (!LeaveRefusedLog()) return false;
  // What was in memory lies in table files now, and a new log was begun. The old ones may have lost what
  // could not be synced.
  if (mark_ && !mark_->MoveFlushed(db_->GetLatestSequenceNumber()).ok()) return false;
  return health_->GoOn();
}

void Database::Watch() {
  TryResume();
  if (place_ && FileIdentity::Of(options_.directory + "/LOCK") != place_)
    health_->Vanished(options_.directory);
}

Status Database::SyncLog() {
  if (!log_files_) return {};
  if (!health_->healthy()) return health_->Refusal();
  const uint64_t written = db_->GetLatestSequenceNumber();
  if (const rocksdb::Status status = log_files_->Sync(); !status.ok()) {
    health_->Fail(status);
    return health_->Refusal();
  }
  // Synced, because after it the log may have holes after a power loss.
  if (mark_) mark_->Move(written, SyncMark::Sync::kYes);
  return {};
}

Status Database::Checkpoint(const std::string& directory) {
  // Flushing first keeps the copy independent of the log of the running database.
  rocksdb::FlushOptions flush;
  if (const auto status = db_->Flush(flush, families_); !status.ok()) return Fail(StorageError(status));
  rocksdb::Checkpoint* checkpoint = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(db_.get(), &checkpoint);
  const std::unique_ptr<rocksdb::Checkpoint> owned(checkpoint);
  if (status.ok()) status = checkpoint->CreateCheckpoint(directory);
  // The copy has links to logs that were written meanwhile.
  if (status.ok()) return write_options_.sync ? Status() : SyncLog();
  if (status.IsInvalidArgument())
    return Fail(Code::kInvalidArgument, "backup target exists already: " + directory);
  return Fail(Code::kUnavailable, "cannot write the backup to " + directory + ": " + status.ToString());
}

Status Database::VerifyChecksums() const {
  for (const auto& status : {db_->VerifyChecksum(), db_->VerifyFileChecksums({})}) {
    if (!status.ok()) return Fail(Code::kDamaged, status.ToString());
  }
  return {};
}

uint64_t Database::ValueOf(const char* property) const {
  uint64_t value = 0;
  return db_->GetIntProperty(property, &value) ? value : 0;
}

uint64_t Database::SumOf(const char* property) const {
  uint64_t value = 0;
  return db_->GetAggregatedIntProperty(property, &value) ? value : 0;
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
