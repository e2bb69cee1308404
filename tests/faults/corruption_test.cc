// One bit of one file is wrong: the store does not open and says which file, or a request fails and the log
// says which file; never does it answer something wrong.
#include <gtest/gtest-spi.h>
#include <rocksdb/sst_file_reader.h>

#include <functional>

#include "base/task.h"
#include "raw_database.h"
#include "rounds.h"
#include "store_for_test.h"
#include "store_reader.h"

namespace cairn::faults {
namespace {

constexpr int kOffsets = 20;

// A stretch of a file to be damaged.
struct Target {
  std::string path;
  size_t from = 0, to = 0;
};

struct Tally {
  int refused = 0;   // the store was not opened
  int failed = 0;    // requests failed
  int verified = 0;  // requests were right, `cairn verify` finds the damage
  int replaced = 0;  // everything was right, and a compaction has written the file anew meanwhile
  int harmless = 0;
};

class Corruption : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    for (int i = 1; i < 20; ++i) others_.push_back(std::make_unique<Writer>(i, kSeed + i, ledger_, clock_));
    Fill(20);
    for (const auto& writer : others_) {  // table files with several blocks
      for (int i = 0; i < 20; ++i) ASSERT_TRUE(writer->Step(*engine_));
    }
    write_buffer_bytes_ = 32 << 20;
    Fill(120);  // and a log of some blocks that nothing was flushed from
    const Verdict verdict = Judge(*engine_, ledger_, clock_);
    ASSERT_EQ(verdict.problems, std::vector<std::string>());
    items_ = verdict.items;
    for (const std::string& table : {kMain, kSide}) {
      stream_records_[table] = ReadStream(*engine_, table)->size();
    }
    engine_.reset();
    whole_ = fs_.Read();
  }

  std::string Newest(const std::string& ending) const {
    std::string newest;
    for (const auto& [path, bytes] : whole_) {
      if (path.ends_with(ending) && !bytes.empty()) newest = path;
    }
    return newest;
  }
  std::string Starting(const std::string& name) const {
    std::string newest;
    for (const auto& [path, bytes] : whole_) {
      if (path.starts_with("/data/" + name)) newest = path;
    }
    return newest;
  }
  Target Whole(const std::string& path) const { return {path, 0, whole_.at(path).size()}; }

  // Flips one bit at each of 20 places of the target and tells what came of it.
  Tally Damage(const Target& target) {
    Tally tally;
    const size_t length = target.to - target.from;
    RandomEngine random(length);
    for (int i = 0; i < kOffsets; ++i) {
      const size_t offset = target.from + length * static_cast<size_t>(i) / kOffsets +
                            Below(random, 1 + length / kOffsets) % length;
      Disk::Contents damaged = whole_;
      const size_t at = std::min(offset, target.to - 1);
      damaged[target.path][at] = static_cast<char>(damaged[target.path][at] ^ (1 << Below(random, 8)));
      SCOPED_TRACE(target.path + " byte " + std::to_string(at) + " of " +
                   std::to_string(whole_[target.path].size()));
      fs_.Replace(damaged);
      Try(target.path.substr(target.path.rfind('/') + 1), tally);
      if (HasFailure()) break;
    }
    return tally;
  }

  void Try(const std::string& file, Tally& tally) {
    log::SetLevel(log::Level::kWarning);
    testing::internal::CaptureStderr();
    const Status opened = Open();
    const bool right = opened && EverythingIsRight();
    Result<engine::VerifyReport> report = engine::VerifyReport();
    if (opened) report = engine_->Verify({});
    const bool found = !report || !report->findings.empty();
    engine_.reset();
    const std::string said = testing::internal::GetCapturedStderr();
    log::SetLevel(log::Level::kOff);
    if (!opened) {
      ++tally.refused;
      EXPECT_NE(opened.error().message.find(file), std::string::npos) << opened.error().message;
    } else if (!right) {
      ++tally.failed;
      EXPECT_TRUE(found) << "requests fail, but verify finds nothing";
      EXPECT_NE(said.find(file), std::string::npos) << said;
    } else if (found) {
      ++tally.verified;
      EXPECT_TRUE(!report || report->findings.front().find(file) != std::string::npos)
          << report->findings.front();
    } else if (!fs_.Read().contains("/data/" + file)) {
      ++tally.replaced;
    } else {
      ++tally.harmless;
    }
  }

  // True: everything is as it was. False: some request failed, and what others answered was right.
  bool EverythingIsRight() {
    bool complete = true;
    for (const std::string& table : {kMain, kSide}) {
      complete = RowsAreRight(table) && complete;
      complete = StreamIsRight(table) && complete;
    }
    for (const auto& [place, item] : items_) {
      store::GetItemRequest request{.table = place.table,
                                    .key = item::Item{{"pk", place.pk}, {"sk", place.sk}},
                                    .projection = std::nullopt};
      const auto got = SyncWait(engine_->GetItem(request));
      complete = complete && got.has_value();
      if (!got) continue;
      EXPECT_TRUE(got->item && got->item->Unpack() == item) << "wrong answer for " << place.ToString();
    }
    return complete;
  }

