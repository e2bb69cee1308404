// Answers that clients do not take: they cost a bounded amount of memory and time.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "http/client_for_tests.h"
#include "http/server.h"

namespace cairn::http {
namespace {

using std::chrono::milliseconds;

constexpr size_t kAnswerBytes = 16 * 1024 * 1024;  // more than the kernel takes
constexpr std::string_view kGet = "GET /ann HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr std::string_view kGetOther = "GET /bob HTTP/1.1\r\nHost: h\r\n\r\n";

class UnreadTest : public testing::Test {
 protected:
  UnreadTest() {
    options_.port = 0;
    options_.threads = 1;
    options_.response_memory_bytes_max = 8 * kAnswerBytes;
    options_.response_memory_share_bytes_max = 2 * kAnswerBytes + 100'000;
  }

  void Start() {
    server_ = std::make_unique<Server>(options_, [](const Request& request) -> Task<Response> {
      Response response;
      response.content_type = "application/octet-stream";
      response.account = Account::OfUser(request.path());
      response.body.assign(request.path() == "/small" ? 10 : kAnswerBytes, 'x');
      co_return response;
    });
    port_ = server_->Start().value();
  }

  double Metric(const std::string& name) const {
    const std::string text = server_->MetricsText();
    const size_t at = text.find("\n" + name + " ");
    return at == text.npos ? -1 : std::stod(text.substr(at + name.size() + 2));
  }
  double Unread() const { return Metric("cairn_http_unread_response_bytes"); }
  double Aborted() const { return Metric("cairn_http_responses_aborted_total"); }
  // Waits for the server to get there.
  template <class Condition>
  static bool Eventually(Condition condition) {
    const auto until = std::chrono::steady_clock::now() + milliseconds(TestClient::kPatienceMs);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::yield();
    }
    return true;
  }

  ServerOptions options_;
  std::unique_ptr<Server> server_;
  uint16_t port_ = 0;
};

TEST_F(UnreadTest, WhatIsTakenAtOnceIsNotCounted) {
  Start();
  TestClient client(port_);
  ASSERT_TRUE(client.Exchange("GET /small HTTP/1.1\r\nHost: h\r\n\r\n"));
  EXPECT_EQ(Unread(), 0);
}

TEST_F(UnreadTest, AnAccountHasItsShareOfUnreadAnswersAndOthersHaveTheirs) {
  Start();
  TestClient first(port_), second(port_), third(port_), other(port_);
  first.Send(kGet);
  ASSERT_TRUE(Eventually([&] { return Unread() >= kAnswerBytes; }));
  second.Send(kGet);
  ASSERT_TRUE(Eventually([&] { return Unread() >= 2 * kAnswerBytes; }));
  third.Send(kGet);
  EXPECT_FALSE(third.ReadReply());  // reset
  EXPECT_EQ(Aborted(), 1);
  other.Send(kGetOther);
  ASSERT_TRUE(Eventually([&] { return Unread() >= 3 * kAnswerBytes; }));
  // Those that were there first are not disturbed, and what is read is given back.
  for (TestClient* client : {&first, &second, &other}) {
    const auto reply = client->ReadReply();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->body.size(), kAnswerBytes);
  }
  EXPECT_TRUE(Eventually([&] { return Unread() == 0; }));
  EXPECT_EQ(Aborted(), 1);
}

TEST_F(UnreadTest, AClientThatTakesNothingIsResetLongBeforeTheTimeout) {
  options_.write_timeout = std::chrono::hours(1);
  options_.write_stall_timeout = milliseconds(50);
  Start();
  TestClient client(port_);
  client.Send(kGet);
  ASSERT_TRUE(Eventually([&] { return Aborted() == 1; }));
  EXPECT_TRUE(Eventually([&] { return Unread() == 0; }));
  EXPECT_FALSE(client.ReadReply());
}

TEST_F(UnreadTest, AStopDoesNotWaitForAClientThatTakesNothing) {
  options_.write_timeout = std::chrono::hours(1);
  options_.write_stall_timeout = std::chrono::hours(1);
  Start();
  TestClient client(port_);
  client.Send(kGet);
  ASSERT_TRUE(Eventually([&] { return Unread() >= kAnswerBytes; }));
  server_->Stop(std::chrono::seconds(3600));  // returns long before
  EXPECT_FALSE(client.ReadReply());
}

}  // namespace
}  // namespace cairn::http
