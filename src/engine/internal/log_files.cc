#include "engine/internal/log_files.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <thread>

namespace cairn::engine::internal {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

namespace {

// With less free than this, going on after a full disk would soon end at the next write.
constexpr uint64_t kWorthATryBytes = 4 << 20;
// RocksDB looks for room every second (database.cc), unless it is just trying to go on.
constexpr std::chrono::seconds kLooksForRoomWithin(20);

std::string_view WithoutSlash(std::string_view directory) {
  return directory.substr(0, directory.find_last_not_of('/') + 1);
}

}  // namespace

// One log. RocksDB appends and closes; anyone may sync meanwhile.
class LogFiles::Log {
 public:
  Log(LogFiles& owner, std::string path, rocksdb::FileOptions options)
      : owner_(owner), path_(std::move(path)), options_(std::move(options)) {}

  IOStatus Create() {
    std::lock_guard lock(mutex_);
    IOStatus status = owner_.target()->NewWritableFile(path_, options_, &file_, nullptr);
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
    // The rest of what was refused: RocksDB gets rid of it before it goes on in another log.
    if (refused_) return IOStatus::OK();
    IOStatus status = file_ ? IOStatus::OK() : Create();
    if (status.ok()) status = file_->Append(data, options, debug);
    if (status.IsNoSpace()) Refuse();
    if (!status.ok()) return status;
    if (appended_ < kHeadBytes) NoteHead(data);
    appended_ += data.size();
    if (is_relaxed()) acknowledged_ = appended_.load();
    return status;
  }

  IOStatus Sync() {
    std::lock_guard lock(mutex_);
    if (!failed_.ok()) return failed_;
    if (refused_) return Cut();
    const uint64_t appended = appended_;
    if (!file_ || appended == synced_) return IOStatus::OK();
    IOStatus status = SyncFile();
    if (status.ok()) {
      synced_ = appended;
      acknowledged_ = appended;
    } else if (!status.IsNoSpace()) {
      // The kernel may have dropped what it could not write, and would say yes to the next try. A full disk
      // is tried again by RocksDB, after it has brought into other files what is in this one.
      failed_ = status;
    } else if (!is_relaxed()) {
      refused_ = true;
      Cut().PermitUncheckedError();
    }
    return status;
  }

  IOStatus Close(const IOOptions& options, IODebugContext* debug) {
    std::lock_guard lock(mutex_);
    closed_ = true;
    if (!file_) return IOStatus::OK();
    synced_ = appended_;  // nobody asks any more
    return file_->Close(options, debug);
  }

  // Of the first change in it; 0: there is none.
  uint64_t first_sequence() const { return first_sequence_; }
  bool refused() const { return refused_; }
  bool closed() const { return closed_; }

 private:
  bool is_relaxed() const { return owner_.settings_.durability == Durability::kRelaxed; }

  // The disk is full, and nobody is told yes for what is not acknowledged yet.
  void Refuse() {
    std::lock_guard lock(mutex_);
    refused_ = true;
    Cut().PermitUncheckedError();
  }
  // Called with mutex_ held.
  IOStatus Cut() {
    if (!file_ || cut_) return IOStatus::OK();
    IOStatus status = file_->Truncate(acknowledged_, IOOptions(), nullptr);
    if (status.ok()) status = SyncFile();
    cut_ = status.ok();
    if (!status.ok() && !status.IsNoSpace()) failed_ = status;
    return status;
  }
  IOStatus SyncFile() {
    const auto start = std::chrono::steady_clock::now();
    IOStatus status = file_->Sync(IOOptions(), nullptr);
    owner_.sync_seconds_.Observe(std::chrono::steady_clock::now() - start);
    if (status.ok() && !entry_synced_) status = SyncEntry();
    return status;
  }
  IOStatus SyncEntry() {
    std::unique_ptr<rocksdb::FSDirectory> directory;
    IOStatus status =
        owner_.target()->NewDirectory(path_.substr(0, path_.rfind('/')), IOOptions(), &directory, nullptr);
    if (status.ok()) status = directory->Fsync(IOOptions(), nullptr);
    entry_synced_ = status.ok();
    return status;
  }

  // A log begins with the header of a fragment and the sequence of its first batch (log_scan.h).
  static constexpr size_t kSequenceAt = 7, kHeadBytes = kSequenceAt + 8;
  void NoteHead(const Slice& data) {
    head_.append(data.data(), std::min(data.size(), kHeadBytes - head_.size()));
    if (head_.size() < kHeadBytes) return;
    uint64_t sequence = 0;
    for (size_t i = kHeadBytes; i-- > kSequenceAt;) sequence = sequence << 8 | static_cast<uint8_t>(head_[i]);
    first_sequence_ = sequence;
  }

