#include "http/cors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace cairn::http {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::Pair;
using testing::UnorderedElementsAre;

constexpr std::string_view kListed = "https://app.example";

CorsPolicy Policy() { return MakeCorsPolicy({"https://app.example", "http://localhost:3000"}).value(); }

Request From(std::string_view origin, std::string_view method = "GET") {
  return {.method = method, .target = "/", .headers = {{"Origin", origin}}, .body = {}};
}

Request Preflight(std::string_view origin) {
  Request request = From(origin, "OPTIONS");
  request.headers.push_back({"Access-Control-Request-Method", "PUT"});
  return request;
}

TEST(ApplyCors, ListedOriginIsNamed) {
  Response response;
  ApplyCors(Policy(), From(kListed), response);
  EXPECT_THAT(
      response.headers,
      UnorderedElementsAre(Pair("Vary", "Origin"), Pair("Access-Control-Allow-Origin", "https://app.example"),
                           Pair("Access-Control-Expose-Headers",
                                "ETag, Location, Idempotent-Replayed, Retry-After, Date, X-Amzn-RequestId, "
                                "X-Amzn-ErrorType, X-Amz-Crc32")));
}

TEST(ApplyCors, OtherOriginsAreNeverNamed) {
  const std::string_view kOrigins[] = {"https://evil.example",
                                       "null",
                                       "*",
                                       "",
                                       "http://app.example",
                                       "https://app.example:444",
                                       "https://app.example.evil",
                                       "https://evil-app.example",
                                       "https://APP.example",
                                       "https://app.example/",
                                       "https://app.example, https://evil.example"};
  for (const std::string_view origin : kOrigins) {
    Response response;
    ApplyCors(Policy(), From(origin), response);
    EXPECT_THAT(response.headers, ElementsAre(Pair("Vary", "Origin"))) << origin;
  }
}

TEST(ApplyCors, TwoOriginFieldsAreNone) {
  Request request = From(kListed);
  request.headers.push_back({"origin", "https://app.example"});
  Response response;
  ApplyCors(Policy(), request, response);
  EXPECT_THAT(response.headers, ElementsAre(Pair("Vary", "Origin")));
}

TEST(ApplyCors, PolicyThatListsNothingIsOff) {
  const CorsPolicy off;
  Response response;
  ApplyCors(off, From(kListed), response);
  EXPECT_THAT(response.headers, IsEmpty());
  EXPECT_EQ(AnswerPreflight(off, Preflight(kListed)), std::nullopt);
  EXPECT_FALSE(off.Allows(From("")));
}

TEST(ApplyCors, CredentialsAreAllowedOnlyWhereThePolicySaysSo) {
  CorsPolicy policy = Policy();
  policy.allow_credentials = true;
  Response listed;
  ApplyCors(policy, From(kListed), listed);
  EXPECT_THAT(listed.headers, Contains(Pair("Access-Control-Allow-Credentials", "true")));
  Response other;
  ApplyCors(policy, From("null"), other);
  EXPECT_THAT(other.headers, Not(Contains(Key("Access-Control-Allow-Credentials"))));
}

TEST(AnswerPreflight, ListedOriginLearnsMethodsAndFields) {
  const auto response = AnswerPreflight(Policy(), Preflight("http://localhost:3000"));
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 204);
  EXPECT_THAT(
      response->headers,
      UnorderedElementsAre(Pair("Access-Control-Allow-Origin", "http://localhost:3000"),
                           Pair("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE"),
                           Pair("Access-Control-Allow-Headers",
                                "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, "
                                "X-CSRF-Token, X-Amz-Target, "
                                "X-Amz-Date, X-Amz-Content-Sha256, X-Amz-Security-Token, X-Amz-User-Agent, "
                                "Amz-Sdk-Invocation-Id, Amz-Sdk-Request"),
                           Pair("Access-Control-Max-Age", "600"), Pair("Vary", "Origin")));
}

TEST(AnswerPreflight, FieldsOfNewerSdksAreAllowed) {
  Request question = Preflight(kListed);
  question.headers.push_back(
      {"Access-Control-Request-Headers",
       "authorization,x-amz-account-id-endpoint-mode, X-Amzn-Query-Mode ,amz-sdk-new,x-amz-,"
       "x-evil,x-amz-a b,cookie"});
  const auto response = AnswerPreflight(Policy(), question);
  ASSERT_TRUE(response);
  const auto allowed = std::ranges::find(response->headers, "Access-Control-Allow-Headers",
                                         [](const auto& field) { return std::string_view(field.first); });
  ASSERT_NE(allowed, response->headers.end());
  EXPECT_TRUE(allowed->second.ends_with(
      ", Amz-Sdk-Request, x-amz-account-id-endpoint-mode, X-Amzn-Query-Mode, amz-sdk-new"))
      << allowed->second;
}

TEST(AnswerPreflight, OtherOriginIsRefused) {
  const auto response = AnswerPreflight(Policy(), Preflight("null"));
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 403);
  EXPECT_THAT(response->headers, Contains(Pair("Vary", "Origin")));
  EXPECT_THAT(response->headers, Not(Contains(Key("Access-Control-Allow-Origin"))));
}

TEST(AnswerPreflight, OtherRequestsAreNoQuestion) {
  EXPECT_EQ(AnswerPreflight(Policy(), From(kListed, "OPTIONS")), std::nullopt);
  Request get = Preflight(kListed);
  get.method = "GET";
  EXPECT_EQ(AnswerPreflight(Policy(), get), std::nullopt);
}

TEST(MakeCorsPolicy, OriginsAsBrowsersWriteThemAreTaken) {
  EXPECT_TRUE(MakeCorsPolicy({}).has_value());
  for (const char* origin :
       {"https://a.example", "http://a.example:8080", "http://127.0.0.1:1", "http://[::1]",
        "https://[2001:db8::1]:8443", "http://localhost:443", "https://xn--bcher-kva.example"}) {
    EXPECT_TRUE(MakeCorsPolicy({origin}).has_value()) << origin;
  }
}

TEST(MakeCorsPolicy, OtherTextsAreRefused) {
  for (const char* origin : {"",
                             "*",
                             "null",
                             "a.example",
                             "//a.example",
                             "ftp://a.example",
                             "https://",
                             "https://a.example/",
                             "https://a.example/path",
                             "https://A.example",
                             "HTTPS://a.example",
                             "https://a.example:443",
                             "http://a.example:80",
                             "https://a.example:",
                             "https://a.example:0",
                             "https://a.example:65536",
                             "https://a.example:08",
                             "https://a.example:8x",
                             "https://user@a.example",
                             "https://*.example",
                             "https://a.example ",
                             "https://[::1",
                             "https://[::1]x",
                             "https://[::1]:",
                             "https://::1"}) {
    EXPECT_EQ(MakeCorsPolicy({"https://good.example", origin}).error().code, Code::kInvalidArgument)
        << origin;
  }
}

}  // namespace
}  // namespace cairn::http
