// Work beside requests that meets a full disk: it is done once there is room, without a restart and without
// anybody asking again. And what a power loss must not do to streams.
#include <gtest/gtest.h>

#include <functional>

#include "base/clock.h"
#include "base/random.h"
#include "base/task.h"
#include "crash_fs.h"
#include "engine/engine.h"
#include "raw_database.h"
#include "rounds.h"
#include "store_reader.h"

namespace cairn::faults {
namespace {

using engine::Engine;
using item::Item;
using item::Number;
using item::Type;

constexpr int kItems = 1200;  // several portions
const std::string kTable = "T";
constexpr std::chrono::seconds kLimit(60);  // that only a hang reaches

store::IndexDefinition Index(std::string name) {
  store::IndexDefinition index{.name = std::move(name)};
  index.key_schema.partition = {{"grp", Type::kString}};
  return index;
}

class BackgroundWork : public testing::Test {
 protected:
  void SetUp() override {
    QuietLog();
    fs_ = std::make_unique<CrashFs>(1);
  }
  void TearDown() override { log::SetLevel(log::Level::kInfo); }

  void Open(engine::Durability durability = engine::Durability::kSync,
            engine::BackgroundJobs jobs = engine::BackgroundJobs::kOn) {
    engine::EngineOptions options;
    options.directory = "/data";
    options.durability = durability;
    options.background_jobs = jobs;
    options.cache_bytes = 4 << 20;
    options.write_buffer_bytes = 64 << 10;
    options.ttl_sweep_interval = std::chrono::seconds(1);
    options.relaxed_sync_interval = std::chrono::hours(1);  // never, as far as a test goes
    options.env = fs_->env();
    // As another process: a store that is read-only for good never lets go of its lock.
    engine_.reset();
    fs_->EndProcess();
    auto opened = Engine::Open(options, clock_, random_);
    ASSERT_TRUE(opened) << opened.error().message;
    engine_ = *std::move(opened);
  }

