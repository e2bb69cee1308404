#include "model_api/entity_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_api/model_for_test.h"
#include "rest/json_object.h"

namespace cairn::model_api {
namespace {

using item::AttributeValue;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

class EntityJsonTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(model_, nullptr);
    job_ = model_->FindEntity("Job");
  }

  item::Item Object(std::string_view json) { return rest::ParseJsonObject(json).value(); }
  model::Outcome<item::Item> Create(std::string_view json) {
    return ReadValues(*model_, *job_, Object(json), Body::kCreate);
  }
  // "field: message" of every error.
  template <class T>
  std::vector<std::string> Errors(const model::Outcome<T>& outcome) {
    std::vector<std::string> texts;
    if (outcome) return texts;
    for (const model::FieldError& error : outcome.error().fields)
      texts.push_back(error.attribute + ": " + error.message);
    return texts;
  }

  const model::ModelPtr model_ = TestModel();
  const model::Entity* job_ = nullptr;
};

TEST_F(EntityJsonTest, WhatIsWrittenComesBack) {
  const std::string json =
      R"({"day":"2026-01-02","number":7,"title":"x","state":"OPEN","price":0.10,"urgent":true,"due":null,)"
      R"("steps":[3,1,2],"marks":["a","b"],"sizes":[1,2],"extra":{"a":[1,{"b":null}],"c":"d"},)"
      R"("place":{"flat":null,"floor":2,"street":"s","tags":["q"]},"places":[{"street":"t"}]})";
  const auto values = Create(json);
  ASSERT_TRUE(values) << values.error().error.message;
  EXPECT_EQ(*values->Find("t"), AttributeValue("x")) << "under its stored name";
  EXPECT_EQ(*values->Find("marks"), AttributeValue(item::StringSet{{"a", "b"}}));
  EXPECT_EQ(values->Find("sizes")->type(), item::Type::kNumberSet);
  EXPECT_EQ(values->Find("place")->map().Find("tags")->type(), item::Type::kStringSet);
  std::string expected = json;
  expected.replace(expected.find("0.10"), 4, "0.1");
  EXPECT_EQ(EntityJson(*job_, *values), expected);
}

TEST_F(EntityJsonTest, SecretsAreReadButNeverShown) {
  const auto values = Create(R"({"pin":"1234","title":"x"})");
  ASSERT_TRUE(values);
  EXPECT_EQ(*values->Find("pin"), AttributeValue("1234"));
  EXPECT_EQ(EntityJson(*job_, *values), R"({"title":"x"})");
}

TEST_F(EntityJsonTest, UndeclaredAttributesAreNotShown) {
  item::Item values{{"t", "x"}, {"GSI1PK", "U#a#OPEN"}, {"other", "y"}};
  EXPECT_EQ(EntityJson(*job_, values), R"({"title":"x"})");
}

TEST_F(EntityJsonTest, ValuesNoModelTypeHasAreShownAsJson) {
  item::Item values{{"extra", item::Map{{"b", item::Binary{"\x01\x02"}},
                                        {"bs", item::BinarySet{{"\x01"}}},
                                        {"ns", item::NumberSet{{item::Number(2), item::Number(1)}}}}}};
  EXPECT_EQ(EntityJson(*job_, values), R"({"extra":{"b":"AQI=","bs":["AQ=="],"ns":[1,2]}})");
}

