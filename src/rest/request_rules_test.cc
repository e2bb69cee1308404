#include "rest/request_rules.h"

#include <gtest/gtest.h>

namespace cairn::rest {
namespace {

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
    const auto checked = CheckBody(WithFields({{"content-type", type}}), kind, 100);
    EXPECT_EQ(checked.has_value(), fits) << type;
    EXPECT_EQ(checked ? 415 : checked.error().status, 415);
  }
  EXPECT_EQ(CheckBody(WithFields({}), BodyKind::kJson, 100).error().status, 415);
  EXPECT_EQ(
      CheckBody(WithFields({{"Content-Type", "application/json"}, {"content-type", "application/json"}}),
                BodyKind::kJson, 100)
          .error()
          .status,
      400);
}

TEST(RequestRules, OneMediaType) {
  const std::string_view lines = "application/x-ndjson";
  EXPECT_TRUE(CheckMediaType(WithFields({{"content-type", "Application/X-NDJSON; charset=utf-8"}}), lines));
  for (const std::string_view type : {"application/json", "text/plain", "application/x-ndjson-seq", ""}) {
    EXPECT_EQ(CheckMediaType(WithFields({{"Content-Type", type}}), lines).error().status, 415) << type;
  }
  EXPECT_EQ(CheckMediaType(WithFields({}), lines).error().status, 415);
  EXPECT_EQ(
      CheckMediaType(WithFields({{"Content-Type", lines}, {"Content-Type", lines}}), lines).error().status,
      400);
}

TEST(RequestRules, AnEmptyFieldIsThere) {
  EXPECT_TRUE(HasField(WithFields({{"idempotency-key", ""}}), "Idempotency-Key"));
  EXPECT_FALSE(HasField(WithFields({{"Idempotency-Keys", "x"}}), "Idempotency-Key"));
}

TEST(RequestRules, LargeBodiesAreRefused) {
  const std::string body(101, ' ');
  const std::string_view view = body;
  const std::vector<http::HeaderField> fields = {{"Content-Type", "application/json"}};
  EXPECT_TRUE(CheckBody(WithFields(fields, view.substr(1)), BodyKind::kJson, 100));
  EXPECT_EQ(CheckBody(WithFields(fields, view), BodyKind::kJson, 100).error().status, 413);
}

}  // namespace
}  // namespace cairn::rest
