// Expiry, streams, backups, tables that come and go.
#include "engine/engine_for_test.h"

namespace cairn::engine {
namespace {

using Background = EngineTest;

std::vector<store::StreamRecord> ReadAll(Engine& engine, const store::StreamId& stream) {
  const auto description = SyncWait(engine.DescribeStream(stream));
  EXPECT_TRUE(description);
  store::GetShardPositionRequest start{.stream = stream, .shard_id = description->shard_id};
  auto position = SyncWait(engine.GetShardPosition(start));
  EXPECT_TRUE(position);
  store::GetRecordsRequest request{.position = *position};
  auto records = SyncWait(engine.GetRecords(request));
  EXPECT_TRUE(records);
  return records->records;
}

int64_t Seconds(const Clock& clock) { return EpochSeconds(clock.Now()); }

TEST_F(Background, ExpiredItemsGoAndRefreshedOnesStay) {
  const auto table = CreateTable("T", {}, store::StreamSettings{store::StreamView::kNewAndOldImages});
  ASSERT_TRUE(Put({{"pk", "before"}, {"sk", "1"}, {"ttl", Number(Seconds(clock_) + 10)}}));
  ASSERT_TRUE(SyncWait(engine_->UpdateTimeToLive({"T", {true, "ttl"}})));
  ASSERT_TRUE(Put({{"pk", "after"}, {"sk", "1"}, {"ttl", Number(Seconds(clock_) + 10)}}));
  ASSERT_TRUE(Put({{"pk", "text"}, {"sk", "1"}, {"ttl", "10"}}));
  engine_->RunJobs();
  EXPECT_TRUE(Get("before", "1"));
  ASSERT_TRUE(Put({{"pk", "after"}, {"sk", "1"}, {"ttl", Number(Seconds(clock_) + 100)}}));
  clock_.Advance(std::chrono::seconds(11));
  engine_->RunJobs();
  EXPECT_FALSE(Get("before", "1"));
  EXPECT_TRUE(Get("after", "1"));
  EXPECT_TRUE(Get("text", "1"));
  const auto records = ReadAll(*engine_, {"T", table.stream_label});
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records.back().event, store::StreamEvent::kRemove);
  EXPECT_EQ(records.back().origin, store::ChangeOrigin::kTimeToLive);
  EXPECT_EQ(records[3].origin, store::ChangeOrigin::kClient);
}

TEST_F(Background, StreamHasEveryChangeInOrderAndNoneForAWriteThatChangesNothing) {
  const auto table = CreateTable("T", {}, store::StreamSettings{store::StreamView::kNewAndOldImages});
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}, {"v", "1"}}));
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}, {"v", "1"}}));
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}, {"v", "2"}}));
  ASSERT_TRUE(Remove("a", "1"));
  Reopen();
  const auto records = ReadAll(*engine_, {"T", table.stream_label});
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].event, store::StreamEvent::kInsert);
  EXPECT_EQ(records[1].event, store::StreamEvent::kModify);
  EXPECT_EQ(*records[1].old_image->Find("v"), AttributeValue("1"));
  EXPECT_EQ(*records[1].new_image->Find("v"), AttributeValue("2"));
  EXPECT_EQ(records[2].event, store::StreamEvent::kRemove);
  EXPECT_LT(records[0].sequence, records[1].sequence);
}

TEST_F(Background, RecordsOfOneCommitAreReadFromAnyOfThem) {
  const auto table = CreateTable("T", {}, store::StreamSettings{store::StreamView::kNewImage});
  const std::string text(1000, 'x');  // 100 of them make more than one row
  store::TransactWriteItemsRequest transaction;
  for (int i = 0; i < 100; ++i) {
    store::TransactPut put{.table = "T", .item = {{"pk", "a"}, {"sk", std::to_string(i)}, {"text", text}}};
    transaction.actions.push_back({.action = std::move(put)});
  }
  ASSERT_TRUE(SyncWait(engine_->TransactWriteItems(transaction)));
  const store::StreamId stream{"T", table.stream_label};
  const auto all = ReadAll(*engine_, stream);
  ASSERT_EQ(all.size(), 100u);
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(*all[i].keys.Find("sk"), AttributeValue(std::to_string(i)));
    EXPECT_EQ(all[i].sequence, all[0].sequence + i);
  }
  store::GetRecordsRequest request{.position = {.stream = stream, .next_sequence = all[0].sequence}};
  request.limit = 7;
  for (size_t read = 0; read < all.size();) {
    const auto page = SyncWait(engine_->GetRecords(request));
    ASSERT_TRUE(page && page->next);
    ASSERT_EQ(page->records.size(), std::min<size_t>(7, all.size() - read));
    for (const store::StreamRecord& record : page->records) EXPECT_EQ(record.sequence, all[read++].sequence);
    request.position = *page->next;
  }
  const auto description = SyncWait(engine_->DescribeStream(stream));
  store::GetShardPositionRequest after{.stream = stream,
                                       .shard_id = description->shard_id,
                                       .type = store::IteratorType::kAfterSequence,
                                       .sequence = all[41].sequence};
  const auto position = SyncWait(engine_->GetShardPosition(after));
  ASSERT_TRUE(position);
  const auto rest = SyncWait(engine_->GetRecords({.position = *position}));
  ASSERT_TRUE(rest && rest->records.size() == 58);
  EXPECT_EQ(rest->records.front().sequence, all[42].sequence);
}

