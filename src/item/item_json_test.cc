#include "item/item_json.h"

#include "item/item_size.h"

namespace cairn::item {
namespace {

struct Refusal {
  const char* json;
  Code code;
  std::string message;
};

void ExpectRefused(const std::vector<Refusal>& cases) {
  for (const Refusal& refusal : cases) {
    const Result<Item> item = ParseItemJson(refusal.json);
    ASSERT_FALSE(item.has_value()) << refusal.json;
    EXPECT_EQ(item.error().message, refusal.message) << refusal.json;
    EXPECT_EQ(item.error().code, refusal.code) << refusal.json;
  }
}

TEST(ItemJson, ReadsEveryType) {
  const Result<Item> item = ParseItemJson(
      R"({"s":{"S":"a\u00e9"},"n":{"N":"1.50"},"b":{"B":"AAE="},"t":{"BOOL":true},"z":{"NULL":true},)"
      R"("m":{"M":{"k":{"L":[{"S":""},{"BOOL":false}]}}},"ss":{"SS":["b","a"]},"ns":{"NS":["2","1"]},"bs":{"BS":["AA==",""]}})");
  ASSERT_TRUE(item.has_value()) << item.error().message;
  const Item expected{{"s", "a\xc3\xa9"},
                      {"n", Number::Parse("1.5").value()},
                      {"b", Binary{std::string("\0\1", 2)}},
                      {"t", AttributeValue(true)},
                      {"z", Null{}},
                      {"m", Map{{"k", List{"", AttributeValue(false)}}}},
                      {"ss", StringSet{{"a", "b"}}},
                      {"ns", NumberSet{{Number(1), Number(2)}}},
                      {"bs", BinarySet{{"", std::string(1, '\0')}}}};
  EXPECT_EQ(*item, expected);
}

TEST(ItemJson, IgnoresUnknownAndNullMembersOfAValue) {
  EXPECT_EQ(ParseItemJson(R"({"a":{"S":"x","Q":1,"N":null}})").value(), (Item{{"a", "x"}}));
}

TEST(ItemJson, BooleansMayBeWords) {
  EXPECT_EQ(ParseItemJson(R"({"a":{"BOOL":"True"},"b":{"BOOL":"0"},"c":{"NULL":"YES"}})").value(),
            (Item{{"a", AttributeValue(true)}, {"b", AttributeValue(false)}, {"c", Null{}}}));
}

TEST(ItemJson, RefusesValuesThatBreakARule) {
  const std::string prefix = "One or more parameter values were invalid: ";
  const std::string empty =
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  ExpectRefused({
      {R"({"a":{}})", Code::kInvalidArgument, empty},
      {R"({"a":null})", Code::kInvalidArgument, empty},
      {R"({"a":{"X":"1"}})", Code::kInvalidArgument, empty},
      {R"({"a":{"S":"1","N":"1"}})", Code::kInvalidArgument,
       "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
       "datatypes"},
      {R"({"a":{"SS":[]}})", Code::kInvalidArgument, prefix + "An string set  may not be empty"},
      {R"({"a":{"NS":[]}})", Code::kInvalidArgument, prefix + "An number set  may not be empty"},
      {R"({"a":{"BS":[]}})", Code::kInvalidArgument, prefix + "Binary sets should not be empty"},
      {R"({"a":{"M":{"b":{"L":[{"SS":[]}]}}}})", Code::kInvalidArgument,
       prefix + "An string set  may not be empty"},
      {R"({"a":{"SS":["a","a"]}})", Code::kInvalidArgument,
       prefix + "Input collection [a, a] contains duplicates."},
      {R"({"a":{"NS":["1","1.0"]}})", Code::kInvalidArgument, "Input collection contains duplicates"},
      {R"({"a":{"BS":["AA==","AA=="]}})", Code::kInvalidArgument,
       prefix + "Input collection [AA==, AA==]of type BS contains duplicates."},
      {R"({"a":{"NULL":false}})", Code::kInvalidArgument,
       prefix + "Null attribute value types must have the value of true"},
      {R"({"a":{"N":"abc"}})", Code::kInvalidArgument,
       "The parameter cannot be converted to a numeric value: abc"},
      {R"({"a":{"NS":["x"]}})", Code::kInvalidArgument,
       "The parameter cannot be converted to a numeric value: x"},
  });
}

TEST(ItemJson, RefusesJsonOfTheWrongShape) {
  ExpectRefused({
      {R"({"a":{"S":1}})", Code::kMalformed, "NUMBER_VALUE cannot be converted to String"},
      {R"({"a":{"N":1.5}})", Code::kMalformed, "DECIMAL_VALUE cannot be converted to String"},
      {R"({"a":{"S":true}})", Code::kMalformed, "TRUE_VALUE cannot be converted to String"},
      {R"({"a":{"S":[]}})", Code::kMalformed, "Unrecognized collection type class java.lang.String"},
      {R"({"a":{"S":{}}})", Code::kMalformed, "Start of structure or map found where not expected"},
      {R"({"a":{"BOOL":"x"}})", Code::kMalformed, "Unexpected token received from parser"},
      {R"({"a":{"BOOL":1}})", Code::kMalformed, "NUMBER_VALUE cannot be converted to Boolean"},
      {R"({"a":{"B":1}})", Code::kMalformed, "only base-64-encoded strings are convertible to bytes"},
      {R"({"a":{"B":"23456"}})", Code::kMalformed,
       "Base64 encoded length is expected a multiple of 4 bytes but found: 5"},
      {R"({"a":{"SS":"x"}})", Code::kMalformed, "Unexpected field type"},
      {R"({"a":{"SS":{}}})", Code::kMalformed, "Start of structure or map found where not expected"},
      {R"({"a":{"SS":[1]}})", Code::kMalformed, "NUMBER_VALUE cannot be converted to String"},
      {R"({"a":{"M":"x"}})", Code::kMalformed, "Unexpected field type"},
      {R"({"a":{"L":{}}})", Code::kMalformed, "Start of structure or map found where not expected"},
      {R"({"a":{"L":["x"]}})", Code::kMalformed, "Unexpected value type in payload"},
      {R"({"a":"x"})", Code::kMalformed, "Unexpected value type in payload"},
      {R"({"a":[]})", Code::kMalformed,
       "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
      {R"([])", Code::kMalformed,
       "Unrecognized collection type java.util.Map<java.lang.String, "
       "com.amazonaws.dynamodb.v20120810.AttributeValue>"},
  });
  EXPECT_EQ(ParseItemJson("{").error().code, Code::kMalformed);
}

std::string Nested(int times, std::string_view inner) {
  std::string text = R"({"a":)";
  for (int i = 0; i < times; ++i) text += i % 2 == 0 ? R"({"L":[)" : R"({"M":{"n":)";
  text += inner;
  for (int i = times - 1; i >= 0; --i) text += i % 2 == 0 ? "]}" : "}}";
  return text + "}";
}

TEST(ItemJson, NestingIsBounded) {
  EXPECT_TRUE(ParseItemJson(Nested(31, R"({"S":"leaf"})")).has_value());
  const Result<Item> deep = ParseItemJson(Nested(32, R"({"S":"leaf"})"));
  ASSERT_FALSE(deep.has_value());
  EXPECT_EQ(deep.error().message, NestingError().message);
  EXPECT_FALSE(ParseItemJson(Nested(400, R"({"S":"leaf"})")).has_value());
  EXPECT_FALSE(ParseItemJson(Nested(100'000, R"({"S":"leaf"})")).has_value());
}

TEST(Base64, RoundTripsEveryLength) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    std::string text;
    AppendBase64(text, bytes);
    EXPECT_EQ(DecodeBase64(text).value(), bytes);
    bytes += static_cast<char>(i * 7);
  }
}

TEST(Base64, RefusesWhatTheServiceRefuses) {
  EXPECT_EQ(DecodeBase64("A?==").error().message, "Invalid Base64 character: '?'");
  EXPECT_EQ(DecodeBase64("=+/=").error().message, "Invalid last non-pad Base64 character dectected");
  EXPECT_EQ(DecodeBase64("+/+=").error().message, "Invalid last non-pad Base64 character dectected");
  EXPECT_EQ(DecodeBase64("A+==").error().message, "Invalid last non-pad Base64 character dectected");
  EXPECT_FALSE(DecodeBase64("A===").has_value());
  EXPECT_FALSE(DecodeBase64("====").has_value());
}

}  // namespace
}  // namespace cairn::item
