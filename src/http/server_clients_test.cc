// Which clients the server serves: by the name they call it, by the address they come from, by how many they
// are.
#include <gtest/gtest.h>

#include <vector>

#include "http/websocket_fixture_for_tests.h"

namespace cairn::http {
namespace {

Task<Response> SayPeer(const Request& request) {
  Response response;
  response.body = std::string(request.peer);
  co_return response;
}

class ServerClientsTest : public testing::Test {
 protected:
  ServerClientsTest() {
    options_.port = 0;
    options_.threads = 2;
  }

  void Start() {
    server_ = std::make_unique<Server>(options_, SayPeer);
    port_ = server_->Start().value();
  }

  Reply Get(std::string_view fields) {
    TestClient client(port_);
    return client.Exchange("GET / HTTP/1.1\r\n" + std::string(fields) + "\r\n").value_or(Reply());
  }

  ServerOptions options_;
  std::unique_ptr<Server> server_;
  uint16_t port_ = 0;
};

TEST_F(ServerClientsTest, RequestsByOtherNamesAreRefused) {
  options_.hosts = HostPolicy::Make({"cairn.example"}, HostPolicy::Missing::kRefused).value();
  Start();
  EXPECT_EQ(Get("Host: cairn.example\r\n").status, 200);
  EXPECT_EQ(Get("Host: 127.0.0.1:8000\r\n").status, 200);
  const Reply refused = Get("Host: evil.example\r\n");
  EXPECT_EQ(refused.status, 421);
  EXPECT_NE(refused.body.find("--allowed-host"), std::string::npos);
  EXPECT_EQ(Get("Host:\r\n").status, 421);
  TestClient old(port_);
  EXPECT_EQ(old.Exchange("GET / HTTP/1.0\r\n\r\n")->status, 421);
}

TEST_F(ServerClientsTest, ARequestWithoutANameIsServedOnAPrivateServer) {
  options_.hosts = HostPolicy::Make({}, HostPolicy::Missing::kAllowed).value();
  Start();
  TestClient old(port_);
  EXPECT_EQ(old.Exchange("GET / HTTP/1.0\r\n\r\n")->status, 200);
}

TEST_F(ServerClientsTest, OnlyATrustedProxySaysWhereARequestComesFrom) {
  Start();
  EXPECT_EQ(Get("Host: h\r\nX-Forwarded-For: 192.0.2.7\r\n").body, "127.0.0.1");
  server_.reset();
  options_.proxies.ranges.push_back(*AddressRange::Parse("127.0.0.0/8"));
  Start();
  EXPECT_EQ(Get("Host: h\r\nX-Forwarded-For: 192.0.2.7\r\n").body, "192.0.2.7");
  // Each request of a connection for itself.
  TestClient client(port_);
  const auto peer = [&](std::string_view fields) {
    return client.Exchange("GET / HTTP/1.1\r\nHost: h\r\n" + std::string(fields) + "\r\n")->body;
  };
  EXPECT_EQ(peer("X-Forwarded-For: 2001:db8::7\r\n"), "2001:db8::7");
  EXPECT_EQ(peer("X-Forwarded-For: 203.0.113.1, 192.0.2.8\r\n"), "192.0.2.8");
  EXPECT_EQ(peer(""), "127.0.0.1");
}

TEST_F(ServerClientsTest, OneAddressCannotTakeAllConnections) {
  options_.connections_per_address_max = 3;
  options_.counts_loopback = true;
  Start();
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(std::make_unique<TestClient>(port_));
    ASSERT_EQ(clients.back()->Exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n")->status, 200);
  }
  TestClient refused(port_);
  EXPECT_EQ(refused.ReadReply()->status, 429);
  clients.front()->Send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(clients.front()->ReadReply());
  clients.front()->Close();
  // The server notices that on its own time.
  std::optional<Reply> reply;
  for (int i = 0; i < 1000 && (!reply || reply->status != 200); ++i) {
    TestClient next(port_);
    reply = next.Exchange("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  }
  EXPECT_EQ(reply->status, 200);
}

TEST_F(ServerClientsTest, ThisMachineHasAsManyAsItLikes) {
  options_.connections_per_address_max = 1;
  Start();
  TestClient first(port_), second(port_);
  EXPECT_EQ(first.Exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n")->status, 200);
  EXPECT_EQ(second.Exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n")->status, 200);
}

std::string UpgradeFor(std::string_view client) {
  std::string request(kUpgradeRequest);
  return request.insert(request.find("Upgrade:"), "X-Forwarded-For: " + std::string(client) + "\r\n");
}

TEST_F(WebSocketServerTest, OneAddressCannotTakeAllWebSockets) {
  options_.websockets_per_address_max = 2;
  options_.proxies.ranges.push_back(*AddressRange::Parse("127.0.0.1"));
  Start();
  const auto open = [&](WebSocketTestClient& client, std::string_view address) {
    return client.Exchange(UpgradeFor(address))->status;
  };
  WebSocketTestClient first(port_), second(port_), third(port_), other(port_), local(port_);
  EXPECT_EQ(open(first, "192.0.2.7"), 101);
  EXPECT_EQ(open(second, "192.0.2.7"), 101);
  EXPECT_EQ(open(third, "192.0.2.7"), 429);
  EXPECT_EQ(open(other, "192.0.2.8"), 101);
  EXPECT_TRUE(local.Upgrade());
  // A place that is given back can be taken.
  first.Send(ClientFrame(Opcode::kClose, CloseCode(1000)));
  EXPECT_EQ(first.ReadCloseCode(), 1000);
  EXPECT_TRUE(first.SeesClose());
  first.Close();
  diary_.WaitForCloses(1);
  int status = 0;
  for (int i = 0; i < 1000 && status != 101; ++i) {  // the connection ends after its listener
    WebSocketTestClient next(port_);
    status = open(next, "192.0.2.7");
  }
  EXPECT_EQ(status, 101);
}

}  // namespace
}  // namespace cairn::http
