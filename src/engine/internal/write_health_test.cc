// What a failed write means for the next ones.
#include "engine/internal/write_health.h"

#include <gtest/gtest.h>

#include "base/log.h"

namespace cairn::engine::internal {
namespace {

class WriteHealthTest : public testing::Test {
 protected:
  void SetUp() override { log::SetLevel(log::Level::kOff); }
  void TearDown() override { log::SetLevel(log::Level::kInfo); }
  WriteHealth health_;
};

TEST_F(WriteHealthTest, FailedWriteIsTheLast) {
  EXPECT_EQ(health_.WriteFailed(rocksdb::Status::IOError()).error().code, Code::kReadOnly);
  EXPECT_EQ(health_.state(), WriteHealth::State::kReadOnly);
}

// RocksDB says so when a write that waited for flushes and compactions is given up because they cannot go on.
TEST_F(WriteHealthTest, WriteThatWasGivenUpIsRefusedAsAFullDiskRefusesIt) {
  EXPECT_EQ(health_.WriteFailed(rocksdb::Status::Incomplete()).error().code, Code::kStorageFull);
  EXPECT_TRUE(health_.healthy());
  health_.Fail(rocksdb::Status::IOError());
  EXPECT_EQ(health_.WriteFailed(rocksdb::Status::Incomplete()).error().code, Code::kReadOnly);
}

}  // namespace
}  // namespace cairn::engine::internal
