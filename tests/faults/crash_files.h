// The open files and directories of a CrashFs.
#pragma once

#include <rocksdb/file_system.h>

#include <memory>
#include <string>

#include "crash_fs.h"

namespace cairn::faults {

// What every open file knows. It works in the life it was opened in; after a power loss it is dead.
class CrashHandle {
 public:
  CrashHandle(CrashFs& fs, std::string path, FileRef file, uint64_t life)
      : fs_(fs), path_(std::move(path)), file_(std::move(file)), life_(life) {}

 protected:
  rocksdb::IOStatus Append(const rocksdb::Slice& data);
  rocksdb::IOStatus Overwrite(uint64_t offset, const rocksdb::Slice& data);
  rocksdb::IOStatus Truncate(uint64_t size);
  rocksdb::IOStatus Sync();
  rocksdb::IOStatus SyncDirectory();
  rocksdb::IOStatus Read(uint64_t offset, size_t n, rocksdb::Slice* result, char* scratch) const;
  uint64_t Size() const;

 private:
  rocksdb::IOStatus Do(Io io, const CrashFs::Effect& effect, const CrashFs::Effect& on_fault = nullptr);

  CrashFs& fs_;
  const std::string path_;
  const FileRef file_;
  const uint64_t life_;
};

std::unique_ptr<rocksdb::FSSequentialFile> MakeSequentialFile(CrashHandle handle);
std::unique_ptr<rocksdb::FSRandomAccessFile> MakeRandomAccessFile(CrashHandle handle);
std::unique_ptr<rocksdb::FSWritableFile> MakeWritableFile(CrashHandle handle);
std::unique_ptr<rocksdb::FSRandomRWFile> MakeRandomRWFile(CrashHandle handle);
std::unique_ptr<rocksdb::FSDirectory> MakeDirectory(CrashHandle handle);

}  // namespace cairn::faults
