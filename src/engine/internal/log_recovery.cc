#include "engine/internal/log_recovery.h"

#include <algorithm>

#include "base/log.h"

namespace cairn::engine::internal {
namespace {

using Mark = std::optional<SyncMark::Value>;

Error Damaged(const std::string& name, uint64_t offset, std::string_view why) {
  return {Code::kDamaged, "the file " + name + " is damaged at byte " + std::to_string(offset) + ": " +
                              std::string(why) + " Restore a backup, or repair the file system."};
}

Error Missing(const std::string& where, uint64_t from, uint64_t to) {
  return {Code::kDamaged, where + " records are missing: those of the changes " + std::to_string(from) +
                              " to " + std::to_string(to) +
                              ". Restore a backup; or, to go on without them, delete the file SYNCED."};
}

bool HasRecords(const ScannedLog& log) { return log.scan.first_sequence.has_value(); }

// Walks through the logs in order until there is something to cut or to refuse.
class Decision {
 public:
  Decision(const std::vector<ScannedLog>& logs, const Mark& mark) : logs_(logs), mark_(mark) {}

  Result<std::vector<Cut>> Run() {
    for (size_t i = 0; i < logs_.size(); ++i) {
      const ScannedLog& log = logs_[i];
      if (IsObsolete(i)) {
        if (log.scan.damaged) cuts_.push_back({log.name, log.scan.good_bytes});
        continue;
      }
      if (IsAfterAHole(log)) {
        if (!relaxed() || *log.scan.first_sequence <= mark_->sequence) return Fail(MissingBefore(i));
        return CutFrom(i, 0);
      }
      if (HasRecords(log)) last_good_ = log.scan.last_sequence;
      if (!log.scan.damaged) continue;
      RETURN_IF_ERROR(CheckDamage(i));
      if (!GoesOnAfter(i)) return CutFrom(i, log.scan.good_bytes);
      if (mark_knows_tables()) cuts_.push_back({log.name, log.scan.good_bytes});
    }
    if (mark_knows_tables() && reached() < mark_->sequence) return Fail(MissingAtTheEnd());
    return cuts_;
  }

 private:
  bool relaxed() const { return mark_ && mark_->durability == Durability::kRelaxed; }
  bool mark_knows_tables() const { return mark_ && mark_->flushed; }
  // The sequence up to which everything was found so far.
  uint64_t reached() const {
    return std::max(last_good_.value_or(0), mark_knows_tables() ? *mark_->flushed : 0);
  }

  const ScannedLog* NextWithRecords(size_t i) const {
    const auto next = std::find_if(logs_.begin() + static_cast<ptrdiff_t>(i) + 1, logs_.end(), HasRecords);
    return next == logs_.end() ? nullptr : &*next;
  }

  // Everything in it lies in table files. A power loss brings back logs that were deleted shortly before.
  bool IsObsolete(size_t i) const {
    const ScannedLog* next = NextWithRecords(i);
    return next != nullptr && mark_knows_tables() && *next->scan.first_sequence <= *mark_->flushed + 1;
  }

  bool IsAfterAHole(const ScannedLog& log) const {
    return mark_knows_tables() && HasRecords(log) && *log.scan.first_sequence > reached() + 1;
  }

  // A log that ended with a failed write on a full disk, while a later one went on, is not the tail. Without
  // a mark that knows, RocksDB decides: it refuses a log that it needs and that is not merely short.
  bool GoesOnAfter(size_t i) const {
    const ScannedLog* next = NextWithRecords(i);
    if (next == nullptr || logs_[i].scan.records_follow) return false;
    if (mark_knows_tables()) return *next->scan.first_sequence <= reached() + 1;
    return !relaxed() || *next->scan.first_sequence <= mark_->sequence;
  }

  // Whether the damage to a log is more than a crash can do.
  Status CheckDamage(size_t i) const {
    const ScannedLog& log = logs_[i];
    const auto fail = [&](const std::string& why) {
      return Fail(Damaged(log.name, log.scan.good_bytes, why));
    };
    if (log.scan.records_follow && !relaxed()) return fail("whole records follow the damage.");
    if (GoesOnAfter(i)) return {};
    if (WasSynced(log.scan)) return fail("what was there had been synced.");
    const ScannedLog* next = NextWithRecords(i);
    if (next != nullptr && !relaxed()) return fail("whole records follow in " + next->name + ".");
    return {};
  }

  // Whether the damage hit something that had been synced.
  bool WasSynced(const LogScan& scan) const {
    if (!mark_) return false;
    if (last_good_ || mark_->flushed) return reached() < mark_->sequence;
    return scan.damaged_sequence && *scan.damaged_sequence > 0 && *scan.damaged_sequence <= mark_->sequence;
  }

  Error MissingBefore(size_t i) const {
    std::string where = "before the log " + logs_[i].name;
    for (size_t k = i; k-- > 0;) {
      if (!HasRecords(logs_[k]) || IsObsolete(k)) continue;
      where = "between the logs " + logs_[k].name + " and " + logs_[i].name;
      break;
    }
    return Missing(where, reached() + 1, *logs_[i].scan.first_sequence - 1);
  }
  Error MissingAtTheEnd() const {
    const std::string where =
        logs_.empty() ? "there is no log (*.log):" : "after the log " + logs_.back().name;
    return Missing(where, reached() + 1, mark_->sequence);
  }

  std::vector<Cut> CutFrom(size_t i, uint64_t bytes) {
    cuts_.push_back({logs_[i].name, bytes});
    for (size_t later = i + 1; later < logs_.size(); ++later) {
      if (logs_[later].scan.bytes > 0) cuts_.push_back({logs_[later].name, 0});
    }
    return cuts_;
  }

