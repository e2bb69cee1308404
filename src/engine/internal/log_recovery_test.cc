// Which ends of a log a crash may have left, and which are damage.
#include "engine/internal/log_recovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/internal/crc32c.h"

namespace cairn::engine::internal {
namespace {

constexpr size_t kBlock = 32 * 1024;

void AppendLittleEndian(std::string& out, uint64_t value, int width) {
  for (int i = 0; i < width; ++i) out += static_cast<char>(value >> (8 * i));
}

// Writes a log as RocksDB does: records cut into fragments at the borders of blocks.
class LogWriter {
 public:
  // A batch of `count` changes from `sequence` on, with `bytes` of content.
  LogWriter& Batch(uint64_t sequence, uint32_t count, size_t bytes = 50) {
    std::string record;
    AppendLittleEndian(record, sequence, 8);
    AppendLittleEndian(record, count, 4);
    record.append(bytes, 'x');
    std::string_view rest = record;
    for (bool first = true; first || !rest.empty(); first = false) {
      size_t left = kBlock - log_.size() % kBlock;
      if (left < 7) {
        log_.append(left, '\0');
        left = kBlock;
      }
      const size_t take = std::min(rest.size(), left - 7);
      const bool last = take == rest.size();
      Fragment(first ? (last ? 1 : 2) : (last ? 4 : 3), rest.substr(0, take));
      rest.remove_prefix(take);
    }
    return *this;
  }
  const std::string& log() const { return log_; }

