#include "rest/failure_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::rest {
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

}  // namespace
}  // namespace cairn::rest
