// How templates lie on one another: AlignKey, AlignPrefix, EndsAtBoundary, Overlaps of model/template.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "model/definition.h"

namespace cairn::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

Template Key(std::string_view text) { return Template::Parse(text).value(); }

const Enum kStatus{.name = "Status", .values = {"TODO", "DONE"}};

Template Typed(std::string_view text, const std::map<std::string, std::string>& types) {
  Template key = Key(text);
  const auto status = key.Bind([&](const TemplatePart& part) -> Result<Template::Target> {
    ASSIGN_OR_RETURN(ValueType type, ParseValueType(types.at(part.attribute)));
    if (type.kind == Kind::kEnum) type.enumeration = &kStatus;
    return Template::Target{.type = type};
  });
  EXPECT_TRUE(status) << status.error().message;
  return key;
}

TEST(TemplateAlignment, PlaceholdersOfTheSamePositionBelongTogether) {
  const Template entity = Key("TASK#{status}#{createdAt}");
  EXPECT_THAT(Key("TASK#{s}#{c}").AlignKey(entity), Optional(ElementsAre(1, 3)));
  EXPECT_THAT(Key("TASK#{s}#").AlignPrefix(entity), Optional(ElementsAre(1)));
  EXPECT_THAT(Key("TASK#{s}#{from}").AlignPrefix(entity), Optional(ElementsAre(1, 3)));
  EXPECT_THAT(Key("TASK#").AlignPrefix(entity), Optional(IsEmpty()));
  EXPECT_THAT(Key("TA").AlignPrefix(entity), Optional(IsEmpty()));
  EXPECT_FALSE(Key("TASK#{s}#").AlignKey(entity));
  EXPECT_FALSE(Key("GOAL#{s}#{c}").AlignKey(entity));
  EXPECT_FALSE(Key("TASK#{s}#{c}#x").AlignPrefix(entity));
}

TEST(TemplateAlignment, FixedTextStandsForAValueNeverTheReverse) {
  const Template entity = Key("TASK#{status}#{createdAt}");
  EXPECT_THAT(Key("TASK#DONE#{c}").AlignKey(entity), Optional(ElementsAre(3)));
  EXPECT_THAT(Key("TASK#DONE#").AlignPrefix(entity), Optional(IsEmpty()));
  EXPECT_THAT(Key("TASK#DO").AlignPrefix(entity), Optional(IsEmpty()));
  EXPECT_FALSE(Key("TASK##{c}").AlignKey(entity)) << "a value is never empty";
  EXPECT_FALSE(Key("{x}#{s}#{c}").AlignKey(entity));
  EXPECT_FALSE(Key("TASK#DONE{x}#{c}").AlignKey(entity));
}

TEST(TemplateAlignment, FixedTextCanEndWithinASegment) {
  const Template entity = Key("{year:yyyy}-{kind}#{id}");
  EXPECT_THAT(Key("2026-note#{i}").AlignKey(entity), Optional(ElementsAre(4)));
  EXPECT_THAT(Key("{y}-{k}#{i}").AlignKey(entity), Optional(ElementsAre(0, 2, 4)));
  EXPECT_FALSE(Key("26-note#{i}").AlignKey(entity)) << "a year has four digits";
  const Template dashes = Key("{slug}-{id}");
  EXPECT_THAT(Key("a-b-{i}").AlignKey(dashes), Optional(ElementsAre(2)));
}

TEST(TemplateAlignment, BoundEntityJudgesFixedText) {
  const Template entity = Typed("T#{status}#{id}", {{"status", "enum:Status"}, {"id", "ulid"}});
  EXPECT_THAT(Key("T#DONE#{i}").AlignKey(entity), Optional(ElementsAre(3)));
  EXPECT_FALSE(Key("T#GONE#{i}").AlignKey(entity));
  EXPECT_FALSE(Key("T#DONE#META").AlignKey(entity)) << "no ULID";
  EXPECT_THAT(Key("T#DONE#~").AlignPrefix(entity), Optional(IsEmpty())) << "a bound behind all values";
}

