// Keys, tags and parameters as they appear in addresses and fields.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_api/entity_key.h"
#include "model_api/entity_tag.h"
#include "model_api/model_for_test.h"
#include "model_api/model_summary.h"
#include "model_api/pattern_request.h"
#include "rest/entity_tag.h"

namespace cairn::model_api {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class AddressTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(model_, nullptr); }
  const model::Entity& Entity(std::string_view name) { return *model_->FindEntity(name); }
  std::vector<std::string> PageErrors(std::string_view pattern, std::string_view query) {
    const auto page =
        ReadPageRequest(*model_->FindPattern(pattern), http::QueryParameters::Parse(query).value());
    std::vector<std::string> texts;
    if (page) return texts;
    for (const model::FieldError& error : page.error().fields)
      texts.push_back(error.attribute + " " + error.message);
    return texts;
  }
  const model::ModelPtr model_ = TestModel();
};

TEST_F(AddressTest, KeyIsReadAndWritten) {
  const auto key = ReadKey(*model_, Entity("Job"), {"2026-01-02", "7"});
  ASSERT_TRUE(key) << key.error().message;
  EXPECT_EQ(*key, (item::Item{{"day", "2026-01-02"}, {"number", item::Number(7)}}));
  EXPECT_EQ(AddressOf(*model_, Entity("Job"), *key), "/api/m/test/Job/2026-01-02/7");
  EXPECT_EQ(AddressPattern(*model_, Entity("Job")), "/api/m/test/Job/{day}/{number}");
  EXPECT_EQ(AddressOf(*model_, Entity("Log"), {{"name", "a b/c"}}), "/api/m/test/Log/a%20b%2Fc");
  EXPECT_TRUE(ReadKey(*model_, Entity("Settings"), {}).value().empty());
  EXPECT_EQ(AddressOf(*model_, Entity("Settings"), {}), "/api/m/test/Settings");
}

TEST_F(AddressTest, KeyThatNamesNothingIsNotFound) {
  const std::vector<std::string> cases[] = {
      {}, {"2026-01-02"}, {"2026-01-02", "7", "8"}, {"2026-13-02", "7"}, {"2026-01-02", "seven"}, {"", "7"}};
  for (const auto& segments : cases) {
    const auto key = ReadKey(*model_, Entity("Job"), segments);
    ASSERT_FALSE(key) << segments.size();
    EXPECT_EQ(key.error().code, Code::kResourceNotFound);
  }
}

TEST_F(AddressTest, TagIsTheVersion) {
  const auto tag = TagOf(Entity("Job"), {{"version", item::Number(7)}});
  EXPECT_EQ(tag, "\"7\"");
  EXPECT_EQ(VersionOf(Entity("Job"), *tag), item::AttributeValue(item::Number(7)));
  EXPECT_EQ(TagOf(Entity("Job"), {}), std::nullopt);
  EXPECT_EQ(TagOf(Entity("Settings"), {}), std::nullopt);
  for (const std::string_view other :
       {"7", "\"x\"", "\"07\"", "\"7.0\"", "\"7 \"", "W/\"7\"", "\"", "\"7\"\"", "\"%37\""}) {
    EXPECT_EQ(VersionOf(Entity("Job"), other), std::nullopt) << other;
  }
}

TEST_F(AddressTest, TagOfATextIsOneToken) {
  const item::Item values{{"label", "a \"b\", c\n%"}};
  const auto tag = TagOf(Entity("Card"), values);
  ASSERT_TRUE(tag);
  EXPECT_EQ(tag->find_first_of(" ,\n"), tag->npos) << *tag;
  EXPECT_EQ(VersionOf(Entity("Card"), *tag), *values.Find("label"));
}

TEST_F(AddressTest, IfNoneMatchIsAList) {
  for (const std::string_view field : {"*", "\"7\"", "W/\"7\"", "\"1\", \"7\"", "\"1\" ,W/\"7\" , \"9\""}) {
    EXPECT_TRUE(rest::HasTag(field, "\"7\"")) << field;
  }
  for (const std::string_view field : {"", "7", "\"77\"", "\"1\",\"2\"", ","})
    EXPECT_FALSE(rest::HasTag(field, "\"7\"")) << field;
}

TEST_F(AddressTest, PatternParametersAreTyped) {
  const auto page =
      ReadPageRequest(*model_->FindPattern("jobsBetween"),
                      http::QueryParameters::Parse("state=OPEN&from=2026-01-02T03:04:05Z&to=2026-01-03"
                                                   "&limit=7&cursor=abc")
                          .value());
  ASSERT_TRUE(page) << page.error().error.message;
  EXPECT_EQ(page->parameters,
            (item::Item{{"from", "2026-01-02T03:04:05Z"}, {"state", "OPEN"}, {"to", "2026-01-03"}}));
  EXPECT_EQ(page->limit, 7);
  EXPECT_EQ(page->cursor, "abc");
}

TEST_F(AddressTest, WrongParametersAreNamed) {
  EXPECT_THAT(PageErrors("jobs", "day=2026-01-02&limit=10"), ElementsAre());
  EXPECT_THAT(PageErrors("jobs", ""), ElementsAre("day is required"));
  EXPECT_THAT(
      PageErrors("jobs", "dya=2026-01-02"),
      ElementsAre(HasSubstr("dya is not a parameter of jobs; did you mean 'day'?"), "day is required"));
  EXPECT_THAT(PageErrors("jobs", "day=2026-01-02&userId=bob"),
              ElementsAre(HasSubstr("userId is not a parameter")));
  EXPECT_THAT(PageErrors("jobs", "day=tomorrow"), ElementsAre(HasSubstr("day must be a date")));
  for (const std::string_view limit : {"0", "11", "-1", "x", "", "1e1", "99999999999999999999", "5 "}) {
    EXPECT_THAT(PageErrors("jobs", "day=2026-01-02&limit=" + std::string(limit)),
                ElementsAre("limit must be between 1 and 10"))
        << limit;
  }
}

TEST_F(AddressTest, SummaryShowsWhatCallersMayReach) {
  const std::string summary = ModelSummaryJson(*model_);
  EXPECT_THAT(summary,
              HasSubstr(R"({"name":"Job","href":"/api/m/test/Job","item":"/api/m/test/Job/{day}/{number}",)"
                        R"("key":["day","number"],"methods":["POST","GET","HEAD","PUT","PATCH","DELETE"],)"
                        R"("lock":"version"})"));
  EXPECT_THAT(summary,
              HasSubstr(R"("item":"/api/m/test/Log/{name}","key":["name"],"methods":["POST","GET","HEAD"])"));
  EXPECT_THAT(summary,
              HasSubstr(R"("item":"/api/m/test/Holiday/{day}","key":["day"],"methods":["GET","HEAD"])"));
  EXPECT_THAT(summary, HasSubstr(R"({"name":"jobs","href":"/api/m/test/patterns/jobs","returns":["Job"],)"
                                 R"("parameters":[{"name":"day","type":"date","required":true}]})"));
  EXPECT_THAT(summary, Not(HasSubstr("Secret")));
  EXPECT_THAT(summary, Not(HasSubstr("secrets")));
}

}  // namespace
}  // namespace cairn::model_api
