// What the mark says after it was written by this version, and by older ones.
#include "engine/internal/sync_mark.h"

#include <gtest/gtest.h>
#include <rocksdb/env.h>

#include "engine/internal/crc32c.h"
#include "engine/internal/layout.h"

namespace cairn::engine::internal {
namespace {

class SyncMarkTest : public testing::Test {
 protected:
  SyncMarkTest() : env_(rocksdb::NewMemEnv(rocksdb::Env::Default())) {
    EXPECT_TRUE(env_->CreateDirIfMissing("/d").ok());
  }
  rocksdb::FileSystem& files() { return *env_->GetFileSystem(); }
  std::optional<SyncMark::Value> Read() { return SyncMark::Read(files(), "/d"); }
  void Write(const std::string& bytes) {
    ASSERT_TRUE(rocksdb::WriteStringToFile(&files(), bytes, SyncMark::PathIn("/d"), true).ok());
  }
  // As versions before `flushed` wrote it.
  static std::string Old(uint64_t sequence) {
    std::string bytes = "SYN1";
    AppendBigEndian(bytes, 1, 1);
    AppendBigEndian(bytes, sequence, 8);
    AppendBigEndian(bytes, Crc32c(bytes), 4);
    return bytes;
  }

  const std::unique_ptr<rocksdb::Env> env_;
};

TEST_F(SyncMarkTest, SaysWhatWasWrittenLast) {
  auto opened =
      SyncMark::Open(files(), "/d", {.sequence = 5, .durability = Durability::kRelaxed, .flushed = 3});
  ASSERT_TRUE(opened);
  EXPECT_EQ(Read()->sequence, 5u);
  EXPECT_EQ(Read()->durability, Durability::kRelaxed);
  EXPECT_EQ(Read()->flushed, 3u);
  (*opened)->Move(9, SyncMark::Sync::kNo);
  EXPECT_EQ(Read()->sequence, 9u);
  EXPECT_TRUE((*opened)->MoveFlushed(7).ok());
  EXPECT_EQ(Read()->flushed, 7u);
  EXPECT_TRUE((*opened)->MoveFlushed(6).ok());
  EXPECT_EQ(Read()->flushed, 7u) << "it never goes back";
  EXPECT_TRUE((*opened)->MoveFlushed(12).ok());
  EXPECT_EQ(Read()->sequence, 12u) << "what lies in table files was synced";
}

TEST_F(SyncMarkTest, MarkOfAnOlderVersionIsReadAndReplaced) {
  Write(Old(5));
  EXPECT_EQ(Read()->sequence, 5u);
  EXPECT_EQ(Read()->flushed, std::nullopt);
  ASSERT_TRUE(SyncMark::Open(files(), "/d", {.sequence = 6, .flushed = 6}));
  EXPECT_EQ(Read()->flushed, 6u);
}

TEST_F(SyncMarkTest, OlderVersionWritesOverALongerMark) {
  ASSERT_TRUE(SyncMark::Open(files(), "/d", {.sequence = 5, .flushed = 5}));
  std::string bytes;
  ASSERT_TRUE(rocksdb::ReadFileToString(&files(), SyncMark::PathIn("/d"), &bytes).ok());
  const std::string old = Old(8);
  Write(old + bytes.substr(old.size()));
  EXPECT_EQ(Read()->sequence, 8u);
  EXPECT_EQ(Read()->flushed, std::nullopt);
}

TEST_F(SyncMarkTest, DamagedMarkSaysNothing) {
  ASSERT_TRUE(SyncMark::Open(files(), "/d", {.sequence = 5, .flushed = 5}));
  std::string bytes;
  ASSERT_TRUE(rocksdb::ReadFileToString(&files(), SyncMark::PathIn("/d"), &bytes).ok());
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    Write(damaged);
    EXPECT_FALSE(Read()) << at;
    Write(bytes.substr(0, at));
    EXPECT_FALSE(Read()) << at;
  }
}

}  // namespace
}  // namespace cairn::engine::internal
