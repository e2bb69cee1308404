// Large bodies: who may send one is decided before it is read.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "http/client_for_tests.h"
#include "http/gate_for_tests.h"
#include "http/gzip.h"
#include "http/router.h"
#include "http/server.h"

namespace cairn::http {
namespace {

using std::chrono::milliseconds;

constexpr size_t kRouteBytes = 200'000;

// Admits up to kRouteBytes from whoever sends "Known: yes".
class AdmissionTest : public testing::Test {
 protected:
  AdmissionTest() {
    options_.port = 0;
    options_.threads = 1;
  }

  void Start() {
    server_ = std::make_unique<Server>(
        options_,
        [this](const Request& request) -> Task<Response> {
          ++handled_;
          Response response;
          response.body = std::to_string(request.body.size());
          co_return response;
        },
        [this](const Request& head) -> Task<BodyAdmission> {
          ++asked_;
          if (gate_) co_await gate_->Pass();
          EXPECT_TRUE(head.body.empty());
          BodyAdmission admission = AdmitUpTo(kRouteBytes);
          if (head.Header("Known").empty()) {
            admission.admitted = false;
            admission.refusal.status = 401;
          }
          co_return admission;
        });
    port_ = server_->Start().value();
  }

  static std::string Post(size_t length, const std::string& fields = "") {
    return "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: " + std::to_string(length) + "\r\n" + fields +
           "\r\n";
  }
  static constexpr const char* kKnown = "Known: yes\r\n";

  double Metric(const std::string& name) const {
    const std::string text = server_->MetricsText();
    const size_t at = text.find("\n" + name + " ");
    return at == text.npos ? -1 : std::stod(text.substr(at + name.size() + 2));
  }

  ServerOptions options_;
  std::atomic<int> handled_ = 0, asked_ = 0;
  Gate* gate_ = nullptr;
  std::unique_ptr<Server> server_;
  uint16_t port_ = 0;
};

TEST_F(AdmissionTest, SmallBodiesAreReadWithoutAQuestion) {
  Start();
  TestClient client(port_);
  const auto reply = client.Exchange(Post(kSmallBodyBytes) + std::string(kSmallBodyBytes, 'x'));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->body, std::to_string(kSmallBodyBytes));
  EXPECT_EQ(asked_, 0);
}

TEST_F(AdmissionTest, WhoeverIsNotAdmittedIsAnsweredBeforeTheBodyComes) {
  Start();
  TestClient client(port_);
  const auto reply = client.Exchange(Post(kSmallBodyBytes + 1));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 401);
  EXPECT_EQ(reply->Header("Connection"), "close");
  EXPECT_TRUE(client.SeesClose());
  EXPECT_EQ(handled_, 0);
  EXPECT_EQ(Metric("cairn_http_bodies_refused_total"), 1);
}

TEST_F(AdmissionTest, OnlyTheAdmittedAreToldToContinue) {
  Start();
  TestClient stranger(port_);
  const auto refused = stranger.Exchange(Post(100'000, "Expect: 100-continue\r\n"));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 401);
  TestClient known(port_);
  known.Send(Post(100'000, "Expect: 100-continue\r\nKnown: yes\r\n"));
  EXPECT_EQ(known.ReadBytes(25), "HTTP/1.1 100 Continue\r\n\r\n");
  const auto reply = known.Exchange(std::string(100'000, 'x'));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->body, "100000");
}

TEST_F(AdmissionTest, TheRoutesOwnLimitHoldsBeforeTheBodyComes) {
  Start();
  TestClient fits(port_);
  const auto taken = fits.Exchange(Post(kRouteBytes, kKnown) + std::string(kRouteBytes, 'x'));
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->body, std::to_string(kRouteBytes));
  // The same connection asks again for its next body.
  const auto again = fits.Exchange(Post(kRouteBytes, kKnown) + std::string(kRouteBytes, 'x'));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->body, std::to_string(kRouteBytes));
  EXPECT_EQ(asked_, 2);
  TestClient large(port_);
  const auto reply = large.Exchange(Post(kRouteBytes + 1, kKnown));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 413);
  EXPECT_EQ(reply->Header("Content-Type"), "application/problem+json");
  EXPECT_NE(reply->body.find("at most 200000 bytes here"), std::string::npos);
  EXPECT_EQ(handled_, 2);
}

TEST_F(AdmissionTest, AChunkedBodyIsAskedAboutOnceItIsLarge) {
  Start();
  const std::string head = "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n";
  const std::string chunk = "8000\r\n" + std::string(0x8000, 'x') + "\r\n";  // 32 KB
  TestClient small(port_);
  const auto taken = small.Exchange(head + "\r\n" + chunk + chunk + "0\r\n\r\n");
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->body, "65536");
  EXPECT_EQ(asked_, 0);

  TestClient stranger(port_);
  const auto refused = stranger.Exchange(head + "\r\n" + chunk + chunk + "1\r\nx\r\n");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 401);

  TestClient known(port_);
  known.Send(head + kKnown + "\r\n");
  for (int i = 0; i < 5; ++i) known.Send(chunk);
  const auto reply = known.Exchange("0\r\n\r\nGET /next HTTP/1.1\r\nHost: h\r\n\r\n");
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->body, std::to_string(5 * 0x8000));
  const auto next = known.ReadReply();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->body, "0");

  TestClient large(port_);
  large.Send(head + kKnown + "\r\n");
  for (int i = 0; i < 7; ++i) large.Send(chunk);
  const auto too_large = large.ReadReply();
  ASSERT_TRUE(too_large);
  EXPECT_EQ(too_large->status, 413);
  EXPECT_EQ(too_large->Header("Content-Type"), "application/problem+json");
}

