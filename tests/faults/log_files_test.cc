// The file system under RocksDB's logs: what cannot be created is made up for, what fails to be synced is not
// tried again, what was refused does not stay, and nothing is deleted that the mark does not speak of.
#include "engine/internal/log_files.h"

#include <gtest/gtest.h>

#include <functional>

#include "crash_fs.h"

namespace cairn::faults {
namespace {

using engine::internal::LogFiles;
using engine::internal::SyncMark;

class LogFilesTest : public testing::Test {
 protected:
  LogFilesTest() { EXPECT_TRUE(fs_.CreateDir("/d", {}, nullptr).ok()); }

  void Opened() {
    auto mark = SyncMark::Open(fs_, "/d", {.flushed = 0});
    ASSERT_TRUE(mark);
    logs_.Opened(*std::move(mark), [this] { return last_sequence_; });
  }
  std::optional<uint64_t> Flushed() { return SyncMark::Read(fs_, "/d")->flushed; }
  bool IsThere(const std::string& path) { return fs_.Read().contains(path); }
  rocksdb::IOStatus Delete(const std::string& path) { return logs_.DeleteFile(path, {}, nullptr); }
  // As a log begins whose first change has this sequence.
  static std::string BatchAt(uint8_t sequence) {
    return std::string(7, 'h') + static_cast<char>(sequence) + std::string(30, '\0');
  }

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

  // The disk fills up, and has room again.
  void FillUp(const std::function<rocksdb::IOStatus()>& fails) {
    fs_.FailAt({.at = 1, .kind = FaultKind::kNoSpace, .duration = FaultDuration::kFromThenOn});
    EXPECT_TRUE(fails().IsNoSpace());
    fs_.StopFailing();
  }

