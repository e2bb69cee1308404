#include "engine/internal/log_files.h"

#include <algorithm>
#include <chrono>

namespace cairn::engine::internal {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

namespace {

// With less free than this, going on after a full disk would soon end at the next write.
constexpr uint64_t kWorthATryBytes = 4 << 20;

}  // namespace

// One open log. RocksDB appends and closes; anyone may sync meanwhile.
class LogFiles::Log {
 public:
  Log(rocksdb::FileSystem& files, std::string path, rocksdb::FileOptions options,
      metrics::Histogram& sync_seconds)
      : files_(files), path_(std::move(path)), options_(std::move(options)), sync_seconds_(sync_seconds) {}

  IOStatus Create() {
    std::lock_guard lock(mutex_);
    IOStatus status = files_.NewWritableFile(path_, options_, &file_, nullptr);
    if (status.ok() && block_bytes_ > 0) file_->SetPreallocationBlockSize(block_bytes_);
    return status;
  }

  // Null until it could be created. Only the thread that appends may ask.
  rocksdb::FSWritableFile* file() const { return file_.get(); }
  void SetPreallocationBlockSize(size_t bytes) {
    block_bytes_ = bytes;
    if (file_) file_->SetPreallocationBlockSize(bytes);
  }

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) {
    if (!file_) {
      if (IOStatus status = Create(); !status.ok()) return status;
    }
    IOStatus status = file_->Append(data, options, debug);
    appended_ += data.size() + 1;  // also when it failed: some of it may be there
    return status;
  }

  IOStatus Sync() {
    std::lock_guard lock(mutex_);
    if (!failed_.ok()) return failed_;
    const uint64_t appended = appended_;
    if (!file_ || appended == synced_) return IOStatus::OK();
    const auto start = std::chrono::steady_clock::now();
    IOStatus status = file_->Sync(IOOptions(), nullptr);
    sync_seconds_.Observe(std::chrono::steady_clock::now() - start);
    if (status.ok() && !entry_synced_) status = SyncEntry();
    if (status.ok()) synced_ = appended;
    // The kernel may have dropped what it could not write, and would say yes to the next try. A full disk is
    // tried again by RocksDB, after it has brought into other files what is in this one.
    if (!status.ok() && !status.IsNoSpace()) failed_ = status;
    return status;
  }

  IOStatus Close(const IOOptions& options, IODebugContext* debug) {
    std::lock_guard lock(mutex_);
    if (!file_) return IOStatus::OK();
    synced_ = appended_;  // nobody asks any more
    return file_->Close(options, debug);
  }

 private:
  IOStatus SyncEntry() {
    std::unique_ptr<rocksdb::FSDirectory> directory;
    IOStatus status =
        files_.NewDirectory(path_.substr(0, path_.rfind('/')), IOOptions(), &directory, nullptr);
    if (status.ok()) status = directory->Fsync(IOOptions(), nullptr);
    entry_synced_ = status.ok();
    return status;
  }

  rocksdb::FileSystem& files_;
  const std::string path_;
  const rocksdb::FileOptions options_;
  metrics::Histogram& sync_seconds_;
  size_t block_bytes_ = 0;
  std::atomic<uint64_t> appended_{0};
  std::mutex mutex_;  // guards creating and closing file_, and what follows
  std::unique_ptr<rocksdb::FSWritableFile> file_;
  uint64_t synced_ = 0;  // of what appended_ counts
  bool entry_synced_ = false;
  IOStatus failed_;
};

// What RocksDB holds of a log.
class LogFiles::LogHandle final : public rocksdb::FSWritableFile {
 public:
  explicit LogHandle(std::shared_ptr<Log> log) : log_(std::move(log)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return log_->Append(data, options, debug);
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                  IODebugContext* debug) override {
    return log_->Append(data, options, debug);
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return log_->Sync(); }
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return log_->Sync(); }
  bool IsSyncThreadSafe() const override { return true; }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return log_->file() ? log_->file()->Flush(options, debug) : IOStatus::OK();
  }
  IOStatus Truncate(uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    return log_->file() ? log_->file()->Truncate(size, options, debug) : IOStatus::OK();
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    return log_->Close(options, debug);
  }
  uint64_t GetFileSize(const IOOptions& options, IODebugContext* debug) override {
    return log_->file() ? log_->file()->GetFileSize(options, debug) : 0;
  }
  void SetPreallocationBlockSize(size_t bytes) override { log_->SetPreallocationBlockSize(bytes); }
  void PrepareWrite(size_t offset, size_t length, const IOOptions& options, IODebugContext* debug) override {
    if (log_->file()) log_->file()->PrepareWrite(offset, length, options, debug);
  }

 private:
  const std::shared_ptr<Log> log_;
};

LogFiles::LogFiles(const std::shared_ptr<rocksdb::FileSystem>& files, uint64_t reserve_bytes)
    : FileSystemWrapper(files), reserve_bytes_(reserve_bytes) {}

LogFiles::~LogFiles() = default;

IOStatus LogFiles::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                   std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext* debug) {
  if (retired_) return IOStatus::IOError("the database is not used any more", path);
  if (!path.ends_with(".log")) return target()->NewWritableFile(path, options, result, debug);
  auto log = std::make_shared<Log>(*target(), path, options, sync_seconds_);
  if (IOStatus status = log->Create(); !status.ok() && !postpone_) return status;
  std::lock_guard lock(mutex_);
  std::erase_if(logs_, [](const std::weak_ptr<Log>& old) { return old.expired(); });
  logs_.push_back(log);
  *result = std::make_unique<LogHandle>(std::move(log));
  return IOStatus::OK();
}

IOStatus LogFiles::Sync() {
  std::vector<std::shared_ptr<Log>> open;
  {
    std::lock_guard lock(mutex_);
    for (const std::weak_ptr<Log>& log : logs_) {
      if (auto held = log.lock()) open.push_back(std::move(held));
    }
  }
  for (const auto& log : open) {
    if (IOStatus status = log->Sync(); !status.ok()) return status;
  }
  return IOStatus::OK();
}

IOStatus LogFiles::GetFreeSpace(const std::string& path, const IOOptions& options, uint64_t* bytes,
                                IODebugContext* debug) {
  IOStatus status = target()->GetFreeSpace(path, options, bytes, debug);
  if (!status.ok()) return status;
  *bytes = *bytes < kWorthATryBytes || retired_ ? 0 : std::max(*bytes, reserve_bytes_);
  return status;
}

}  // namespace cairn::engine::internal
