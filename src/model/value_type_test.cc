#include "model/value_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "item/random_item_for_test.h"

namespace cairn::model {
namespace {

using item::AttributeValue;
using item::Number;
using testing::HasSubstr;

std::string ErrorOf(std::string_view type) {
  const auto parsed = ParseValueType(type);
  return parsed ? "no error" : parsed.error().message;
}

TEST(ValueType, ParsesWhatItPrints) {
  for (const std::string_view text : {"string",
                                      "id",
                                      "uuid",
                                      "ulid",
                                      "int",
                                      "number",
                                      "bool",
                                      "date",
                                      "instant",
                                      "instant_ms",
                                      "epoch_s",
                                      "email",
                                      "slug",
                                      "iana_tz",
                                      "map",
                                      "list<string>",
                                      "list<list<ref:Goal>>",
                                      "set<int>",
                                      "set<string>",
                                      "set<enum:Area>",
                                      "enum:Status",
                                      "shape:Address",
                                      "ref:Task",
                                      "list<shape:Step>",
                                      "list<map>"}) {
    const auto type = ParseValueType(text);
    ASSERT_TRUE(type) << text << ": " << type.error().message;
    EXPECT_EQ(type->ToString(), text);
  }
}

TEST(ValueType, KnowsWhatStoresIt) {
  const auto stored = [](std::string_view text) {
    return item::TypeName(ParseValueType(text)->StoredType());
  };
  EXPECT_EQ(stored("string"), "S");
  EXPECT_EQ(stored("instant_ms"), "S");
  EXPECT_EQ(stored("ref:Task"), "S");
  EXPECT_EQ(stored("enum:X"), "S");
  EXPECT_EQ(stored("int"), "N");
  EXPECT_EQ(stored("number"), "N");
  EXPECT_EQ(stored("epoch_s"), "N");
  EXPECT_EQ(stored("bool"), "BOOL");
  EXPECT_EQ(stored("map"), "M");
  EXPECT_EQ(stored("shape:X"), "M");
  EXPECT_EQ(stored("list<int>"), "L");
  EXPECT_EQ(stored("set<string>"), "SS");
  EXPECT_EQ(stored("set<date>"), "SS");
  EXPECT_EQ(stored("set<epoch_s>"), "NS");
}

TEST(ValueType, RefIsStoredAsTheIdItHolds) {
  ValueType ref = ParseValueType("ref:Node").value();
  ref.element = std::make_shared<const ValueType>(ParseValueType("int").value());
  EXPECT_EQ(ref.StoredType(), item::Type::kNumber);
  EXPECT_EQ(ref.ToString(), "ref:Node");
}

TEST(ValueType, ErrorsNameWhatWasExpected) {
  EXPECT_THAT(ErrorOf("strnig"), HasSubstr("unknown type 'strnig'; did you mean 'string'?"));
  EXPECT_THAT(ErrorOf("instant_sm"), HasSubstr("'instant_ms'"));
  EXPECT_THAT(ErrorOf("quaternion"), HasSubstr("expected string, id, uuid"));
  EXPECT_THAT(ErrorOf("list"), HasSubstr("write list<T>"));
  EXPECT_THAT(ErrorOf("enum"), HasSubstr("write enum:Name"));
  EXPECT_THAT(ErrorOf("list<int"), HasSubstr("expected '>'"));
  EXPECT_THAT(ErrorOf("list<>"), HasSubstr("needs the type of its elements"));
  EXPECT_THAT(ErrorOf("list<strin>"), HasSubstr("'string'"));
  EXPECT_THAT(ErrorOf("enum:"), HasSubstr("must be followed by a name"));
  EXPECT_THAT(ErrorOf("ref:a b"), HasSubstr("must be followed by a name"));
  EXPECT_THAT(ErrorOf("string!"), HasSubstr("unknown type"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("unknown type ''"));
  EXPECT_THAT(ErrorOf("String"), HasSubstr("'string'"));
}

TEST(ValueType, SetsHoldTextsAndNumbersOnly) {
  EXPECT_THAT(ErrorOf("set<bool>"), HasSubstr("a set holds texts or numbers, not bool; use list<bool>"));
  EXPECT_THAT(ErrorOf("set<map>"), HasSubstr("use list<map>"));
  EXPECT_THAT(ErrorOf("set<set<int>>"), HasSubstr("a set holds"));
}

TEST(ValueType, DeepNestingIsAnError) {
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "list<";
  deep += "int" + std::string(5000, '>');
  EXPECT_EQ(ErrorOf(deep), "the type nests too deep");
}

TEST(ValueType, ArbitraryBytesNeverBreakTheParser) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 engine(seed);
  const std::vector<std::string> pieces{"list", "set", "<",   ">",      "enum", ":",
                                        "ref",  "X",   "int", "string", "\xff", std::string(1, '\0'),
                                        "#",    " ",   "!",   "map"};
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (uint64_t n = engine() % 8; n > 0; --n) text += pieces[engine() % pieces.size()];
    if (const auto type = ParseValueType(text)) {
      EXPECT_EQ(type->ToString(), text);
    }
  }
}

TEST(ParseText, GivesTheTypesValue) {
  const auto parse = [](std::string_view type, std::string_view text) {
    return ParseText(ParseValueType(type).value(), text);
  };
  EXPECT_EQ(parse("int", "5").value(), AttributeValue(Number(5)));
  EXPECT_EQ(parse("int", "5.0").value(), AttributeValue(Number(5)));
  EXPECT_EQ(parse("number", "-0.5").value(), AttributeValue(Number::Parse("-0.5").value()));
  EXPECT_EQ(parse("bool", "true").value(), AttributeValue(true));
  EXPECT_EQ(parse("bool", "false").value(), AttributeValue(false));
  EXPECT_EQ(parse("string", "5").value(), AttributeValue("5"));
  EXPECT_EQ(parse("instant", "2026-11-15T20:42:30+01:00").value(), AttributeValue("2026-11-15T19:42:30Z"));
  EXPECT_EQ(parse("int", "5.5").error().message,
            "must be a whole number between -9223372036854775808 and 9223372036854775807");
  EXPECT_EQ(parse("number", "five").error().message, "must be a number");
  EXPECT_EQ(parse("bool", "1").error().message, "must be true or false");
  EXPECT_EQ(parse("date", "15.11.2026").error().message, "must be a date such as 2026-11-15");
  EXPECT_THAT(parse("list<int>", "1").error().message, HasSubstr("cannot be given as plain text"));
  EXPECT_THAT(parse("map", "{}").error().message, HasSubstr("cannot be given as plain text"));
}

TEST(DescribeProblem, JoinsAttributeAndPath) {
  EXPECT_EQ(DescribeProblem("status", "must be a text"), "status must be a text");
  EXPECT_EQ(DescribeProblem("steps", "[2].order must be a number"), "steps[2].order must be a number");
  EXPECT_EQ(DescribeProblem("address", ".street is required"), "address.street is required");
}

TEST(TimeValue, IsWrittenInTheKindsForm) {
  const Time time(std::chrono::milliseconds(1794771750123));
  EXPECT_EQ(TimeValue(Kind::kDate, time), AttributeValue("2026-11-15"));
  EXPECT_EQ(TimeValue(Kind::kInstant, time), AttributeValue("2026-11-15T19:42:30Z"));
  EXPECT_EQ(TimeValue(Kind::kInstantMs, time), AttributeValue("2026-11-15T19:42:30.123Z"));
  EXPECT_EQ(TimeValue(Kind::kEpochSeconds, time), AttributeValue(Number(1794771750)));
}

TEST(TimeValue, BeforeTheEpochFractionsAreCutDownward) {
  const Time time(std::chrono::milliseconds(-1));
  EXPECT_EQ(TimeValue(Kind::kInstantMs, time), AttributeValue("1969-12-31T23:59:59.999Z"));
  EXPECT_EQ(TimeValue(Kind::kInstant, time), AttributeValue("1969-12-31T23:59:59Z"));
  EXPECT_EQ(TimeValue(Kind::kDate, time), AttributeValue("1969-12-31"));
}

TEST(TimeValue, OutsideFourDigitsOfYearStaysAtTheEdge) {
  EXPECT_EQ(TimeValue(Kind::kInstantMs, Time::max()), AttributeValue("9999-12-31T23:59:59.999Z"));
  EXPECT_EQ(TimeValue(Kind::kDate, Time::min()), AttributeValue("0001-01-01"));
}

TEST(ParseTime, IsTheInverseOfTimeValue) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 engine(seed);
  for (int round = 0; round < 5000; ++round) {
    const auto milliseconds =
        std::chrono::milliseconds(static_cast<int64_t>(engine() % 315'537'897'600'000) - 62'135'596'800'000);
    const Time time{milliseconds};
    using std::chrono::floor;
    EXPECT_EQ(ParseTime(Kind::kInstantMs, TimeValue(Kind::kInstantMs, time)).value(), time);
    EXPECT_EQ(ParseTime(Kind::kInstant, TimeValue(Kind::kInstant, time)).value(),
              floor<std::chrono::seconds>(time));
    EXPECT_EQ(ParseTime(Kind::kEpochSeconds, TimeValue(Kind::kEpochSeconds, time)).value(),
              floor<std::chrono::seconds>(time));
    EXPECT_EQ(ParseTime(Kind::kDate, TimeValue(Kind::kDate, time)).value(), floor<std::chrono::days>(time));
  }
}