 private:
  void Fragment(char type, std::string_view bytes) {
    const std::string checked = type + std::string(bytes);
    const uint32_t crc = Crc32c(checked);
    AppendLittleEndian(log_, ((crc >> 15) | (crc << 17)) + 0xa282ead8, 4);
    AppendLittleEndian(log_, bytes.size(), 2);
    log_ += checked;
  }
  std::string log_;
};

std::string Flipped(std::string log, size_t at) {
  log[at] = static_cast<char>(log[at] ^ 0x10);
  return log;
}

Result<std::vector<Cut>> Decide(const std::vector<std::string>& logs, std::optional<SyncMark::Value> mark) {
  std::vector<ScannedLog> scanned;
  for (const std::string& log : logs) {
    scanned.push_back({std::to_string(scanned.size() + 1) + ".log", ScanLog(log)});
  }
  return DecideCuts(scanned, mark);
}

// Without `flushed`: of an older version.
SyncMark::Value Synced(uint64_t sequence, std::optional<uint64_t> flushed = std::nullopt) {
  return {.sequence = sequence, .flushed = flushed};
}
SyncMark::Value Relaxed(uint64_t sequence, std::optional<uint64_t> flushed = std::nullopt) {
  return {.sequence = sequence, .durability = Durability::kRelaxed, .flushed = flushed};
}

void ExpectCuts(const Result<std::vector<Cut>>& decided,
                const std::vector<std::pair<std::string, uint64_t>>& cuts) {
  ASSERT_TRUE(decided) << decided.error().message;
  std::vector<std::pair<std::string, uint64_t>> found;
  for (const Cut& cut : *decided) found.emplace_back(cut.name, cut.bytes);
  EXPECT_EQ(found, cuts);
}

TEST(LogScan, WholeLogWithRecordsOverSeveralBlocks) {
  const std::string log = LogWriter().Batch(1, 2).Batch(3, 1, 100'000).Batch(4, 10).log();
  const LogScan scan = ScanLog(log);
  EXPECT_FALSE(scan.damaged);
  EXPECT_EQ(scan.good_bytes, log.size());
  EXPECT_EQ(scan.first_sequence, 1u);
  EXPECT_EQ(scan.last_sequence, 13u);
}

TEST(LogScan, EveryBitFlipIsFoundAndWholeRecordsBehindItAreSeen) {
  const std::string log = LogWriter().Batch(1, 2).Batch(3, 1).Batch(4, 1, 40'000).Batch(5, 1).log();
  const size_t last = ScanLog(LogWriter().Batch(1, 2).Batch(3, 1).Batch(4, 1, 40'000).log()).good_bytes;
  for (size_t at = 0; at < log.size(); at += at < 300 ? 1 : 997) {
    const LogScan scan = ScanLog(Flipped(log, at));
    EXPECT_TRUE(scan.damaged) << at;
    EXPECT_LE(scan.good_bytes, at);
    EXPECT_EQ(scan.records_follow, at < last) << at;
  }
}

TEST(DecideCuts, WholeLogsStayAsTheyAre) {
  const std::vector<std::string> logs = {LogWriter().Batch(1, 5).log(), "", LogWriter().Batch(6, 1).log()};
  for (const auto& mark : {Synced(6), Synced(6, 0), Relaxed(6, 0), Synced(3, 2), Relaxed(0, 0)}) {
    ExpectCuts(Decide(logs, mark), {});
  }
}

TEST(DecideCuts, WhatWasNotSyncedIsCutOffInWhateverStateItIs) {
  const std::string good = LogWriter().Batch(1, 5).log();
  const std::string next = LogWriter().Batch(1, 5).Batch(6, 1, 500).log().substr(good.size());
  for (const std::string& tail : {next.substr(0, 3), next.substr(0, 400), std::string(900, '\0'),
                                  next.substr(0, 100) + std::string(419, '\0'), std::string(500, '\x5a')}) {
    ExpectCuts(Decide({good + tail}, Synced(5)), {{"1.log", good.size()}});
    ExpectCuts(Decide({good + tail}, std::nullopt), {{"1.log", good.size()}});
    ExpectCuts(Decide({good + tail}, Relaxed(5)), {{"1.log", good.size()}});
    for (const uint64_t flushed : {0, 3, 5}) {
      ExpectCuts(Decide({good + tail}, Synced(5, flushed)), {{"1.log", good.size()}});
      ExpectCuts(Decide({good + tail, ""}, Relaxed(5, flushed)), {{"1.log", good.size()}});
    }
  }
}

TEST(DecideCuts, TheSameEndIsDamageOnceItWasSynced) {
  const std::string good = LogWriter().Batch(1, 5).log();
  const std::string log = LogWriter().Batch(1, 5).Batch(6, 1).log();
  for (const auto& mark : {Synced(6), Relaxed(6), Synced(6, 0), Relaxed(6, 0)}) {
    const auto decided = Decide({Flipped(log, log.size() - 1)}, mark);
    ASSERT_FALSE(decided);
    EXPECT_EQ(decided.error().code, Code::kDamaged);
    EXPECT_THAT(decided.error().message, testing::StartsWith("the file 1.log is damaged at byte 69"));
    // The first record of all: only what it says itself tells its place.
    EXPECT_FALSE(Decide({Flipped(good, good.size() - 1)}, mark));
  }
}

TEST(DecideCuts, WholeRecordsBehindDamageMeanThatItIsNoTail) {
  const std::string log = Flipped(LogWriter().Batch(1, 5).Batch(6, 1).Batch(7, 1).log(), 80);
  EXPECT_FALSE(Decide({log}, std::nullopt));
  EXPECT_FALSE(Decide({log}, Synced(5)));
  // With relaxed durability several writes are under way, and their pages reach the disk in any order.
  ExpectCuts(Decide({log}, Relaxed(5)), {{"1.log", LogWriter().Batch(1, 5).log().size()}});
  EXPECT_FALSE(Decide({log}, Relaxed(6)));
}

TEST(DecideCuts, RelaxedNeverLeavesAHoleBetweenLogs) {
  const std::string first = LogWriter().Batch(1, 5).log(), third = LogWriter().Batch(9, 1).log();
  ExpectCuts(Decide({first, third, third}, Relaxed(5, 0)), {{"2.log", 0}, {"3.log", 0}});
  ExpectCuts(Decide({first + "torn", third}, Relaxed(5, 0)), {{"1.log", first.size()}, {"2.log", 0}});
  // A hole in what was synced is damage.
  EXPECT_FALSE(Decide({first, third}, Relaxed(9, 0)));
  EXPECT_FALSE(Decide({first + "torn", third}, Relaxed(9, 0)));
  // Except where the missing part lies in table files: there it may have been lost on a full disk.
  ExpectCuts(Decide({first, third}, Relaxed(9, 8)), {});
  ExpectCuts(Decide({first + "torn", third}, Relaxed(9, 8)), {{"1.log", first.size()}});
}

TEST(DecideCuts, AnOlderLogWithATornEndIsLeftToRocksDbWhenTheMarkIsOld) {
  const std::string first = LogWriter().Batch(1, 5).log(), second = LogWriter().Batch(9, 1).log();
  ExpectCuts(Decide({first + "torn", second}, Synced(9)), {});
  ExpectCuts(Decide({first + "torn", second}, Relaxed(9)), {});
  ExpectCuts(Decide({first + "torn", second}, std::nullopt), {});
}

TEST(DecideCuts, TheRestOfARefusedWriteIsCutOffWhenTheNextLogGoesOn) {
  const std::string first = LogWriter().Batch(1, 5).log(), second = LogWriter().Batch(6, 1).log();
  for (const auto& mark : {Synced(6, 0), Relaxed(6, 0), Relaxed(3, 0), Synced(5, 0)}) {
    ExpectCuts(Decide({first + "torn", "", second}, mark), {{"1.log", first.size()}});
  }
  // It may also be whole: then later changes have its sequences.
  const std::string with_refused = LogWriter().Batch(1, 5).Batch(6, 4).log();
  ExpectCuts(Decide({with_refused, second}, Synced(6, 0)), {});
  EXPECT_FALSE(Decide({with_refused, second, LogWriter().Batch(10, 1).log()}, Synced(10, 0)));
}

TEST(DecideCuts, LogThatIsMissingIsNoticed) {
  const std::vector<std::string> logs = {LogWriter().Batch(1, 5).log(), LogWriter().Batch(6, 3).log(),
                                         LogWriter().Batch(9, 2).log()};
  for (const auto& mark : {Synced(10, 0), Relaxed(10, 0)}) {
    for (size_t missing = 0; missing < logs.size(); ++missing) {
      std::vector<std::string> left = logs;
      left[missing].clear();
      const auto decided = Decide(left, mark);
      ASSERT_FALSE(decided) << missing;
      EXPECT_EQ(decided.error().code, Code::kDamaged);
      EXPECT_THAT(decided.error().message, testing::HasSubstr(".log")) << missing;
    }
    EXPECT_FALSE(Decide({}, mark));
  }
  EXPECT_THAT(
      Decide({logs[0], "", logs[2]}, Synced(10, 0)).error().message,
      testing::StartsWith("between the logs 1.log and 3.log records are missing: those of the changes "
                          "6 to 8."));
}

TEST(DecideCuts, LogThatEndsTooEarlyIsNoticed) {
  const std::string whole = LogWriter().Batch(1, 5).Batch(6, 3).log(), cut = LogWriter().Batch(1, 5).log(),
                    next = LogWriter().Batch(9, 2).log();
  EXPECT_FALSE(Decide({cut, next}, Synced(10, 0)));
  EXPECT_FALSE(Decide({cut}, Synced(8, 0)));
  EXPECT_FALSE(Decide({whole, ""}, Synced(10, 0)));
  EXPECT_FALSE(Decide({cut + "torn", next}, Synced(5, 0))) << "a later log has whole records";
  ExpectCuts(Decide({cut}, Synced(5, 0)), {});
  ExpectCuts(Decide({cut, next}, Synced(10, 8)), {});
}

TEST(DecideCuts, WhatLiesInTableFilesIsNotNeeded) {
  const std::string first = LogWriter().Batch(1, 5).Batch(6, 3).log(),
                    second = LogWriter().Batch(20, 2).log();
  for (const auto& mark : {Synced(21, 19), Relaxed(19, 19), Relaxed(21, 19)}) {
    ExpectCuts(Decide({second}, mark), {});
    ExpectCuts(Decide({first, second}, mark), {});
    ExpectCuts(Decide({Flipped(first, 10), second}, mark), {{"1.log", 0}});
  }
  for (const auto& mark : {Synced(21, 21), Relaxed(21, 21)}) {
    ExpectCuts(Decide({}, mark), {});
    ExpectCuts(Decide({""}, mark), {});
  }
}

}  // namespace
}  // namespace cairn::engine::internal
