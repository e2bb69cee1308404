// The file system under RocksDB's logs: what cannot be created is made up for, and what fails to be synced is
// not tried again.
#include "engine/internal/log_files.h"

#include <gtest/gtest.h>

#include "crash_fs.h"

namespace cairn::faults {
namespace {

using engine::internal::LogFiles;

class LogFilesTest : public testing::Test {
 protected:
  LogFilesTest() { EXPECT_TRUE(fs_.CreateDir("/d", {}, nullptr).ok()); }

  std::unique_ptr<rocksdb::FSWritableFile> Create(const std::string& path) {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    logs_.NewWritableFile(path, {}, &file, nullptr).PermitUncheckedError();
    return file;
  }
  static rocksdb::IOStatus Append(rocksdb::FSWritableFile& file, const std::string& text) {
    return file.Append(text, {}, nullptr);
  }
  std::string AfterAPowerLoss(const std::string& path) {
    fs_.RestorePower(Tail::kLost);
    const auto contents = fs_.Read();
    const auto found = contents.find(path);
    return found == contents.end() ? "nothing" : found->second;
  }
  void FailNext(FaultKind kind = FaultKind::kInputOutputError) { fs_.FailAt({.at = 1, .kind = kind}); }

  CrashFs fs_{1};
  LogFiles logs_{std::shared_ptr<rocksdb::FileSystem>(std::shared_ptr<void>(), &fs_), 32 << 20};
};

TEST_F(LogFilesTest, LogThatCannotBeCreatedFailsAtItsFirstWriteInstead) {
  FailNext();
  EXPECT_EQ(Create("/d/1.log"), nullptr) << "while the database is being opened";
  logs_.PostponeCreation();
  fs_.FailAt({.at = 1, .kind = FaultKind::kNoSpace, .duration = FaultDuration::kFromThenOn});
  const auto log = Create("/d/2.log");
  ASSERT_NE(log, nullptr);
  EXPECT_TRUE(log->Sync({}, nullptr).ok()) << "there is nothing to sync";
  EXPECT_TRUE(Append(*log, "x").IsNoSpace());
  EXPECT_EQ(Create("/d/3.sst"), nullptr) << "other files are as they are";
  fs_.StopFailing();
  EXPECT_TRUE(Append(*log, "record").ok());
  EXPECT_TRUE(log->Sync({}, nullptr).ok());
  EXPECT_EQ(AfterAPowerLoss("/d/2.log"), "record");
}

TEST_F(LogFilesTest, WhatWasSyncedIsNotSyncedAgain) {
  const auto log = Create("/d/1.log");
  ASSERT_TRUE(Append(*log, "record").ok() && log->Sync({}, nullptr).ok());
  FailNext();
  EXPECT_TRUE(log->Sync({}, nullptr).ok());
  EXPECT_FALSE(fs_.has_failed());
  fs_.StopFailing();
  ASSERT_TRUE(Append(*log, " more").ok() && log->Sync({}, nullptr).ok());
  EXPECT_EQ(AfterAPowerLoss("/d/1.log"), "record more");
}

TEST_F(LogFilesTest, FailedSyncIsNeverTriedAgain) {
  const auto log = Create("/d/1.log");
  ASSERT_TRUE(Append(*log, "record").ok());
  FailNext();
  EXPECT_FALSE(log->Sync({}, nullptr).ok());
  fs_.StopFailing();
  EXPECT_FALSE(log->Sync({}, nullptr).ok());
  EXPECT_FALSE(logs_.Sync().ok());
}

TEST_F(LogFilesTest, AllLogsAreSyncedTheOlderOnesFirst) {
  const auto older = Create("/d/1.log"), newer = Create("/d/2.log");
  ASSERT_TRUE(Append(*older, "older").ok() && Append(*newer, "newer").ok());
  fs_.FailAt({.at = 1, .io = Io::kSync, .path_ends = "2.log"});
  EXPECT_FALSE(logs_.Sync().ok());
  EXPECT_EQ(AfterAPowerLoss("/d/1.log"), "older");
}

TEST_F(LogFilesTest, RetiredDatabaseCreatesNothingAndFindsNoRoom) {
  logs_.PostponeCreation();
  uint64_t free_bytes = 0;
  ASSERT_TRUE(logs_.GetFreeSpace("/d", {}, &free_bytes, nullptr).ok());
  EXPECT_GE(free_bytes, 32u << 20);
  logs_.Retire();
  EXPECT_EQ(Create("/d/1.log"), nullptr);
  EXPECT_EQ(Create("/d/2.sst"), nullptr);
  ASSERT_TRUE(logs_.GetFreeSpace("/d", {}, &free_bytes, nullptr).ok());
  EXPECT_EQ(free_bytes, 0u);
}

}  // namespace
}  // namespace cairn::faults
