#include "dynamodb/json_writer.h"

namespace cairn::dynamodb {
namespace {

TEST(JsonWriter, SeparatesMembersAndElements) {
  JsonWriter json;
  json.BeginObject().Member("a", 1).Key("b").BeginArray().Value("x").Value(true).BeginObject().EndObject();
  json.EndArray()
      .MemberIf("absent", std::optional<int>())
      .MemberIf("c", std::optional<int>(-2))
      .Key("d")
      .Null();
  json.EndObject();
  EXPECT_EQ(json.Take(), R"({"a":1,"b":["x",true,{}],"c":-2,"d":null})");
}

TEST(JsonWriter, RawValuesTakePartInSeparation) {
  JsonWriter json;
  json.BeginArray();
  json.RawValue() += "{\"S\":\"a\"}";
  json.RawValue() += "2";
  json.EndArray();
  EXPECT_EQ(json.Take(), R"([{"S":"a"},2])");
}

TEST(JsonWriter, EscapesNamesAndTexts) {
  JsonWriter json;
  json.BeginObject().Member("a\"b", "c\nd").EndObject();
  EXPECT_EQ(json.Take(), "{\"a\\\"b\":\"c\\nd\"}");
}

TEST(JsonWriter, PrintsDoublesLikeAws) {
  const std::pair<double, const char*> cases[] = {{0.5, "0.5"}, {1, "1.0"}, {0, "0.0"}, {130.5, "130.5"}};
  for (const auto& [number, text] : cases) {
    JsonWriter json;
    json.Value(number);
    EXPECT_EQ(json.Take(), text);
  }
}

TEST(JsonWriter, PrintsTimesAsSecondsWithMilliseconds) {
  JsonWriter json;
  json.Value(Time(std::chrono::microseconds(1'363'729'002'358'999)));
  EXPECT_EQ(json.Take(), "1363729002.358");
}

}  // namespace
}  // namespace cairn::dynamodb
