#include "crash_fs.h"

#include "base/check.h"
#include "crash_files.h"

namespace cairn::faults {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

namespace {

struct Lock final : rocksdb::FileLock {
  std::string path;
  uint64_t life = 0;
};

std::string Normal(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c != '/' || text.empty() || text.back() != '/') text += c;
  }
  if (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

IOStatus NotFound(const std::string& path) {
  return IOStatus::PathNotFound("No such file or directory", path);
}

// A full disk can still delete, list and rename.
bool CanFail(FaultKind kind, Io io) {
  if (kind == FaultKind::kInputOutputError) return true;
  return io == Io::kCreate || io == Io::kAppend || io == Io::kOverwrite || io == Io::kSync;
}

}  // namespace

CrashFs::CrashFs(uint64_t seed)
    : FileSystemWrapper(FileSystem::Default()),
      random_(seed),
      env_(rocksdb::NewCompositeEnv(std::shared_ptr<FileSystem>(std::shared_ptr<void>(), this))) {}

void CrashFs::SwitchOff() {
  if (cut_) return;
  cut_.emplace(disk_);
  cut_in_ = 0;
  cut_at_ = std::chrono::steady_clock::now();
}

void CrashFs::CutPower() {
  std::lock_guard lock(mutex_);
  SwitchOff();
}

void CrashFs::CutPowerAt(uint64_t io) {
  std::lock_guard lock(mutex_);
  cut_in_ = io;
}

bool CrashFs::power_is_on() const {
  std::lock_guard lock(mutex_);
  return !cut_;
}

std::chrono::steady_clock::time_point CrashFs::power_was_cut_at() const {
  std::lock_guard lock(mutex_);
  return cut_at_;
}

void CrashFs::RestorePower(Tail tail) {
  std::lock_guard lock(mutex_);
  SwitchOff();
  disk_ = *std::exchange(cut_, std::nullopt);
  disk_.LosePower(tail, random_);
  ++life_;
  locked_.clear();
  log_sync_begun_ = new_log_sync_begun_ = {};
}

void CrashFs::EndProcess() {
  std::lock_guard lock(mutex_);
  ++life_;
  locked_.clear();
}

void CrashFs::FailAt(const Fault& fault) {
  std::lock_guard lock(mutex_);
  fault_ = fault;
  failed_ = false;
}

void CrashFs::StopFailing() {
  std::lock_guard lock(mutex_);
  fault_ = {};
}

bool CrashFs::has_failed() const {
  std::lock_guard lock(mutex_);
  return failed_;
}

Io CrashFs::failed_io() const {
  std::lock_guard lock(mutex_);
  return failed_io_;
}

std::string CrashFs::failed_path() const {
  std::lock_guard lock(mutex_);
  return failed_path_;
}

uint64_t CrashFs::io_count() const {
  std::lock_guard lock(mutex_);
  return io_count_;
}

void CrashFs::AwaitIo(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  io_counted_.wait_for(lock, limit, [this, before = io_count_] { return io_count_ != before; });
}

void CrashFs::LieAboutSyncs() {
  std::lock_guard lock(mutex_);
  lies_ = true;
}

std::chrono::steady_clock::time_point CrashFs::last_log_sync_begun() const {
  std::lock_guard lock(mutex_);
  return log_sync_begun_;
}

void CrashFs::NoteSync(const std::string& path, std::chrono::steady_clock::time_point begun) {
  if (cut_ || !path.ends_with(".log")) return;
  const std::string directory = path.substr(0, path.rfind('/'));
  const auto names = disk_.List(directory);
  for (const std::string& name : *names) {
    if (name.ends_with(".log") && directory + "/" + name > path) return;  // numbers have leading zeroes
  }
  (disk_.EntryIsDurable(path) ? log_sync_begun_ : new_log_sync_begun_) = begun;
}

void CrashFs::NoteDirectorySync() {
  if (cut_) return;
  log_sync_begun_ = std::max(log_sync_begun_, new_log_sync_begun_);
  new_log_sync_begun_ = {};
}

Disk::Contents CrashFs::Read() const {
  std::lock_guard lock(mutex_);
  return disk_.Read();
}

void CrashFs::Replace(const Disk::Contents& contents) {
  std::lock_guard lock(mutex_);
  disk_ = Disk::Of(contents);
  cut_.reset();
  ++life_;
  locked_.clear();
}

bool CrashFs::Fails(Io io, const std::string& path) {
  if (fault_.at == 0 || !CanFail(fault_.kind, io)) return false;
  if (fault_.io.value_or(io) != io || !path.ends_with(fault_.path_ends)) return false;
  if (fault_.at > 1) {
    --fault_.at;
    return false;
  }
  if (failed_ && fault_.duration == FaultDuration::kOnce) return false;
  return true;
}

IOStatus CrashFs::FaultStatus(const std::string& path) const {
  if (fault_.kind == FaultKind::kInputOutputError) return IOStatus::IOError("Input/output error", path);
  IOStatus status = IOStatus::NoSpace("No space left on device", path);
  status.SetRetryable(true);  // as RocksDB's own file system says
  return status;
}

IOStatus CrashFs::Do(Io io, const std::string& path, const Effect& effect, const Effect& on_fault) {
  if (cut_) {
    effect();
    return IOStatus::OK();
  }
  ++io_count_;
  io_counted_.notify_all();
  if (cut_in_ > 0 && --cut_in_ == 0) {
    const bool happens = Coin(random_);
    if (!happens) SwitchOff();
    effect();
    SwitchOff();
    return IOStatus::OK();
  }
  if (Fails(io, path)) {
    if (!failed_) {
      failed_ = true;
      failed_io_ = io;
      failed_path_ = path;
    }
    if (on_fault) on_fault();
    return fault_.is_told ? FaultStatus(path) : IOStatus::OK();
  }
  effect();
  return IOStatus::OK();
}

IOStatus CrashFs::Open(const std::string& path, FileRef* file) {
  *file = disk_.Find(Normal(path));
  return *file ? IOStatus::OK() : NotFound(path);
}

IOStatus CrashFs::NewSequentialFile(const std::string& path, const FileOptions&,
                                    std::unique_ptr<rocksdb::FSSequentialFile>* result, IODebugContext*) {
  std::lock_guard lock(mutex_);
  FileRef file;
  IOStatus status = Open(path, &file);
  if (status.ok()) *result = MakeSequentialFile({*this, Normal(path), file, life_});
  return status;
}

IOStatus CrashFs::NewRandomAccessFile(const std::string& path, const FileOptions&,
                                      std::unique_ptr<rocksdb::FSRandomAccessFile>* result, IODebugContext*) {
  std::lock_guard lock(mutex_);
  FileRef file;
  IOStatus status = Open(path, &file);
  if (status.ok()) *result = MakeRandomAccessFile({*this, Normal(path), file, life_});
  return status;
}

IOStatus CrashFs::NewWritableFile(const std::string& path, const FileOptions&,
                                  std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext*) {
  std::lock_guard lock(mutex_);
  FileRef file;
  IOStatus status = Do(Io::kCreate, path, [&] { file = disk_.Create(Normal(path)); });
  if (!status.ok()) return status;
  if (!file) return NotFound(path);
  *result = MakeWritableFile({*this, Normal(path), file, life_});
  return status;
}

IOStatus CrashFs::ReopenWritableFile(const std::string& path, const FileOptions&,
                                     std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext*) {
  std::lock_guard lock(mutex_);
  FileRef file;
  IOStatus status = Open(path, &file);
  if (status.ok()) *result = MakeWritableFile({*this, Normal(path), file, life_});
  return status;
}

IOStatus CrashFs::NewRandomRWFile(const std::string& path, const FileOptions&,
                                  std::unique_ptr<rocksdb::FSRandomRWFile>* result, IODebugContext*) {
  std::lock_guard lock(mutex_);
  FileRef file;
  IOStatus status = Open(path, &file);
  if (status.ok()) *result = MakeRandomRWFile({*this, Normal(path), file, life_});
  return status;
}

IOStatus CrashFs::NewDirectory(const std::string& path, const IOOptions&,
                               std::unique_ptr<rocksdb::FSDirectory>* result, IODebugContext*) {
  std::lock_guard lock(mutex_);
  if (!disk_.IsDirectory(Normal(path))) return NotFound(path);
  *result = MakeDirectory({*this, Normal(path), nullptr, life_});
  return IOStatus::OK();
}

IOStatus CrashFs::FileExists(const std::string& path, const IOOptions&, IODebugContext*) {
  std::lock_guard lock(mutex_);
  FileRef file;
  IOStatus status = Open(path, &file);
  return status.IsPathNotFound() ? IOStatus::NotFound() : status;
}

IOStatus CrashFs::GetChildren(const std::string& directory, const IOOptions&,
                              std::vector<std::string>* result, IODebugContext*) {
  std::lock_guard lock(mutex_);
  std::optional<std::vector<std::string>> names;
  IOStatus status = Do(Io::kList, directory, [&] { names = disk_.List(Normal(directory)); });
  if (!status.ok()) return status;
  if (!names) return IOStatus::NotFound("No such file or directory", directory);
  *result = *std::move(names);
  return status;
}

IOStatus CrashFs::GetChildrenFileAttributes(const std::string& directory, const IOOptions& options,
                                            std::vector<rocksdb::FileAttributes>* result,
                                            IODebugContext* debug) {
  return FileSystem::GetChildrenFileAttributes(directory, options, result, debug);
}

IOStatus CrashFs::DeleteFile(const std::string& path, const IOOptions&, IODebugContext*) {
  std::lock_guard lock(mutex_);
  bool found = false;
  IOStatus status = Do(Io::kDelete, path, [&] { found = disk_.Remove(Normal(path)); });
  return status.ok() && !found ? NotFound(path) : status;
}

IOStatus CrashFs::Truncate(const std::string& path, size_t size, const IOOptions&, IODebugContext*) {
  std::lock_guard lock(mutex_);
  FileRef file;
  IOStatus status = Open(path, &file);
  if (!status.ok()) return status;
  return Do(Io::kTruncate, path, [&] { file->live.resize(std::min(size, file->live.size())); });
}

IOStatus CrashFs::CreateDir(const std::string& path, const IOOptions&, IODebugContext*) {
  std::lock_guard lock(mutex_);
  if (disk_.IsDirectory(Normal(path))) return IOStatus::IOError("File exists", path);
  return Do(Io::kCreate, path, [&] { disk_.MakeDirectory(Normal(path)); });
}

IOStatus CrashFs::CreateDirIfMissing(const std::string& path, const IOOptions& options,
                                     IODebugContext* debug) {
  {
    std::lock_guard lock(mutex_);
    if (disk_.IsDirectory(Normal(path))) return IOStatus::OK();
  }
  return CreateDir(path, options, debug);
}

IOStatus CrashFs::DeleteDir(const std::string& path, const IOOptions&, IODebugContext*) {
  std::lock_guard lock(mutex_);
  bool found = false;
  IOStatus status = Do(Io::kDelete, path, [&] { found = disk_.RemoveDirectory(Normal(path)); });
  return status.ok() && !found ? NotFound(path) : status;
}

IOStatus CrashFs::GetFileSize(const std::string& path, const IOOptions&, uint64_t* size, IODebugContext*) {
  std::lock_guard lock(mutex_);
  FileRef file;
  IOStatus status = Open(path, &file);
  if (status.ok()) *size = file->live.size();
  return status;
}

IOStatus CrashFs::GetFileModificationTime(const std::string&, const IOOptions&, uint64_t* time,
                                          IODebugContext*) {
  *time = 0;
  return IOStatus::OK();
}

IOStatus CrashFs::RenameFile(const std::string& from, const std::string& to, const IOOptions&,
                             IODebugContext*) {
  std::lock_guard lock(mutex_);
  bool found = false;
  IOStatus status = Do(Io::kRename, from, [&] { found = disk_.Rename(Normal(from), Normal(to)); });
  return status.ok() && !found ? NotFound(from) : status;
}

IOStatus CrashFs::LinkFile(const std::string& from, const std::string& to, const IOOptions&,
                           IODebugContext*) {
  std::lock_guard lock(mutex_);
  bool found = false;
  IOStatus status = Do(Io::kCreate, to, [&] { found = disk_.Link(Normal(from), Normal(to)); });
  return status.ok() && !found ? NotFound(from) : status;
}

IOStatus CrashFs::NumFileLinks(const std::string&, const IOOptions&, uint64_t*, IODebugContext*) {
  return IOStatus::NotSupported("NumFileLinks");
}

IOStatus CrashFs::AreFilesSame(const std::string&, const std::string&, const IOOptions&, bool*,
                               IODebugContext*) {
  return IOStatus::NotSupported("AreFilesSame");
}

IOStatus CrashFs::LockFile(const std::string& path, const IOOptions&, rocksdb::FileLock** lock,
                           IODebugContext*) {
  std::lock_guard guard(mutex_);
  if (!locked_.insert(Normal(path)).second) return IOStatus::IOError("lock is held", path);
  auto held = std::make_unique<Lock>();
  held->path = Normal(path);
  held->life = life_;
  *lock = held.release();
  return IOStatus::OK();
}

IOStatus CrashFs::UnlockFile(rocksdb::FileLock* lock, const IOOptions&, IODebugContext*) {
  std::lock_guard guard(mutex_);
  const std::unique_ptr<Lock> held(static_cast<Lock*>(lock));
  if (held->life == life_) locked_.erase(held->path);
  return IOStatus::OK();
}

// The second message that cannot be written to such a file ends the process (rocksdb_log.h).
IOStatus CrashFs::NewLogger(const std::string&, const IOOptions&, std::shared_ptr<rocksdb::Logger>*,
                            IODebugContext*) {
  CHECK(false, "RocksDB keeps no file of messages");
}

IOStatus CrashFs::GetAbsolutePath(const std::string& path, const IOOptions&, std::string* result,
                                  IODebugContext*) {
  *result = path;
  return IOStatus::OK();
}

IOStatus CrashFs::GetFreeSpace(const std::string&, const IOOptions&, uint64_t* bytes, IODebugContext*) {
  std::lock_guard lock(mutex_);
  const bool full = failed_ && fault_.kind == FaultKind::kNoSpace && fault_.at > 0 &&
                    fault_.duration == FaultDuration::kFromThenOn;
  *bytes = full ? 0 : uint64_t{1} << 40;
  return IOStatus::OK();
}

IOStatus CrashFs::IsDirectory(const std::string& path, const IOOptions&, bool* is_directory,
                              IODebugContext*) {
  std::lock_guard lock(mutex_);
  *is_directory = disk_.IsDirectory(Normal(path));
  return *is_directory || disk_.Find(Normal(path)) ? IOStatus::OK() : NotFound(path);
}

}  // namespace cairn::faults
