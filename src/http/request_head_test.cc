#include "http/request_head.h"

#include <gtest/gtest.h>

#include <string>

namespace cairn::http {
namespace {

TEST(HeadScanner, EndIsFoundInAnyPieces) {
  const std::string input = "GET / HTTP/1.1\r\nHost: a\r\n\r\nbody";
  for (size_t first = 0; first <= input.size(); ++first) {
    HeadScanner scanner;
    const auto early = scanner.Scan(std::string_view(input).substr(0, first));
    EXPECT_EQ(early == HeadScanner::Outcome::kComplete, first >= input.size() - 4) << first;
    if (early == HeadScanner::Outcome::kComplete) continue;
    EXPECT_EQ(scanner.Scan(input), HeadScanner::Outcome::kComplete) << first;
    EXPECT_EQ(scanner.head_bytes(), input.size() - 4);
  }
}

TEST(HeadScanner, BareLineFeedsAndContinuationLinesAreBroken) {
  for (const char* input : {"GET / HTTP/1.1\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\n\r\n", "\n",
                            "GET / HTTP/1.1\r\nHost: a\r\n\n", "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
                            "GET / HTTP/1.1\r\nA: b\r\n\tc\r\n\r\n", " GET / HTTP/1.1\r\n"}) {
    EXPECT_EQ(HeadScanner().Scan(input), HeadScanner::Outcome::kBroken) << input;
  }
}

TEST(ParseHead, PartsAreViewsIntoTheHead) {
  const std::string head =
      "POST /a/b?c=d HTTP/1.1\r\nHost: h\r\nX-Amz-Target:  DynamoDB.GetItem \r\nEmpty:\r\n\r\n";
  Request request;
  const Result<Framing, Fault> framing = ParseHead(head, request);
  ASSERT_TRUE(framing.has_value());
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/a/b?c=d");
  EXPECT_EQ(request.path(), "/a/b");
  EXPECT_EQ(request.query(), "c=d");
  EXPECT_EQ(request.headers.size(), 3u);
  EXPECT_EQ(request.Header("x-amz-target"), "DynamoDB.GetItem");
  EXPECT_EQ(request.Header("EMPTY"), "");
  EXPECT_EQ(request.Header("absent"), "");
  EXPECT_EQ(framing->content_length, 0u);
  EXPECT_TRUE(framing->keep_alive);
}

TEST(ParseHead, PersistenceFollowsVersionAndConnectionField) {
  const auto keeps_alive = [](std::string_view head) {
    Request request;
    return ParseHead(head, request)->keep_alive;
  };
  EXPECT_TRUE(keeps_alive("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
  EXPECT_FALSE(keeps_alive("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
  EXPECT_FALSE(keeps_alive("GET / HTTP/1.1\r\nHost: a\r\nconnection: TE, Close\r\n\r\n"));
  EXPECT_FALSE(keeps_alive("GET / HTTP/1.0\r\n\r\n"));
  EXPECT_TRUE(keeps_alive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
}

TEST(ParseHead, LongTargetIs414) {
  Request request;
  const std::string head = "GET /" + std::string(kTargetBytesMax, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n";
  EXPECT_EQ(ParseHead(head, request).error().status, 414);
}

TEST(ParseHead, UnknownExpectationIs417) {
  Request request;
  EXPECT_EQ(ParseHead("GET / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", request).error().status, 417);
}

TEST(ParseHead, HostIsVisibleText) {
  Request request;
  EXPECT_EQ(ParseHead("GET / HTTP/1.1\r\nHost: \xff\r\n\r\n", request).error().status, 400);
  EXPECT_EQ(ParseHead("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", request).error().status, 400);
  EXPECT_EQ(ParseHead("GET / HTTP/1.1\r\nHost:\r\n\r\n", request)->content_length, 0u);
}

TEST(ParseHead, FieldsThatDecideAreNoticedWhenTheyOccurAgain) {
  const std::string head = "GET / HTTP/1.1\r\nHost: a\r\n", other = "X-Other: 1\r\n";
  Request request;
  for (const std::string field :
       {"Authorization", "Origin", "Content-Type", "If-Match", "Idempotency-Key", "X-CSRF-Token",
        "Sec-Fetch-Site", "authorization", "ORIGIN", "idempotency-KEY"}) {
    ASSERT_TRUE(ParseHead(head + field + ": 1\r\n" + other + "\r\n", request)) << field;
    EXPECT_EQ(request.repeated_field, "") << field;
    for (const std::string second : {": 1\r\n", ": 2\r\n", ":\r\n"}) {
      ASSERT_TRUE(ParseHead(head + field + ": 1\r\n" + other + field + second + "\r\n", request)) << field;
      EXPECT_TRUE(EqualsIgnoreCase(request.repeated_field, field)) << field << second;
    }
  }
  ASSERT_TRUE(ParseHead(head + "\r\n", request));
  EXPECT_EQ(request.repeated_field, "") << "of the request before";
}

TEST(ParseHead, OtherFieldsMayOccurAgain) {
  Request request;
  ASSERT_TRUE(
      ParseHead("GET / HTTP/1.1\r\nHost: a\r\nAccept: a\r\nAccept: b\r\nX-CSRF-Tokens: 1\r\n"
                "X-CSRF-Tokens: 2\r\nCookie: a=1\r\nCookie: b=2\r\n\r\n",
                request));
  EXPECT_EQ(request.repeated_field, "");
}

}  // namespace
}  // namespace cairn::http
