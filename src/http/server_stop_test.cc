#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

#include "http/client_for_tests.h"
#include "http/gate_for_tests.h"
#include "http/server.h"

namespace cairn::http {
namespace {

using std::chrono::seconds;

std::unique_ptr<Server> MakeServer(Gate& gate) {
  ServerOptions options;
  options.port = 0;
  options.threads = 1;  // so that one connection's close tells what the others' loop knows
  return std::make_unique<Server>(options, [&gate](const Request& request) -> Task<Response> {
    if (request.target == "/wait") co_await gate.Pass();
    Response response;
    response.body = request.target;
    co_return response;
  });
}

constexpr std::string_view kWait = "GET /wait HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr std::string_view kQuick = "GET /quick HTTP/1.1\r\nHost: h\r\n\r\n";

TEST(ServerStop, IdleConnectionsCloseAtOnceAndRunningRequestsFinish) {
  Gate gate;
  const auto server = MakeServer(gate);
  const uint16_t port = server->Start().value();
  TestClient idle(port);
  EXPECT_EQ(idle.Exchange(kQuick)->body, "/quick");
  TestClient busy(port);
  busy.Send(std::string(kWait) + std::string(kQuick));
  gate.WaitForHandler();
  std::thread stopper([&] { server->Stop(seconds(60)); });
  EXPECT_TRUE(idle.SeesClose());
  gate.Release();
  const auto reply = busy.ReadReply();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->body, "/wait");
  EXPECT_EQ(reply->Header("Connection"), "close");
  EXPECT_TRUE(busy.SeesClose());  // the request behind it is not executed
  stopper.join();
  TestClient late;
  EXPECT_FALSE(late.Connect(port));
}

TEST(ServerStop, RequestHalfReadIsFinished) {
  Gate gate;
  const auto server = MakeServer(gate);
  const uint16_t port = server->Start().value();
  TestClient idle(port);
  EXPECT_EQ(idle.Exchange(kQuick)->body, "/quick");
  TestClient client(port);
  client.Send("POST /half HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  EXPECT_EQ(client.ReadReply()->status, 100);
  std::thread stopper([&] { server->Stop(seconds(60)); });
  EXPECT_TRUE(idle.SeesClose());
  EXPECT_EQ(client.Exchange("body")->body, "/half");
  EXPECT_TRUE(client.SeesClose());
  stopper.join();
}

TEST(ServerStop, GraceEndsWithoutTheStuckHandler) {
  // Static, as whatever would complete the handler outlives the server: the leak checker sees it as still
  // owned.
  static Gate& gate = *new Gate();
  auto server = MakeServer(gate);
  TestClient client(server->Start().value());
  client.Send(kWait);
  gate.WaitForHandler();
  server->Stop(seconds(0));
  EXPECT_FALSE(client.IsAnswered());
  server.reset();
  gate.Release();  // too late, and harmless
}

TEST(ServerStop, StopTwiceAndStopBeforeStartAreHarmless) {
  Gate gate;
  const auto server = MakeServer(gate);
  server->Stop(seconds(1));
  ASSERT_TRUE(server->Start().has_value());
  server->Stop(seconds(1));
  server->Stop(seconds(1));
}

TEST(ServerStop, ServerStartsAgainAfterStop) {
  Gate gate;
  const auto server = MakeServer(gate);
  for (int i = 0; i < 3; ++i) {
    TestClient client(server->Start().value());
    EXPECT_EQ(client.Exchange(kQuick)->body, "/quick");
    server->Stop(seconds(60));
    EXPECT_TRUE(client.SeesClose());
  }
}

TEST(ServerStop, DestructorStops) {
  Gate gate;
  TestClient client;
  {
    const auto server = MakeServer(gate);
    ASSERT_TRUE(client.Connect(server->Start().value()));
    EXPECT_EQ(client.Exchange(kQuick)->body, "/quick");
  }
  EXPECT_TRUE(client.SeesClose());
}

}  // namespace
}  // namespace cairn::http
