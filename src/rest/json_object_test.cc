#include "rest/json_object.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::rest {
namespace {

using item::AttributeValue;
using testing::HasSubstr;

item::Item Parse(std::string_view text) {
  auto parsed = ParseJsonObject(text);
  EXPECT_TRUE(parsed) << text << ": " << parsed.error().error.message;
  return parsed ? *parsed : item::Item();
}

std::string NumberOf(std::string_view text) {
  const item::Item object = Parse("{\"n\":" + std::string(text) + "}");
  const AttributeValue* n = object.Find("n");
  return n == nullptr || !n->is(item::Type::kNumber) ? "" : n->number().ToString();
}

TEST(JsonObject, EveryKindOfValue) {
  const item::Item object = Parse(
      R"( {"text":"a\u00e9\n\ud83d\ude00","number":-1.50,"yes":true,"no":false,"nothing":null,
           "list":[1,[],{},"x"],"map":{"a":{"b":1}},"":0} )");
  EXPECT_EQ(*object.Find("text"), AttributeValue("a\xc3\xa9\n\xf0\x9f\x98\x80"));
  EXPECT_EQ(object.Find("number")->number().ToString(), "-1.5");
  EXPECT_EQ(*object.Find("yes"), AttributeValue(true));
  EXPECT_EQ(*object.Find("no"), AttributeValue(false));
  EXPECT_EQ(*object.Find("nothing"), AttributeValue(item::Null{}));
  EXPECT_EQ(object.Find("list")->list().size(), 4u);
  EXPECT_EQ(*object.Find("map"), AttributeValue(item::Map{{"a", item::Map{{"b", item::Number(1)}}}}));
  EXPECT_TRUE(object.Contains(""));
  EXPECT_TRUE(Parse("{}").empty());
}

TEST(JsonObject, NumbersKeepEveryDigit) {
  EXPECT_EQ(NumberOf("0.1"), "0.1");
  EXPECT_EQ(NumberOf("9007199254740993"), "9007199254740993");
  EXPECT_EQ(NumberOf("12345678901234567890123456789012345678"), "12345678901234567890123456789012345678");
  EXPECT_EQ(NumberOf("1.2345678901234567890123456789012345678"), "1.2345678901234567890123456789012345678");
  EXPECT_EQ(NumberOf("1e2"), "100");
  EXPECT_EQ(NumberOf("1E+2 "), "100");
  EXPECT_EQ(NumberOf("-0"), "0");
  EXPECT_EQ(NumberOf("0"), "0");
}

TEST(JsonObject, NumbersThatCannotBeStoredNameTheirField) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"total":1e400})", "total"},
      {R"({"a":{"b":[1,1e-200]}})", "a.b[1]"},
      {R"({"a":123456789012345678901234567890123456789})", "a"},
  };
  for (const auto& [text, field] : cases) {
    const auto parsed = ParseJsonObject(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().error.code, Code::kInvalidArgument);
    ASSERT_EQ(parsed.error().fields.size(), 1u);
    EXPECT_EQ(parsed.error().fields[0].attribute, field);
  }
}

TEST(JsonObject, WhatIsNoJsonObjectIsRefused) {
  const std::string_view cases[] = {"",
                                    " ",
                                    "null",
                                    "1",
                                    "\"a\"",
                                    "[]",
                                    "[{}]",
                                    "{",
                                    "}",
                                    "{}}",
                                    "{} {}",
                                    "{}x",
                                    "{\"a\"}",
                                    "{\"a\":}",
                                    "{\"a\":1,}",
                                    "{,}",
                                    "{a:1}",
                                    "{'a':1}",
                                    "{\"a\":1 \"b\":2}",
                                    "{\"a\":01}",
                                    "{\"a\":-}",
                                    "{\"a\":1.}",
                                    "{\"a\":.5}",
                                    "{\"a\":1e}",
                                    "{\"a\":+1}",
                                    "{\"a\":0x1}",
                                    "{\"a\":1_0}",
                                    "{\"a\":NaN}",
                                    "{\"a\":Infinity}",
                                    "{\"a\":-Infinity}",
                                    "{\"a\":tru}",
                                    "{\"a\":truex}",
                                    "{\"a\":nul}",
                                    "{\"a\":nulls}",
                                    "{\"a\":True}",
                                    "{\"a\":\"x}",
                                    "{\"a\":\"\\x\"}",
                                    "{\"a\":\"\\u12\"}",
                                    "{\"a\":\"\\ud800\"}",
                                    "{\"a\":\"\xff\"}",
                                    "{\"a\":\"\n\"}",
                                    "{\"\xff\":1}",
                                    "{\"a\":[1,]}",
                                    "{\"a\":[1 2]}",
                                    "{\"a\":[}",
                                    "{\"a\":[1}",
                                    "{\"a\":{}",
                                    "{\"a\":{]}",
                                    "{\"a\":1}]",
                                    "{\"a\":1},",
                                    "\xef\xbb\xbf{",
                                    "// c\n{}",
                                    "{\"a\":1 1}",
                                    "{\"a\":\"b\"\"c\"}",
                                    "{\"a\":[1]]}",
                                    "{\"a\":5}5",
                                    "{\"a\":\"\x01\"}",
                                    "{1:2}",
                                    "{\"a\":undefined}",
                                    "{\"a\":1;\"b\":2}",
                                    "{\"a\"=1}",
                                    "{\"a\"::1}",
                                    "{\"a\":1,,\"b\":2}"};
  for (const std::string_view text : cases) {
    const auto parsed = ParseJsonObject(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().error.code, Code::kMalformed) << text;
  }
}

TEST(JsonObject, MembersGivenTwiceAreRefused) {
  for (const std::string_view text : {R"({"a":1,"a":1})", R"({"a":1,"b":2,"\u0061":3})",
                                      R"({"x":{"a":1,"a":2}})", R"({"x":[{"a":1,"a":2}]})"}) {
    const auto parsed = ParseJsonObject(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().error.code, Code::kMalformed);
    EXPECT_THAT(parsed.error().error.message, HasSubstr("'a' is given twice"));
  }
  EXPECT_TRUE(ParseJsonObject(R"({"a":{"a":1},"b":[{"a":1},{"a":1}]})"));
}

TEST(JsonObject, DepthIsBounded) {
  const auto nested = [](int levels) {
    return "{\"a\":" + std::string(levels, '[') + std::string(levels, ']') + "}";
  };
  EXPECT_TRUE(ParseJsonObject(nested(20)));
  for (const int levels : {40, 500, 100'000}) {
    const auto parsed = ParseJsonObject(nested(levels));
    ASSERT_FALSE(parsed) << levels;
    EXPECT_EQ(parsed.error().error.code, Code::kMalformed);
  }
}

}  // namespace
}  // namespace cairn::rest
