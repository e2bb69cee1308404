// Bodies that are made while they are sent.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "base/yield.h"
#include "http/client_for_tests.h"
#include "http/gzip.h"
#include "http/server.h"

namespace cairn::http {
namespace {

using std::chrono::milliseconds;

constexpr size_t kPartBytes = 64 * 1024;

// Parts of kPartBytes, the i-th of the letter 'a' + i % 26.
class Letters final : public BodySource {
 public:
  struct Plan {
    size_t parts = 0;
    size_t fails_at = SIZE_MAX;
    std::atomic<size_t> made = 0;
    std::atomic<int> alive = 0;
  };
  explicit Letters(Plan& plan) : plan_(plan) { ++plan_.alive; }
  ~Letters() override { --plan_.alive; }

  Task<Result<std::string>> Next() override {
    const size_t part = made_++;
    if (part % 2 == 1) co_await Yield();  // some come at once, some later
    if (part == plan_.fails_at) co_return Fail(Code::kInternal, "no more letters");
    if (part == plan_.parts) co_return std::string();
    ++plan_.made;
    co_return std::string(kPartBytes, static_cast<char>('a' + part % 26));
  }

 private:
  Plan& plan_;
  size_t made_ = 0;
};

std::string Expected(size_t parts) {
  std::string text;
  for (size_t i = 0; i < parts; ++i) text.append(kPartBytes, static_cast<char>('a' + i % 26));
  return text;
}

class StreamTest : public testing::Test {
 protected:
  StreamTest() {
    options_.port = 0;
    options_.threads = 1;
  }
  ~StreamTest() override {
    server_.reset();
    EXPECT_EQ(plan_.alive, 0);
  }

  void Start() {
    server_ = std::make_unique<Server>(options_, [this](const Request& request) -> Task<Response> {
      Response response;
      response.content_type = "text/plain";
      response.account = Account::OfUser("ann");
      if (request.path() == "/stream") {
        response.source = std::make_shared<Letters>(plan_);
      } else {
        response.body = "short";
      }
      co_return response;
    });
    port_ = server_->Start().value();
  }

  double Metric(const std::string& name) const {
    const std::string text = server_->MetricsText();
    const size_t at = text.find("\n" + name + " ");
    return at == text.npos ? -1 : std::stod(text.substr(at + name.size() + 2));
  }
  template <class Condition>
  static bool Eventually(Condition condition) {
    const auto until = std::chrono::steady_clock::now() + milliseconds(TestClient::kPatienceMs);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::yield();
    }
    return true;
  }
  static std::string Get(const std::string& fields = "", const std::string& method = "GET") {
    return method + " /stream HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n";
  }

  ServerOptions options_;
  Letters::Plan plan_;
  std::unique_ptr<Server> server_;
  uint16_t port_ = 0;
};

TEST_F(StreamTest, IsSentInChunksAndTheConnectionGoesOn) {
  plan_.parts = 40;
  Start();
  TestClient client(port_);
  for (int i = 0; i < 2; ++i) {
    const auto reply = client.Exchange(Get());
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 200);
    EXPECT_EQ(reply->Header("Content-Length"), "");
    EXPECT_TRUE(reply->body == Expected(40));
  }
  const auto next = client.Exchange("GET /short HTTP/1.1\r\nHost: h\r\n\r\n");
  ASSERT_TRUE(next);
  EXPECT_EQ(next->body, "short");
  EXPECT_TRUE(Eventually([&] { return Metric("cairn_http_unread_response_bytes") == 0; }));
}

TEST_F(StreamTest, MayBeEmpty) {
  Start();
  TestClient client(port_);
  const auto reply = client.Exchange(Get());
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->body, "");
}

TEST_F(StreamTest, IsCompressedForThoseWhoTakeIt) {
  plan_.parts = 40;
  Start();
  TestClient client(port_);
  const auto reply = client.Exchange(Get("Accept-Encoding: gzip\r\n"));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->Header("Content-Encoding"), "gzip");
  EXPECT_LT(reply->body.size(), kPartBytes);
  const auto text = Gunzip(reply->body, 41 * kPartBytes);
  ASSERT_TRUE(text);
  EXPECT_TRUE(*text == Expected(40));
}

TEST_F(StreamTest, EndsWithTheConnectionForOldClients) {
  plan_.parts = 3;
  Start();
  TestClient client(port_);
  client.Send("GET /stream HTTP/1.0\r\n\r\n");
  const auto head = client.ReadReply(true);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->Header("Transfer-Encoding"), "");
  EXPECT_EQ(head->Header("Content-Length"), "");
  EXPECT_TRUE(client.ReadBytes(3 * kPartBytes) == Expected(3));
  EXPECT_TRUE(client.SeesClose());
}

TEST_F(StreamTest, HeadMakesNothing) {
  plan_.parts = 3;
  Start();
  TestClient client(port_);
  client.Send(Get("", "HEAD"));
  const auto reply = client.ReadReply(true);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->Header("Transfer-Encoding"), "chunked");
  EXPECT_EQ(plan_.made, 0u);
  const auto next = client.Exchange("GET /short HTTP/1.1\r\nHost: h\r\n\r\n");
  ASSERT_TRUE(next);
  EXPECT_EQ(next->body, "short");
}

TEST_F(StreamTest, ThatFailsIsSeenToBeCutOff) {
  plan_.parts = 10;
  plan_.fails_at = 5;
  Start();
  TestClient client(port_);
  client.Send(Get());
  EXPECT_FALSE(client.ReadReply());
}

TEST_F(StreamTest, IsMadeAtTheClientsSpeed) {
  plan_.parts = 100'000;  // 6 GB, of which what fits the kernel's buffers is made
  options_.write_timeout = std::chrono::hours(1);
  options_.write_stall_timeout = milliseconds(50);
  Start();
  {
    TestClient client(port_);
    client.Send(Get());
    ASSERT_TRUE(Eventually([&] { return Metric("cairn_http_responses_aborted_total") == 1; }));
    EXPECT_LT(plan_.made, 1'000u);
  }
  EXPECT_TRUE(Eventually([&] { return plan_.alive == 0; }));
  EXPECT_EQ(Metric("cairn_http_unread_response_bytes"), 0);
}

TEST_F(StreamTest, AnAccountHasAFewAtOnce) {
  plan_.parts = 100'000;
  options_.response_memory_share_bytes_max = 2 * kStreamBytes;
  Start();
  TestClient first(port_), second(port_), third(port_);
  first.Send(Get());
  second.Send(Get());
  ASSERT_TRUE(Eventually([&] { return plan_.alive == 2; }));
  const auto refused = third.Exchange(Get());
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 503);
  EXPECT_EQ(refused->Header("Retry-After"), "1");
  first.Close();
  ASSERT_TRUE(Eventually([&] { return plan_.alive == 1; }));
  TestClient fourth(port_);
  fourth.Send(Get());
  const auto head = fourth.ReadReply(true);
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 200);
}

TEST_F(StreamTest, AStopCutsItOffSoon) {
  plan_.parts = 100'000;
  options_.write_stall_timeout = std::chrono::hours(1);
  Start();
  TestClient client(port_);
  client.Send(Get());
  ASSERT_TRUE(client.ReadBytes(10'000));
  server_->Stop(std::chrono::seconds(3600));
  EXPECT_EQ(plan_.alive, 0);
}

}  // namespace
}  // namespace cairn::http
