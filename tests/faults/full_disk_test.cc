// A disk that is full refuses writes and goes on by itself once there is room.
#include "store_for_test.h"
#include "store_reader.h"

namespace cairn::faults {
namespace {

using FullDisk = StoreTest;

TEST_F(FullDisk, WritesAreRefusedReadsGoOnAndSoDoWritesOnceThereIsRoom) {
  // At whichever I/O it begins: in the log, in a table file, in the list of files.
  for (const uint64_t at : {1, 2, 3, 30, 60}) {
    SCOPED_TRACE(at);
    Fill(20);
    fs_.FailAt({.at = at, .kind = FaultKind::kNoSpace, .duration = FaultDuration::kFromThenOn});
    for (int i = 0; i < 1000 && writer_.Step(*engine_); ++i) {
    }
    EXPECT_TRUE(fs_.has_failed());
    EXPECT_FALSE(engine_->Health().writable);
    EXPECT_TRUE(engine_->Health().reason.starts_with("The disk is full.")) << engine_->Health().reason;
    EXPECT_TRUE(ReadTable(*engine_, kMain));
    fs_.StopFailing();
    EXPECT_TRUE(WritesAgainWithin(std::chrono::seconds(30)));
    EXPECT_TRUE(engine_->Health().writable);
    // What was acknowledged afterwards survives, too.
    fs_.CutPower();
    engine_.reset();
    fs_.RestorePower(Tail::kLost);
    const auto opened = Open();
    ASSERT_TRUE(opened) << opened.error().message;
    const Verdict verdict = Judge(*engine_, ledger_, clock_);
    EXPECT_EQ(verdict.problems, std::vector<std::string>());
    writer_.Learn(verdict.items);
  }
}

TEST_F(FullDisk, BecomesHealthyWithoutAWriteToo) {
  Fill(20);
  fs_.FailAt({.at = 1, .kind = FaultKind::kNoSpace, .duration = FaultDuration::kFromThenOn});
  EXPECT_FALSE(writer_.Step(*engine_));
  fs_.StopFailing();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!engine_->Health().writable && std::chrono::steady_clock::now() < deadline) engine_->RunJobs();
  EXPECT_TRUE(engine_->Health().writable);
}

}  // namespace
}  // namespace cairn::faults