TEST(ParseTime, RefusesOtherValues) {
  EXPECT_FALSE(ParseTime(Kind::kDate, Number(5)));
  EXPECT_FALSE(ParseTime(Kind::kDate, "2026-11-15T19:42:30Z"));
  EXPECT_FALSE(ParseTime(Kind::kInstant, "2026-11-15"));
  EXPECT_FALSE(ParseTime(Kind::kEpochSeconds, "5"));
  EXPECT_FALSE(ParseTime(Kind::kEpochSeconds, Number(1794771750123))) << "milliseconds by mistake";
}

TEST(ParseDuration, AddsUpItsUnits) {
  const auto seconds = [](std::string_view text) { return ParseDuration(text).value().count(); };
  EXPECT_EQ(seconds("P31D"), 31 * 86400);
  EXPECT_EQ(seconds("PT45M"), 45 * 60);
  EXPECT_EQ(seconds("P1W"), 7 * 86400);
  EXPECT_EQ(seconds("P1DT12H"), 36 * 3600);
  EXPECT_EQ(seconds("P1W2DT3H4M5S"), 9 * 86400 + 3 * 3600 + 4 * 60 + 5);
  EXPECT_EQ(seconds("PT0S"), 0);
}

TEST(ParseDuration, RefusesOtherTexts) {
  for (const std::string_view text :
       {"", "P", "PT", "P1DT", "31D", "P31", "PD", "P-1D", "P1.5D", "p31d", "P1D2D", "P1D1W", "PT1S1M", "P1H",
        "PT1D", "P1D ", "PTT1S", "P99999999999999999999D", "P9999999D"}) {
    EXPECT_FALSE(ParseDuration(text)) << text;
  }
  EXPECT_THAT(ParseDuration("P1M").error().message, HasSubstr("years and months have no fixed length"));
  EXPECT_THAT(ParseDuration("P1Y").error().message, HasSubstr("years and months have no fixed length"));
}

}  // namespace
}  // namespace cairn::model
