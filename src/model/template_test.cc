#include "model/template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "model/definition.h"

namespace cairn::model {
namespace {

using item::AttributeValue;
using item::Item;
using item::Number;
using testing::ElementsAre;
using testing::HasSubstr;

// A template whose placeholders are typed by "name": "type", with a trailing % for escape = "percent" and a
// trailing ? for date_too.
Result<Template> Bound(std::string_view text, const std::map<std::string, std::string>& types) {
  ASSIGN_OR_RETURN(Template result, Template::Parse(text));
  RETURN_IF_ERROR(result.Bind([&](const TemplatePart& part) -> Result<Template::Target> {
    Template::Target target;
    std::string type = types.at(part.attribute);
    if (type.ends_with('%')) target.escape = Escape::kPercent;
    if (type.ends_with('?')) target.date_too = true;
    if (type.ends_with('%') || type.ends_with('?')) type.pop_back();
    ASSIGN_OR_RETURN(target.type, ParseValueType(type));
    return target;
  }));
  return result;
}

Template Key(std::string_view text, const std::map<std::string, std::string>& types) {
  auto bound = Bound(text, types);
  EXPECT_TRUE(bound) << text << ": " << bound.error().message;
  return bound ? *bound : Template();
}

std::string ParseError(std::string_view text) {
  const auto parsed = Template::Parse(text);
  return parsed ? "no error" : parsed.error().message;
}
std::string BindError(std::string_view text, const std::map<std::string, std::string>& types) {
  const auto bound = Bound(text, types);
  return bound ? "no error" : bound.error().message;
}
std::string BuildError(const Template& key, const Item& values) {
  const auto built = key.Build(values);
  return built ? "no error: " + *built : built.error().message;
}

TEST(Template, ReadsPartsFormatsAndOffsets) {
  const Template key = Template::Parse("EDGE#{parent}#{order:06d}#{head.rev}").value();
  ASSERT_EQ(key.parts().size(), 6u);
  EXPECT_EQ(key.parts()[0].literal, "EDGE#");
  EXPECT_EQ(key.parts()[1].attribute, "parent");
  EXPECT_EQ(key.parts()[3].format, Format::kZeroPadded);
  EXPECT_EQ(key.parts()[3].width, 6);
  EXPECT_EQ(key.parts()[3].offset, 14u);
  EXPECT_EQ(key.parts()[5].step, "head");
  EXPECT_EQ(key.parts()[5].attribute, "rev");
  EXPECT_THAT(key.Dependencies(), ElementsAre("parent", "order", "head.rev"));
  EXPECT_EQ(key.LiteralPrefix(), "EDGE#");
  EXPECT_FALSE(key.IsConstant());
  EXPECT_EQ(key.text(), "EDGE#{parent}#{order:06d}#{head.rev}");
}

TEST(Template, ConstantHasNoPlaceholders) {
  const Template key = Template::Parse("META").value();
  EXPECT_TRUE(key.IsConstant());
  EXPECT_EQ(key.Build({}).value(), "META");
  Item values;
  EXPECT_TRUE(key.Match("META", values));
  EXPECT_FALSE(key.Match("META2", values));
  EXPECT_FALSE(key.Match("MET", values));
}

TEST(Template, SyntaxErrorsNameTheOffset) {
  EXPECT_EQ(ParseError(""), "a key template must not be empty");
  EXPECT_EQ(ParseError("TASK#{id"), "'{' is not closed by a '}' at offset 5");
  EXPECT_EQ(ParseError("TASK#{{id}"), "'{' is not closed by a '}' at offset 5");
  EXPECT_EQ(ParseError("TASK#id}"), "'}' without a '{' before it at offset 7");
  EXPECT_THAT(ParseError("A#{}"), HasSubstr("expected an attribute's name"));
  EXPECT_THAT(ParseError("A#{a b}"), HasSubstr("at offset 2"));
  EXPECT_THAT(ParseError("A#{.b}"), HasSubstr("expected the name of a step"));
  EXPECT_THAT(ParseError("A#{a.b.c}"), HasSubstr("expected an attribute's name"));
  EXPECT_THAT(ParseError("A#{a:yyyyMd}"), HasSubstr("unknown format 'yyyyMd'; did you mean 'yyyyMM"));
  for (const std::string_view format : {"", "6d", "00d", "06", "019d", "0d", "006d", "0-1d", "06dd"}) {
    EXPECT_THAT(ParseError("{a:" + std::string(format) + "}"), HasSubstr("unknown format")) << format;
  }
  EXPECT_THAT(ParseError("A\n#"), HasSubstr("control character"));
  EXPECT_THAT(ParseError("A\xff"), HasSubstr("UTF-8"));
  EXPECT_THAT(ParseError(std::string(2049, 'a')), HasSubstr("at most 2048 bytes"));
}

TEST(Template, FormatsMustFitTypes) {
  const auto fits = [](std::string_view format, const std::string& type) {
    return BindError("{a:" + std::string(format) + "}", {{"a", type}}) == "no error";
  };
  for (const char* type : {"int", "epoch_s", "number"}) EXPECT_TRUE(fits("06d", type)) << type;
  for (const char* type : {"string", "bool", "date", "instant"}) EXPECT_FALSE(fits("06d", type)) << type;
  EXPECT_TRUE(fits("01", "bool"));
  EXPECT_FALSE(fits("01", "int"));
  for (const char* format : {"yyyy", "yyyyMM", "yyyyMMdd"}) {
    for (const char* type : {"date", "instant", "instant_ms", "epoch_s"})
      EXPECT_TRUE(fits(format, type)) << type;
    for (const char* type : {"string", "int", "ulid"}) EXPECT_FALSE(fits(format, type)) << type;
  }
  for (const char* type : {"instant", "instant_ms", "epoch_s"}) EXPECT_TRUE(fits("epoch_ms", type)) << type;
  for (const char* type : {"date", "int", "string"}) EXPECT_FALSE(fits("epoch_ms", type)) << type;
  for (const char* type : {"date", "instant", "instant_ms"}) EXPECT_TRUE(fits("end_of_day", type)) << type;
  for (const char* type : {"epoch_s", "string"}) EXPECT_FALSE(fits("end_of_day", type)) << type;
  for (const char* type : {"int", "string", "ref:Task", "enum:X"}) {
    EXPECT_EQ(BindError("{a}", {{"a", type}}), "no error") << type;
  }
  for (const char* type : {"map", "list<int>", "set<string>", "shape:X"}) {
    EXPECT_THAT(BindError("A#{a}", {{"a", type}}), HasSubstr("cannot stand in a key at offset 2")) << type;
  }
  EXPECT_THAT(BindError("{a}", {{"a", "bool"}}), HasSubstr("write {a:01}"));
  EXPECT_EQ(BindError("A#{a:06d}", {{"a", "string"}}),
            "the format of {a} fits int, epoch_s and number, not string at offset 2");
}

TEST(Template, FailedBindChangesNothing) {
  Template key = Template::Parse("{a}#{b}").value();
  const auto status = key.Bind([](const TemplatePart& part) -> Result<Template::Target> {
    if (part.attribute == "b") return Fail(Invalid("no b"));
    return Template::Target{.lookup = "Stored"};
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "no b");
  EXPECT_THAT(key.Dependencies(), ElementsAre("a", "b"));
}

TEST(Template, ReadsValuesUnderTheirStoredNames) {
  Template key = Template::Parse("T#{status}#{head.rev}#{status}").value();
  ASSERT_TRUE(key.Bind([](const TemplatePart& part) -> Result<Template::Target> {
    if (!part.step.empty()) return Template::Target{};
    return Template::Target{.lookup = "S"};
  }));
  EXPECT_THAT(key.Dependencies(), ElementsAre("S", "head.rev"));
  EXPECT_EQ(key.Build({{"S", "x"}, {"head.rev", "7"}, {"status", "wrong"}}).value(), "T#x#7#x");
}

TEST(Template, BuildsEveryFormat) {
  const std::string instant = "2026-11-15T19:42:30Z";
  const auto build = [](std::string_view placeholder, const std::string& type, AttributeValue value) {
    return Key(placeholder, {{"a", type}}).Build({{"a", std::move(value)}}).value();
  };
  EXPECT_EQ(build("{a:06d}", "int", Number(42)), "000042");
  EXPECT_EQ(build("{a:06d}", "number", Number(999999)), "999999");
  EXPECT_EQ(build("{a:01d}", "int", Number(0)), "0");
  EXPECT_EQ(build("{a:018d}", "int", Number(999999999999999999)), "999999999999999999");
  EXPECT_EQ(build("{a:01}", "bool", AttributeValue(true)), "1");
  EXPECT_EQ(build("{a:01}", "bool", AttributeValue(false)), "0");
  EXPECT_EQ(build("{a:yyyy}", "instant", instant), "2026");
  EXPECT_EQ(build("{a:yyyyMM}", "instant_ms", "2026-11-15T19:42:30.123Z"), "202611");
  EXPECT_EQ(build("{a:yyyyMMdd}", "date", "0007-01-02"), "00070102");
  EXPECT_EQ(build("{a:yyyyMMdd}", "epoch_s", Number(1794771750)), "20261115");
  EXPECT_EQ(build("{a:epoch_ms}", "instant", instant), "1794771750000");
  EXPECT_EQ(build("{a:epoch_ms}", "instant_ms", "1970-01-01T00:00:00.007Z"), "0000000000007");
  EXPECT_EQ(build("{a:epoch_ms}", "epoch_s", Number(5)), "0000000005000");
  EXPECT_EQ(build("{a:end_of_day}", "date", "2026-01-31"), "2026-01-31~");
  EXPECT_EQ(build("{a:end_of_day}", "instant", "2026-01-31"), "2026-01-31~");
  EXPECT_EQ(build("{a:end_of_day}", "instant", instant), instant);
  EXPECT_EQ(build("{a}", "int", Number(-7)), "-7");
  EXPECT_EQ(build("{a}", "number", Number::Parse("0.50").value()), "0.5");
  EXPECT_EQ(build("{a}", "string", "\xc3\xa9 x"), "\xc3\xa9 x");
}

TEST(Template, EndOfDaySortsBehindEveryInstantOfThatDay) {
  const Template bound = Key("{a:end_of_day}", {{"a", "date"}});
  const std::string end = bound.Build({{"a", "2026-01-31"}}).value();
  EXPECT_GT(end, "2026-01-31T23:59:59.999Z#ZZZ");
  EXPECT_LT(end, "2026-02-01T00:00:00Z");
}

TEST(Template, PlainDateStandsForAnInstantOnlyWhereAllowed) {
  EXPECT_EQ(Key("{a}", {{"a", "instant?"}}).Build({{"a", "2026-01-31"}}).value(), "2026-01-31");
  EXPECT_THAT(BuildError(Key("{a}", {{"a", "instant"}}), {{"a", "2026-01-31"}}),
              HasSubstr("must be an instant"));
  EXPECT_THAT(BuildError(Key("{a}", {{"a", "instant?"}}), {{"a", "2026-01"}}),
              HasSubstr("must be an instant"));
}

TEST(Template, RefusesWhatCannotStandInAKey) {
  const Template key = Key("T#{title}", {{"title", "string"}});
  EXPECT_EQ(BuildError(key, {{"title", "a#b"}}),
            "title contains '#', which separates the parts of a key (key T#{title})");
  EXPECT_THAT(BuildError(key, {{"title", ""}}), HasSubstr("title is empty"));
  EXPECT_THAT(BuildError(key, {{"title", "a\nb"}}), HasSubstr("title contains a control character"));
  EXPECT_THAT(BuildError(key, {{"title", "\x7f"}}), HasSubstr("control character"));
  EXPECT_THAT(BuildError(key, {{"title", std::string(1, '\0')}}), HasSubstr("control character"));
  EXPECT_THAT(BuildError(key, {{"title", "\xff"}}), HasSubstr("title is not valid UTF-8"));
  EXPECT_THAT(BuildError(key, {{"title", Number(5)}}), HasSubstr("title must be a text"));
  EXPECT_THAT(BuildError(key, {{"title", item::Null{}}}), HasSubstr("title must be a text"));
  EXPECT_EQ(BuildError(key, {}), "title is missing, and the key T#{title} needs it");
}

TEST(Template, RefusesValuesThatAreNotOfTheType) {
  EXPECT_THAT(BuildError(Key("{a}", {{"a", "ulid"}}), {{"a", "x"}}), HasSubstr("a must be a ULID"));
  EXPECT_THAT(BuildError(Key("{a}", {{"a", "instant"}}), {{"a", "2026-11-15T19:42:30+01:00"}}),
              HasSubstr("an instant"));
  EXPECT_THAT(BuildError(Key("{a}", {{"a", "id"}}), {{"a", "a#b"}}), HasSubstr("contains '#'"));
  EXPECT_THAT(BuildError(Key("{a:yyyy}", {{"a", "date"}}), {{"a", "today"}}), HasSubstr("a must be a date"));
  const Template padded = Key("{n:03d}", {{"n", "number"}});
  for (const char* wrong : {"-1", "1000", "1.5", "1e30"}) {
    EXPECT_THAT(BuildError(padded, {{"n", Number::Parse(wrong).value()}}),
                HasSubstr("n must be a whole number between 0 and 999"))
        << wrong;
  }
  const Template milliseconds = Key("{t:epoch_ms}", {{"t", "instant"}});
  EXPECT_THAT(BuildError(milliseconds, {{"t", "1969-12-31T23:59:59Z"}}), HasSubstr("between 1970 and 2286"));
  EXPECT_THAT(BuildError(milliseconds, {{"t", "2286-11-20T17:46:40Z"}}), HasSubstr("between 1970 and 2286"));
}

TEST(Template, FailedAppendLeavesTheTextAsItWas) {
  std::string out = "before";
  EXPECT_FALSE(Key("T#{a}#{b}", {{"a", "id"}, {"b", "id"}}).AppendTo(out, {{"a", "x"}, {"b", "#"}}));
  EXPECT_EQ(out, "before");
}

TEST(Template, PercentEscapesAndIsReadBack) {
  const Template key = Key("T#{title}#{id}", {{"title", "string%"}, {"id", "id"}});
  const Item values{{"title", "100% #1\n\x7f\xc3\xa9"}, {"id", "x"}};
  const std::string built = key.Build(values).value();
  EXPECT_EQ(built, "T#100%25 %231%0A%7F\xc3\xa9#x");
  Item read;
  ASSERT_TRUE(key.Match(built, read));
  EXPECT_EQ(read, values);
  for (const std::string_view wrong :
       {"T#%2#x", "T#%zz#x", "T#%0a#x", "T#%41#x", "T#%#x", "T#a\nb#x", "T##x"}) {
    Item ignored;
    EXPECT_FALSE(key.Match(wrong, ignored)) << wrong;
  }
}

TEST(Template, MatchGivesBackWhatWasBuilt) {
  const Template key =
      Key("EDGE#{parent}#{order:06d}#{on}#{at:epoch_ms}#{flag:01}",
          {{"parent", "ulid"}, {"order", "int"}, {"on", "date"}, {"at", "instant_ms"}, {"flag", "bool"}});
  const Item values{{"parent", "01ARZ3NDEKTSV4RRFFQ69G5FAV"},
                    {"order", Number(42)},
                    {"on", "2026-11-15"},
                    {"at", "2026-11-15T19:42:30.123Z"},
                    {"flag", AttributeValue(true)}};
  Item read;
  ASSERT_TRUE(key.Match(key.Build(values).value(), read));
  EXPECT_EQ(read, values);
}

TEST(Template, MatchRefusesKeysOfAnotherForm) {
  const Template key = Key("E#{id}#{n:03d}", {{"id", "ulid"}, {"n", "int"}});
  for (const std::string_view wrong :
       {"", "E#", "X#01ARZ3NDEKTSV4RRFFQ69G5FAV#001", "E#01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "E#01ARZ3NDEKTSV4RRFFQ69G5FAV#01", "E#01ARZ3NDEKTSV4RRFFQ69G5FAV#0001",
        "E#01ARZ3NDEKTSV4RRFFQ69G5FAV#-01", "E#01ARZ3NDEKTSV4RRFFQ69G5FAI#001",
        "E#01ARZ3NDEKTSV4RRFFQ69G5FAV#001#"}) {
    Item values;
    EXPECT_FALSE(key.Match(wrong, values)) << wrong;
  }
}

TEST(Template, MatchReadsCanonicalNumbersOnly) {
  const Template key = Key("{n}", {{"n", "number"}});
  Item values;
  EXPECT_TRUE(key.Match("-0.5", values));
  EXPECT_EQ(*values.Find("n"), AttributeValue(Number::Parse("-0.5").value()));
  for (const std::string_view wrong : {"05", "+5", "5.0", "5e0", "-0", "x", ""}) {
    Item ignored;
    EXPECT_FALSE(key.Match(wrong, ignored)) << wrong;
  }
}

TEST(Template, MatchAgreesWithWhatIsKnown) {
  const Template key = Key("{a}#{b}#{a}", {{"a", "id"}, {"b", "id"}});
  Item values;
  EXPECT_TRUE(key.Match("x#y#x", values));
  Item contradicting;
  EXPECT_FALSE(key.Match("x#y#z", contradicting));
  Item known{{"a", "other"}};
  EXPECT_FALSE(key.Match("x#y#x", known));
}

TEST(Template, PartsToldIncompletelyAreOnlyCompared) {
  const Template key = Key("{t:yyyyMM}#{t}", {{"t", "instant"}});
  Item values;
  EXPECT_TRUE(key.Match("202611#2026-11-15T19:42:30Z", values));
  Item contradicting;
  EXPECT_FALSE(key.Match("202612#2026-11-15T19:42:30Z", contradicting));
  const Template year = Key("{t:yyyy}", {{"t", "instant"}});
  Item nothing;
  EXPECT_TRUE(year.Match("2026", nothing));
  EXPECT_TRUE(nothing.empty());
  EXPECT_FALSE(year.Match("0000", nothing));
  EXPECT_FALSE(year.Match("20a6", nothing));
  Item known{{"t", "2025-01-01T00:00:00Z"}};
  EXPECT_FALSE(year.Match("2026", known));
  EXPECT_TRUE(year.Match("2025", known));
  EXPECT_FALSE(Key("{t:yyyyMM}", {{"t", "date"}}).Match("202613", nothing));
}

TEST(Template, DayOfADateAndMillisecondsTellEverything) {
  Item values;
  ASSERT_TRUE(Key("{t:yyyyMMdd}", {{"t", "date"}}).Match("20261115", values));
  EXPECT_EQ(*values.Find("t"), AttributeValue("2026-11-15"));
  Item partial;
  ASSERT_TRUE(Key("{t:yyyyMMdd}", {{"t", "instant"}}).Match("20261115", partial));
  EXPECT_TRUE(partial.empty());
  Item instant;
  ASSERT_TRUE(Key("{t:epoch_ms}", {{"t", "instant"}}).Match("1794771750000", instant));
  EXPECT_EQ(*instant.Find("t"), AttributeValue("2026-11-15T19:42:30Z"));
  EXPECT_FALSE(Key("{t:epoch_ms}", {{"t", "instant"}}).Match("1794771750001", instant));
  Item seconds;
  ASSERT_TRUE(Key("{t:epoch_ms}", {{"t", "epoch_s"}}).Match("1794771750000", seconds));
  EXPECT_EQ(*seconds.Find("t"), AttributeValue(Number(1794771750)));
  EXPECT_FALSE(Key("{t:yyyyMMdd}", {{"t", "date"}}).Match("20260230", values));
}

TEST(Template, AdjacentPlaceholdersOfFixedWidthAreSplit) {
  const Template key = Key("{d:yyyyMMdd}{n:03d}{id}", {{"d", "date"}, {"n", "int"}, {"id", "id"}});
  ASSERT_TRUE(key.CheckInvertible());
  const Item values{{"d", "2026-11-15"}, {"n", Number(7)}, {"id", "abc"}};
  Item read;
  ASSERT_TRUE(key.Match(key.Build(values).value(), read));
  EXPECT_EQ(read, values);
}

TEST(Template, InvertibleWhenEveryValueHasAnEnd) {
  const auto invertible = [](std::string_view text, const std::map<std::string, std::string>& types) {
    return Key(text, types).CheckInvertible().has_value();
  };
  EXPECT_TRUE(invertible("A#{a}#{b}", {{"a", "string"}, {"b", "string"}}));
  EXPECT_TRUE(invertible("{a}-{b}", {{"a", "ulid"}, {"b", "string"}}));
  EXPECT_TRUE(invertible("{a}{b}", {{"a", "uuid"}, {"b", "string"}}));
  EXPECT_FALSE(invertible("{a}{b}", {{"a", "string"}, {"b", "ulid"}}));
  EXPECT_FALSE(invertible("{a}-x", {{"a", "slug"}}));
  EXPECT_FALSE(invertible("{a}{b:01}", {{"a", "int"}, {"b", "bool"}}));
  EXPECT_FALSE(invertible("{a:end_of_day}", {{"a", "date"}}));
  EXPECT_THAT(Key("K#{a}-{b}", {{"a", "slug"}, {"b", "slug"}}).CheckInvertible().error().message,
              HasSubstr("{a} has values of any length, so '-' behind it must begin with '#'"));
}

TEST(Template, UuidPrefixIsPartOfTheKey) {
  Template key = Template::Parse("{id}{rest}").value();
  ASSERT_TRUE(key.Bind([](const TemplatePart& part) -> Result<Template::Target> {
    if (part.attribute == "rest") return Template::Target{};
    return Template::Target{.type = {.kind = Kind::kUuid, .prefix = "task_"}};
  }));
  ASSERT_TRUE(key.CheckInvertible());
  Item values;
  ASSERT_TRUE(key.Match("task_9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3fxyz", values));
  EXPECT_EQ(*values.Find("rest"), AttributeValue("xyz"));
  EXPECT_FALSE(key.Bind([](const TemplatePart&) -> Result<Template::Target> {
    return Template::Target{.type = {.kind = Kind::kUuid, .prefix = "task#"}};
  }));
}

}  // namespace
}  // namespace cairn::model