TEST_F(Background, StreamRecordsAreKeptForADay) {
  const auto table = CreateTable("T", {}, store::StreamSettings{store::StreamView::kKeysOnly});
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}}));
  clock_.Advance(std::chrono::hours(23));
  ASSERT_TRUE(Put({{"pk", "b"}, {"sk", "1"}}));
  engine_->RunJobs();
  EXPECT_EQ(ReadAll(*engine_, {"T", table.stream_label}).size(), 2u);
  clock_.Advance(std::chrono::hours(2));
  engine_->RunJobs();
  EXPECT_EQ(ReadAll(*engine_, {"T", table.stream_label}).size(), 1u);
  // Sequences go on after a restart, even when every record is gone.
  clock_.Advance(std::chrono::hours(48));
  engine_->RunJobs();
  Reopen();
  ASSERT_TRUE(Put({{"pk", "c"}, {"sk", "1"}}));
  const auto records = ReadAll(*engine_, {"T", table.stream_label});
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].sequence, 3u);
}

TEST_F(Background, BackupIsACutAndRestoresWithItsIndexes) {
  CreateTable("T", {GlobalIndex("G", "g")});
  for (int i = 0; i < 700; ++i) ASSERT_TRUE(Put({{"pk", std::to_string(i)}, {"sk", "x"}, {"g", "all"}}));
  const auto backup = SyncWait(engine_->CreateBackup({"T", "first"}));
  ASSERT_TRUE(backup);
  ASSERT_TRUE(Put({{"pk", "later"}, {"sk", "x"}}));
  store::RestoreTableRequest restore{.backup = {"T", backup->id}, .target_table = "R"};
  ASSERT_TRUE(SyncWait(engine_->RestoreTableFromBackup(restore)));
  EXPECT_EQ(SyncWait(engine_->DescribeTable("R"))->status, store::TableStatus::kCreating);
  Reopen();  // the restore survives it
  engine_->RunJobs();
  const auto restored = SyncWait(engine_->DescribeTable("R"));
  ASSERT_TRUE(restored);
  EXPECT_EQ(restored->status, store::TableStatus::kActive);
  EXPECT_EQ(restored->item_count, 700);
  EXPECT_EQ(restored->indexes[0].item_count, 700);
  EXPECT_FALSE(Get("later", "x", "R"));
  ASSERT_TRUE(SyncWait(engine_->DeleteBackup({"T", backup->id})));
  EXPECT_FALSE(SyncWait(engine_->DescribeBackup({"T", backup->id})));
}

TEST_F(Background, BackupHasNoIndexThatIsBeingDeleted) {
  CreateTable("T", {GlobalIndex("G", "g"), GlobalIndex("H", "h")});
  store::UpdateTableRequest change{.table = "T"};
  change.index_changes.emplace_back(store::DeleteIndex{"G"});
  ASSERT_TRUE(SyncWait(engine_->UpdateTable(change)));
  const auto backup = SyncWait(engine_->CreateBackup({"T", "first"}));
  ASSERT_TRUE(backup);
  ASSERT_EQ(backup->table.definition.indexes.size(), 1u);
  EXPECT_EQ(backup->table.definition.indexes[0].name, "H");
  store::RestoreTableRequest restore{.backup = {"T", backup->id}, .target_table = "R"};
  ASSERT_TRUE(SyncWait(engine_->RestoreTableFromBackup(restore)));
  engine_->RunJobs();
  EXPECT_EQ(SyncWait(engine_->DescribeTable("R"))->indexes.size(), 1u);
}

