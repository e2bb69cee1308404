// WebSockets through a server: slow, silent and noisy clients, and a server that stops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <future>
#include <string>
#include <thread>

#include "http/gate_for_tests.h"
#include "http/websocket_fixture_for_tests.h"

namespace cairn::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

using WebSocketLimitsTest = WebSocketServerTest;

TEST_F(WebSocketLimitsTest, SlowReaderIsDroppedWith1013WhileOthersGoOn) {
  options_.threads = 1;
  Start();
  WebSocketTestClient slow(port_);
  ASSERT_TRUE(slow.Upgrade());
  const auto to_slow = diary_.WaitForSockets(1).at(0);
  WebSocketTestClient quick(port_);
  ASSERT_TRUE(quick.Upgrade());
  const auto to_quick = diary_.WaitForSockets(2).at(1);

  const std::string message(50'000, 'm');
  size_t sent = 0;
  while (to_slow->Send(message)) {
    ++sent;
    ASSERT_TRUE(to_quick->Send(message));
    ASSERT_EQ(quick.ReadFrame(), TextFrame(message));
    ASSERT_LT(sent, 10'000u) << "the queue has no end";
  }
  EXPECT_FALSE(to_slow->Send("x"));
  EXPECT_TRUE(to_quick->Send("still here"));
  EXPECT_EQ(quick.ReadFrame(), TextFrame("still here"));

  // What it reads after all is whole messages, fewer than were sent, and why it ended.
  size_t received = 0;
  auto frame = slow.ReadFrame();
  for (; frame == TextFrame(message); frame = slow.ReadFrame()) ++received;
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->opcode, Opcode::kClose);
  EXPECT_EQ(frame->payload.substr(0, 2), CloseCode(close_code::kTryAgainLater));
  EXPECT_LT(received, sent);
  ExpectFinished(slow, close_code::kTryAgainLater);
}

TEST_F(WebSocketLimitsTest, ReaderThatStopsReadingIsCutOff) {
  options_.write_timeout = milliseconds(50);
  options_.websocket_queue_bytes_max = 100'000'000;
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  const auto socket = diary_.WaitForSockets(1).front();
  for (int i = 0; i < 50; ++i) socket->Send(std::string(1'000'000, 'x'));
  EXPECT_EQ(diary_.WaitForCloses(1), 1);
  pollfd watched{client.fd(), POLLRDHUP, 0};
  EXPECT_EQ(::poll(&watched, 1, TestClient::kPatienceMs), 1);
}

TEST_F(WebSocketLimitsTest, SilentClientIsPingedAndThenClosed) {
  options_.websocket_ping_interval = milliseconds(40);
  options_.websocket_idle_timeout = milliseconds(200);
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  int pings = 0;
  auto frame = client.ReadFrame();
  for (; frame == Frame{Opcode::kPing, ""}; frame = client.ReadFrame()) ++pings;
  EXPECT_GE(pings, 1);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->opcode, Opcode::kClose);
  EXPECT_EQ(frame->payload.substr(0, 2), CloseCode(close_code::kGoingAway));
  ExpectFinished(client, close_code::kGoingAway);
}

