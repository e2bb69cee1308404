// A disk that is full refuses writes and goes on by itself once there is room.
#include <latch>

#include "store_for_test.h"
#include "store_reader.h"

namespace cairn::faults {
namespace {

class FullDisk : public StoreTest {
 protected:
  std::string NewestLog() const {
    std::string newest;
    for (const auto& [path, bytes] : fs_.Read()) {
      if (path.ends_with(".log")) newest = path;  // in order; numbers have leading zeroes
    }
    return newest;
  }

  // RocksDB numbers its files in one row.
  std::string NextLog() const {
    uint64_t newest = 0;
    for (const auto& [path, bytes] : fs_.Read()) {
      const size_t digit = path.find_first_of("0123456789");
      if (digit != std::string::npos) newest = std::max<uint64_t>(newest, std::stoull(path.substr(digit)));
    }
    const std::string number = std::to_string(newest + 1);
    return "/data/" + std::string(6 - number.size(), '0') + number + ".log";
  }

  void FillUpAndGoOn(const Fault& fault) {
    Fill(20);
    fs_.FailAt(fault);
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
    ExpectNothingLost();
  }

  void ExpectNothingLost() {
    const auto opened = Open();
    ASSERT_TRUE(opened) << opened.error().message;
    const Verdict verdict = Judge(*engine_, ledger_, clock_);
    EXPECT_EQ(verdict.problems, std::vector<std::string>());
    writer_.Learn(verdict.items);
  }
};

// The one thread that flushes, held until it is let go.
class HeldFlushes {
 public:
  HeldFlushes() { Schedule(let_go_); }
  ~HeldFlushes() { LetGo(); }
  // Returns when the flushes that were due meanwhile have been tried.
  void LetGo() {
    if (let_go_.try_wait()) return;
    let_go_.count_down();
    std::latch reached(1);
    rocksdb::Env::Default()->Schedule([](void* latch) { static_cast<std::latch*>(latch)->count_down(); },
                                      &reached, rocksdb::Env::Priority::HIGH);
    reached.wait();
  }

 private:
  static void Schedule(std::latch& until) {
    rocksdb::Env::Default()->Schedule([](void* latch) { static_cast<std::latch*>(latch)->wait(); }, &until,
                                      rocksdb::Env::Priority::HIGH);
  }
  std::latch let_go_{1};
};

TEST_F(FullDisk, WritesAreRefusedReadsGoOnAndSoDoWritesOnceThereIsRoom) {
  // At whichever I/O it begins: in the log, in a table file, in the list of files.
  for (const uint64_t at : {1, 2, 3, 30, 60}) {
    SCOPED_TRACE(at);
    FillUpAndGoOn({.at = at, .kind = FaultKind::kNoSpace, .duration = FaultDuration::kFromThenOn});
  }
}

TEST_F(FullDisk, LogThatCannotBeCreatedIsAFullDiskLikeAnyOther) {
  FillUpAndGoOn({.at = 1,
                 .kind = FaultKind::kNoSpace,
                 .duration = FaultDuration::kFromThenOn,
                 .io = Io::kCreate,
                 .path_ends = ".log"});
}

// RocksDB counts a flush as under way that it then refuses because of the full disk, and would wait for it
// for ever when it goes on.
TEST_F(FullDisk, FlushThatWasDueWhenTheDiskFilledUpIsMadeUpFor) {
  Fill(20);
  HeldFlushes flushes;
  for (const std::string before = NewestLog(); NewestLog() == before;) ASSERT_TRUE(writer_.Step(*engine_));
  fs_.FailAt({.at = 1, .kind = FaultKind::kNoSpace, .duration = FaultDuration::kFromThenOn});
  EXPECT_FALSE(writer_.Step(*engine_));
  flushes.LetGo();
  fs_.StopFailing();
  EXPECT_TRUE(WritesAgainWithin(std::chrono::seconds(30)));
}

// Then RocksDB has nothing to bring into table files, and would go on in the log that has failed.
TEST_F(FullDisk, FirstWriteAfterAStartMeetsAFullDisk) {
  for (const Io io : {Io::kAppend, Io::kSync}) {
    Fill(20);
    ASSERT_TRUE(Open());
    fs_.FailAt({.at = 1, .kind = FaultKind::kNoSpace, .duration = FaultDuration::kFromThenOn, .io = io});
    EXPECT_FALSE(writer_.Step(*engine_));
    fs_.StopFailing();
    EXPECT_TRUE(WritesAgainWithin(std::chrono::seconds(30)));
    ExpectNothingLost();
  }
}

// The first batch of a log is in it but could not be synced, and the family whose memtable was switched for
// it has not been flushed. That family begins with this log at the next start, the others with a later one.
TEST_F(FullDisk, RefusedBatchDoesNotComeBackForOneFamily) {
  Fill(20);
  HeldFlushes flushes;
  for (int i = 0; i < 1000 && !fs_.has_failed(); ++i) {
    fs_.FailAt({.at = 1,
                .kind = FaultKind::kNoSpace,
                .duration = FaultDuration::kFromThenOn,
                .io = Io::kSync,
                .path_ends = NextLog()});
    writer_.Step(*engine_);
  }
  ASSERT_TRUE(fs_.has_failed());
  const std::string log = fs_.failed_path();
  fs_.FailAt({.at = 1, .kind = FaultKind::kNoSpace, .duration = FaultDuration::kFromThenOn});
  flushes.LetGo();
  fs_.StopFailing();
  ASSERT_TRUE(WritesAgainWithin(std::chrono::seconds(30)));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(writer_.Step(*engine_));
  const auto left = fs_.Read();
  ASSERT_TRUE(left.contains(log)) << "the log is still needed";
  EXPECT_EQ(left.at(log), "");
  engine_.reset();
  ExpectNothingLost();
}

TEST_F(FullDisk, BecomesHealthyWithoutAWriteToo) {
  Fill(20);
  fs_.FailAt({.at = 1, .kind = FaultKind::kNoSpace, .duration = FaultDuration::kFromThenOn});
  EXPECT_FALSE(writer_.Step(*engine_));
  fs_.StopFailing();
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!engine_->Health().writable && std::chrono::steady_clock::now() < deadline) {
    fs_.AwaitIo(std::chrono::milliseconds(50));
    engine_->RunJobs();
  }
  EXPECT_TRUE(engine_->Health().writable);
}

}  // namespace
}  // namespace cairn::faults