  CrashFs fs_{1};
  const std::shared_ptr<rocksdb::FileSystem> files_{std::shared_ptr<void>(), &fs_};
  LogFiles logs_{files_, {.directory = "/d", .reserve_bytes = 32 << 20}};
  uint64_t last_sequence_ = 0;
};

TEST_F(LogFilesTest, LogThatCannotBeCreatedFailsAtItsFirstWriteInstead) {
  FailNext();
  EXPECT_EQ(Create("/d/1.log"), nullptr) << "while the database is being opened";
  Opened();
  fs_.FailAt({.at = 1, .kind = FaultKind::kNoSpace, .duration = FaultDuration::kFromThenOn});
  const auto log = Create("/d/2.log");
  ASSERT_NE(log, nullptr);
  EXPECT_TRUE(log->Sync({}, nullptr).ok()) << "there is nothing to sync";
  EXPECT_EQ(Create("/d/3.sst"), nullptr) << "other files are as they are";
  EXPECT_TRUE(Append(*log, "x").IsNoSpace());
  fs_.StopFailing();
  EXPECT_TRUE(Append(*log, "the rest").ok() && log->Sync({}, nullptr).ok()) << "RocksDB can go on";
  EXPECT_FALSE(IsThere("/d/2.log"));
}

TEST_F(LogFilesTest, WhatWasAppendedButNotSyncedIsCutOffWhenTheDiskIsFull) {
  Opened();
  const auto log = Create("/d/1.log");
  ASSERT_TRUE(Append(*log, "record").ok() && log->Sync({}, nullptr).ok());
  ASSERT_TRUE(Append(*log, " refused").ok());
  FillUp([&] { return log->Sync({}, nullptr); });
  EXPECT_EQ(fs_.Read()["/d/1.log"], "record");
  EXPECT_TRUE(Append(*log, " and the rest").ok() && log->Sync({}, nullptr).ok()) << "RocksDB can go on";
  EXPECT_TRUE(log->Close({}, nullptr).ok());
  EXPECT_EQ(fs_.Read()["/d/1.log"], "record");
  EXPECT_EQ(AfterAPowerLoss("/d/1.log"), "record");
}

TEST_F(LogFilesTest, RefusedLogIsNotSyncedBeforeItCouldBeCut) {
  const auto log = Create("/d/1.log");
  ASSERT_TRUE(Append(*log, "refused").ok());
  FillUp([&] { return log->Sync({}, nullptr); });
  FailNext(FaultKind::kNoSpace);
  EXPECT_FALSE(log->Sync({}, nullptr).ok());
  fs_.StopFailing();
  EXPECT_TRUE(log->Sync({}, nullptr).ok());
  EXPECT_EQ(AfterAPowerLoss("/d/1.log"), "");
}

TEST_F(LogFilesTest, RelaxedKeepsWhatWasAppended) {
  LogFiles relaxed(files_, {.directory = "/d", .durability = engine::Durability::kRelaxed});
  std::unique_ptr<rocksdb::FSWritableFile> log;
  ASSERT_TRUE(relaxed.NewWritableFile("/d/1.log", {}, &log, nullptr).ok());
  ASSERT_TRUE(Append(*log, "record").ok());
  FillUp([&] { return log->Sync({}, nullptr); });
  EXPECT_EQ(fs_.Read()["/d/1.log"], "record");
  FillUp([&] { return Append(*log, " refused"); });
  EXPECT_EQ(fs_.Read()["/d/1.log"], "record");
  EXPECT_TRUE(log->Sync({}, nullptr).ok());
}

TEST_F(LogFilesTest, LogIsDeletedOnceTheMarkSaysThatItsChangesAreInTables) {
  Opened();
  const auto first = Create("/d/1.log"), second = Create("/d/3.log"), third = Create("/d/7.log");
  ASSERT_TRUE(Append(*first, BatchAt(1)).ok() && Append(*third, BatchAt(9)).ok());
  last_sequence_ = 20;
  fs_.FailAt({.at = 1, .io = Io::kSync, .path_ends = "SYNCED"});
  EXPECT_FALSE(Delete("/d/1.log").ok());
  EXPECT_TRUE(IsThere("/d/1.log"));
  fs_.StopFailing();
  EXPECT_TRUE(Delete("/d/1.log").ok());
  EXPECT_FALSE(IsThere("/d/1.log"));
  EXPECT_EQ(Flushed(), 8u) << "all before the first change of the third";
  // A log without changes, and the last one with some.
  EXPECT_TRUE(Delete("/d/3.log").ok());
  EXPECT_EQ(Flushed(), 8u);
  EXPECT_TRUE(Delete("/d/7.log").ok());
  EXPECT_EQ(Flushed(), 20u);
}

TEST_F(LogFilesTest, NoLogIsDeletedBeforeThereIsAMark) {
  const auto log = Create("/d/1.log");
  EXPECT_TRUE(Delete("/d/1.log").ok());
  EXPECT_TRUE(IsThere("/d/1.log"));
  Opened();
  EXPECT_FALSE(IsThere("/d/1.log"));
}

TEST_F(LogFilesTest, LogsOfABackupAreFilesLikeOthers) {
  ASSERT_TRUE(fs_.CreateDir("/d/backup", {}, nullptr).ok());
  Opened();
  FailNext();
  EXPECT_EQ(Create("/d/backup/1.log"), nullptr);
  fs_.StopFailing();
  ASSERT_NE(Create("/d/backup/1.log"), nullptr);
  last_sequence_ = 20;
  EXPECT_TRUE(Delete("/d/backup/1.log").ok());
  EXPECT_FALSE(IsThere("/d/backup/1.log"));
  EXPECT_EQ(Flushed(), 0u);
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

TEST_F(LogFilesTest, RetiredDatabaseLeavesEverythingAsItIsAndFindsNoRoom) {
  Opened();
  const auto log = Create("/d/9.log");
  uint64_t free_bytes = 0;
  ASSERT_TRUE(logs_.GetFreeSpace("/d", {}, &free_bytes, nullptr).ok());
  EXPECT_GE(free_bytes, 32u << 20);
  logs_.Retire();
  EXPECT_EQ(Create("/d/1.log"), nullptr);
  EXPECT_EQ(Create("/d/2.sst"), nullptr);
  EXPECT_FALSE(Delete("/d/9.log").ok());
  ASSERT_TRUE(logs_.GetFreeSpace("/d", {}, &free_bytes, nullptr).ok());
  EXPECT_EQ(free_bytes, 0u);
}

}  // namespace
}  // namespace cairn::faults
