#include "live/hub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "live/metrics.h"
#include "live/recording_socket_for_test.h"

namespace cairn::live {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class HubTest : public testing::Test {
 protected:
  void SetUp() override { Start({}); }
  void Start(HubOptions options) {
    hub_ = std::make_unique<Hub>(sealer_, options);
    hub_->AddFeed("plans", {"plan", "values"});
    hub_->AddFeed("chats", {"chat"});
    hub_->Cover("plans", "s1", 100);
    hub_->Cover("chats", "s1", 100);
  }

  struct Client {
    std::shared_ptr<RecordingSocket> socket;
    Hub::SubscriberId id;
  };
  Client Join(std::string user, size_t messages_max = 100'000) {
    auto socket = std::make_shared<RecordingSocket>(messages_max);
    const Hub::SubscriberId id = hub_->Join(std::move(user), socket);
    return {std::move(socket), id};
  }
  Client Enter(std::string user, std::string room, std::optional<std::string> cursor = std::nullopt) {
    Client client = Join(std::move(user));
    hub_->Subscribe(client.id, room, cursor);
    return client;
  }
  // One event whose name is its sequence.
  void Publish(uint64_t sequence, std::string room, std::string feed = "plans") {
    hub_->Publish(feed, sequence, {{std::move(room), std::to_string(sequence), R"({"revId":"r"})"}});
  }
  // The cursor of somebody who has read up to now.
  std::string CursorNow(std::string user, std::string room) {
    const Client client = Enter(std::move(user), std::move(room));
    hub_->Leave(client.id);
    return client.socket->last_cursor();
  }

  SeededRandom random_{5};
  model::CursorSealer sealer_{"secret", random_};
  std::unique_ptr<Hub> hub_;
};

TEST_F(HubTest, EventsGoToThoseInTheRoomInOrder) {
  const Client a = Enter("alice", "plan:a");
  const Client b = Enter("alice", "plan:b");
  Publish(100, "plan:a");
  Publish(101, "plan:b");
  Publish(105, "plan:a");
  EXPECT_THAT(a.socket->shorts(), ElementsAre("subscribed plan:a", "event plan:a 100", "event plan:a 105"));
  EXPECT_THAT(b.socket->shorts(), ElementsAre("subscribed plan:b", "event plan:b 101"));
}

TEST_F(HubTest, EventSaysEverythingTheClientNeeds) {
  const Client client = Enter("alice", "plan:a");
  Publish(100, "plan:a");
  const std::string message = client.socket->messages().back();
  EXPECT_EQ(message, R"({"type":"event","room":"plan:a","event":"100","data":{"revId":"r"},"cursor":")" +
                         client.socket->last_cursor() + "\"}");
}

TEST_F(HubTest, OneRecordCanHaveSeveralEvents) {
  const Client client = Enter("alice", "plan:a");
  hub_->Publish("plans", 100, {{"plan:a", "x", "{}"}, {"plan:b", "y", "{}"}, {"plan:a", "z", "{}"}});
  EXPECT_THAT(client.socket->shorts(), ElementsAre("subscribed plan:a", "event plan:a x", "event plan:a z"));
  // Whoever lost the connection between the two gets the second one only.
  const std::string between = Member(client.socket->messages()[1], "cursor");
  EXPECT_THAT(Enter("alice", "plan:a", between).socket->shorts(),
              ElementsAre("subscribed plan:a", "event plan:a z"));
}

TEST_F(HubTest, RecordIsPublishedOnce) {
  const Client client = Enter("alice", "plan:a");
  Publish(100, "plan:a");
  Publish(100, "plan:a");
  Publish(99, "plan:a");
  EXPECT_THAT(client.socket->shorts(), ElementsAre("subscribed plan:a", "event plan:a 100"));
  EXPECT_EQ(hub_->Numbers().events, 1u);
}

TEST_F(HubTest, OneSocketCanBeInSeveralRooms) {
  const Client client = Join("alice");
  hub_->Subscribe(client.id, "plan:a", std::nullopt);
  hub_->Subscribe(client.id, "chat:a", std::nullopt);
  Publish(100, "plan:a");
  Publish(100, "chat:a", "chats");
  hub_->Unsubscribe(client.id, "plan:a");
  hub_->Unsubscribe(client.id, "plan:never entered");
  Publish(101, "plan:a");
  Publish(101, "chat:a", "chats");
  EXPECT_THAT(client.socket->shorts(),
              ElementsAre("subscribed plan:a", "subscribed chat:a", "event plan:a 100", "event chat:a 100",
                          "event chat:a 101"));
}

