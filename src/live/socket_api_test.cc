// Who may connect, and how it is found out who it is.
#include "live/socket_api.h"

#include <gtest/gtest.h>

#include "live/socket_fixture_for_test.h"

namespace cairn::live {
namespace {

using SocketApiTest = LiveSocketTest;

constexpr std::string_view kOwnOrigin = "Origin: https://cairn.example\r\n";

TEST_F(SocketApiTest, WelcomesByToken) {
  Start();
  LiveClient client(port_);
  ASSERT_EQ(client.Connect("Authorization: alice 1\r\n"), 101);
  EXPECT_EQ(client.Hear(), R"({"type":"welcome","userId":"alice","expiresAt":"2027-01-15T09:00:00.000Z"})");
}

TEST_F(SocketApiTest, WelcomesByCookieOnAnOwnPage) {
  Start();
  LiveClient client(port_);
  ASSERT_EQ(client.Connect("Cookie: other=1; session=alice 1\r\n" + std::string(kOwnOrigin)), 101);
  EXPECT_EQ(Member(client.Hear(), "userId"), "alice");
}

TEST_F(SocketApiTest, CookieWithoutAnOwnPageIs403) {
  Start();
  const std::string cookie = "Cookie: session=alice 1\r\n";
  for (const char* origin :
       {"", "Origin: null\r\n", "Origin: https://evil.example\r\n",
        "Origin: https://cairn.example.evil.example\r\n", "Origin: http://cairn.example\r\n",
        "Origin: https://cairn.example:8443\r\n", "Origin: \r\n",
        "Origin: https://cairn.example\r\nOrigin: https://evil.example\r\n"}) {
    EXPECT_EQ(LiveClient(port_).Connect(cookie + origin), 403) << origin;
  }
}

TEST_F(SocketApiTest, ForeignPageIs403WhateverItShows) {
  Start();
  for (const char* fields : {"", "Authorization: alice 1\r\n"}) {
    for (const char* origin :
         {"Origin: null\r\n", "Origin: https://evil.example\r\n", "Sec-Fetch-Site: cross-site\r\n"}) {
      EXPECT_EQ(LiveClient(port_).Connect(std::string(fields) + origin), 403) << fields << origin;
    }
  }
}

TEST_F(SocketApiTest, ListedPageMayConnectAndItsCookieCountsIfThePolicySaysSo) {
  options_.other_pages.origins = {"https://app.example"};
  Start();
  const std::string origin = "Origin: https://app.example\r\n";
  EXPECT_EQ(LiveClient(port_).Connect(origin), 101);
  EXPECT_EQ(LiveClient(port_).Connect(origin + "Cookie: session=alice 1\r\n"), 403);
  server_.reset();
  options_.other_pages.allow_credentials = true;
  Start();
  EXPECT_EQ(LiveClient(port_).Connect(origin + "Cookie: session=alice 1\r\n"), 101);
}

TEST_F(SocketApiTest, AnythingBehindTheAddressIs403) {
  Start();
  const std::string token = "Authorization: alice 1\r\n";
  EXPECT_EQ(LiveClient(port_).Connect(token, "/ws?token=alice%201"), 403);
  EXPECT_EQ(LiveClient(port_).Connect(token, "/ws?"), 403);
  EXPECT_EQ(LiveClient(port_).Connect("", "/ws?x"), 403);
}

TEST_F(SocketApiTest, WrongTokenOrCookieIs401) {
  Start();
  EXPECT_EQ(LiveClient(port_).Connect("Authorization: garbage\r\n"), 401);
  EXPECT_EQ(LiveClient(port_).Connect("Cookie: session=garbage\r\n" + std::string(kOwnOrigin)), 401);
}

TEST_F(SocketApiTest, StoreThatDoesNotAnswerIsNotAWrongToken) {
  authenticator_.FailWith({Code::kUnavailable, "not now"});
  Start();
  EXPECT_EQ(LiveClient(port_).Connect("Authorization: alice 1\r\n"), 503);
}

TEST_F(SocketApiTest, RequestWithoutUpgradeLearnsHow) {
  Start();
  LiveClient client(port_);
  EXPECT_EQ(client.Exchange("GET /ws HTTP/1.1\r\nHost: h\r\n\r\n")->status, 426);
  EXPECT_EQ(client.Exchange("POST /ws HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")->status, 405);
}

TEST_F(SocketApiTest, OtherCookiesAreNoCredentials) {
  Start();
  LiveClient client(port_);
  ASSERT_EQ(client.Connect("Cookie: theme=dark\r\n"), 101);
  client.SayAuth("alice 1");
  EXPECT_EQ(client.HearShort(), "welcome");
}

}  // namespace
}  // namespace cairn::live
