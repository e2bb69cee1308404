#include "live/change_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/log.h"
#include "base/random.h"
#include "live/recording_socket_for_test.h"
#include "live/stream_store_for_test.h"

namespace cairn::live {
namespace {

using testing::ElementsAre;

// Every record of the tables A and B is an event in the rooms a:x and b:x, named as the record is.
class ChangeFeedTest : public testing::Test {
 protected:
  ChangeFeedTest() {
    log::SetLevel(log::Level::kOff);
    store_.Create("A");
    store_.Create("B");
    store_.Enable("A");
    store_.Enable("B");
    Restart();
  }

  // As a new process: nothing is known but what the store has.
  void Restart() {
    feed_.reset();
    hub_ = std::make_unique<Hub>(sealer_);
    hub_->AddFeed("as", {"a"});
    hub_->AddFeed("bs", {"b"});
    feed_ = std::make_unique<ChangeFeed>(store_, *hub_,
                                         std::vector<Source>{Of("as", "A", "a:x"), Of("bs", "B", "b:x")});
  }
  static Source Of(std::string feed, std::string table, std::string room) {
    return {.feed = std::move(feed),
            .table = std::move(table),
            .translate = [room](const store::StreamRecord& record) -> std::vector<Event> {
              if (record.event_id.starts_with("boring")) return {};
              return {{room, record.event_id, "{}"}};
            }};
  }
  size_t Pump() { return SyncWait(feed_->PumpOnce()); }

  std::shared_ptr<RecordingSocket> Enter(std::string room, std::optional<std::string> cursor = std::nullopt) {
    auto socket = std::make_shared<RecordingSocket>();
    hub_->Subscribe(hub_->Join("alice", socket), room, cursor);
    return socket;
  }

