// The kit itself: does the disk in memory lose, keep and fail what it says?
#include "crash_fs.h"

#include <gtest/gtest.h>

namespace cairn::faults {
namespace {

class CrashFsTest : public testing::Test {
 protected:
  CrashFsTest() { EXPECT_TRUE(fs_.CreateDir("/d", {}, nullptr).ok()); }

  std::unique_ptr<rocksdb::FSWritableFile> Create(const std::string& name) {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    EXPECT_TRUE(fs_.NewWritableFile("/d/" + name, {}, &file, nullptr).ok());
    return file;
  }
  static bool Append(rocksdb::FSWritableFile& file, const std::string& text) {
    return file.Append(text, {}, nullptr).ok();
  }
  static bool Sync(rocksdb::FSWritableFile& file) { return file.Sync({}, nullptr).ok(); }
  bool SyncDirectory() {
    std::unique_ptr<rocksdb::FSDirectory> directory;
    return fs_.NewDirectory("/d", {}, &directory, nullptr).ok() && directory->Fsync({}, nullptr).ok();
  }
  std::string Read(const std::string& name) {
    const auto contents = fs_.Read();
    const auto found = contents.find("/d/" + name);
    return found == contents.end() ? "nothing" : found->second;
  }

  CrashFs fs_{1};
};

TEST_F(CrashFsTest, PowerLossLeavesWhatWasSynced) {
  const auto file = Create("a");
  ASSERT_TRUE(Append(*file, "synced "));
  ASSERT_TRUE(Sync(*file));
  ASSERT_TRUE(SyncDirectory());
  ASSERT_TRUE(Append(*file, "not"));
  EXPECT_EQ(Read("a"), "synced not");
  fs_.RestorePower(Tail::kLost);
  EXPECT_EQ(Read("a"), "synced ");
}

TEST_F(CrashFsTest, FileWithoutASyncedDirectoryEntryIsGone) {
  const auto file = Create("a");
  ASSERT_TRUE(Append(*file, "bytes"));
  ASSERT_TRUE(Sync(*file));
  fs_.RestorePower(Tail::kLost);
  EXPECT_EQ(Read("a"), "nothing");
}

TEST_F(CrashFsTest, RenameAndDeleteAreUndoneUnlessTheDirectoryWasSynced) {
  for (const char* name : {"a", "b"}) {
    const auto file = Create(name);
    ASSERT_TRUE(Append(*file, name));
    ASSERT_TRUE(Sync(*file));
  }
  ASSERT_TRUE(SyncDirectory());
  ASSERT_TRUE(fs_.RenameFile("/d/a", "/d/b", {}, nullptr).ok());
  EXPECT_EQ(Read("a"), "nothing");
  EXPECT_EQ(Read("b"), "a");
  fs_.RestorePower(Tail::kLost);
  EXPECT_EQ(Read("a"), "a");
  EXPECT_EQ(Read("b"), "b");
  ASSERT_TRUE(fs_.DeleteFile("/d/a", {}, nullptr).ok());
  ASSERT_TRUE(SyncDirectory());
  fs_.RestorePower(Tail::kLost);
  EXPECT_EQ(Read("a"), "nothing");
}

TEST_F(CrashFsTest, AfterTheCutEverythingGoesOnInTheVoid) {
  const auto file = Create("a");
  ASSERT_TRUE(Append(*file, "before ") && Sync(*file) && SyncDirectory());
  fs_.FailAt({.at = 1, .duration = FaultDuration::kFromThenOn});
  fs_.CutPower();
  EXPECT_TRUE(Append(*file, "after") && Sync(*file));
  const auto late = Create("b");
  EXPECT_TRUE(Append(*late, "late") && Sync(*late) && SyncDirectory());
  ASSERT_TRUE(fs_.RenameFile("/d/a", "/d/c", {}, nullptr).ok() && SyncDirectory());
  EXPECT_EQ(Read("c"), "before after");
  fs_.RestorePower(Tail::kTorn);
  EXPECT_EQ(Read("a"), "before ");
  EXPECT_EQ(Read("b"), "nothing");
  EXPECT_EQ(Read("c"), "nothing");
}

TEST_F(CrashFsTest, EndOfTheProcessLosesNothingButItsHandles) {
  const auto file = Create("a");
  ASSERT_TRUE(Append(*file, "not synced"));
  rocksdb::FileLock *held = nullptr, *next = nullptr;
  ASSERT_TRUE(fs_.LockFile("/d/LOCK", {}, &held, nullptr).ok());
  EXPECT_FALSE(fs_.LockFile("/d/LOCK", {}, &next, nullptr).ok());
  fs_.EndProcess();
  EXPECT_EQ(Read("a"), "not synced");
  EXPECT_FALSE(Append(*file, "x"));
  EXPECT_TRUE(fs_.LockFile("/d/LOCK", {}, &next, nullptr).ok());
  EXPECT_TRUE(fs_.UnlockFile(held, {}, nullptr).ok());
  EXPECT_FALSE(fs_.LockFile("/d/LOCK", {}, &held, nullptr).ok()) << "unlocked by a process that is gone";
  EXPECT_TRUE(fs_.UnlockFile(next, {}, nullptr).ok());
}

TEST_F(CrashFsTest, HandlesOfBeforeAPowerLossAreDead) {
  const auto file = Create("a");
  ASSERT_TRUE(SyncDirectory());
  fs_.RestorePower(Tail::kLost);
  EXPECT_FALSE(Append(*file, "x"));
  EXPECT_FALSE(Sync(*file));
  EXPECT_EQ(Read("a"), "");
}

TEST_F(CrashFsTest, TornTailsKeepWhatWasSyncedAndComeInAllForms) {
  const std::string synced(5000, 's'), unsynced(20000, 'u');
  bool shorter = false, zeroes = false, garbage = false, complete = false;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    CrashFs fs(seed);
    ASSERT_TRUE(fs.CreateDir("/d", {}, nullptr).ok());
    std::unique_ptr<rocksdb::FSWritableFile> file;
    ASSERT_TRUE(fs.NewWritableFile("/d/a", {}, &file, nullptr).ok());
    std::unique_ptr<rocksdb::FSDirectory> directory;
    ASSERT_TRUE(fs.NewDirectory("/d", {}, &directory, nullptr).ok());
    ASSERT_TRUE(Append(*file, synced) && Sync(*file) && directory->Fsync({}, nullptr).ok());
    ASSERT_TRUE(Append(*file, unsynced));
    fs.RestorePower(Tail::kTorn);
    const std::string left = fs.Read().at("/d/a");
    ASSERT_GE(left.size(), synced.size());
    ASSERT_EQ(left.substr(0, synced.size()), synced);
    shorter = shorter || left.size() < 25000;
    complete = complete || left == synced + unsynced;
    zeroes = zeroes || left.find('\0') != std::string::npos;
    garbage = garbage || left.find_first_not_of(std::string("su\0", 3)) != std::string::npos;
  }
  EXPECT_TRUE(shorter && zeroes && garbage && complete);
}

TEST_F(CrashFsTest, FailedSyncDropsTheBytesForGoodAlthoughTheNextSyncSaysYes) {
  const auto file = Create("a");
  ASSERT_TRUE(SyncDirectory());
  ASSERT_TRUE(Append(*file, "lost"));
  fs_.FailAt({.at = 1});
  EXPECT_FALSE(Sync(*file));
  ASSERT_TRUE(Append(*file, "kept"));
  ASSERT_TRUE(Sync(*file));
  EXPECT_EQ(Read("a"), "lostkept");
  fs_.RestorePower(Tail::kLost);
  EXPECT_EQ(Read("a"), std::string("\0\0\0\0kept", 8));
}

TEST_F(CrashFsTest, TheNthIoFailsOnceOrFromThenOn) {
  const auto file = Create("a");
  fs_.FailAt({.at = 2});
  EXPECT_TRUE(Append(*file, "1"));
  EXPECT_FALSE(Sync(*file));
  EXPECT_TRUE(Sync(*file));
  EXPECT_TRUE(fs_.has_failed());
  EXPECT_EQ(fs_.failed_io(), Io::kSync);
  fs_.FailAt({.at = 1, .kind = FaultKind::kNoSpace, .duration = FaultDuration::kFromThenOn});
  EXPECT_TRUE(file->Append("2", {}, nullptr).IsNoSpace());
  EXPECT_FALSE(Append(*file, "3"));
  EXPECT_TRUE(fs_.DeleteFile("/d/a", {}, nullptr).ok()) << "a full disk can delete";
  fs_.StopFailing();
  EXPECT_TRUE(Append(*file, "4"));
}

TEST_F(CrashFsTest, PowerGoesAtTheNthIo) {
  bool happened = false, did_not_happen = false;
  for (int i = 0; i < 20; ++i) {
    const auto file = Create("a");
    ASSERT_TRUE(SyncDirectory());
    fs_.CutPowerAt(3);
    ASSERT_TRUE(Append(*file, "1") && fs_.power_is_on());
    ASSERT_TRUE(Append(*file, "2") && fs_.power_is_on());
    ASSERT_TRUE(Sync(*file));
    EXPECT_FALSE(fs_.power_is_on());
    fs_.RestorePower(Tail::kLost);
    (Read("a") == "12" ? happened : did_not_happen) = true;
    ASSERT_TRUE(Read("a") == "12" || Read("a").empty()) << Read("a");
  }
  EXPECT_TRUE(happened && did_not_happen);
}

}  // namespace
}  // namespace cairn::faults
