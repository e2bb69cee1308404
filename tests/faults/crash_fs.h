// CrashFs: a RocksDB file system on a Disk in memory, whose power can be cut at any I/O and whose I/O can be
// made to fail. For the Engine: EngineOptions::env = fs.env().
//
//   CrashFs fs(seed);
//   fs.CutPowerAt(120);            // while the 120th write, sync, rename, ... from now goes on
//   ... use an engine until power_is_on() is false, destroy it ...
//   fs.RestorePower(Tail::kTorn);  // what had been synced is there, and some of the rest
//
// The cut is a moment in which the disk is set aside. The engine does not notice: until RestorePower it goes
// on in the void, on a copy that is thrown away, where nothing fails. Nobody outside may take an answer from
// there for one: ask power_is_on() after it. Handles of before are dead afterwards. Thread-safe.
#pragma once

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "disk.h"

namespace cairn::faults {

// I/O that changes something, or lists a directory: what is counted, and what can be made to fail.
enum class Io { kCreate, kAppend, kOverwrite, kTruncate, kSync, kSyncDirectory, kRename, kDelete, kList };

enum class FaultKind { kInputOutputError, kNoSpace };
enum class FaultDuration { kOnce, kFromThenOn };
struct Fault {
  uint64_t at = 0;  // the n-th I/O from now that can fail this way; 1 is the next one
  FaultKind kind = FaultKind::kInputOutputError;
  FaultDuration duration = FaultDuration::kOnce;
  // Of these only.
  std::optional<Io> io;
  std::string path_ends;
  bool is_told = true;  // false, the mutant: it is not done, and says that it is
};

class CrashFs : public rocksdb::FileSystemWrapper {
 public:
  explicit CrashFs(uint64_t seed);
  const char* Name() const override { return "CrashFs"; }
  rocksdb::Env* env() { return env_.get(); }

  // Power.
  void CutPower();
  void CutPowerAt(uint64_t io);  // the n-th from now; 0: never
  bool power_is_on() const;
  std::chrono::steady_clock::time_point power_was_cut_at() const;
  void RestorePower(Tail tail);
  // The process is gone and the machine stays: nothing is lost, but handles of before are dead and locks
  // free.
  void EndProcess();

  // Faults.
  void FailAt(const Fault& fault);
  void StopFailing();
  bool has_failed() const;  // since FailAt
  Io failed_io() const;     // the first one
  std::string failed_path() const;
  uint64_t io_count() const;
  // Waits for the next I/O, for as long at most: for what others do meanwhile.
  void AwaitIo(std::chrono::milliseconds limit);

  // The mutant: syncs say yes and do nothing.
  void LieAboutSyncs();

  // When the last completed sync of the newest log (*.log) was begun: what was acknowledged before that must
  // survive.
  std::chrono::steady_clock::time_point last_log_sync_begun() const;

  // Everything there is; for copies, and for damage.
  Disk::Contents Read() const;
  void Replace(const Disk::Contents& contents);

  rocksdb::IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* result,
                                      rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewRandomAccessFile(const std::string& path, const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
                                        rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* result,
                                       rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewRandomRWFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSRandomRWFile>* result,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewDirectory(const std::string& path, const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* result,
                                 rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus FileExists(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetChildren(const std::string& directory, const rocksdb::IOOptions& options,
                                std::vector<std::string>* result, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetChildrenFileAttributes(const std::string& directory, const rocksdb::IOOptions& options,
                                              std::vector<rocksdb::FileAttributes>* result,
                                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus Truncate(const std::string& path, size_t size, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus CreateDir(const std::string& path, const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus CreateDirIfMissing(const std::string& path, const rocksdb::IOOptions& options,
                                       rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteDir(const std::string& path, const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetFileSize(const std::string& path, const rocksdb::IOOptions& options, uint64_t* size,
                                rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetFileModificationTime(const std::string& path, const rocksdb::IOOptions& options,
                                            uint64_t* time, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to,
                             const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NumFileLinks(const std::string& path, const rocksdb::IOOptions& options, uint64_t* count,
                                 rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus AreFilesSame(const std::string& first, const std::string& second,
                                 const rocksdb::IOOptions& options, bool* same,
                                 rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus LockFile(const std::string& path, const rocksdb::IOOptions& options,
                             rocksdb::FileLock** lock, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus UnlockFile(rocksdb::FileLock* lock, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewLogger(const std::string& path, const rocksdb::IOOptions& options,
                              std::shared_ptr<rocksdb::Logger>* result,
                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetAbsolutePath(const std::string& path, const rocksdb::IOOptions& options,
                                    std::string* result, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetFreeSpace(const std::string& path, const rocksdb::IOOptions& options, uint64_t* bytes,
                                 rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus IsDirectory(const std::string& path, const rocksdb::IOOptions& options,
                                bool* is_directory, rocksdb::IODebugContext* debug) override;

 private:
  friend class CrashHandle;
  using Effect = std::function<void()>;

  // One I/O: happens completely (`effect`) or fails (`on_fault` happens instead). If the power goes while it
  // is under way it happened or not. Called with mutex_ held.
  rocksdb::IOStatus Do(Io io, const std::string& path, const Effect& effect,
                       const Effect& on_fault = nullptr);
  bool Fails(Io io, const std::string& path);
  rocksdb::IOStatus FaultStatus(const std::string& path) const;
  rocksdb::IOStatus Open(const std::string& path, FileRef* file);
  void SwitchOff();
  void NoteSync(const std::string& path, std::chrono::steady_clock::time_point begun);
  void NoteDirectorySync();

  mutable std::mutex mutex_;  // guards everything below
  Disk disk_;
  std::optional<Disk> cut_;  // the disk at the cut, while the power is off
  RandomEngine random_;
  uint64_t life_ = 1;    // counts power losses; handles belong to one life
  uint64_t cut_in_ = 0;  // I/Os until the cut; 0: none is planned
  std::chrono::steady_clock::time_point cut_at_{}, log_sync_begun_{};
  // The same for a log whose directory entry is not synced yet.
  std::chrono::steady_clock::time_point new_log_sync_begun_{};
  Fault fault_;  // `at` counts down
  bool failed_ = false;
  Io failed_io_ = Io::kAppend;
  std::string failed_path_;
  uint64_t io_count_ = 0;
  std::condition_variable io_counted_;
  bool lies_ = false;
  std::set<std::string> locked_;
  std::unique_ptr<rocksdb::Env> env_;
};

}  // namespace cairn::faults