TEST_F(HubTest, WhoLeftHearsNothing) {
  const Client client = Enter("alice", "plan:a");
  hub_->Leave(client.id);
  hub_->Leave(client.id);
  hub_->Subscribe(client.id, "plan:a", std::nullopt);
  Publish(100, "plan:a");
  EXPECT_THAT(client.socket->shorts(), ElementsAre("subscribed plan:a"));
  EXPECT_EQ(hub_->Numbers().sockets, 0u);
  EXPECT_EQ(hub_->Numbers().rooms, 0u);
}

TEST_F(HubTest, SubscribingAgainDoesNotDoubleWhatComes) {
  const Client client = Enter("alice", "plan:a");
  hub_->Subscribe(client.id, "plan:a", std::nullopt);
  Publish(100, "plan:a");
  EXPECT_THAT(client.socket->shorts(),
              ElementsAre("subscribed plan:a", "subscribed plan:a", "event plan:a 100"));
}

// ---- resuming ----

TEST_F(HubTest, CursorBringsWhatWasMissedThenWhatComes) {
  Publish(100, "plan:a");
  const std::string cursor = CursorNow("alice", "plan:a");
  Publish(101, "plan:a");
  Publish(102, "plan:b");
  Publish(103, "plan:a");
  const Client client = Enter("alice", "plan:a", cursor);
  Publish(104, "plan:a");
  EXPECT_THAT(client.socket->shorts(),
              ElementsAre("subscribed plan:a", "event plan:a 101", "event plan:a 103", "event plan:a 104"));
}

TEST_F(HubTest, EveryCursorOfAConversationResumesBehindIt) {
  const Client first = Enter("alice", "plan:a");
  for (uint64_t sequence = 100; sequence < 105; ++sequence) Publish(sequence, "plan:a");
  const std::vector<std::string> messages = first.socket->messages();
  for (size_t i = 0; i < messages.size(); ++i) {
    const Client again = Enter("alice", "plan:a", Member(messages[i], "cursor"));
    const std::vector<std::string> told = again.socket->shorts();
    const std::vector<std::string> all = first.socket->shorts();
    EXPECT_EQ(std::vector<std::string>(told.begin() + 1, told.end()),
              std::vector<std::string>(all.begin() + static_cast<ptrdiff_t>(i) + 1, all.end()));
    // Should this connection end before anything more is read, its first cursor serves as well.
    const std::string cursor = Member(again.socket->messages().front(), "cursor");
    EXPECT_EQ(Enter("alice", "plan:a", cursor).socket->shorts(), told);
  }
}

TEST_F(HubTest, CursorServesInAllRoomsOfTheFeed) {
  const std::string cursor = CursorNow("alice", "values:alice");
  Publish(100, "plan:a");
  EXPECT_THAT(Enter("alice", "plan:a", cursor).socket->shorts(),
              ElementsAre("subscribed plan:a", "event plan:a 100"));
}

TEST_F(HubTest, CursorsServeAfterARestart) {
  Publish(150, "plan:a");
  const std::string cursor = CursorNow("alice", "plan:a");
  Start({});  // and the feed reads the end of the stream again
  for (const uint64_t sequence : {140u, 150u, 151u}) Publish(sequence, "plan:a");
  EXPECT_THAT(Enter("alice", "plan:a", cursor).socket->shorts(),
              ElementsAre("subscribed plan:a", "event plan:a 151"));
}

TEST_F(HubTest, ResetWhenTheCursorDoesNotFit) {
  Publish(100, "plan:a");
  const std::string alices = CursorNow("alice", "plan:a");
  const std::string of_chats = CursorNow("alice", "chat:a");
  for (const std::string& cursor : {std::string("garbage"), std::string(), of_chats, alices.substr(2)}) {
    EXPECT_THAT(Enter("alice", "plan:a", cursor).socket->shorts(),
                ElementsAre("subscribed plan:a", "reset plan:a"));
  }
  EXPECT_THAT(Enter("bob", "plan:a", alices).socket->shorts(),
              ElementsAre("subscribed plan:a", "reset plan:a"));
}

