#include "model_api/failure_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_api/model_for_test.h"
#include "model_api/request_rules.h"

namespace cairn::model_api {
namespace {

using model::ConflictKind;
using model::Failure;

TEST(FailureProblem, ConflictsHaveTheirStatus) {
  const std::pair<ConflictKind, int> cases[] = {
      {ConflictKind::kAlreadyExists, 409}, {ConflictKind::kNotFound, 404}, {ConflictKind::kVersion, 412},
      {ConflictKind::kUnique, 409},        {ConflictKind::kChanged, 409},
  };
  for (const auto& [kind, status] : cases) {
    const auto problem = ProblemOf(Failure(model::Conflict{kind, nullptr, {}, {}}), FieldsFrom::kBody);
    EXPECT_EQ(problem.status, status);
  }
}

TEST(FailureProblem, TakenAttributesAreNamed) {
  const auto problem =
      ProblemOf(Failure(model::Conflict{ConflictKind::kUnique, nullptr, {}, {"email"}}), FieldsFrom::kBody);
  ASSERT_EQ(problem.errors.size(), 1u);
  EXPECT_EQ(problem.errors[0].field, "email");
}

TEST(FailureProblem, BrokenRulesDependOnWhereTheyCameFrom) {
  const Failure failure({{"a", "must be a number"}, {"b", "[2].c must be a text"}});
  const std::pair<FieldsFrom, int> cases[] = {
      {FieldsFrom::kBody, 422}, {FieldsFrom::kQuery, 400}, {FieldsFrom::kPath, 404}};
  for (const auto& [from, status] : cases) {
    const auto problem = ProblemOf(failure, from);
    EXPECT_EQ(problem.status, status);
    ASSERT_EQ(problem.errors.size(), 2u);
    EXPECT_EQ(problem.errors[1].field, "b[2].c");
    EXPECT_EQ(problem.errors[1].message, "must be a text");
  }
}

TEST(FailureProblem, WhatMayNotBeDoneDoesNotExist) {
  EXPECT_EQ(ProblemOf(Failure(Error{Code::kAccessDenied, "no"}), FieldsFrom::kBody).status, 404);
}

TEST(FailureProblem, TheStoresErrorsKeepTheirStatus) {
  const std::pair<Code, int> cases[] = {{Code::kOverloaded, 429},
                                        {Code::kReadOnly, 503},
                                        {Code::kStorageFull, 503},
                                        {Code::kLimitExceeded, 422},
                                        {Code::kInternal, 500}};
  for (const auto& [code, status] : cases) {
    EXPECT_EQ(ProblemOf(Failure(Error{code, "x"}), FieldsFrom::kPath).status, status);
  }
}

http::Request WithFields(std::vector<http::HeaderField> fields, std::string_view body = {}) {
  return {.method = "PATCH", .target = "/", .headers = std::move(fields), .body = body, .wire_body = {}};
}

TEST(RequestRules, ContentTypes) {
  const std::tuple<std::string_view, BodyKind, bool> cases[] = {
      {"application/json", BodyKind::kJson, true},
      {"Application/JSON; charset=utf-8", BodyKind::kJson, true},
      {"application/merge-patch+json", BodyKind::kJson, false},
      {"application/merge-patch+json", BodyKind::kMergePatch, true},
      {"application/json", BodyKind::kMergePatch, true},
      {"application/json-patch+json", BodyKind::kMergePatch, false},
      {"application/jsonx", BodyKind::kJson, false},
      {"text/plain", BodyKind::kJson, false},
      {"application/x-www-form-urlencoded", BodyKind::kJson, false},
      {"", BodyKind::kJson, false},
  };
  for (const auto& [type, kind, fits] : cases) {
    const auto checked = CheckBody(WithFields({{"content-type", type}}), kind);
    EXPECT_EQ(checked.has_value(), fits) << type;
    EXPECT_EQ(checked ? 415 : checked.error().status, 415);
  }
  EXPECT_EQ(CheckBody(WithFields({}), BodyKind::kJson).error().status, 415);
  EXPECT_EQ(
      CheckBody(WithFields({{"Content-Type", "application/json"}, {"content-type", "application/json"}}),
                BodyKind::kJson)
          .error()
          .status,
      400);
}

TEST(RequestRules, LargeBodiesAreRefused) {
  const std::string body(kBodyBytesMax + 1, ' ');
  const std::string_view view = body;
  const std::vector<http::HeaderField> fields = {{"Content-Type", "application/json"}};
  EXPECT_TRUE(CheckBody(WithFields(fields, view.substr(1)), BodyKind::kJson));
  EXPECT_EQ(CheckBody(WithFields(fields, view), BodyKind::kJson).error().status, 413);
}

TEST(RequestRules, LockedEntitiesNeedACondition) {
  const model::ModelPtr model = TestModel();
  ASSERT_NE(model, nullptr);
  const model::Entity& locked = *model->FindEntity("Job");
  const model::Entity& unlocked = *model->FindEntity("Settings");
  EXPECT_EQ(ExpectationOf(WithFields({}), locked).error().status, 428);
  EXPECT_TRUE(ExpectationOf(WithFields({}), unlocked).value().any);
  EXPECT_TRUE(ExpectationOf(WithFields({{"If-Match", "*"}}), locked).value().any);
  EXPECT_EQ(ExpectationOf(WithFields({{"if-match", "\"3\""}}), locked).value().tag, "\"3\"");
  EXPECT_EQ(ExpectationOf(WithFields({{"If-Match", "\"abc\""}}), locked).error().status, 412);
  EXPECT_EQ(ExpectationOf(WithFields({{"If-Match", "\"3\""}}), unlocked).error().status, 412);
  EXPECT_EQ(ExpectationOf(WithFields({{"If-Match", "3"}}), locked).error().status, 400);
  EXPECT_EQ(ExpectationOf(WithFields({{"If-Match", "\"3\""}, {"If-Match", "\"4\""}}), locked).error().status,
            400);
  EXPECT_EQ(ExpectationOf(WithFields({{"If-None-Match", "*"}}), locked).error().status, 400);
}

}  // namespace
}  // namespace cairn::model_api