TEST_F(AdmissionTest, WhatGzipHidesIsAskedAboutAndLimited) {
  Start();
  const std::string fits = Gzip(std::string(kRouteBytes, 'x')),
                    large = Gzip(std::string(kRouteBytes + 1, 'x'));
  ASSERT_LT(large.size(), kSmallBodyBytes);
  const std::string fields = "Content-Encoding: gzip\r\n";
  TestClient stranger(port_);
  const auto refused = stranger.Exchange(Post(fits.size(), fields) + fits);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 401);
  TestClient known(port_);
  const auto taken = known.Exchange(Post(fits.size(), fields + kKnown) + fits);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->body, std::to_string(kRouteBytes));
  const auto too_large = known.Exchange(Post(large.size(), fields + kKnown) + large);
  ASSERT_TRUE(too_large);
  EXPECT_EQ(too_large->status, 413);
}

TEST_F(AdmissionTest, TheQuestionMayTakeItsTime) {
  Gate gate;
  gate_ = &gate;
  Start();
  TestClient client(port_);
  client.Send(Post(100'000, kKnown) + std::string(100'000, 'x'));
  gate.WaitForHandler();
  gate_ = nullptr;
  TestClient other(port_);
  const auto meanwhile = other.Exchange(Post(3) + "abc");
  ASSERT_TRUE(meanwhile);
  EXPECT_EQ(meanwhile->body, "3");
  gate.Release();
  const auto reply = client.ReadReply();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->body, "100000");
}

TEST_F(AdmissionTest, ABodyThatTricklesIsGivenUpLongBeforeTheTimeout) {
  options_.body_timeout = std::chrono::hours(1);
  options_.body_grace = milliseconds(50);
  options_.body_bytes_per_second_min = 1024 * 1024 * 1024;
  Start();
  TestClient client(port_);
  client.Send(Post(1'000) + "x");
  const auto reply = client.ReadReply();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->status, 408);
  EXPECT_EQ(Metric("cairn_http_bodies_refused_total"), 1);
}

TEST_F(AdmissionTest, ABodyThatComesFastEnoughHasTheWholeTimeout) {
  options_.body_timeout = std::chrono::hours(1);
  options_.body_grace = milliseconds(50);
  options_.body_bytes_per_second_min = 1;  // a byte earns a second: 900 of them a quarter of an hour
  Start();
  TestClient client(port_);
  client.Send(Post(1'000) + std::string(900, 'x'));
  // Several sweeps, seen by another body that is given up meanwhile.
  TestClient other(port_);
  other.Send(Post(1'000));
  const auto given_up = other.ReadReply();
  ASSERT_TRUE(given_up);
  EXPECT_EQ(given_up->status, 408);
  const auto reply = client.Exchange(std::string(100, 'x'));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->body, "1000");
}

}  // namespace
}  // namespace cairn::http