TEST_F(EntityJsonTest, WrongMembersAreNamed) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"titel":"x"})", "titel: is not an attribute of Job; did you mean 'title'?"},
      {R"({"t":"x"})", "t: is not an attribute of Job"},
      {R"({"PK":"U#bob"})", "PK: is not an attribute of Job"},
      {R"({"title":1})", "title: must be a text"},
      {R"({"title":null})", "title: must not be null"},
      {R"({"number":"7"})", "number: must be a number"},
      {R"({"urgent":"true"})", "urgent: must be true or false"},
      {R"({"urgent":0})", "urgent: must be true or false"},
      {R"({"steps":{}})", "steps: must be an array"},
      {R"({"steps":[1,"2"]})", "steps: [1] must be a number"},
      {R"({"steps":[1,null]})", "steps: [1] must be a number"},
      {R"({"marks":"a"})", "marks: must be an array of different texts"},
      {R"({"marks":["a",1]})", "marks: [1] must be a text"},
      {R"({"sizes":["1"]})", "sizes: [0] must be a number"},
      {R"({"extra":[]})", "extra: must be an object"},
      {R"({"place":{"street":1}})", "place: .street must be a text"},
      {R"({"place":{"street":null}})", "place: .street must not be null"},
      {R"({"place":{"stret":"x"}})", "place: .stret is not a member of Place; did you mean 'street'?"},
      {R"({"places":[{},{"tags":["a",1]}]})", "places: [1].tags[1] must be a text"},
      {R"({"version":1})", "version: is set by the server"},
      {R"({"changed":"2026-01-01T00:00:00.000Z"})", "changed: is set by the server"},
  };
  for (const auto& [json, error] : cases) {
    const auto errors = Errors(Create(json));
    ASSERT_FALSE(errors.empty()) << json;
    EXPECT_THAT(errors[0], HasSubstr(std::string(error)));
    // Besides, nothing but what is not there.
    for (size_t i = 1; i < errors.size(); ++i) EXPECT_THAT(errors[i], EndsWith(": is required")) << json;
  }
}

TEST_F(EntityJsonTest, EveryErrorIsTold) {
  EXPECT_THAT(Errors(Create(R"({"title":1,"urgent":1,"due":null,"price":1})")),
              ElementsAre("title: must be a text", "urgent: must be true or false", "day: is required",
                          "number: is required"));
}

TEST_F(EntityJsonTest, AnswersToHostileBodiesStaySmall) {
  std::string json = "{\"" + std::string(1'000'000, 'x') + "\":1";
  for (int i = 0; i < 10'000; ++i) json += ",\"unknown" + std::to_string(i) + "\":1";
  const auto values = Create(json + "}");
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().fields.size(), 20u);
  EXPECT_LT(values.error().error.message.size(), 4000u);
}

TEST_F(EntityJsonTest, EmptySetIsAsIfAbsent) {
  EXPECT_TRUE(Create(R"({"marks":[]})").value().empty());
  const auto changes = ReadChanges(*job_, Object(R"({"marks":[]})"));
  EXPECT_THAT(changes.value().remove, ElementsAre("marks"));
}

TEST_F(EntityJsonTest, ElementsGivenTwiceCountOnce) {
  const auto values = Create(R"({"marks":["b","a","b"]})");
  EXPECT_EQ(values.value(), (item::Item{{"marks", item::StringSet{{"a", "b"}}}}));
}

TEST_F(EntityJsonTest, ReplaceTakesBackWhatGetGave) {
  const auto values =
      ReadValues(*model_, *job_, Object(R"({"title":"x","version":3,"changed":"2026-01-01T00:00:00.000Z"})"),
                 Body::kReplace);
  EXPECT_EQ(values.value(), (item::Item{{"t", "x"}}));
}

TEST_F(EntityJsonTest, PatchSetsAndRemoves) {
  const auto changes = ReadChanges(*job_, Object(R"({"title":"x","price":null,"due":null})"));
  ASSERT_TRUE(changes);
  EXPECT_EQ(changes->set, (item::Item{{"t", "x"}, {"due", item::Null{}}}));
  EXPECT_THAT(changes->remove, ElementsAre("price"));
}

TEST_F(EntityJsonTest, PatchRefusesWhatTheServerSets) {
  EXPECT_THAT(Errors(ReadChanges(*job_, Object(R"({"version":4,"nope":1})"))),
              ElementsAre("nope: is not an attribute of Job", "version: is set by the server"));
}

TEST_F(EntityJsonTest, TagOfListsGivesWayToAnAttribute) {
  EXPECT_EQ(EntityMember(*job_), "entity");
  EXPECT_EQ(EntityMember(*model_->FindEntity("Settings")), "$entity");
}

}  // namespace
}  // namespace cairn::model_api
