// CheckValue and CompilePattern of model/value_type.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/definition.h"

namespace cairn::model {
namespace {

using item::AttributeValue;
using item::Item;
using item::List;
using item::Number;
using testing::HasSubstr;

ValueType TypeOf(std::string_view text) { return ParseValueType(text).value(); }

// "" when the value is right; the value itself is what CheckValue made of it.
std::string Check(const ValueType& type, AttributeValue& value, const ValueLimits& limits = {}) {
  const auto status = CheckValue(type, limits, value);
  return status ? "" : status.error().message;
}
std::string Check(std::string_view type, AttributeValue value, const ValueLimits& limits = {}) {
  return Check(TypeOf(type), value, limits);
}
AttributeValue Canonical(std::string_view type, AttributeValue value) {
  EXPECT_EQ(Check(TypeOf(type), value), "");
  return value;
}

void ExpectRight(std::string_view type, const std::vector<std::string_view>& texts) {
  for (const std::string_view text : texts) EXPECT_EQ(Check(type, text), "") << type << " " << text;
}
void ExpectWrong(std::string_view type, const std::vector<std::string_view>& texts) {
  for (const std::string_view text : texts) EXPECT_NE(Check(type, text), "") << type << " " << text;
}

TEST(CheckValue, Ids) {
  const std::string longest(256, 'x');
  ExpectRight("id", {"a", "$", "~", "task_1/2", longest});
  ExpectWrong("id", {"", " ", "a b", "a#b", "a!b", "a\"b", "a\nb", "\x7f", "\xc3\xa9", longest + "x"});
  ExpectRight("ref:Task", {"abc"});
  ExpectWrong("ref:Task", {"a#b", ""});
}

TEST(CheckValue, RefObeysTheRulesOfTheIdItHolds) {
  ValueType ref = TypeOf("ref:Task");
  ref.element = std::make_shared<const ValueType>(TypeOf("ulid"));
  AttributeValue wrong("abc"), right("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_THAT(Check(ref, wrong), HasSubstr("must be a ULID"));
  EXPECT_EQ(Check(ref, right), "");
}

TEST(CheckValue, Uuids) {
  ExpectRight("uuid", {"9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f", "00000000-0000-0000-0000-000000000000"});
  ExpectWrong("uuid", {"", "9b2f5c0e3f534a9c8d7e0d6b9a1c2e3f", "9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3",
                       "9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3g", "{9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f}",
                       "x9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f"});
  EXPECT_EQ(Canonical("uuid", "9B2F5C0E-3F53-4A9C-8D7E-0D6B9A1C2E3F"),
            AttributeValue("9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f"));
}

TEST(CheckValue, UuidWithPrefix) {
  ValueType type = TypeOf("uuid");
  type.prefix = "Task_";
  AttributeValue right("Task_9B2F5C0E-3F53-4A9C-8D7E-0D6B9A1C2E3F"),
      bare("9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f"), other("task_9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f");
  EXPECT_EQ(Check(type, right), "");
  EXPECT_EQ(right, AttributeValue("Task_9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f"));
  EXPECT_THAT(Check(type, bare), HasSubstr("must be a UUID such as Task_9b2f"));
  EXPECT_NE(Check(type, other), "");
}

TEST(CheckValue, Ulids) {
  ExpectRight("ulid", {"01ARZ3NDEKTSV4RRFFQ69G5FAV"});
  ExpectWrong("ulid",
              {"", "01arz3ndektsv4rrffq69g5fav", "81ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FA"});
}

TEST(CheckValue, Numbers) {
  EXPECT_EQ(Check("int", Number(-5)), "");
  EXPECT_EQ(Check("int", Number::Parse("5.0").value()), "");
  EXPECT_THAT(Check("int", Number::Parse("5.5").value()), HasSubstr("must be a whole number"));
  EXPECT_THAT(Check("int", Number::Parse("9223372036854775808").value()),
              HasSubstr("must be a whole number"));
  EXPECT_EQ(Check("number", Number::Parse("1e100").value()), "");
  EXPECT_EQ(Check("number", "5"), "must be a number");
  EXPECT_EQ(Check("epoch_s", Number(1794771750)), "");
  EXPECT_THAT(Check("epoch_s", Number(1794771750123)), HasSubstr("whole seconds"));
  EXPECT_EQ(Check("bool", AttributeValue(true)), "");
  EXPECT_EQ(Check("bool", "true"), "must be true or false");
}

TEST(CheckValue, Dates) {
  ExpectRight("date", {"2026-11-15", "0001-01-01", "9999-12-31", "2024-02-29", "2000-02-29"});
  ExpectWrong("date", {"", "2026-11-5", "2026-13-01", "2026-00-01", "2026-11-31", "2026-11-00", "2025-02-29",
                       "1900-02-29", "0000-01-01", "2026/11/15", "2026-11-15T00:00:00Z", "+026-11-15",
                       "2026-11-1a", "20261115"});
}

TEST(CheckValue, Instants) {
  ExpectRight("instant", {"2026-11-15T19:42:30Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"});
  ExpectWrong("instant",
              {"", "2026-11-15", "2026-11-15T24:00:00Z", "2026-11-15T23:60:00Z", "2026-12-31T23:59:60Z",
               "2026-11-15T19:42Z", "2026-11-15 19:42:30Z", "2026-11-15T19:42:30", "2026-11-15T19:42:30z",
               "2026-11-15T19:42:30.Z", "2026-11-15T19:42:30.1234567890Z", "2026-11-15T19:42:30+1:00",
               "2026-11-15T19:42:30+24:00", "2026-11-15T19:42:30+01:60", "2026-11-15T19:42:30+0100",
               "2026-02-30T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
               "2026-11-15T19:42:30ZZ"});
}

TEST(CheckValue, InstantsBecomeUtcOfOneWidth) {
  EXPECT_EQ(Canonical("instant", "2026-11-15T19:42:30.999Z"), AttributeValue("2026-11-15T19:42:30Z"))
      << "cut";
  EXPECT_EQ(Canonical("instant", "2026-11-15T19:42:30+02:00"), AttributeValue("2026-11-15T17:42:30Z"));
  EXPECT_EQ(Canonical("instant", "2026-01-01T00:30:00+05:30"), AttributeValue("2025-12-31T19:00:00Z"));
  EXPECT_EQ(Canonical("instant", "2024-02-28T23:30:00-01:00"), AttributeValue("2024-02-29T00:30:00Z"));
  EXPECT_EQ(Canonical("instant_ms", "2026-11-15T19:42:30Z"), AttributeValue("2026-11-15T19:42:30.000Z"));
  EXPECT_EQ(Canonical("instant_ms", "2026-11-15T19:42:30.5Z"), AttributeValue("2026-11-15T19:42:30.500Z"));
  EXPECT_EQ(Canonical("instant_ms", "2026-11-15T19:42:30.123999Z"),
            AttributeValue("2026-11-15T19:42:30.123Z"));
  EXPECT_EQ(Canonical("instant_ms", "1969-12-31T23:59:59.9999-00:00"),
            AttributeValue("1969-12-31T23:59:59.999Z"));
}

TEST(CheckValue, EmailAddresses) {
  ExpectRight("email", {"a@b.c", "ada.lovelace+x@example.co.uk", "\xc3\xa9@example.org"});
  ExpectWrong("email", {"", "a", "a@b", "@b.c", "a@", "a@@b.c", "a@b@c.d", "a b@c.d", "a@b.c\n", "a@.bc",
                        "a@bc.", "a@b..c", "\xff@b.c"});
  EXPECT_EQ(Check("email", std::string(248, 'a') + "@bc.de"), "");
  EXPECT_NE(Check("email", std::string(249, 'a') + "@bc.de"), "");
}

TEST(CheckValue, Slugs) {
  ExpectRight("slug", {"a", "my-first-list", "2026"});
  ExpectWrong("slug", {"", "-a", "a-", "a--b", "A", "a_b", "a b", "a#b", "\xc3\xa9"});
  EXPECT_EQ(Check("slug", std::string(128, 'a')), "");
  EXPECT_NE(Check("slug", std::string(129, 'a')), "");
}

TEST(CheckValue, TimeZones) {
  ExpectRight("iana_tz", {"UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+2"});
  ExpectWrong("iana_tz",
              {"", "EST", "+02:00", "../x", "Europe/../Europe/Berlin", "Europe/Atlantis", "Europe/", "Europe",
               "/etc/passwd", "posix/Europe/Berlin", "Europe//Berlin", "europe/berlin", "utc"});
}

TEST(CheckValue, TextsMustBeUtf8) {
  ExpectRight("string", {"", "a#b", "\xc3\xa9", "\xf0\x9f\x8c\x8a", "line\nbreak"});
  for (const std::string_view wrong :
       {"\xff", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe0\x80\x80", "a\x80"}) {
    EXPECT_EQ(Check("string", wrong), "must be valid UTF-8");
  }
}

TEST(CheckValue, Enums) {
  const Enum status{.name = "Status", .values = {"TODO", "DONE"}};
  const Enum area{.name = "Area", .values = {"home"}, .open = true};
  ValueType closed = TypeOf("enum:Status"), open = TypeOf("enum:Area");
  closed.enumeration = &status;
  open.enumeration = &area;
  AttributeValue todo("TODO"), other("other"), empty("");
  EXPECT_EQ(Check(closed, todo), "");
  EXPECT_EQ(Check(closed, other), "must be one of TODO, DONE");
  EXPECT_EQ(Check(open, other), "");
  EXPECT_NE(Check(open, empty), "");
}

TEST(CheckValue, NumericLimits) {
  const ValueLimits limits{.min = Number(1), .max = Number(5)};
  EXPECT_EQ(Check("int", Number(1), limits), "");
  EXPECT_EQ(Check("int", Number(5), limits), "");
  EXPECT_EQ(Check("int", Number(0), limits), "must be at least 1");
  EXPECT_EQ(Check("number", Number::Parse("5.01").value(), limits), "must be at most 5");
  EXPECT_EQ(Check("list<int>", List{Number(3), Number(9)}, limits), "[1] must be at most 5");
}

TEST(CheckValue, LengthLimits) {
  const ValueLimits limits{.length_min = 2, .length_max = 3};
  EXPECT_EQ(Check("string", "ab", limits), "");
  EXPECT_EQ(Check("string", "a", limits), "must have at least 2 bytes");
  EXPECT_EQ(Check("string", "\xc3\xa9\xc3\xa9", limits), "must have at most 3 bytes");
  EXPECT_EQ(Check("list<string>", List{"a"}, limits), "must have at least 2 elements");
  EXPECT_EQ(Check("list<string>", List{"a", "longer"}, limits), "") << "elements have no length limit";
  EXPECT_EQ(Check("set<string>", item::StringSet{{"a", "b", "c", "d"}}, limits),
            "must have at most 3 elements");
  EXPECT_EQ(Check("map", Item{{"a", "b"}}, limits), "must have at least 2 members");
}

TEST(CheckValue, AllowedTexts) {
  const ValueLimits limits{.in = {"red", "green"}};
  EXPECT_EQ(Check("string", "red", limits), "");
  EXPECT_EQ(Check("string", "blue", limits), "must be one of red, green");
  EXPECT_EQ(Check("set<string>", item::StringSet{{"red", "blue"}}, limits),
            "element 'blue' must be one of red, green");
}

TEST(CheckValue, PatternMatchesTheWholeText) {
  ValueLimits limits{.pattern = "#[0-9a-f]{6}"};
  EXPECT_EQ(Check("string", "#00ff00", limits), "") << "also when it was not compiled before";
  ASSERT_TRUE(CompilePattern(limits));
  EXPECT_EQ(Check("string", "#00ff00", limits), "");
  EXPECT_EQ(Check("string", "x#00ff00", limits), "must match the pattern #[0-9a-f]{6}");
  EXPECT_EQ(Check("string", "#00ff000", limits), "must match the pattern #[0-9a-f]{6}");
  EXPECT_THAT(Check("string", std::string(2000, 'a'), limits), HasSubstr("at most 1024 bytes"));
}

TEST(CompilePattern, RefusesWhatIsNoExpressionOrHasBackReferences) {
  for (const std::string_view wrong : {"(", "[a", "a{2,1}", "(a)\\1", "*"}) {
    ValueLimits limits{.pattern = std::string(wrong)};
    EXPECT_FALSE(CompilePattern(limits)) << wrong;
  }
  ValueLimits none;
  EXPECT_TRUE(CompilePattern(none));
}

TEST(CheckValue, NestedRepetitionsDoNotBacktrackForever) {
  ValueLimits limits{.pattern = "(a+)+(a+)+b"};
  ASSERT_TRUE(CompilePattern(limits));
  EXPECT_NE(Check("string", std::string(300, 'a'), limits), "");
}

TEST(CheckValue, ListsAreCheckedElementByElement) {
  AttributeValue list = List{"2026-11-15T19:42:30+01:00", "2026-11-15T19:42:30Z"};
  EXPECT_EQ(Check(TypeOf("list<instant>"), list), "");
  EXPECT_EQ(list.list()[0], AttributeValue("2026-11-15T18:42:30Z"));
  EXPECT_EQ(Check("list<int>", List{Number(1), "2"}),
            "[1] must be a whole number between -9223372036854775808 and 9223372036854775807");
  EXPECT_EQ(Check("list<list<bool>>", List{List{AttributeValue(true)}, List{"x"}}),
            "[1][0] must be true or false");
  EXPECT_EQ(Check("list<int>", "x"), "must be a list");
}

TEST(CheckValue, SetsAreCheckedAndCanonicalised) {
  AttributeValue set =
      item::StringSet{{"9B2F5C0E-3F53-4A9C-8D7E-0D6B9A1C2E3F", "9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f"}};
  EXPECT_EQ(Check(TypeOf("set<uuid>"), set), "");
  EXPECT_EQ(set.string_set().size(), 1u) << "the same in canonical form";
  EXPECT_EQ(Check("set<date>", item::StringSet{{"x"}}), "element 'x' must be a date such as 2026-11-15");
  EXPECT_EQ(Check("set<int>", item::NumberSet{{Number(1), Number(2)}}), "");
  EXPECT_THAT(Check("set<int>", item::NumberSet{{Number::Parse("1.5").value()}}),
              HasSubstr("element 1.5 must be a whole"));
  EXPECT_EQ(Check("set<int>", item::StringSet{{"1"}}), "must be a set of numbers");
  EXPECT_EQ(Check("set<string>", List{"1"}), "must be a set of texts");
}

class Shapes : public testing::Test {
 protected:
  Shapes() {
    address_.name = "Address";
    address_.members.push_back(
        {.name = "street", .type = TypeOf("string"), .limits = {.length_min = 1}, .required = true});
    address_.members.push_back({.name = "since", .type = TypeOf("instant"), .nullable = true});
    address_.members.push_back(
        {.name = "country", .type = TypeOf("string"), .default_value = AttributeValue("DE")});
    type_ = TypeOf("shape:Address");
    type_.shape = &address_;
  }
  Shape address_;
  ValueType type_;
};

TEST_F(Shapes, MembersAreCheckedAndCompleted) {
  AttributeValue value = Item{{"street", "Main"}, {"since", "2026-01-01T00:00:00.5Z"}};
  EXPECT_EQ(Check(type_, value), "");
  EXPECT_EQ(value,
            AttributeValue(Item{{"street", "Main"}, {"since", "2026-01-01T00:00:00Z"}, {"country", "DE"}}));
}

TEST_F(Shapes, ErrorsBeginWithThePath) {
  AttributeValue missing = Item{}, wrong = Item{{"street", Number(5)}}, too_short = Item{{"street", ""}},
                 unknown = Item{{"street", "x"}, {"contry", "DE"}},
                 null = Item{{"street", "x"}, {"since", item::Null{}}},
                 null_street = Item{{"street", item::Null{}}};
  EXPECT_EQ(Check(type_, missing), ".street is required");
  EXPECT_EQ(Check(type_, wrong), ".street must be a text");
  EXPECT_EQ(Check(type_, too_short), ".street must have at least 1 byte");
  EXPECT_EQ(Check(type_, unknown), ".contry is no member of shape Address; did you mean 'country'?");
  EXPECT_EQ(Check(type_, null), "") << "since is nullable";
  EXPECT_NE(Check(type_, null_street), "");
  ValueType list{.kind = Kind::kList};
  list.element = std::make_shared<const ValueType>(type_);
  AttributeValue values = List{Item{{"street", "a"}}, Item{}};
  EXPECT_EQ(Check(list, values), "[1].street is required");
}

TEST_F(Shapes, RecursiveShapesEndSomewhere) {
  Shape node{.name = "Node"};
  node.members.push_back({.name = "next", .type = TypeOf("shape:Node")});
  node.members[0].type.shape = &node;
  AttributeValue value = Item{};
  for (int i = 0; i < 40; ++i) value = Item{{"next", std::move(value)}};
  EXPECT_THAT(Check(node.members[0].type, value), HasSubstr("nests too deep"));
}

}  // namespace
}  // namespace cairn::model