  SeededRandom random_{5};
  model::CursorSealer sealer_{"secret", random_};
  StreamStore store_;
  std::unique_ptr<Hub> hub_;
  std::unique_ptr<ChangeFeed> feed_;
};

TEST_F(ChangeFeedTest, RecordsBecomeEventsInOrder) {
  EXPECT_EQ(Pump(), 0u);
  const auto a = Enter("a:x");
  const auto b = Enter("b:x");
  store_.Write("A", "1");
  store_.Write("B", "2");
  store_.Write("A", "boring");
  store_.Write("A", "3");
  EXPECT_EQ(Pump(), 3u);
  EXPECT_EQ(Pump(), 0u);
  store_.Write("A", "4");
  EXPECT_EQ(Pump(), 1u);
  EXPECT_THAT(a->shorts(), ElementsAre("subscribed a:x", "event a:x 1", "event a:x 3", "event a:x 4"));
  EXPECT_THAT(b->shorts(), ElementsAre("subscribed b:x", "event b:x 2"));
}

TEST_F(ChangeFeedTest, OnePumpReadsManyPages) {
  Pump();
  const auto a = Enter("a:x");
  for (int i = 0; i < 95; ++i) store_.Write("A", std::to_string(i));
  EXPECT_EQ(Pump(), 95u);
  const std::vector<std::string> told = a->shorts();
  ASSERT_EQ(told.size(), 96u);
  for (int i = 0; i < 95; ++i) EXPECT_EQ(told[static_cast<size_t>(i) + 1], "event a:x " + std::to_string(i));
}

TEST_F(ChangeFeedTest, ClientsResumeAfterARestart) {
  Pump();
  store_.Write("A", "1");
  Pump();
  const std::string cursor = Enter("a:x")->last_cursor();
  store_.Write("A", "2");
  Pump();
  store_.Write("A", "3");
  Restart();
  store_.Write("A", "4");
  Pump();
  EXPECT_THAT(Enter("a:x", cursor)->shorts(),
              ElementsAre("subscribed a:x", "event a:x 2", "event a:x 3", "event a:x 4"));
}

TEST_F(ChangeFeedTest, RestartReadsAtMostTheLastTwentyThousandSequences) {
  store_.Write("A", "old");
  Pump();
  const std::string cursor = Enter("a:x")->last_cursor();
  store_.Write("A", "too long ago");
  store_.Skip(20'000);
  store_.Write("A", "new");
  Restart();
  EXPECT_EQ(Pump(), 1u);
  EXPECT_THAT(Enter("a:x", cursor)->shorts(), ElementsAre("subscribed a:x", "reset a:x"));
}

TEST_F(ChangeFeedTest, WritesToOtherTablesMoveTheCursorOn) {
  Pump();
  store_.Write("A", "1");
  store_.Skip(30'000);
  Pump();
  const std::string cursor = Enter("a:x")->last_cursor();
  Restart();
  Pump();
  store_.Write("A", "2");
  Pump();
  EXPECT_THAT(Enter("a:x", cursor)->shorts(), ElementsAre("subscribed a:x", "event a:x 2"));
}

TEST_F(ChangeFeedTest, ErrorsDelayButLoseNothing) {
  Pump();
  const auto a = Enter("a:x");
  store_.Write("A", "1");
  store_.FailWith(Error{Code::kUnavailable, "not now"});
  EXPECT_EQ(Pump(), 0u);
  EXPECT_EQ(Pump(), 0u);
  store_.Write("A", "2");
  store_.FailWith(std::nullopt);
  EXPECT_EQ(Pump(), 2u);
  EXPECT_THAT(a->shorts(), ElementsAre("subscribed a:x", "event a:x 1", "event a:x 2"));
}

TEST_F(ChangeFeedTest, ErrorWithNothingNewIsNotNoticedByClients) {
  store_.Write("A", "1");
  Pump();
  const auto a = Enter("a:x");
  store_.FailWith(Error{Code::kUnavailable, "not now"});
  Pump();
  store_.FailWith(std::nullopt);
  Pump();
  EXPECT_THAT(a->shorts(), ElementsAre("subscribed a:x"));
}

TEST_F(ChangeFeedTest, OneTablesErrorDoesNotStopTheOther) {
  Pump();
  const auto b = Enter("b:x");
  store_.Delete("A");
  store_.Write("B", "1");
  EXPECT_EQ(Pump(), 1u);
  EXPECT_THAT(b->shorts(), ElementsAre("subscribed b:x", "event b:x 1"));
}

TEST_F(ChangeFeedTest, RecordsTrimmedBeforeTheyWereReadReset) {
  Pump();
  store_.Write("A", "1");
  Pump();
  const auto a = Enter("a:x");
  store_.Write("A", "lost");
  store_.Write("A", "2");
  store_.FailWith(Error{Code::kUnavailable, "for a day"});
  Pump();
  store_.Trim("A", 2);
  store_.FailWith(std::nullopt);
  EXPECT_EQ(Pump(), 1u);
  EXPECT_THAT(a->shorts(), ElementsAre("subscribed a:x", "reset a:x", "event a:x 2"));
  // The cursor of the reset is in front of what is there.
  EXPECT_THAT(Enter("a:x", Member(a->messages()[1], "cursor"))->shorts(),
              ElementsAre("subscribed a:x", "event a:x 2"));
}

TEST_F(ChangeFeedTest, StoreThatSaysTrimmedWhileReadingResets) {
  Pump();
  const auto a = Enter("a:x");
  store_.Write("A", "lost");
  store_.Write("A", "1");
  store_.FailWith(Error{Code::kTrimmedData, "trimmed"});
  Pump();
  store_.Trim("A", 1);
  store_.FailWith(std::nullopt);
  Pump();
  EXPECT_THAT(a->shorts(), ElementsAre("subscribed a:x", "reset a:x", "event a:x 1"));
}

TEST_F(ChangeFeedTest, EverythingTrimmedAtTheStartMeansFromNowOn) {
  store_.Write("A", "1");
  store_.Write("A", "2");
  store_.Trim("A", 2);
  EXPECT_EQ(Pump(), 0u);
  const std::string cursor = Enter("a:x")->last_cursor();
  store_.Write("A", "3");
  Pump();
  EXPECT_THAT(Enter("a:x", cursor)->shorts(), ElementsAre("subscribed a:x", "event a:x 3"));
}

TEST_F(ChangeFeedTest, DisabledStreamIsReadToItsEndAndANewOneFound) {
  Pump();
  const auto a = Enter("a:x");
  store_.Write("A", "1");
  store_.Disable("A");
  EXPECT_EQ(Pump(), 1u);
  EXPECT_EQ(Pump(), 0u);
  store_.Enable("A");
  store_.Write("A", "2");
  EXPECT_EQ(Pump(), 1u);
  EXPECT_THAT(a->shorts(), ElementsAre("subscribed a:x", "event a:x 1", "reset a:x", "event a:x 2"));
  const std::string of_old_stream = Member(a->messages()[1], "cursor");
  EXPECT_THAT(Enter("a:x", of_old_stream)->shorts(), ElementsAre("subscribed a:x", "reset a:x"));
}

TEST_F(ChangeFeedTest, StreamMadeAnewBetweenTwoLooksLosesNothingThatWasRecorded) {
  Pump();
  const auto a = Enter("a:x");
  store_.Write("A", "1");
  store_.Disable("A");
  store_.Enable("A");
  store_.Write("A", "2");
  EXPECT_EQ(Pump(), 2u);
  EXPECT_THAT(a->shorts(), ElementsAre("subscribed a:x", "event a:x 1", "reset a:x", "event a:x 2"));
}

TEST_F(ChangeFeedTest, DisabledStreamStillServesAfterARestart) {
  Pump();
  const std::string cursor = Enter("a:x")->last_cursor();
  store_.Write("A", "1");
  store_.Disable("A");
  Restart();
  EXPECT_EQ(Pump(), 1u);
  EXPECT_THAT(Enter("a:x", cursor)->shorts(), ElementsAre("subscribed a:x", "event a:x 1"));
}

TEST_F(ChangeFeedTest, TableMadeAnewIsFound) {
  Pump();
  const auto a = Enter("a:x");
  store_.Delete("A");
  EXPECT_EQ(Pump(), 0u);
  store_.Create("A");
  EXPECT_EQ(Pump(), 0u);  // without a stream
  store_.Enable("A");
  store_.Write("A", "1");
  EXPECT_EQ(Pump(), 1u);
  EXPECT_THAT(a->shorts(), ElementsAre("subscribed a:x", "reset a:x", "event a:x 1"));
}

// ---- the thread ----

TEST_F(ChangeFeedTest, StartRefillsBeforeItReturns) {
  Pump();
  store_.Write("A", "0");
  Pump();
  const std::string cursor = Enter("a:x")->last_cursor();
  store_.Write("A", "1");
  Restart();
  feed_->Start();
  EXPECT_THAT(Enter("a:x", cursor)->shorts(), ElementsAre("subscribed a:x", "event a:x 1"));
}

TEST_F(ChangeFeedTest, ThreadPublishesWhatComes) {
  feed_->Start();
  const auto a = Enter("a:x");
  for (int i = 0; i < 3; ++i) {
    store_.Write("A", std::to_string(i));
    a->WaitFor(static_cast<size_t>(i) + 2);
  }
  EXPECT_THAT(a->shorts(), ElementsAre("subscribed a:x", "event a:x 0", "event a:x 1", "event a:x 2"));
  feed_->Stop();
  const int reads = store_.reads();
  store_.Write("A", "after the end");
  EXPECT_EQ(store_.reads(), reads);
  EXPECT_EQ(a->messages().size(), 4u);
}

TEST_F(ChangeFeedTest, StartsAgainAfterAStop) {
  feed_->Start();
  feed_->Stop();
  feed_->Stop();
  store_.Write("A", "1");
  feed_->Start();
  EXPECT_EQ(hub_->Numbers().events, 1u);
}

}  // namespace
}  // namespace cairn::live