TEST_F(HubTest, ResetWhenTheCursorIsTooOld) {
  Start({.recent = {.events_max = 2}});
  Publish(100, "plan:a");
  const std::string cursor = CursorNow("alice", "plan:a");
  Publish(101, "plan:b");
  Publish(102, "plan:b");
  EXPECT_THAT(Enter("alice", "plan:a", cursor).socket->shorts(), ElementsAre("subscribed plan:a"));
  Publish(103, "plan:b");
  EXPECT_THAT(Enter("alice", "plan:a", cursor).socket->shorts(),
              ElementsAre("subscribed plan:a", "reset plan:a"));
}

TEST_F(HubTest, ResetWhenTheCursorIsFromTheFuture) {
  hub_->Advance("plans", 200);
  const std::string cursor = CursorNow("alice", "plan:a");
  Start({});  // on a store that was brought back from a backup
  EXPECT_THAT(Enter("alice", "plan:a", cursor).socket->shorts(),
              ElementsAre("subscribed plan:a", "reset plan:a"));
}

TEST_F(HubTest, ResetWhenTooMuchWasMissed) {
  Start({.recent = {}, .replay_bytes_max = 1'000});
  const std::string cursor = CursorNow("alice", "plan:a");
  Publish(100, "plan:a");
  Publish(101, "plan:a");
  const Client client = Enter("alice", "plan:a", cursor);
  EXPECT_THAT(client.socket->shorts(),
              ElementsAre("subscribed plan:a", "event plan:a 100", "event plan:a 101"));
  // What is left is for all rooms of the connection.
  hub_->Subscribe(client.id, "plan:a", cursor);
  EXPECT_EQ(client.socket->shorts().back(), "reset plan:a");
}

TEST_F(HubTest, ResetIsRepeatedUntilItsCursorIsUsed) {
  Publish(100, "plan:a");
  const Client client = Enter("alice", "plan:a", "garbage");
  const std::vector<std::string> messages = client.socket->messages();
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_THAT(Enter("alice", "plan:a", Member(messages[0], "cursor")).socket->shorts(),
              ElementsAre("subscribed plan:a", "reset plan:a"));
  Publish(101, "plan:a");
  EXPECT_THAT(Enter("alice", "plan:a", Member(messages[1], "cursor")).socket->shorts(),
              ElementsAre("subscribed plan:a", "event plan:a 101"));
}

TEST_F(HubTest, FeedWithoutAStreamResetsOnceItHasOne) {
  Hub hub(sealer_);
  hub.AddFeed("plans", {"plan"});
  auto socket = std::make_shared<RecordingSocket>();
  const Hub::SubscriberId id = hub.Join("alice", socket);
  hub.Subscribe(id, "plan:a", std::nullopt);
  hub.Subscribe(id, "plan:a", socket->last_cursor());
  hub.Cover("plans", "s1", 0);
  EXPECT_THAT(socket->shorts(),
              ElementsAre("subscribed plan:a", "subscribed plan:a", "reset plan:a", "reset plan:a"));
}

// ---- coverage ----

TEST_F(HubTest, CoverThatContinuesChangesNothing) {
  const std::string cursor = CursorNow("alice", "plan:a");
  Publish(100, "plan:a");
  const Client client = Enter("alice", "plan:a", cursor);
  hub_->Cover("plans", "s1", 101);
  hub_->Cover("plans", "s1", 50);
  Publish(101, "plan:a");
  EXPECT_THAT(client.socket->shorts(),
              ElementsAre("subscribed plan:a", "event plan:a 100", "event plan:a 101"));
  EXPECT_THAT(Enter("alice", "plan:a", cursor).socket->shorts(), testing::SizeIs(3));
}

TEST_F(HubTest, GapInTheStreamResetsEverybodyOfTheFeed) {
  const std::string cursor = CursorNow("alice", "plan:a");
  const Client planner = Enter("alice", "plan:a");
  const Client chatter = Enter("alice", "chat:a");
  hub_->Cover("plans", "s1", 120);
  EXPECT_THAT(planner.socket->shorts(), ElementsAre("subscribed plan:a", "reset plan:a"));
  EXPECT_THAT(chatter.socket->shorts(), ElementsAre("subscribed chat:a"));
  EXPECT_THAT(Enter("alice", "plan:a", cursor).socket->shorts(),
              ElementsAre("subscribed plan:a", "reset plan:a"));
  Publish(120, "plan:a");
  EXPECT_THAT(Enter("alice", "plan:a", Member(planner.socket->messages()[1], "cursor")).socket->shorts(),
              ElementsAre("subscribed plan:a", "event plan:a 120"));
}

TEST_F(HubTest, NewStreamResetsThoughItsNumbersWouldFit) {
  Publish(100, "plan:a");
  const Client client = Enter("alice", "plan:a");
  hub_->Cover("plans", "s2", 90);
  Publish(90, "plan:a");
  EXPECT_THAT(client.socket->shorts(), ElementsAre("subscribed plan:a", "reset plan:a", "event plan:a 90"));
  const std::string of_old_stream = Member(client.socket->messages()[0], "cursor");
  EXPECT_THAT(Enter("alice", "plan:a", of_old_stream).socket->shorts(),
              ElementsAre("subscribed plan:a", "reset plan:a"));
}

// ---- slow ones ----

TEST_F(HubTest, SlowSubscriberIsDroppedWhileOthersGetAll) {
  const Client slow = Join("alice", 3);
  hub_->Subscribe(slow.id, "plan:a", std::nullopt);
  hub_->Subscribe(slow.id, "plan:b", std::nullopt);
  const Client quick = Enter("alice", "plan:a");
  for (uint64_t sequence = 100; sequence < 200; ++sequence) Publish(sequence, "plan:a");
  EXPECT_EQ(quick.socket->messages().size(), 101u);
  EXPECT_EQ(slow.socket->messages().size(), 3u);
  EXPECT_EQ(hub_->Numbers().sockets, 1u);
  EXPECT_EQ(hub_->Numbers().rooms, 1u);
  EXPECT_EQ(hub_->Numbers().dropped, 1u);
  // It comes back with the last cursor it has read.
  const Client again = Enter("alice", "plan:a", slow.socket->last_cursor());
  EXPECT_EQ(again.socket->messages().size(), 100u);
}

TEST_F(HubTest, SocketThatFailsWhileItSubscribesIsDropped) {
  const std::string cursor = CursorNow("alice", "plan:a");
  Publish(100, "plan:a");
  const Client client = Join("alice", 1);
  hub_->Subscribe(client.id, "plan:a", cursor);
  EXPECT_EQ(hub_->Numbers().sockets, 0u);
  EXPECT_EQ(hub_->Numbers().dropped, 1u);
}

TEST_F(HubTest, SocketsThatFailOnAResetAreDropped) {
  const Client client = Join("alice", 2);
  hub_->Subscribe(client.id, "plan:a", std::nullopt);
  hub_->Subscribe(client.id, "plan:b", std::nullopt);
  hub_->Cover("plans", "s2", 0);
  EXPECT_EQ(hub_->Numbers().sockets, 0u);
  EXPECT_EQ(hub_->Numbers().dropped, 1u);
}

TEST_F(HubTest, CursorsBelongToTheUserTheyWereSentTo) {
  const Client alice = Enter("alice", "chat:a");
  const Client bob = Enter("bob", "chat:a");
  Publish(100, "chat:a", "chats");
  Publish(101, "chat:a", "chats");
  EXPECT_EQ(Enter("bob", "chat:a", Member(bob.socket->messages()[1], "cursor")).socket->shorts().size(), 2u);
  EXPECT_THAT(Enter("bob", "chat:a", Member(alice.socket->messages()[1], "cursor")).socket->shorts(),
              ElementsAre("subscribed chat:a", "reset chat:a"));
}

TEST_F(HubTest, NumbersAreReadableByMonitoring) {
  const Client client = Enter("alice", "plan:a");
  Publish(100, "plan:a");
  const std::string text = MetricsText(hub_->Numbers());
  EXPECT_THAT(text, HasSubstr("\ncairn_live_sockets 1\n"));
  EXPECT_THAT(text, HasSubstr("\ncairn_live_rooms 1\n"));
  EXPECT_THAT(text, HasSubstr("\ncairn_live_events_total 1\n"));
  EXPECT_THAT(text, HasSubstr("\ncairn_live_dropped_total 0\n"));
}

}  // namespace
}  // namespace cairn::live
