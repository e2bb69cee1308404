// WebSockets through a server: what is said, and how it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

#include "http/websocket_fixture_for_tests.h"

namespace cairn::http {
namespace {

using testing::ElementsAre;

TEST_F(WebSocketServerTest, HandshakeSwitchesTheConnection) {
  Start();
  WebSocketTestClient client(port_);
  std::string request(kUpgradeRequest);
  request.insert(request.size() - 2, "Sec-WebSocket-Protocol: v2, v1\r\n");
  const auto reply = client.Exchange(request);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 101);
  EXPECT_EQ(reply->Header("Upgrade"), "websocket");
  EXPECT_EQ(reply->Header("Connection"), "Upgrade");
  EXPECT_EQ(reply->Header("Sec-WebSocket-Accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_EQ(reply->Header("Sec-WebSocket-Protocol"), "v1");
  EXPECT_EQ(reply->Header("Content-Length"), "");
  client.Send(ClientText("hello"));
  EXPECT_EQ(client.ReadFrame(), TextFrame("hello"));
}

TEST_F(WebSocketServerTest, RequestWithoutUpgradeLearnsHowAndMayTryAgain) {
  Start();
  WebSocketTestClient client(port_);
  const auto reply = client.Exchange("GET /live HTTP/1.1\r\nHost: h\r\n\r\n");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 426);
  EXPECT_EQ(reply->Header("Upgrade"), "websocket");
  EXPECT_EQ(reply->Header("Connection"), "Upgrade");
  EXPECT_EQ(reply->Header("Sec-WebSocket-Version"), "13");
  EXPECT_TRUE(client.Upgrade());
}

TEST_F(WebSocketServerTest, FramesBehindTheRequestAreHandedOver) {
  Start();
  WebSocketTestClient client(port_);
  const std::string half = ClientText("second");
  ASSERT_TRUE(client.Upgrade(ClientText("first") + half.substr(0, 3)));
  client.Send(half.substr(3));
  EXPECT_EQ(client.ReadFrame(), TextFrame("first"));
  EXPECT_EQ(client.ReadFrame(), TextFrame("second"));
}

TEST_F(WebSocketServerTest, MessagesOfAllSizesAreEchoed) {
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  for (const size_t size : {0u, 1u, 125u, 126u, 16'384u, 65'535u, 65'536u, 3u}) {
    client.Send(ClientText(std::string(size, 'm')));
    EXPECT_EQ(client.ReadFrame(), TextFrame(std::string(size, 'm')));
  }
}

TEST_F(WebSocketServerTest, FragmentedMessageWithAPingInsideIsOneMessage) {
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  client.Send(ClientFrame(Opcode::kText, "one ", Part::kMoreFollow) + ClientFrame(Opcode::kPing, "now") +
              ClientFrame(Opcode::kContinuation, "two ", Part::kMoreFollow));
  EXPECT_EQ(client.ReadFrame(), (Frame{Opcode::kPong, "now"}));
  client.Send(ClientFrame(Opcode::kContinuation, "three"));
  EXPECT_EQ(client.ReadFrame(), TextFrame("one two three"));
}

TEST_F(WebSocketServerTest, StreamInAnyPiecesGivesTheSameMessages) {
  std::random_device device;
  const unsigned seed = device();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  std::string stream;
  for (int i = 0; i < 200; ++i) stream += ClientText(std::to_string(i) + std::string(random() % 200, 'x'));
  for (std::string_view rest = stream; !rest.empty();) {
    const size_t piece = std::min<size_t>(rest.size(), 1 + random() % 100);
    client.Send(rest.substr(0, piece));
    rest.remove_prefix(piece);
  }
  for (int i = 0; i < 200; ++i) {
    const auto frame = client.ReadFrame();
    ASSERT_TRUE(frame);
    EXPECT_TRUE(frame->payload.starts_with(std::to_string(i)));
  }
}

TEST_F(WebSocketServerTest, ManyMessagesAtOnceAreAnsweredInOrder) {
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  std::string stream;
  for (int i = 0; i < 1'000; ++i) stream += ClientText(std::to_string(i));
  client.Send(stream);
  for (int i = 0; i < 1'000; ++i) EXPECT_EQ(client.ReadFrame(), TextFrame(std::to_string(i)));
}

// ---- the end ----

TEST_F(WebSocketServerTest, ClientsCloseFrameIsAnsweredWithItsCode) {
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  client.Send(ClientFrame(Opcode::kClose, CloseCode(4321) + "bye") + ClientText("text after close"));
  EXPECT_EQ(client.ReadFrame(), (Frame{Opcode::kClose, CloseCode(4321)}));
  EXPECT_TRUE(client.SeesClose());
  client.Close();
  EXPECT_EQ(diary_.WaitForCloses(1), 1);
  EXPECT_THAT(diary_.texts(), ElementsAre());
}

TEST_F(WebSocketServerTest, CloseFrameWithoutACodeIsAnsweredWithoutOne) {
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  client.Send(ClientFrame(Opcode::kClose, ""));
  client.FinishSending();
  EXPECT_EQ(client.ReadFrame(), (Frame{Opcode::kClose, ""}));
  EXPECT_TRUE(client.SeesClose());
}

TEST_F(WebSocketServerTest, ApplicationClosesAfterWhatItHasSent) {
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  client.Send(ClientText("last words") + ClientText("close 4001") + ClientText("unheard"));
  EXPECT_EQ(client.ReadFrame(), TextFrame("last words"));
  EXPECT_EQ(client.ReadFrame(), (Frame{Opcode::kClose, CloseCode(4001) + "as you say"}));
  ExpectFinished(client, 4001);
  client.Close();
  diary_.WaitForCloses(1);
  EXPECT_THAT(diary_.texts(), ElementsAre("last words", "close 4001"));
}

TEST_F(WebSocketServerTest, ViolationsAreClosedWithTheirCode) {
  Start();
  struct Case {
    std::string sent;
    uint16_t code;
  };
  const Case kCases[] = {
      {EncodeFrame(Opcode::kText, "unmasked"), close_code::kProtocolError},
      {"\xc1\x80", close_code::kProtocolError},
      {ClientFrame(Opcode::kBinary, "b"), close_code::kUnsupported},
      {ClientText("\xff"), close_code::kNotUtf8},
      {ClientText(std::string(65'537, 'x')), close_code::kTooBig},
      {std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10), close_code::kTooBig},
      {std::string("\x81\xff\x80\0\0\0\0\0\0\0", 10), close_code::kProtocolError},
      {"GET / HTTP/1.1\r\nHost: h\r\n\r\n", close_code::kProtocolError},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.code);
    WebSocketTestClient client(port_);
    ASSERT_TRUE(client.Upgrade());
    client.Send(ClientText("good") + each.sent + ClientText("unheard"));
    // What was queued may be dropped: nothing more is to be said to this client.
    auto frame = client.ReadFrame();
    if (frame == TextFrame("good")) frame = client.ReadFrame();
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->opcode, Opcode::kClose);
    EXPECT_EQ(frame->payload.substr(0, 2), CloseCode(each.code));
    EXPECT_TRUE(client.SeesClose());
  }
  const std::vector<std::string> texts = diary_.texts();
  EXPECT_THAT(texts, testing::Each("good"));
  EXPECT_EQ(texts.size(), std::size(kCases));
}

TEST_F(WebSocketServerTest, ClientThatVanishesIsNoticed) {
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  const auto socket = diary_.WaitForSockets(1).front();
  client.Close();
  EXPECT_EQ(diary_.WaitForCloses(1), 1);
  EXPECT_FALSE(socket->Send("nobody there"));
  socket->Close(1000, "");
}

TEST_F(WebSocketServerTest, SocketsBeyondTheLimitAre503) {
  options_.threads = 1;
  options_.websockets_max = 1;
  Start();
  WebSocketTestClient first(port_);
  ASSERT_TRUE(first.Upgrade());
  WebSocketTestClient second(port_);
  EXPECT_EQ(second.Exchange(kUpgradeRequest)->status, 503);
  EXPECT_TRUE(second.SeesClose());
  first.Close();
  diary_.WaitForCloses(1);
  EXPECT_TRUE(WebSocketTestClient(port_).Upgrade());
  EXPECT_EQ(diary_.WaitForSockets(2).size(), 2u);  // the refused one was not opened
}

// ---- sending ----

TEST_F(WebSocketServerTest, MessagesFromManyThreadsAllArrive) {
  Start();
  WebSocketTestClient client(port_);
  ASSERT_TRUE(client.Upgrade());
  const auto socket = diary_.WaitForSockets(1).front();
  constexpr int kThreads = 4;
  constexpr int kMessages = 500;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kMessages; ++i) {
        EXPECT_TRUE(socket->Send(std::to_string(t) + " " + std::to_string(i)));
      }
    });
  }
  std::vector<int> next(kThreads, 0);
  for (int i = 0; i < kThreads * kMessages; ++i) {
    const auto frame = client.ReadFrame();
    ASSERT_TRUE(frame);
    const auto thread = static_cast<size_t>(frame->payload[0] - '0');
    EXPECT_EQ(frame->payload.substr(2), std::to_string(next[thread]++));
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(WebSocketServerTest, BroadcastReachesSixtyFourSockets) {
  Start();
  std::vector<std::unique_ptr<WebSocketTestClient>> clients;
  for (int i = 0; i < 64; ++i) {
    clients.push_back(std::make_unique<WebSocketTestClient>(port_));
    ASSERT_TRUE(clients.back()->Upgrade());
  }
  const auto sockets = diary_.WaitForSockets(64);
  for (int i = 0; i < 50; ++i) {
    for (const auto& socket : sockets) EXPECT_TRUE(socket->Send("event " + std::to_string(i)));
  }
  for (const auto& client : clients) {
    for (int i = 0; i < 50; ++i) EXPECT_EQ(client->ReadFrame(), TextFrame("event " + std::to_string(i)));
  }
}

}  // namespace
}  // namespace cairn::http