TEST_F(WebSocketLimitsTest, ClientThatAnswersPingsStays) {
  options_.websocket_ping_interval = milliseconds(50);
  options_.websocket_idle_timeout = milliseconds(1'000);
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  for (int i = 0; i < 25; ++i) {
    ASSERT_EQ(client.ReadFrame(), (Frame{Opcode::kPing, ""}));
    client.Send(ClientFrame(Opcode::kPong, ""));
  }
  EXPECT_EQ(diary_.closes(), 0);
  client.Send(ClientText("here"));
  auto frame = client.ReadFrame();
  while (frame == Frame{Opcode::kPing, ""}) frame = client.ReadFrame();
  EXPECT_EQ(frame, TextFrame("here"));
}

TEST_F(WebSocketLimitsTest, ListenerIsToldTheTime) {
  options_.websocket_ping_interval = milliseconds(40);  // so the sweep is fine
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  EXPECT_GE(diary_.WaitForTicks(3), 3);
}

TEST_F(WebSocketLimitsTest, PingFloodIsAnsweredWithFewerPongsAndTheNewest) {
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  constexpr int kPings = 50'000;
  std::string flood;
  for (int i = 0; i < kPings; ++i) flood += ClientFrame(Opcode::kPing, std::to_string(i));
  client.Send(flood + ClientText("end"));
  int pongs = 0;
  std::string newest;
  auto frame = client.ReadFrame();
  for (; frame && frame->opcode == Opcode::kPong; frame = client.ReadFrame()) {
    ++pongs;
    newest = frame->payload;
  }
  EXPECT_EQ(frame, TextFrame("end"));
  EXPECT_EQ(newest, std::to_string(kPings - 1));
  EXPECT_LT(pongs, kPings / 2);
}

TEST_F(WebSocketLimitsTest, MessageFloodDoesNotStarveOthers) {
  options_.threads = 1;
  Start();
  WebSocketTestClient noisy(port_);
  ASSERT_TRUE(noisy.Upgrade());
  std::string flood;
  for (int i = 0; i < 10'000; ++i) flood += ClientFrame(Opcode::kPong, "");
  std::atomic<bool> enough = false;
  std::thread sender([&] {
    while (!enough && noisy.Send(flood)) {
    }
  });
  WebSocketTestClient polite(port_);
  EXPECT_TRUE(polite.Upgrade());
  for (int i = 0; i < 100; ++i) {
    polite.Send(ClientText(std::to_string(i)));
    EXPECT_EQ(polite.ReadFrame(), TextFrame(std::to_string(i)));
  }
  enough = true;
  sender.join();
}

// ---- stopping ----

TEST_F(WebSocketLimitsTest, StoppingServerSays1001) {
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  const auto socket = diary_.WaitForSockets(1).front();
  std::thread stopper([&] { server_->Stop(seconds(60)); });
  EXPECT_EQ(client.ReadCloseCode(), close_code::kGoingAway);
  ExpectFinished(client, close_code::kGoingAway);
  stopper.join();
  EXPECT_EQ(diary_.closes(), 1);
  server_.reset();
  EXPECT_FALSE(socket->Send("too late, and harmless"));
  EXPECT_EQ(socket->HoldLoop(), nullptr);
}

TEST_F(WebSocketLimitsTest, StoppingServerDoesNotWaitLongForAClientThatSaysNothing) {
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  server_->Stop(seconds(60));
  EXPECT_EQ(diary_.closes(), 1);
  EXPECT_EQ(client.ReadCloseCode(), close_code::kGoingAway);
}

TEST_F(WebSocketLimitsTest, GraceThatEndsClosesOnce) {
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  const auto socket = diary_.WaitForSockets(1).front();
  server_->Stop(seconds(0));
  EXPECT_EQ(diary_.closes(), 1);
  EXPECT_FALSE(socket->Send("x"));
}

// Starts a task for every message, which waits at the gate.
class WaitingListener final : public EchoListener {
 public:
  WaitingListener(Diary& diary, Gate& gate) : EchoListener(diary), gate_(gate) {}
  void OnText(std::string_view) override {
    Spawn(Answer(gate_, socket_), [hold = socket_->HoldLoop()](bool) {});
  }

 private:
  static Task<bool> Answer(Gate& gate, std::shared_ptr<WebSocket> socket) {
    co_await gate.Pass();
    co_return socket->Send("answer");
  }

  Gate& gate_;
};

TEST_F(WebSocketLimitsTest, TaskOfAListenerIsWaitedForWhenItsClientIsGone) {
  Gate gate;
  options_.threads = 1;
  make_listener_ = [&] { return std::make_shared<WaitingListener>(diary_, gate); };
  Start();
  WebSocketTestClient idle(port_);
  EXPECT_EQ(idle.Exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n")->status, 426);
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade(ClientText("work")));
  gate.WaitForHandler();
  client.Close();
  diary_.WaitForCloses(1);
  const auto stopped = std::async(std::launch::async, [&] { server_->Stop(seconds(60)); });
  EXPECT_TRUE(idle.SeesClose());  // so the loop has no client left
  ASSERT_EQ(stopped.wait_for(milliseconds(100)), std::future_status::timeout);
  gate.Release();
  stopped.wait();
}

TEST_F(WebSocketLimitsTest, SwitchWhileStoppingIs503) {
  Gate gate;
  options_.threads = 1;
  Server server(options_, [&](const Request& request) -> Task<Response> {
    const auto upgrade = ParseUpgrade(request);
    if (!upgrade) co_return ToResponse(upgrade.error());
    co_await gate.Pass();
    co_return SwitchToWebSocket(*upgrade, make_listener_(), "");
  });
  const uint16_t port = server.Start().value();
  WebSocketTestClient idle(port);
  EXPECT_EQ(idle.Exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n")->status, 426);
  WebSocketTestClient client(port);
  client.Send(kUpgradeRequest);
  gate.WaitForHandler();
  std::thread stopper([&] { server.Stop(seconds(60)); });
  EXPECT_TRUE(idle.SeesClose());
  gate.Release();
  EXPECT_EQ(client.ReadReply()->status, 503);
  EXPECT_TRUE(client.SeesClose());
  stopper.join();
}

TEST_F(WebSocketLimitsTest, TaskThatOutlivesTheGraceIsHarmless) {
  // Static, as whatever would complete the task outlives the server; another one when the test is repeated.
  static std::deque<Gate>& gates = *new std::deque<Gate>();
  Gate& gate = gates.emplace_back();
  make_listener_ = [&] { return std::make_shared<WaitingListener>(diary_, gate); };
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade(ClientText("work")));
  gate.WaitForHandler();
  server_->Stop(seconds(0));
  EXPECT_EQ(diary_.closes(), 1);
  server_.reset();
  gate.Release();  // too late, and harmless
}

}  // namespace
}  // namespace cairn::http