  const std::vector<ScannedLog>& logs_;
  const Mark& mark_;
  std::optional<uint64_t> last_good_;
  std::vector<Cut> cuts_;
};

Error CannotRead(const std::string& path, const rocksdb::IOStatus& status) {
  return {Code::kUnavailable, "cannot read " + path + ": " + status.ToString()};
}

Result<ScannedLog> Scan(rocksdb::FileSystem& files, const std::string& directory, const std::string& name) {
  std::string bytes;
  const auto status = rocksdb::ReadFileToString(&files, directory + "/" + name, &bytes);
  if (!status.ok()) return Fail(CannotRead(directory + "/" + name, status));
  return ScannedLog{name, ScanLog(bytes)};
}

// In the order of their numbers, which is the order they were written in.
Result<std::vector<ScannedLog>> ScanLogs(rocksdb::FileSystem& files, const std::string& directory) {
  std::vector<std::string> names;
  const auto status = files.GetChildren(directory, {}, &names, nullptr);
  if (!status.ok()) return Fail(CannotRead(directory, status));
  std::erase_if(names, [](const std::string& name) { return !name.ends_with(".log"); });
  std::ranges::sort(names, [](const std::string& a, const std::string& b) {
    return std::pair(a.size(), a) < std::pair(b.size(), b);
  });
  std::vector<ScannedLog> logs;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(ScannedLog log, Scan(files, directory, name));
    logs.push_back(std::move(log));
  }
  return logs;
}

Status Apply(rocksdb::FileSystem& files, const std::string& directory, const Cut& cut) {
  const std::string path = directory + "/" + cut.name;
  log::Warning("cut off what a crash left of unfinished writes", {{"file", path}, {"bytes_kept", cut.bytes}});
  std::unique_ptr<rocksdb::FSWritableFile> file;
  auto status = files.ReopenWritableFile(path, {}, &file, nullptr);
  if (status.ok()) status = file->Truncate(cut.bytes, {}, nullptr);
  if (status.ok()) status = file->Fsync({}, nullptr);
  if (status.ok()) status = file->Close({}, nullptr);
  if (!status.ok()) return Fail(Code::kUnavailable, "cannot write " + path + ": " + status.ToString());
  return {};
}

// The list of files is a log as well. RocksDB syncs it before it acts on what it says, so a torn end was
// never acted on; should it have been damaged later, then files that it no longer names are missing, which
// RocksDB notices.
Status RecoverManifest(rocksdb::FileSystem& files, const std::string& directory) {
  std::string current;
  const auto status = rocksdb::ReadFileToString(&files, directory + "/CURRENT", &current);
  if (!status.ok()) return Fail(CannotRead(directory + "/CURRENT", status));
  const std::string name = current.substr(0, current.find('\n'));
  if (!name.starts_with("MANIFEST-")) {
    return Fail(Code::kDamaged, "the file CURRENT is damaged: it names no list of files. Restore a backup.");
  }
  if (!files.FileExists(directory + "/" + name, {}, nullptr).ok()) {
    return Fail(Code::kDamaged, "the file CURRENT is damaged, or " + name +
                                    ", which it names, is missing. Restore a backup.");
  }
  ASSIGN_OR_RETURN(const ScannedLog manifest, Scan(files, directory, name));
  if (!manifest.scan.damaged) return {};
  if (manifest.scan.records_follow) {
    return Fail(Damaged(name, manifest.scan.good_bytes, "whole records follow the damage."));
  }
  return Apply(files, directory, {name, manifest.scan.good_bytes});
}

Status Recover(rocksdb::FileSystem& files, const std::string& directory, const Mark& mark) {
  RETURN_IF_ERROR(RecoverManifest(files, directory));
  ASSIGN_OR_RETURN(const std::vector<ScannedLog> logs, ScanLogs(files, directory));
  ASSIGN_OR_RETURN(const std::vector<Cut> cuts, DecideCuts(logs, mark));
  // The last one first: should the power go meanwhile, then no log stands behind a hole.
  for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) RETURN_IF_ERROR(Apply(files, directory, *cut));
  return {};
}

// Without CURRENT RocksDB begins a new database, and would throw away the files of an old one.
Status CheckNew(rocksdb::FileSystem& files, const std::string& directory) {
  std::vector<std::string> names;
  if (!files.GetChildren(directory, {}, &names, nullptr).ok()) return {};  // not there: it will be made
  const bool used = std::ranges::any_of(
      names, [](const std::string& name) { return name.ends_with(".sst") || name.ends_with(".log"); });
  if (!used) return {};
  return Fail(Code::kDamaged, "the file CURRENT is missing, although there is data. Restore a backup.");
}

}  // namespace

Result<std::vector<Cut>> DecideCuts(const std::vector<ScannedLog>& logs, const Mark& mark) {
  return Decision(logs, mark).Run();
}

Status RecoverLogs(rocksdb::FileSystem& files, const std::string& directory, const Mark& mark) {
  if (!files.FileExists(directory + "/CURRENT", {}, nullptr).ok()) return CheckNew(files, directory);
  rocksdb::FileLock* lock = nullptr;
  // Taken by another process: RocksDB will find that, too, and say so.
  if (!files.LockFile(directory + "/LOCK", {}, &lock, nullptr).ok()) return {};
  const Status recovered = Recover(files, directory, mark);
  files.UnlockFile(lock, {}, nullptr).PermitUncheckedError();
  return recovered;
}

}  // namespace cairn::engine::internal
