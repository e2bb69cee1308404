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

SyncMark::Value Synced(uint64_t sequence) { return {.sequence = sequence}; }
SyncMark::Value Relaxed(uint64_t sequence) {
  return {.sequence = sequence, .durability = Durability::kRelaxed};
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
  ExpectCuts(Decide({LogWriter().Batch(1, 5).log(), "", LogWriter().Batch(6, 1).log()}, Synced(6)), {});
}

TEST(DecideCuts, WhatWasNotSyncedIsCutOffInWhateverStateItIs) {
  const std::string good = LogWriter().Batch(1, 5).log();
  const std::string next = LogWriter().Batch(1, 5).Batch(6, 1, 500).log().substr(good.size());
  for (const std::string& tail : {next.substr(0, 3), next.substr(0, 400), std::string(900, '\0'),
                                  next.substr(0, 100) + std::string(419, '\0'), std::string(500, '\x5a')}) {
    ExpectCuts(Decide({good + tail}, Synced(5)), {{"1.log", good.size()}});
    ExpectCuts(Decide({good + tail}, std::nullopt), {{"1.log", good.size()}});
    ExpectCuts(Decide({good + tail}, Relaxed(5)), {{"1.log", good.size()}});
  }
}

TEST(DecideCuts, TheSameEndIsDamageOnceItWasSynced) {
  const std::string good = LogWriter().Batch(1, 5).log();
  const std::string log = LogWriter().Batch(1, 5).Batch(6, 1).log();
  for (const auto& mark : {Synced(6), Relaxed(6)}) {
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
  ExpectCuts(Decide({first, third, third}, Relaxed(5)), {{"2.log", 0}, {"3.log", 0}});
  ExpectCuts(Decide({first + "torn", third}, Relaxed(5)), {{"1.log", first.size()}, {"2.log", 0}});
  // A hole that the synced part goes on behind is what a failed write on a full disk leaves.
  ExpectCuts(Decide({first, third}, Relaxed(9)), {});
  ExpectCuts(Decide({first + "torn", third}, Relaxed(9)), {});
}

TEST(DecideCuts, AnOlderLogWithATornEndIsLeftToRocksDb) {
  const std::string first = LogWriter().Batch(1, 5).log(), second = LogWriter().Batch(9, 1).log();
  ExpectCuts(Decide({first + "torn", second}, Synced(9)), {});
}

}  // namespace
}  // namespace cairn::engine::internal