  void CreateTable(std::vector<store::IndexDefinition> indexes = {}) {
    store::TableDefinition table;
    table.name = kTable;
    table.key_schema = {{{"pk", Type::kString}}, {}};
    table.attribute_definitions = {{"pk", Type::kString}};
    if (!indexes.empty()) table.attribute_definitions.push_back({"grp", Type::kString});
    table.indexes = std::move(indexes);
    table.stream = store::StreamSettings{store::StreamView::kKeysOnly};
    ASSERT_TRUE(SyncWait(engine_->CreateTable(table)));
  }
  // Every other one expires within the hour.
  void PutItems() {
    const int64_t now = EpochSeconds(clock_.Now());
    for (int i = 0; i < kItems; i += 25) {
      store::BatchWriteTable part{.table = kTable, .actions = {}};
      for (int k = i; k < i + 25; ++k) {
        part.actions.emplace_back(store::BatchPut{Item{{"pk", std::to_string(k)},
                                                       {"grp", "g" + std::to_string(k % 7)},
                                                       {"pad", std::string(100, 'x')},
                                                       {"ttl", Number(now + (k % 2 == 0 ? 10 : 100'000))}}});
      }
      store::BatchWriteItemRequest batch;
      batch.tables.push_back(std::move(part));
      ASSERT_TRUE(SyncWait(engine_->BatchWriteItem(std::move(batch))));
    }
  }

  bool Within(std::chrono::seconds limit, const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      fs_->AwaitIo(std::chrono::milliseconds(20));
    }
    return true;
  }

  store::TableDescription Describe(const std::string& table = kTable) {
    auto description = SyncWait(engine_->DescribeTable(table));
    return description.value_or(store::TableDescription());
  }

  // The disk is full from the at-th I/O on, whichever file that is; there is room again once something has
  // failed. False: the job was done before.
  bool FillsUp(uint64_t at, const std::function<bool()>& start, const std::function<bool()>& is_done) {
    fs_->FailAt({.at = at, .kind = FaultKind::kNoSpace, .duration = FaultDuration::kFromThenOn});
    const bool started = start();
    EXPECT_TRUE(Within(kLimit, [&] { return fs_->has_failed() || (started && is_done()); }));
    const bool met = fs_->has_failed();
    const std::string where = met ? "failed first: " + fs_->failed_path() : "never full";
    fs_->StopFailing();
    // Refused at the very beginning: then it is asked for again.
    EXPECT_TRUE(started || Within(kLimit, start)) << where << "; " << engine_->Health().reason;
    EXPECT_TRUE(Within(kLimit, is_done)) << where << "; " << engine_->Health().reason;
    return met;
  }

  // The whole of one job: prepare, start while the disk fills up at a random moment, look at the result.
  struct Job {
    std::function<void()> prepare;
    std::function<bool()> start, is_done;
  };
  void MeetsAFullDisk(const Job& job) {
    const uint64_t seed = Seed();
    RandomEngine random(seed);
    for (uint64_t round = 0; round < Rounds(3); ++round) {
      uint64_t at = 1 + Below(random, 60);
      for (bool met = false; !met; at = (at + 1) / 2) {
        SCOPED_TRACE("round " + std::to_string(round) + ", full from I/O " + std::to_string(at));
        engine_.reset();
        fs_ = std::make_unique<CrashFs>(seed);
        Open();
        job.prepare();
        if (HasFatalFailure()) return;
        met = FillsUp(at, job.start, job.is_done);
        // Jobs that go on meanwhile would be taken for faults.
        Open(engine::Durability::kSync, engine::BackgroundJobs::kOff);
        ExpectSound();
        if (HasFailure()) return;
      }
    }
  }

  void ExpectSound() {
    const auto report = engine_->Verify({});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->findings, std::vector<std::string>());
  }

  std::unique_ptr<CrashFs> fs_;
  FakeClock clock_{Time(std::chrono::seconds(1'800'000'000))};
  SeededRandom random_{20};
  std::unique_ptr<Engine> engine_;
};

TEST_F(BackgroundWork, NewIndexIsFilled) {
  store::UpdateTableRequest change{.table = kTable, .attribute_definitions = {{"grp", Type::kString}}};
  change.index_changes.emplace_back(store::CreateIndex{Index("new")});
  MeetsAFullDisk({.prepare =
                      [&] {
                        CreateTable();
                        PutItems();
                      },
                  .start = [&] { return SyncWait(engine_->UpdateTable(change)).has_value(); },
                  .is_done =
                      [&] {
                        const auto table = Describe();
                        return table.status == store::TableStatus::kActive && table.indexes.size() == 1 &&
                               table.indexes[0].item_count == kItems;
                      }});
}

TEST_F(BackgroundWork, DeletedIndexIsCleared) {
  store::UpdateTableRequest change{.table = kTable};
  change.index_changes.emplace_back(store::DeleteIndex{"old"});
  MeetsAFullDisk(
      {.prepare =
           [&] {
             CreateTable({Index("old")});
             PutItems();
           },
       .start = [&] { return SyncWait(engine_->UpdateTable(change)).has_value(); },
       .is_done =
           [&] { return Describe().status == store::TableStatus::kActive && Describe().indexes.empty(); }});
}

TEST_F(BackgroundWork, ExpiriesAreFilledAndItemsExpire) {
  MeetsAFullDisk({.prepare =
                      [&] {
                        CreateTable();
                        PutItems();
                        clock_.Advance(std::chrono::hours(1));
                      },
                  .start =
                      [&] {
                        return SyncWait(engine_->UpdateTimeToLive({kTable, {true, "ttl"}})).has_value();
                      },
                  .is_done = [&] { return Describe().item_count == kItems / 2; }});
}

TEST_F(BackgroundWork, BackupIsRestored) {
  std::string backup;
  MeetsAFullDisk({.prepare =
                      [&] {
                        CreateTable({Index("old")});
                        PutItems();
                        const auto made = SyncWait(engine_->CreateBackup({kTable, "b"}));
                        ASSERT_TRUE(made);
                        backup = made->id;
                      },
                  .start =
                      [&] {
                        store::RestoreTableRequest restore{.backup = {kTable, backup}, .target_table = "R"};
                        return SyncWait(engine_->RestoreTableFromBackup(restore)).has_value();
                      },
                  .is_done =
                      [&] {
                        const auto table = Describe("R");
                        return table.status == store::TableStatus::kActive && table.item_count == kItems &&
                               table.indexes[0].item_count == kItems;
                      }});
}

TEST_F(BackgroundWork, FailedBackupLeavesNothing) {
  std::optional<bool> succeeded;
  MeetsAFullDisk({.prepare =
                      [&] {
                        CreateTable();
                        PutItems();
                        succeeded.reset();
                      },
                  .start =
                      [&] {
                        if (!succeeded)
                          succeeded = SyncWait(engine_->CreateBackup({kTable, "b"})).has_value();
                        return true;
                      },
                  .is_done =
                      [&] {
                        if (!engine_->Health().writable) return false;
                        engine_->RunJobs();  // another round, or the end of one that is under way
                        return SyncWait(engine_->ListBackups({}))->backups.size() == (*succeeded ? 1u : 0u);
                      }});
  // Without jobs since then: what lies there?
  engine_.reset();
  RawDatabase raw(*fs_);
  const Rows catalog = raw.Read(RawDatabase::kCatalog);
  const auto is_backup = [](const auto& row) { return row.first[0] == 'B'; };
  EXPECT_EQ(std::ranges::count_if(catalog, is_backup), *succeeded ? 1 : 0);
  EXPECT_EQ(raw.Read(RawDatabase::kItems).size(), static_cast<size_t>(*succeeded ? 2 * kItems : kItems));
}

TEST_F(BackgroundWork, OldStreamRecordsAndTokensAreTrimmed) {
  MeetsAFullDisk({.prepare =
                      [&] {
                        CreateTable();
                        PutItems();
                      },
                  .start =
                      [&] {
                        clock_.Advance(std::chrono::hours(25));
                        return true;
                      },
                  .is_done =
                      [&] {
                        const auto records = ReadStream(*engine_, kTable);
                        return records && records->empty();
                      }});
}

// A reader that has seen a record that the power loss took goes on after it.
TEST_F(BackgroundWork, SequencesOfLostRecordsAreNotUsedAgain) {
  Open(engine::Durability::kRelaxed);
  CreateTable();
  uint64_t seen = 0;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 10; ++i) {
      store::PutItemRequest put{
          .table = kTable, .item = {{"pk", std::to_string(i)}, {"n", Number(round)}}, .condition = nullptr};
      ASSERT_TRUE(SyncWait(engine_->PutItem(put)));
    }
    const auto records = ReadStream(*engine_, kTable);
    ASSERT_TRUE(records && !records->empty());
    EXPECT_GT(records->back().record.sequence, seen);
    EXPECT_EQ(std::ranges::count_if(*records, [&](const auto& r) { return r.record.sequence > seen; }), 10);
    seen = records->back().record.sequence;
    ExpectSound();
    fs_->CutPower();
    engine_.reset();
    fs_->RestorePower(Tail::kLost);
    Open(engine::Durability::kRelaxed);
    if (Describe().definition.name.empty()) CreateTable();  // it was lost, too
    ExpectSound();
  }
  // After a clean stop nothing is skipped.
  engine_->Flush();
  Open(engine::Durability::kRelaxed);
  store::PutItemRequest put{.table = kTable, .item = {{"pk", "last"}}, .condition = nullptr};
  ASSERT_TRUE(SyncWait(engine_->PutItem(put)));
  engine_->Flush();
  Open(engine::Durability::kRelaxed);
  ASSERT_TRUE(
      SyncWait(engine_->PutItem({.table = kTable, .item = {{"pk", "and one"}}, .condition = nullptr})));
  const auto after = ReadStream(*engine_, kTable);
  ASSERT_TRUE(after && after->size() >= 2);
  EXPECT_EQ(after->back().record.sequence, (*after)[after->size() - 2].record.sequence + 1);
}

}  // namespace
}  // namespace cairn::faults