TEST_F(Background, SettingsOfATableThatIsBeingRestoredStay) {
  CreateTable("T");
  ASSERT_TRUE(Put({{"pk", "old"}, {"sk", "1"}, {"ttl", Number(Seconds(clock_) - 10)}}));
  const auto backup = SyncWait(engine_->CreateBackup({"T", "first"}));
  store::RestoreTableRequest restore{.backup = {"T", backup->id}, .target_table = "R"};
  ASSERT_TRUE(SyncWait(engine_->RestoreTableFromBackup(restore)));
  ASSERT_TRUE(SyncWait(engine_->UpdateTimeToLive({"R", {true, "ttl"}})));
  ASSERT_TRUE(SyncWait(engine_->TagTable("R", {{"team", "blue"}})));
  Reopen();
  engine_->RunJobs();
  const auto table = SyncWait(engine_->DescribeTable("R"));
  EXPECT_EQ(table->status, store::TableStatus::kActive);
  EXPECT_EQ(table->definition.tags.at("team"), "blue");
  EXPECT_FALSE(Get("old", "1", "R")) << "its time to live was set before it came";
}

TEST_F(Background, ListOfStreamsGoesOnAfterOneThatIsGone) {
  std::vector<store::StreamId> streams;
  for (const std::string name : {"A", "B", "C"}) {
    const auto table = CreateTable(name, {}, store::StreamSettings{store::StreamView::kKeysOnly});
    streams.push_back({name, table.stream_label});
  }
  auto page = SyncWait(engine_->ListStreams({.exclusive_start = std::nullopt, .limit = 2}));
  ASSERT_TRUE(page && page->last_evaluated == streams[1]);
  ASSERT_TRUE(SyncWait(engine_->DeleteTable("B")));
  clock_.Advance(std::chrono::hours(25));
  engine_->RunJobs();
  ASSERT_FALSE(SyncWait(engine_->DescribeStream(streams[1])));
  const auto rest = SyncWait(engine_->ListStreams({.exclusive_start = streams[1]}));
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->streams, std::vector<store::StreamId>{streams[2]});
}

TEST_F(Background, ReaderOfTrimmedRecordsIsTold) {
  const auto table = CreateTable("T", {}, store::StreamSettings{store::StreamView::kKeysOnly});
  const auto other = CreateTable("U", {}, store::StreamSettings{store::StreamView::kKeysOnly});
  const store::StreamId stream{"T", table.stream_label};
  const auto shard = SyncWait(engine_->DescribeStream(stream))->shard_id;
  const auto horizon = [&] {
    return *SyncWait(engine_->GetShardPosition({.stream = stream, .shard_id = shard}));
  };
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}}));
  ASSERT_TRUE(Put({{"pk", "b"}, {"sk", "1"}}));
  const auto start = horizon();
  const auto read = SyncWait(engine_->GetRecords({.position = start}));
  ASSERT_TRUE(read && read->records.size() == 2);
  clock_.Advance(std::chrono::hours(25));
  ASSERT_TRUE(Put({{"pk", "c"}, {"sk", "1"}}));
  engine_->RunJobs();
  for (const bool reopened : {false, true}) {
    if (reopened) Reopen();
    const auto late = SyncWait(engine_->GetRecords({.position = start}));
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, Code::kTrimmedData);
    // Who had read them all misses nothing; the horizon has moved.
    for (const store::ShardPosition& position : {*read->next, horizon()}) {
      const auto rest = SyncWait(engine_->GetRecords({.position = position}));
      ASSERT_TRUE(rest) << rest.error().message;
      EXPECT_EQ(rest->records.size(), 1u);
    }
  }
}

TEST_F(Background, DeletedTableLeavesNothingAndItsNameIsFree) {
  CreateTable("T", {GlobalIndex("G", "g")});
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}, {"g", "x"}}));
  ASSERT_TRUE(SyncWait(engine_->DeleteTable("T")));
  CreateTable("T", {GlobalIndex("G", "g")});
  EXPECT_FALSE(Get("a", "1"));
  EXPECT_EQ(QueryIndex("G", "g", "x")->count, 0);
}

TEST_F(Background, CheckpointIsACompleteDirectory) {
  CreateTable("T");
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}}));
  const std::filesystem::path copy = directory_.string() + "_copy";
  std::filesystem::remove_all(copy);
  ASSERT_TRUE(engine_->Checkpoint(copy.string()));
  ASSERT_TRUE(Put({{"pk", "b"}, {"sk", "1"}}));
  engine_.reset();
  std::filesystem::remove_all(directory_);
  std::filesystem::rename(copy, directory_);
  Open();
  EXPECT_TRUE(Get("a", "1"));
  EXPECT_FALSE(Get("b", "1"));
}

}  // namespace
}  // namespace cairn::engine