  LogFiles& owner_;
  const std::string path_;
  const rocksdb::FileOptions options_;
  size_t block_bytes_ = 0;
  std::string head_;  // its first bytes
  std::atomic<uint64_t> first_sequence_{0};
  std::atomic<uint64_t> appended_{0};      // bytes
  std::atomic<uint64_t> acknowledged_{0};  // bytes of batches whose writers were told yes, or will be
  std::atomic<bool> refused_{false};       // what is not acknowledged by now never will be
  std::atomic<bool> closed_{false};
  std::mutex mutex_;  // guards creating, cutting and closing file_, and what follows
  std::unique_ptr<rocksdb::FSWritableFile> file_;
  uint64_t synced_ = 0;  // of what appended_ counts
  bool entry_synced_ = false;
  bool cut_ = false;  // nothing that was refused is in the file
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

LogFiles::LogFiles(const std::shared_ptr<rocksdb::FileSystem>& files, Settings settings)
    : FileSystemWrapper(files), settings_(std::move(settings)) {}

LogFiles::~LogFiles() = default;

void LogFiles::Opened(std::shared_ptr<SyncMark> mark, std::function<uint64_t()> last_sequence) {
  mark_ = std::move(mark);
  last_sequence_ = std::move(last_sequence);
  std::vector<std::string> to_delete;
  {
    std::lock_guard lock(mutex_);
    opened_ = true;
    to_delete.swap(to_delete_);
  }
  for (const std::string& path : to_delete) DeleteFile(path, IOOptions(), nullptr).PermitUncheckedError();
}

std::optional<uint64_t> LogFiles::LogNumber(const std::string& path) const {
  const size_t slash = path.rfind('/');
  if (!path.ends_with(".log") || slash == std::string::npos) return std::nullopt;
  if (WithoutSlash(std::string_view(path).substr(0, slash)) != WithoutSlash(settings_.directory))
    return std::nullopt;
  uint64_t number = 0;
  const char* const end = path.data() + path.size() - 4;
  const auto parsed = std::from_chars(path.data() + slash + 1, end, number);
  return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(number) : std::nullopt;
}

IOStatus LogFiles::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                   std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext* debug) {
  if (retired_) return IOStatus::IOError("the database is not used any more", path);
  const auto number = LogNumber(path);
  if (!number) return target()->NewWritableFile(path, options, result, debug);
  auto log = std::make_shared<Log>(*this, path, options);
  if (IOStatus status = log->Create(); !status.ok() && !opened_) return status;
  std::lock_guard lock(mutex_);
  logs_[*number] = log;
  *result = std::make_unique<LogHandle>(std::move(log));
  return IOStatus::OK();
}

IOStatus LogFiles::DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) {
  if (retired_) return IOStatus::IOError("the database is not used any more", path);
  const auto number = LogNumber(path);
  if (!number) return target()->DeleteFile(path, options, debug);
  if (std::lock_guard lock(mutex_); !opened_) {
    to_delete_.push_back(path);
    return IOStatus::OK();
  }
  // Asked for first: what is written meanwhile is in a later log.
  const uint64_t last = last_sequence_();
  IOStatus status = mark_->MoveFlushed(FirstSequenceAfter(*number).value_or(last + 1) - 1);
  if (status.ok()) status = target()->DeleteFile(path, options, debug);
  if (!status.ok()) return status;
  std::lock_guard lock(mutex_);
  logs_.erase(*number);
  return status;
}

std::optional<uint64_t> LogFiles::FirstSequenceAfter(uint64_t number) {
  std::lock_guard lock(mutex_);
  for (auto log = logs_.upper_bound(number); log != logs_.end(); ++log) {
    if (const uint64_t first = log->second->first_sequence(); first > 0) return first;
  }
  return std::nullopt;
}

bool LogFiles::CurrentHasRefused() {
  std::lock_guard lock(mutex_);
  const auto current =
      std::find_if(logs_.rbegin(), logs_.rend(), [](const auto& log) { return !log.second->closed(); });
  return current != logs_.rend() && current->second->refused();
}

IOStatus LogFiles::Sync() {
  std::map<uint64_t, std::shared_ptr<Log>> logs;
  {
    std::lock_guard lock(mutex_);
    logs = logs_;
  }
  for (const auto& [number, log] : logs) {
    if (IOStatus status = log->Sync(); !status.ok()) return status;
  }
  return IOStatus::OK();
}

IOStatus LogFiles::GetFreeSpace(const std::string& path, const IOOptions& options, uint64_t* bytes,
                                IODebugContext* debug) {
  *bytes = 0;
  if (closing_) closing_was_seen_ = true;
  if (closing_ || retired_) return IOStatus::OK();
  IOStatus status = target()->GetFreeSpace(path, options, bytes, debug);
  if (!status.ok()) return status;
  *bytes = *bytes < kWorthATryBytes ? 0 : std::max(*bytes, settings_.reserve_bytes);
  return status;
}

bool LogFiles::StopLookingForRoom(const std::function<bool()>& has_recovered) {
  closing_ = true;
  const auto deadline = std::chrono::steady_clock::now() + kLooksForRoomWithin;
  while (!closing_was_seen_ && !has_recovered()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace cairn::engine::internal