  bool RowsAreRight(const std::string& table) {
    bool complete = true;
    Items expected;
    for (const auto& [place, item] : items_) {
      if (place.table == table) expected.emplace(place, item);
    }
    const auto rows = ReadTable(*engine_, table);
    EXPECT_TRUE(!rows || *rows == expected) << "wrong rows of " << table;
    complete = complete && rows;
    const auto description = SyncWait(engine_->DescribeTable(table));
    for (const auto& index : description->indexes) {
      const auto indexed = ReadTable(*engine_, table, index.definition.name);
      EXPECT_TRUE(!indexed || *indexed == ExpectedRows(items_, table, index.definition))
          << "wrong index rows";
      complete = complete && indexed;
    }
    return complete;
  }

  bool StreamIsRight(const std::string& table) {
    const auto records = ReadStream(*engine_, table);
    if (!records) return false;
    EXPECT_EQ(records->size(), stream_records_.at(table)) << "records are missing";
    return true;
  }

  void Report(const std::string& kind, const Tally& tally) {
    std::printf("%-16s %3d refused, %3d requests failed, %3d found by verify, %3d replaced, %3d harmless\n",
                kind.c_str(), tally.refused, tally.failed, tally.verified, tally.replaced, tally.harmless);
  }

  std::shared_ptr<const rocksdb::TableProperties> PropertiesOf(const std::string& path) {
    rocksdb::Options options;
    options.env = fs_.env();
    rocksdb::SstFileReader reader(options);
    EXPECT_TRUE(reader.Open(path).ok());
    return reader.GetTableProperties();
  }
  std::string FamilyOf(const std::string& path) { return PropertiesOf(path)->column_family_name; }
  // Where the blocks of a kind lie in a table file: data, then filter, then index.
  std::map<std::string, Target> BlocksOf(const std::string& path) {
    fs_.Replace(whole_);
    const auto properties = PropertiesOf(path);
    const size_t data = properties->data_size, filter = data + properties->filter_size,
                 index = filter + properties->index_size, size = whole_.at(path).size();
    return {{"data", {path, 0, data}},
            {"filter", {path, data, filter}},
            {"index", {path, filter, index}},
            {"rest", {path, index, size}}};
  }

  std::vector<std::unique_ptr<Writer>> others_;
  Items items_;
  std::map<std::string, size_t> stream_records_;
  Disk::Contents whole_;
};

TEST_F(Corruption, LogsAreRefusedByName) {
  const std::string log = Newest(".log");
  const size_t size = whole_.at(log).size();
  ASSERT_GT(size, 40'000u);
  for (const auto& [kind, target] : std::map<std::string, Target>{{"log middle", {log, 0, size - 1000}},
                                                                  {"log tail", {log, size - 1000, size}}}) {
    const Tally tally = Damage(target);
    Report(kind, tally);
    // Everything in it had been synced, so nothing of it may be taken for the rest of a crash.
    EXPECT_EQ(tally.refused, kOffsets) << kind;
  }
}

// The largest table file of every family; by default only of one.
TEST_F(Corruption, TableFilesFailByName) {
  std::map<std::string, std::string> largest;  // family -> path
  for (const auto& [path, bytes] : whole_) {
    if (!path.ends_with(".sst")) continue;
    std::string& known = largest[FamilyOf(path)];
    if (known.empty() || whole_.at(known).size() < bytes.size()) known = path;
  }
  ASSERT_EQ(largest.size(), 4u);
  for (const auto& [family, path] : largest) {
    if (family != "items" && Rounds(1) == 1) continue;
    for (const auto& [kind, target] : BlocksOf(path)) {
      if (target.from == target.to) continue;
      const Tally tally = Damage(target);
      Report(family + " " + kind, tally);
      EXPECT_EQ(tally.harmless, 0);
    }
  }
}

TEST_F(Corruption, MissingFilesAreNoticed) {
  for (const std::string& path :
       {Newest(".log"), Newest(".sst"), Starting("MANIFEST-"), Starting("CURRENT")}) {
    SCOPED_TRACE(path);
    Disk::Contents damaged = whole_;
    damaged.erase(path);
    fs_.Replace(damaged);
    for (int attempt = 0; attempt < 2; ++attempt) {  // and they stay noticed
      const Status opened = Open();
      ASSERT_FALSE(opened);
      EXPECT_EQ(opened.error().code == Code::kDamaged || opened.error().code == Code::kUnavailable, true);
      const std::string name = path.ends_with(".log") ? ".log" : path.substr(path.rfind('/') + 1);
      EXPECT_NE(opened.error().message.find(name), std::string::npos) << opened.error().message;
    }
  }
}

TEST_F(Corruption, TheLossOfALogCanBeAccepted) {
  Disk::Contents damaged = whole_;
  damaged.erase(Newest(".log"));
  damaged.erase("/data/SYNCED");
  fs_.Replace(damaged);
  ASSERT_TRUE(Open());
  const auto report = engine_->Verify({});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->findings, std::vector<std::string>());
}

