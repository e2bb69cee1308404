// The protocol through a server.
#include "live/socket.h"

#include <gtest/gtest.h>

#include <thread>

#include "live/socket_fixture_for_test.h"

namespace cairn::live {
namespace {

using std::chrono::seconds;
using SocketTest = LiveSocketTest;

// ---- who it is ----

TEST_F(SocketTest, FirstMessageIdentifies) {
  Start();
  LiveClient client(port_);
  ASSERT_EQ(client.Connect(""), 101);
  client.SayAuth("alice 1");
  EXPECT_EQ(Member(client.Hear(), "userId"), "alice");
  client.SaySubscribe("own:alice:x");
  EXPECT_EQ(client.HearShort(), "subscribed own:alice:x");
}

TEST_F(SocketTest, AnythingElseFirstCloses4401) {
  Start();
  for (const char* text : {R"({"type":"subscribe","room":"own:alice:x"})", R"({"type":"ping"})", "garbage"}) {
    LiveClient client(port_);
    ASSERT_EQ(client.Connect(""), 101);
    client.Say(text);
    EXPECT_EQ(client.Hear(), "close 4401") << text;
  }
}

TEST_F(SocketTest, WrongTokenCloses4401) {
  Start();
  authenticator_.ExpireAt("bob old", clock_.Now());
  for (const char* token : {"garbage", "bob old"}) {
    LiveClient client(port_);
    ASSERT_EQ(client.Connect(""), 101);
    client.SayAuth(token);
    client.SaySubscribe("own:bob:x");
    EXPECT_EQ(client.Hear(), "close 4401") << token;
  }
}

TEST_F(SocketTest, TokenThatCannotBeLookedAtCloses1013) {
  authenticator_.FailWith({Code::kUnavailable, "not now"});
  Start();
  LiveClient client(port_);
  ASSERT_EQ(client.Connect(""), 101);
  client.SayAuth("alice 1");
  EXPECT_EQ(client.Hear(), "close 1013");
}

TEST_F(SocketTest, SilenceCloses4401AfterTenSeconds) {
  threads_ = 1;  // so that the first one is open when the second one is welcome
  Start();
  LiveClient client(port_);
  ASSERT_EQ(client.Connect(""), 101);
  LiveClient late(port_);
  ASSERT_EQ(late.Connect(""), 101);
  late.SayAuth("alice 1");
  EXPECT_EQ(late.HearShort(), "welcome");
  clock_.Advance(seconds(9));
  EXPECT_FALSE(client.IsAnswered());
  clock_.Advance(seconds(1));
  EXPECT_EQ(client.Hear(), "close 4401");
  late.Say(R"({"type":"ping"})");
  EXPECT_EQ(late.HearShort(), "pong");
}

TEST_F(SocketTest, MessagesBehindTheTokenWaitForTheWelcome) {
  http::Gate gate;
  authenticator_.HoldTokensAt(gate);
  Start();
  LiveClient client(port_);
  ASSERT_EQ(client.Connect(""), 101);
  client.SayAuth("alice 1");
  client.SaySubscribe("own:alice:x");
  client.SayAuth("garbage");
  client.Say(R"({"type":"ping"})");
  gate.WaitForHandler();
  EXPECT_FALSE(client.IsAnswered());
  gate.Release();
  EXPECT_EQ(client.HearShort(), "welcome");
  EXPECT_EQ(client.HearShort(), "subscribed own:alice:x");
  EXPECT_EQ(client.HearShort(), "error unauthenticated");
  EXPECT_EQ(client.HearShort(), "pong");
}

TEST_F(SocketTest, TooMuchSaidBeforeTheWelcomeCloses1008) {
  http::Gate gate;
  authenticator_.HoldTokensAt(gate);
  options_.limits.waiting_bytes_max = 100;
  Start();
  LiveClient client(port_);
  ASSERT_EQ(client.Connect(""), 101);
  client.SayAuth("alice 1");
  for (int i = 0; i < 20; ++i) client.Say(R"({"type":"ping"})");
  EXPECT_EQ(client.Hear(), "close 1008");
  gate.WaitForHandler();
  gate.Release();  // the answer comes to a socket that is over
  server_->Stop(seconds(10));
  EXPECT_EQ(hub_.Numbers().sockets, 0u);
}

TEST_F(SocketTest, ClientThatLeavesWhileItIsIdentifiedLeavesNothing) {
  http::Gate gate;
  authenticator_.HoldTokensAt(gate);
  Start();
  {
    LiveClient client(port_);
    ASSERT_EQ(client.Connect(""), 101);
    client.SayAuth("alice 1");
    gate.WaitForHandler();
  }
  gate.Release();
  server_->Stop(seconds(10));
  EXPECT_EQ(hub_.Numbers().sockets, 0u);
}

// ---- how long ----

TEST_F(SocketTest, ClosesWhenTheTokenExpires) {
  authenticator_.ExpireAt("alice 1", clock_.Now() + seconds(60));
  Start();
  const auto client = Connected("alice 1");
  clock_.Advance(seconds(59));
  client->Say(R"({"type":"ping"})");
  EXPECT_EQ(client->HearShort(), "pong");
  clock_.Advance(seconds(1));
  EXPECT_EQ(client->Hear(), "close 4401");
}

TEST_F(SocketTest, NewTokenOfTheSameUserExtends) {
  authenticator_.ExpireAt("alice 1", clock_.Now() + seconds(60));
  authenticator_.ExpireAt("alice 2", clock_.Now() + seconds(120));
  Start();
  const auto client = Connected("alice 1");
  client->SaySubscribe("own:alice:x");
  EXPECT_EQ(client->HearShort(), "subscribed own:alice:x");
  client->SayAuth("alice 2");
  EXPECT_EQ(Member(client->Hear(), "expiresAt"), "2027-01-15T08:02:00.000Z");
  clock_.Advance(seconds(61));
  Publish("own:alice:x");
  EXPECT_EQ(client->HearShort(), "event own:alice:x changed");
  clock_.Advance(seconds(60));
  EXPECT_EQ(client->Hear(), "close 4401");
}

TEST_F(SocketTest, TokenOfAnotherUserOrWrongOneChangesNothing) {
  Start();
  const auto client = Connected("alice 1");
  client->SayAuth("bob 1");
  EXPECT_EQ(client->HearShort(), "error other-user");
  client->SayAuth("garbage");
  EXPECT_EQ(client->HearShort(), "error unauthenticated");
  client->SaySubscribe("own:bob:x");
  EXPECT_EQ(client->HearShort(), "error own:bob:x not-found");
  client->SaySubscribe("own:alice:x");
  EXPECT_EQ(client->HearShort(), "subscribed own:alice:x");
}

TEST_F(SocketTest, LogoutIsFeltWithinSeconds) {
  Start();
  const auto client = Connected("alice 1");
  const auto other = Connected("bob 1");
  authenticator_.Revoke("alice");
  clock_.Advance(seconds(3));
  EXPECT_EQ(client->Hear(), "close 4401");
  other->Say(R"({"type":"ping"})");
  EXPECT_EQ(other->HearShort(), "pong");
}

TEST_F(SocketTest, ValidityIsAskedEveryThreeSecondsOnly) {
  Start();
  const auto client = Connected("alice 1");
  client->Say(R"({"type":"ping"})");
  EXPECT_EQ(client->HearShort(), "pong");
  EXPECT_EQ(authenticator_.checks(), 0);
  clock_.Advance(seconds(3));
  while (authenticator_.checks() == 0) std::this_thread::yield();
  client->Say(R"({"type":"ping"})");
  EXPECT_EQ(client->HearShort(), "pong");
  EXPECT_EQ(authenticator_.checks(), 1);
}

TEST_F(SocketTest, AnswerAboutAnOlderTokenDoesNotEndTheNewOne) {
  http::Gate gate;
  authenticator_.HoldChecksAt(gate);
  Start();
  const auto client = Connected("alice 1");
  clock_.Advance(seconds(3));
  gate.WaitForHandler();
  client->SayAuth("alice 2");
  EXPECT_EQ(client->HearShort(), "welcome");
  authenticator_.Revoke("alice");
  gate.Release();
  while (authenticator_.checks() == 0) std::this_thread::yield();
  client->Say(R"({"type":"ping"})");
  EXPECT_EQ(client->HearShort(), "pong");
  clock_.Advance(seconds(3));
  EXPECT_EQ(client->Hear(), "close 4401");
}

TEST_F(SocketTest, ServerThatStopsWaitsForTheCheck) {
  http::Gate gate;
  authenticator_.HoldChecksAt(gate);
  Start();
  auto client = Connected("alice 1");
  clock_.Advance(seconds(3));
  gate.WaitForHandler();
  client.reset();
  std::thread stopping([&] { server_->Stop(seconds(10)); });
  gate.Release();
  stopping.join();
  EXPECT_EQ(authenticator_.checks(), 1);
  EXPECT_EQ(hub_.Numbers().sockets, 0u);
}

// ---- rooms ----

TEST_F(SocketTest, EventsArriveAndCursorsResume) {
  Start();
  const auto client = Connected("alice 1");
  client->SaySubscribe("own:alice:x");
  const std::string subscribed = client->Hear();
  EXPECT_EQ(Short(subscribed), "subscribed own:alice:x");
  Publish("own:alice:x");
  Publish("own:bob:x");
  const std::string event = client->Hear();
  EXPECT_EQ(Short(event), "event own:alice:x changed");
  client->Close();
  Publish("own:alice:x");
  const auto again = Connected("alice 2");
  again->SaySubscribe("own:alice:x", Member(event, "cursor"));
  EXPECT_EQ(again->HearShort(), "subscribed own:alice:x");
  EXPECT_EQ(again->HearShort(), "event own:alice:x changed");
  again->SaySubscribe("own:alice:x", "garbage");
  EXPECT_EQ(again->HearShort(), "subscribed own:alice:x");
  EXPECT_EQ(again->HearShort(), "reset own:alice:x");
}

TEST_F(SocketTest, UnsubscribedHearsNoMore) {
  Start();
  const auto client = Connected("alice 1");
  client->SaySubscribe("own:alice:x");
  EXPECT_EQ(client->HearShort(), "subscribed own:alice:x");
  client->Say(R"({"type":"unsubscribe","room":"own:alice:x"})");
  EXPECT_EQ(client->HearShort(), "unsubscribed own:alice:x");
  Publish("own:alice:x");
  client->Say(R"({"type":"ping"})");
  EXPECT_EQ(client->HearShort(), "pong");
}

TEST_F(SocketTest, ForeignAndUnknownRoomsCannotBeToldApart) {
  Start();
  const auto client = Connected("alice 1");
  const std::string long_name = "own:alice:" + std::string(600, 'x');
  for (const std::string& room :
       {std::string("own:bob:x"), std::string("own:nobody:x"), std::string("nothing:x"), std::string("own"),
        std::string("staff:x"), std::string("a room"), long_name}) {
    client->SaySubscribe(room);
    const std::string answer = client->Hear();
    EXPECT_EQ(Member(answer, "code"), "not-found") << room;
    EXPECT_EQ(Member(answer, "detail"), "There is no such room, or it is not yours to enter.");
    EXPECT_EQ(Member(answer, "room"), room == long_name ? "" : room);
  }
  EXPECT_EQ(hub_.Numbers().rooms, 0u);
}

TEST_F(SocketTest, TokenWithFewerRightsLeavesRooms) {
  Start();
  const auto client = Connected("alice staff");
  client->SaySubscribe("staff:x");
  EXPECT_EQ(client->HearShort(), "subscribed staff:x");
  client->SaySubscribe("own:alice:x");
  EXPECT_EQ(client->HearShort(), "subscribed own:alice:x");
  client->SayAuth("alice 1");
  EXPECT_EQ(client->HearShort(), "welcome");
  EXPECT_EQ(client->HearShort(), "unsubscribed staff:x");
  Publish("staff:x");
  Publish("own:alice:x");
  EXPECT_EQ(client->HearShort(), "event own:alice:x changed");
}

TEST_F(SocketTest, RoomsBeyondTheLimitAreRefused) {
  Start();
  const auto client = Connected("alice 1");
  for (int i = 0; i < 100; ++i) {
    client->SaySubscribe("own:alice:" + std::to_string(i));
    ASSERT_EQ(client->HearShort(), "subscribed own:alice:" + std::to_string(i));
  }
  client->SaySubscribe("own:alice:100");
  EXPECT_EQ(client->HearShort(), "error own:alice:100 too-many-rooms");
  client->SaySubscribe("own:alice:7");  // it is there already
  EXPECT_EQ(client->HearShort(), "subscribed own:alice:7");
  client->Say(R"({"type":"unsubscribe","room":"own:alice:7"})");
  EXPECT_EQ(client->HearShort(), "unsubscribed own:alice:7");
  client->SaySubscribe("own:alice:100");
  EXPECT_EQ(client->HearShort(), "subscribed own:alice:100");
}

// ---- mistakes ----

TEST_F(SocketTest, MistakesAreExplainedTwentyTimes) {
  Start();
  const auto client = Connected("alice 1");
  client->Say("garbage");
  EXPECT_EQ(client->HearShort(), "error malformed");
  client->Say(R"({"type":"shout"})");
  EXPECT_EQ(client->HearShort(), "error unknown-type");
  for (int i = 2; i < 20; ++i) {
    client->Say("{}");
    EXPECT_EQ(client->HearShort(), "error malformed");
  }
  client->Say(R"({"type":"ping"})");
  EXPECT_EQ(client->HearShort(), "pong");
  client->Say("{}");
  EXPECT_EQ(client->Hear(), "close 1008");
}

TEST_F(SocketTest, ClosedSocketLeavesTheHub) {
  Start();
  auto client = Connected("alice 1");
  client->SaySubscribe("own:alice:x");
  EXPECT_EQ(client->HearShort(), "subscribed own:alice:x");
  EXPECT_EQ(hub_.Numbers().sockets, 1u);
  client.reset();
  while (hub_.Numbers().sockets > 0) std::this_thread::yield();
  EXPECT_EQ(hub_.Numbers().rooms, 0u);
  EXPECT_EQ(hub_.Numbers().dropped, 0u);
}

TEST_F(SocketTest, SlowClientIsDroppedAndComesBackWithItsCursor) {
  Start();
  const auto slow = Connected("alice 1");
  slow->SaySubscribe("own:alice:x");
  EXPECT_EQ(slow->HearShort(), "subscribed own:alice:x");
  const std::string data = R"({"text":")" + std::string(20'000, 'x') + "\"}";
  int sent = 0;
  while (hub_.Numbers().dropped == 0) {
    ASSERT_LT(sent++, 10'000) << "the queue has no end";
    hub_.Publish("feed", sequence_++, {{"own:alice:x", "changed", data}});
  }
  EXPECT_EQ(hub_.Numbers().sockets, 0u);
  int heard = 0;
  std::string cursor;
  std::string message = slow->Hear();
  for (; message.starts_with('{'); message = slow->Hear()) {
    ++heard;
    cursor = Member(message, "cursor");
  }
  EXPECT_EQ(message, "close 1013");
  EXPECT_LT(heard, sent);
  const auto again = Connected("alice 1");
  again->SaySubscribe("own:alice:x", cursor);
  EXPECT_EQ(again->HearShort(), "subscribed own:alice:x");
  EXPECT_EQ(again->HearShort(), "reset own:alice:x");  // too much to be told again
}

}  // namespace
}  // namespace cairn::live
