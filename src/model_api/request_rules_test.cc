#include "model_api/request_rules.h"

#include <gtest/gtest.h>

#include "model_api/model_for_test.h"

namespace cairn::model_api {
namespace {

http::Request WithFields(std::vector<http::HeaderField> fields, std::string_view body = {}) {
  return {.method = "PATCH", .target = "/", .headers = std::move(fields), .body = body, .wire_body = {}};
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
