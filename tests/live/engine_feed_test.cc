// Commits of the real engine as a subscriber sees them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "base/run_here.h"
#include "domains/values/live_events.h"
#include "engine/engine.h"
#include "live/change_feed.h"
#include "live/recording_socket_for_test.h"
#include "model/database.h"
#include "models/values.h"

namespace cairn::live {
namespace {

using testing::ElementsAre;

constexpr std::string_view kRoom = "plan:alice:2026-11-16";

class EngineFeed : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::temp_directory_path() /
                 ("cairn_live_" + std::string(info->name()) + "_" + std::to_string(getpid()));
    std::filesystem::remove_all(directory_);
    Open();
  }
  void TearDown() override {
    Close();
    std::filesystem::remove_all(directory_);
  }

  void Open() {
    engine::EngineOptions options;
    options.directory = directory_.string();
    options.durability = engine::Durability::kRelaxed;
    options.background_jobs = engine::BackgroundJobs::kOff;
    auto engine = engine::Engine::Open(options, clock_, random_);
    ASSERT_TRUE(engine) << engine.error().message;
    engine_ = *std::move(engine);
    database_ = std::make_unique<model::Database>(models::values::LoadModel(), *engine_, clock_, random_);
    const Status created = RunHere(database_->CreateTables());
    ASSERT_TRUE(created) << created.error().message;
    hub_ = std::make_unique<Hub>(sealer_);
    hub_->AddFeed("values", {"values", "plan"});
    changes_ = std::make_unique<values::HeadChanges>(database_->model());
    feed_ = std::make_unique<ChangeFeed>(
        *engine_, *hub_,
        std::vector<Source>{{.feed = "values", .table = table(), .translate = [this](const auto& record) {
                               return Translate(record);
                             }}});
  }
  void Close() {
    feed_.reset();
    hub_.reset();
    database_.reset();
    if (engine_) engine_->Flush();  // a clean stop: the next start goes on with the next sequence
    engine_.reset();
  }

  std::vector<Event> Translate(const store::StreamRecord& record) const {
    if (record.event != store::StreamEvent::kInsert) return {};
    const auto change = changes_->Find(record.keys);
    if (!change) return {};
    return {{values::RoomOf(*change), std::string(values::kHeadChangedEvent), values::DataOf(*change)}};
  }

  const std::string& table() const { return database_->physical_name(0); }
  static std::string RevisionId(int number) {
    const std::string digits = std::to_string(number);
    return "01JCM3Z4T8" + std::string(16 - digits.size(), '0') + digits;
  }
  static item::Item RevisionKey(int number, const std::string& user = "alice") {
    return {{"PK", "U#" + user + "#PLAN#2026-11-16"},
            {"SK", "REV#2026-11-16T08:00:00.000Z#" + RevisionId(number)}};
  }
  static item::Item HeadKey(const std::string& user) {
    return {{"PK", "U#" + user + "#PLAN#2026-11-16"}, {"SK", "HEAD"}};
  }
  // A revision of the day's plan, and the move of HEAD with it.
  void Commit(int number, const std::string& user = "alice") {
    for (const item::Item& item : {RevisionKey(number, user), HeadKey(user)}) {
      store::PutItemRequest put{.table = table(), .item = item, .condition = nullptr};
      auto written = SyncWait(engine_->PutItem(put));
      ASSERT_TRUE(written) << written.error().error.message;
    }
  }
  void ChangeStream(std::variant<store::StreamSettings, store::DisableStream> change) {
    store::UpdateTableRequest request{.table = table()};
    request.stream = change;
    ASSERT_TRUE(SyncWait(engine_->UpdateTable(request)));
  }

  std::shared_ptr<RecordingSocket> Enter(std::optional<std::string> cursor = std::nullopt) {
    auto socket = std::make_shared<RecordingSocket>();
    hub_->Subscribe(hub_->Join("alice", socket), kRoom, cursor);
    return socket;
  }
  size_t Pump() { return RunHere(feed_->PumpOnce()); }
  // The revisions a socket was told of; other messages by their type.
  static std::vector<std::string> Told(const std::vector<std::string>& messages) {
    std::vector<std::string> told;
    for (const std::string& message : messages) {
      const auto members = rest::ParseJsonObject(message);
      const item::AttributeValue* data = members ? members->Find("data") : nullptr;
      told.push_back(data == nullptr ? Member(message, "type") : data->map().Find("revId")->string());
    }
    return told;
  }

