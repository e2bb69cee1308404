#include "crash_files.h"

#include <algorithm>
#include <cstring>

namespace cairn::faults {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

IOStatus CrashHandle::Do(Io io, const CrashFs::Effect& effect, const CrashFs::Effect& on_fault) {
  std::lock_guard lock(fs_.mutex_);
  if (life_ != fs_.life_) return IOStatus::IOError("opened before the power loss", path_);
  return fs_.Do(io, path_, effect, on_fault);
}

IOStatus CrashHandle::Append(const Slice& data) {
  return Do(
      Io::kAppend, [&] { file_->live.append(data.data(), data.size()); },
      [&] { file_->live.append(data.data(), Below(fs_.random_, data.size() + 1)); });
}

IOStatus CrashHandle::Overwrite(uint64_t offset, const Slice& data) {
  return Do(Io::kOverwrite, [&] {
    file_->overwritten_in_place = true;
    if (file_->live.size() < offset + data.size()) file_->live.resize(offset + data.size());
    std::memcpy(file_->live.data() + offset, data.data(), data.size());
  });
}

IOStatus CrashHandle::Truncate(uint64_t size) {
  return Do(Io::kTruncate, [&] { file_->live.resize(std::min<size_t>(size, file_->live.size())); });
}

IOStatus CrashHandle::Sync() {
  const auto begun = std::chrono::steady_clock::now();
  return Do(
      Io::kSync,
      [&] {
        if (!fs_.lies_) Disk::Sync(*file_);
        fs_.NoteSync(path_, begun);
      },
      [&] { Disk::FailSync(*file_); });
}

IOStatus CrashHandle::SyncDirectory() {
  return Do(Io::kSyncDirectory, [&] {
    if (!fs_.lies_) fs_.disk_.SyncDirectory(path_);
    fs_.NoteDirectorySync();
  });
}

IOStatus CrashHandle::Read(uint64_t offset, size_t n, Slice* result, char* scratch) const {
  std::lock_guard lock(fs_.mutex_);
  if (life_ != fs_.life_) return IOStatus::IOError("opened before the power loss", path_);
  const std::string& bytes = file_->live;
  const size_t count = offset >= bytes.size() ? 0 : std::min(n, bytes.size() - offset);
  if (count > 0) std::memcpy(scratch, bytes.data() + offset, count);
  *result = Slice(scratch, count);
  return IOStatus::OK();
}

uint64_t CrashHandle::Size() const {
  std::lock_guard lock(fs_.mutex_);
  return file_->live.size();
}

namespace {

class SequentialFile final : public rocksdb::FSSequentialFile, CrashHandle {
 public:
  explicit SequentialFile(CrashHandle handle) : CrashHandle(std::move(handle)) {}
  IOStatus Read(size_t n, const IOOptions&, Slice* result, char* scratch, IODebugContext*) override {
    IOStatus status = CrashHandle::Read(position_, n, result, scratch);
    if (status.ok()) position_ += result->size();
    return status;
  }
  IOStatus Skip(uint64_t n) override {
    position_ += n;
    return IOStatus::OK();
  }

 private:
  uint64_t position_ = 0;
};

class RandomAccessFile final : public rocksdb::FSRandomAccessFile, CrashHandle {
 public:
  explicit RandomAccessFile(CrashHandle handle) : CrashHandle(std::move(handle)) {}
  IOStatus Read(uint64_t offset, size_t n, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) const override {
    return CrashHandle::Read(offset, n, result, scratch);
  }
};

class WritableFile final : public rocksdb::FSWritableFile, CrashHandle {
 public:
  explicit WritableFile(CrashHandle handle) : CrashHandle(std::move(handle)) {}
  using rocksdb::FSWritableFile::Append;
  IOStatus Append(const Slice& data, const IOOptions&, IODebugContext*) override {
    return CrashHandle::Append(data);
  }
  IOStatus Truncate(uint64_t size, const IOOptions&, IODebugContext*) override {
    return CrashHandle::Truncate(size);
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return CrashHandle::Sync(); }
  bool IsSyncThreadSafe() const override { return true; }
  uint64_t GetFileSize(const IOOptions&, IODebugContext*) override { return Size(); }
};

class RandomRWFile final : public rocksdb::FSRandomRWFile, CrashHandle {
 public:
  explicit RandomRWFile(CrashHandle handle) : CrashHandle(std::move(handle)) {}
  IOStatus Write(uint64_t offset, const Slice& data, const IOOptions&, IODebugContext*) override {
    return Overwrite(offset, data);
  }
  IOStatus Read(uint64_t offset, size_t n, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) const override {
    return CrashHandle::Read(offset, n, result, scratch);
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return CrashHandle::Sync(); }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
};

class DirectoryFile final : public rocksdb::FSDirectory, CrashHandle {
 public:
  explicit DirectoryFile(CrashHandle handle) : CrashHandle(std::move(handle)) {}
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return SyncDirectory(); }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
};

}  // namespace

std::unique_ptr<rocksdb::FSSequentialFile> MakeSequentialFile(CrashHandle handle) {
  return std::make_unique<SequentialFile>(std::move(handle));
}
std::unique_ptr<rocksdb::FSRandomAccessFile> MakeRandomAccessFile(CrashHandle handle) {
  return std::make_unique<RandomAccessFile>(std::move(handle));
}
std::unique_ptr<rocksdb::FSWritableFile> MakeWritableFile(CrashHandle handle) {
  return std::make_unique<WritableFile>(std::move(handle));
}
std::unique_ptr<rocksdb::FSRandomRWFile> MakeRandomRWFile(CrashHandle handle) {
  return std::make_unique<RandomRWFile>(std::move(handle));
}
std::unique_ptr<rocksdb::FSDirectory> MakeDirectory(CrashHandle handle) {
  return std::make_unique<DirectoryFile>(std::move(handle));
}

}  // namespace cairn::faults