TEST_F(Corruption, ListOfFilesIsRefusedByName) {
  const Tally manifest = Damage(Whole(Starting("MANIFEST-")));
  Report("MANIFEST", manifest);
  EXPECT_EQ(manifest.refused + manifest.harmless, kOffsets);
  const Tally current = Damage(Whole("/data/CURRENT"));
  Report("CURRENT", current);
  EXPECT_EQ(current.refused, kOffsets);
}

TEST_F(Corruption, FilesWithoutDataAreHarmless) {
  for (const char* name : {"OPTIONS-", "IDENTITY", "SYNCED"}) {
    const Tally tally = Damage(Whole(Starting(name)));
    Report(name, tally);
    EXPECT_EQ(tally.harmless, kOffsets) << name;
  }
}

// Several logs are needed at once, because families that are seldom written keep old ones.
class MissingRecords : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    Fill(20);
    for (int i = 0; i < 1000 && Logs().size() < 4; ++i) ASSERT_TRUE(writer_.Step(*engine_));
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(writer_.Step(*engine_));
    engine_.reset();
    whole_ = fs_.Read();
    logs_ = Logs();
  }

  std::vector<std::string> Logs() const {
    std::vector<std::string> logs;
    for (const auto& [path, bytes] : fs_.Read()) {
      if (path.ends_with(".log")) logs.push_back(path);
    }
    return logs;
  }

  // Where the records of a log end (engine/internal/log_scan.h), and where the first one begins.
  static std::vector<size_t> Boundaries(const std::string& log) {
    constexpr size_t kBlock = 32 * 1024, kHeader = 7;
    std::vector<size_t> boundaries = {0};
    for (size_t at = 0; at + kHeader <= log.size();) {
      if (kBlock - at % kBlock < kHeader) at += kBlock - at % kBlock;
      const auto byte = [&](size_t i) { return static_cast<uint8_t>(log[at + i]); };
      const bool ends = byte(6) == 1 || byte(6) == 4;
      at += kHeader + byte(4) + 256 * byte(5);
      if (ends) boundaries.push_back(at);
    }
    return boundaries;
  }

  // True: it was refused by name. False: everything is there.
  bool IsRefused(const Disk::Contents& damaged) {
    fs_.Replace(damaged);
    if (const Status opened = Open(); !opened) {
      EXPECT_EQ(opened.error().code, Code::kDamaged);
      EXPECT_NE(opened.error().message.find(".log"), std::string::npos) << opened.error().message;
      return true;
    }
    EXPECT_EQ(Judge(*engine_, ledger_, clock_).problems, std::vector<std::string>());
    engine_.reset();
    return false;
  }

  Disk::Contents whole_;
  std::vector<std::string> logs_;
};

TEST_F(MissingRecords, EveryLogThatIsGone) {
  int refused = 0;
  for (const std::string& log : logs_) {
    SCOPED_TRACE(log);
    Disk::Contents damaged = whole_;
    damaged.erase(log);
    refused += IsRefused(damaged) ? 1 : 0;
  }
  std::printf("%d of %zu logs are needed\n", refused, logs_.size());
  EXPECT_GE(refused, 3);
}

TEST_F(MissingRecords, EveryLogThatEndsTooEarlyBetweenTwoRecords) {
  int refused = 0, complete = 0;
  for (const std::string& log : logs_) {
    for (const size_t end : Boundaries(whole_[log])) {
      SCOPED_TRACE(log + " ends at " + std::to_string(end) + " of " + std::to_string(whole_[log].size()));
      if (end == whole_[log].size()) continue;
      Disk::Contents damaged = whole_;
      damaged[log].resize(end);
      ++(IsRefused(damaged) ? refused : complete);
      if (HasFailure()) return;
    }
  }
  std::printf("%d refused, %d complete\n", refused, complete);
  EXPECT_GT(refused, 50);
}

// The mutant: a store whose checks do not see the damage, because it was written as if it were right. The
// comparison has to notice that an answer is wrong, or passing means nothing.
TEST_F(Corruption, AWrongAnswerWouldBeNoticed) {
  for (const RawDatabase::Family family :
       {RawDatabase::kItems, RawDatabase::kIndexes, RawDatabase::kStreams}) {
    SCOPED_TRACE(family);
    fs_.Replace(whole_);
    {
      RawDatabase raw(fs_);
      const Rows rows = raw.Read(family);
      ASSERT_GT(rows.size(), 1u);
      raw.Delete(family, rows.begin()->first);
    }
    ASSERT_TRUE(Open());
    testing::TestPartResultArray complaints;
    {
      const testing::ScopedFakeTestPartResultReporter listening(&complaints);
      EverythingIsRight();
    }
    engine_.reset();
    EXPECT_GT(complaints.size(), 0);
  }
}

}  // namespace
}  // namespace cairn::faults
