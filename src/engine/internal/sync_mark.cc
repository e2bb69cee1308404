#include "engine/internal/sync_mark.h"

#include "base/log.h"
#include "engine/internal/crc32c.h"
#include "engine/internal/layout.h"

namespace cairn::engine::internal {
namespace {

constexpr std::string_view kMagic = "SYN1";
constexpr size_t kBytes = 4 + 1 + 8 + 4;  // magic, durability, sequence, checksum

std::string Encode(const SyncMark::Value& value) {
  std::string bytes(kMagic);
  AppendBigEndian(bytes, value.durability == Durability::kRelaxed ? 1 : 0, 1);
  AppendBigEndian(bytes, value.sequence, 8);
  AppendBigEndian(bytes, Crc32c(bytes), 4);
  return bytes;
}

rocksdb::IOStatus SyncDirectory(rocksdb::FileSystem& files, const std::string& directory) {
  std::unique_ptr<rocksdb::FSDirectory> opened;
  rocksdb::IOStatus status = files.NewDirectory(directory, {}, &opened, nullptr);
  return status.ok() ? opened->Fsync({}, nullptr) : status;
}

}  // namespace

std::optional<SyncMark::Value> SyncMark::Read(rocksdb::FileSystem& files, const std::string& directory) {
  const std::string path = PathIn(directory);
  if (!files.FileExists(path, {}, nullptr).ok()) return std::nullopt;
  std::string bytes;
  const rocksdb::IOStatus status = rocksdb::ReadFileToString(&files, path, &bytes);
  const std::string_view view(bytes);
  if (!status.ok() || bytes.size() != kBytes || !view.starts_with(kMagic) ||
      Crc32c(view.substr(0, kBytes - 4)) != ReadBigEndian(view.substr(kBytes - 4))) {
    log::Warning("the mark of what was synced is not readable, so the end of the log is not checked",
                 {{"file", path}});
    return std::nullopt;
  }
  return Value{.sequence = ReadBigEndian(view.substr(5, 8)),
               .durability = view[4] == 1 ? Durability::kRelaxed : Durability::kSync};
}

Result<std::unique_ptr<SyncMark>> SyncMark::Open(rocksdb::FileSystem& files, const std::string& directory,
                                                 Value value) {
  const std::string path = PathIn(directory);
  std::unique_ptr<SyncMark> mark(new SyncMark(value));
  const std::string bytes = Encode(value);
  rocksdb::IOStatus status = files.FileExists(path, {}, nullptr);
  if (!status.ok()) {
    status = rocksdb::WriteStringToFile(&files, bytes, path, /*should_sync=*/true);
    if (status.ok()) status = SyncDirectory(files, directory);
  }
  if (status.ok()) status = files.NewRandomRWFile(path, {}, &mark->file_, nullptr);
  if (status.ok()) status = mark->file_->Write(0, bytes, {}, nullptr);
  if (status.ok()) status = mark->file_->Sync({}, nullptr);
  if (!status.ok()) return Fail(Code::kUnavailable, "cannot write " + path + ": " + status.ToString());
  return mark;
}

void SyncMark::Move(uint64_t sequence, Sync sync) {
  std::lock_guard lock(mutex_);
  if (sequence <= value_.sequence) return;
  value_.sequence = sequence;
  rocksdb::IOStatus status = file_->Write(0, Encode(value_), {}, nullptr);
  if (status.ok() && sync == Sync::kYes) status = file_->Sync({}, nullptr);
  status.PermitUncheckedError();
}

}  // namespace cairn::engine::internal
