#include "http/websocket_upgrade.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace cairn::http {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Pair;

Request Good() {
  return {.method = "GET",
          .target = "/live",
          .headers = {{"Host", "h"},
                      {"upgrade", "WebSocket"},
                      {"Connection", "keep-alive, UPGRADE"},
                      {"Sec-WebSocket-Version", "13"},
                      {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}},
          .body = {}};
}

Request Without(std::string_view name) {
  Request request = Good();
  std::erase_if(request.headers,
                [&](const HeaderField& field) { return EqualsIgnoreCase(field.name, name); });
  return request;
}

Request With(std::string_view name, std::string_view value) {
  Request request = Without(name);
  request.headers.push_back({name, value});
  return request;
}

struct Silent : WebSocketListener {
  void OnOpen(std::shared_ptr<WebSocket>) override {}
  void OnText(std::string_view) override {}
};

TEST(ParseUpgrade, ExampleOfTheStandardIsAccepted) {
  const auto upgrade = ParseUpgrade(Good());
  ASSERT_TRUE(upgrade.has_value());
  EXPECT_EQ(upgrade->accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_THAT(upgrade->subprotocols, ElementsAre());
}

TEST(ParseUpgrade, SubprotocolsComeInTheClientsOrder) {
  Request request = With("Sec-WebSocket-Protocol", "v2.live, v1.live");
  request.headers.push_back({"sec-websocket-protocol", " token.abc "});
  const auto upgrade = ParseUpgrade(request);
  ASSERT_TRUE(upgrade.has_value());
  EXPECT_THAT(upgrade->subprotocols, ElementsAre("v2.live", "v1.live", "token.abc"));
  EXPECT_TRUE(upgrade->Offers("v1.live"));
  EXPECT_FALSE(upgrade->Offers("V1.live"));
}

TEST(ParseUpgrade, RequestsThatDoNotAskForItAre426) {
  for (const Request& request :
       {Without("Upgrade"), Without("Connection"), With("Upgrade", "h2c"), With("Connection", "keep-alive"),
        With("Connection", "xupgrade"), Without("Sec-WebSocket-Version"), With("Sec-WebSocket-Version", "8"),
        With("Sec-WebSocket-Version", "13, 8")}) {
    const auto upgrade = ParseUpgrade(request);
    ASSERT_FALSE(upgrade.has_value());
    EXPECT_EQ(upgrade.error().status, 426);
    EXPECT_THAT(upgrade.error().headers, Contains(Pair("Sec-WebSocket-Version", "13")));
    EXPECT_THAT(upgrade.error().headers, Contains(Pair("Upgrade", "websocket")));
  }
}

TEST(ParseUpgrade, BrokenRequestsAre400) {
  Request two_keys = Good();
  two_keys.headers.push_back({"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="});
  Request old = Good();
  old.http_1_0 = true;
  Request with_body = Good();
  with_body.wire_body = "b";
  for (const Request& request :
       {Without("Sec-WebSocket-Key"), two_keys, old, with_body, With("Sec-WebSocket-Key", ""),
        With("Sec-WebSocket-Key", "=="), With("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ"),
        With("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZR=="),  // unused bits
        With("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25j"),      // 15 bytes
        With("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZWU="),  // 17 bytes
        With("Sec-WebSocket-Key", "dGhl_HNhbXBsZSBub25jZQ=="), With("Sec-WebSocket-Protocol", "a, a"),
        With("Sec-WebSocket-Protocol", "a b")}) {
    const auto upgrade = ParseUpgrade(request);
    ASSERT_FALSE(upgrade.has_value());
    EXPECT_EQ(upgrade.error().status, 400);
  }
}

TEST(ParseUpgrade, OtherMethodsAre405) {
  for (const char* method : {"POST", "HEAD", "get"}) {
    Request request = Good();
    request.method = method;
    EXPECT_EQ(ParseUpgrade(request).error().status, 405);
  }
}

TEST(SwitchToWebSocket, ResponseNamesTheSubprotocolThatWasPicked) {
  const Request request = With("Sec-WebSocket-Protocol", "v2, v1");
  const auto upgrade = ParseUpgrade(request);
  const Response plain = SwitchToWebSocket(*upgrade, std::make_shared<Silent>(), "");
  EXPECT_EQ(plain.status, 101);
  EXPECT_THAT(plain.headers, ElementsAre(Pair("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")));
  EXPECT_NE(plain.websocket, nullptr);
  const Response picked = SwitchToWebSocket(*upgrade, std::make_shared<Silent>(), "v1");
  EXPECT_THAT(picked.headers, Contains(Pair("Sec-WebSocket-Protocol", "v1")));
}

}  // namespace
}  // namespace cairn::http
