#include "http/problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::http {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

TEST(Problem, IsWrittenAsOneObject) {
  const Response response = ToResponse({.status = 422,
                                        .code = "invalid",
                                        .title = "The request breaks a rule",
                                        .detail = "a \"quote\"",
                                        .errors = {{"total", "must be a number"}, {"", "is odd"}}});
  EXPECT_EQ(response.status, 422);
  EXPECT_EQ(response.content_type, "application/problem+json");
  EXPECT_EQ(
      response.body,
      R"({"type":"urn:cairn:problem:invalid","title":"The request breaks a rule","status":422,)"
      R"("detail":"a \"quote\"","code":"invalid","errors":[{"field":"total","message":"must be a number"},)"
      R"({"field":"","message":"is odd"}]})");
}

TEST(Problem, EveryCodeHasAStatus) {
  for (int code = 0; code <= static_cast<int>(Code::kInternal); ++code) {
    const Problem problem = ProblemOf({static_cast<Code>(code), "x"});
    EXPECT_GE(problem.status, 400) << code;
    EXPECT_LT(problem.status, 600) << code;
    EXPECT_FALSE(problem.code.empty() || problem.title.empty()) << code;
  }
}

TEST(Problem, StatusesOfTheFrequentOnes) {
  const std::pair<Code, int> cases[] = {
      {Code::kMalformed, 400},   {Code::kUnauthenticated, 401},  {Code::kAccessDenied, 403},
      {Code::kTooLarge, 413},    {Code::kResourceNotFound, 404}, {Code::kConditionFailed, 409},
      {Code::kOverloaded, 429},  {Code::kInvalidArgument, 422},  {Code::kReadOnly, 503},
      {Code::kStorageFull, 503}, {Code::kDamaged, 500},
  };
  for (const auto& [code, status] : cases) EXPECT_EQ(ProblemOf({code, ""}).status, status) << CodeName(code);
}

TEST(Problem, TheInsideIsNotTold) {
  for (const Code code : {Code::kInternal, Code::kDamaged, Code::kReadOnly, Code::kStorageFull}) {
    EXPECT_THAT(ProblemResponse({code, "/secret/path"}).body, Not(HasSubstr("secret"))) << CodeName(code);
  }
}

TEST(Problem, FieldsThatBelongToAStatus) {
  EXPECT_THAT(ProblemResponse({Code::kUnauthenticated, ""}).headers,
              Contains(Pair("WWW-Authenticate", "Bearer")));
  EXPECT_THAT(ProblemResponse({Code::kOverloaded, ""}).headers, Contains(Pair("Retry-After", "1")));
  EXPECT_THAT(ProblemResponse({Code::kMalformed, ""}).headers, Not(Contains(Pair("Retry-After", "1"))));
}

}  // namespace
}  // namespace cairn::http