  FakeClock clock_{Time(std::chrono::seconds(1'800'000'000))};
  SeededRandom random_{11};
  model::CursorSealer sealer_{"secret", random_};
  std::filesystem::path directory_;
  std::unique_ptr<engine::Engine> engine_;
  std::unique_ptr<model::Database> database_;
  std::unique_ptr<Hub> hub_;
  std::unique_ptr<values::HeadChanges> changes_;
  std::unique_ptr<ChangeFeed> feed_;
};

TEST_F(EngineFeed, EveryCommitIsToldOnceInOrder) {
  Pump();
  const auto socket = Enter();
  std::vector<std::string> expected = {"subscribed"};
  for (int i = 0; i < 50; ++i) {
    Commit(i);
    Commit(i, "bob");
    expected.push_back(RevisionId(i));
    if (i % 7 == 0) Pump();
  }
  Pump();
  EXPECT_EQ(Pump(), 0u);
  EXPECT_EQ(Told(socket->messages()), expected);
}

TEST_F(EngineFeed, ChangedAndDeletedItemsTellNothing) {
  Commit(1);
  Pump();
  const auto socket = Enter();
  Commit(1);  // puts the same items again
  store::DeleteItemRequest erase{.table = table(), .key = RevisionKey(1), .condition = nullptr};
  ASSERT_TRUE(SyncWait(engine_->DeleteItem(erase)));
  EXPECT_EQ(Pump(), 0u);
  EXPECT_THAT(Told(socket->messages()), ElementsAre("subscribed"));
}

TEST_F(EngineFeed, ClientsResumeAfterAReopening) {
  Commit(1);
  Pump();
  const std::string cursor = Enter()->last_cursor();
  Commit(2);
  Pump();
  Commit(3);  // nobody has read it when the server ends
  Close();
  Open();
  Commit(4);
  Pump();
  const auto socket = Enter(cursor);
  EXPECT_THAT(Told(socket->messages()),
              ElementsAre("subscribed", RevisionId(2), RevisionId(3), RevisionId(4)));
  Commit(5);
  Pump();
  EXPECT_EQ(Told(socket->messages()).back(), RevisionId(5));
}

TEST_F(EngineFeed, CursorOfAQuietRoomResumesAfterAReopening) {
  Pump();
  const std::string cursor = Enter()->last_cursor();
  Close();
  Open();
  Pump();
  EXPECT_THAT(Told(Enter(cursor)->messages()), ElementsAre("subscribed"));
}

TEST_F(EngineFeed, StreamMadeAnewResets) {
  Pump();
  const auto socket = Enter();
  Commit(1);
  ChangeStream(store::DisableStream{});
  Commit(2);  // recorded nowhere
  clock_.Advance(std::chrono::seconds(1));
  ChangeStream(store::StreamSettings{});
  Commit(3);
  Pump();
  EXPECT_THAT(Told(socket->messages()), ElementsAre("subscribed", RevisionId(1), "reset", RevisionId(3)));
}

TEST_F(EngineFeed, TrimmedRecordsReset) {
  Commit(1);
  Pump();
  const std::string cursor = Enter()->last_cursor();
  Commit(2);
  clock_.Advance(std::chrono::hours(25));
  engine_->RunJobs();
  Commit(3);
  Close();
  Open();
  Pump();
  EXPECT_THAT(Told(Enter(cursor)->messages()), ElementsAre("subscribed", "reset"));
}

TEST_F(EngineFeed, ThreadTellsWhatOthersCommit) {
  Commit(0);
  feed_->Start();
  const auto socket = Enter();
  std::vector<std::string> expected = {"subscribed"};
  std::thread writer([&] {
    for (int i = 1; i <= 30; ++i) Commit(i);
  });
  for (int i = 1; i <= 30; ++i) expected.push_back(RevisionId(i));
  EXPECT_EQ(Told(socket->WaitFor(expected.size())), expected);
  writer.join();
  feed_->Stop();
  EXPECT_EQ(Told(socket->messages()), expected);
}

}  // namespace
}  // namespace cairn::live
