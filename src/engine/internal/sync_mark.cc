#include "engine/internal/sync_mark.h"

#include <algorithm>

#include "base/log.h"
#include "engine/internal/crc32c.h"
#include "engine/internal/layout.h"

namespace cairn::engine::internal {
namespace {

constexpr std::string_view kMagic = "SYN2", kMagicWithoutFlushed = "SYN1";
constexpr size_t kBytes = 4 + 1 + 8 + 8 + 4;  // magic, durability, sequence, flushed, checksum
constexpr size_t kBytesWithoutFlushed = kBytes - 8;

std::string Encode(const SyncMark::Value& value) {
  std::string bytes(value.flushed ? kMagic : kMagicWithoutFlushed);
  AppendBigEndian(bytes, value.durability == Durability::kRelaxed ? 1 : 0, 1);
  AppendBigEndian(bytes, value.sequence, 8);
  if (value.flushed) AppendBigEndian(bytes, *value.flushed, 8);
  AppendBigEndian(bytes, Crc32c(bytes), 4);
  return bytes;
}

// More may follow: an older version writes its shorter mark over this one.
std::optional<SyncMark::Value> Decode(std::string_view bytes) {
  const bool has_flushed = bytes.starts_with(kMagic);
  if (!has_flushed && !bytes.starts_with(kMagicWithoutFlushed)) return std::nullopt;
  const size_t checked = (has_flushed ? kBytes : kBytesWithoutFlushed) - 4;
  if (bytes.size() < checked + 4) return std::nullopt;
  if (Crc32c(bytes.substr(0, checked)) != ReadBigEndian(bytes.substr(checked, 4))) return std::nullopt;
  SyncMark::Value value{.sequence = ReadBigEndian(bytes.substr(5, 8)),
                        .durability = bytes[4] == 1 ? Durability::kRelaxed : Durability::kSync};
  if (has_flushed) value.flushed = ReadBigEndian(bytes.substr(13, 8));
  return value;
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
  if (!status.ok()) bytes.clear();
  const std::optional<Value> value = Decode(bytes);
  if (!value) {
    log::Warning(
        "the mark of what was synced is not readable, so it is not checked that the logs are complete",
        {{"file", path}});
  }
  return value;
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

rocksdb::IOStatus SyncMark::MoveFlushed(uint64_t sequence) {
  {
    std::lock_guard lock(mutex_);
    if (sequence <= flushed_synced_) return rocksdb::IOStatus::OK();
    value_.flushed = std::max(value_.flushed.value_or(0), sequence);
    value_.sequence = std::max(value_.sequence, sequence);
    rocksdb::IOStatus status = file_->Write(0, Encode(value_), {}, nullptr);
    if (!status.ok()) return status;
  }
  // Without the lock, which commits wait for.
  rocksdb::IOStatus status = file_->Sync({}, nullptr);
  if (!status.ok()) return status;
  std::lock_guard lock(mutex_);
  flushed_synced_ = std::max(flushed_synced_, sequence);
  return status;
}

}  // namespace cairn::engine::internal