TEST(TemplateAlignment, BoundaryIsADelimiterOrTheEnd) {
  const Template entity = Key("TASK#{status}#{createdAt}");
  EXPECT_TRUE(Key("TASK#").EndsAtBoundary(entity));
  EXPECT_TRUE(Key("TASK#DONE#").EndsAtBoundary(entity));
  EXPECT_TRUE(Key("TASK#{s}#").EndsAtBoundary(entity));
  EXPECT_TRUE(Key("TASK#{s}#{c}").EndsAtBoundary(entity));
  EXPECT_FALSE(Key("TASK#DONE").EndsAtBoundary(entity));
  EXPECT_FALSE(Key("TASK#{s}").EndsAtBoundary(entity));
  EXPECT_FALSE(Key("TASK").EndsAtBoundary(entity));
  EXPECT_FALSE(Key("GOAL#").EndsAtBoundary(entity));
  EXPECT_TRUE(Key("META").EndsAtBoundary(Key("META")));
}

TEST(TemplateAlignment, ManyWaysToLieEndSoon) {
  std::string entity, pattern;
  for (int i = 0; i < 100; ++i) entity += "{a}a";
  pattern = std::string(400, 'a') + "b";
  EXPECT_FALSE(Key(pattern).AlignKey(Key(entity)));
}

TEST(TemplateOverlap, LiteralsTellKeysApart) {
  EXPECT_TRUE(Key("TASK#{id}").Overlaps(Key("TASK#{id}")));
  EXPECT_TRUE(Key("TASK#{id}").Overlaps(Key("{kind}#{id}")));
  EXPECT_TRUE(Key("TASK#{id}").Overlaps(Key("TASK#META")));
  EXPECT_FALSE(Key("TASK#{id}").Overlaps(Key("GOAL#{id}")));
  EXPECT_FALSE(Key("TASK#{id}").Overlaps(Key("TASK#{id}#{rev}"))) << "a value has no '#'";
  EXPECT_FALSE(Key("TASK").Overlaps(Key("TASKS")));
  EXPECT_FALSE(Key("TASK#").Overlaps(Key("TASK#{id}"))) << "a value is not empty";
  EXPECT_TRUE(Key("A{x}").Overlaps(Key("{x}Z")));
  EXPECT_FALSE(Key("A{x}").Overlaps(Key("BZ{x}")));
  EXPECT_FALSE(Template().Overlaps(Key("A")));
}

TEST(TemplateOverlap, KindsTellKeysApart) {
  const Template by_status = Typed("T#{s}", {{"s", "enum:Status"}});
  EXPECT_TRUE(by_status.Overlaps(Key("T#DONE")));
  EXPECT_FALSE(by_status.Overlaps(Key("T#META")));
  const Template by_ulid = Typed("T#{i}", {{"i", "ulid"}});
  EXPECT_FALSE(by_ulid.Overlaps(Key("T#META")));
  EXPECT_FALSE(by_ulid.Overlaps(by_status));
  EXPECT_FALSE(by_ulid.Overlaps(Typed("T#{i}", {{"i", "uuid"}})));
  EXPECT_TRUE(by_ulid.Overlaps(Typed("T#{i}", {{"i", "slug"}}))) << "26 digits are both";
  EXPECT_TRUE(by_ulid.Overlaps(Typed("T#{i}", {{"i", "id"}})));
  EXPECT_FALSE(Typed("{d}", {{"d", "date"}}).Overlaps(Typed("{d}", {{"d", "instant"}})));
  EXPECT_FALSE(Typed("{d:yyyyMM}", {{"d", "date"}}).Overlaps(Typed("{d:yyyyMMdd}", {{"d", "date"}})));
  EXPECT_TRUE(Typed("{n:06d}", {{"n", "int"}}).Overlaps(Typed("{d:yyyyMM}", {{"d", "date"}})));
  EXPECT_TRUE(Typed("{z}", {{"z", "iana_tz"}}).Overlaps(Key("UTC")));
  EXPECT_FALSE(Typed("{n}", {{"n", "int"}}).Overlaps(Key("x5")));
}

}  // namespace
}  // namespace cairn::model
