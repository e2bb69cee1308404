#include "item/packed_fields.h"

#include <gtest/gtest.h>

#include <array>

namespace cairn::item {
namespace {

TEST(ReadFields, FindsTextsNumbersAndAbsences) {
  const PackedItem item = PackedItem::Pack(Item{{"a", "one"},
                                                {"b", Map{{"x", Number(1)}}},
                                                {"c", *Number::Parse("12.50")},
                                                {"d", AttributeValue(true)},
                                                {"z", "last"}});
  const std::array<std::string_view, 6> names = {"a", "aa", "c", "d", "z", "zz"};
  std::array<std::optional<PackedField>, 6> fields;
  fields[1] = PackedField{};
  ReadFields(item, names, fields);
  EXPECT_EQ(fields[0]->text, "one");
  EXPECT_FALSE(fields[1]);
  EXPECT_EQ(fields[2]->type, Type::kNumber);
  EXPECT_EQ(fields[2]->text, "12.5");
  EXPECT_EQ(fields[3]->type, Type::kBoolean);
  EXPECT_EQ(fields[3]->text, "");
  EXPECT_EQ(fields[4]->text, "last");
  EXPECT_FALSE(fields[5]);
}

TEST(ReadFields, TheEmptyItemHasNone) {
  const std::array<std::string_view, 1> names = {"a"};
  std::array<std::optional<PackedField>, 1> fields;
  ReadFields(PackedItem(), names, fields);
  EXPECT_FALSE(fields[0]);
}

TEST(NumberProbe, NeverMissesANumber) {
  const NumberProbe probe("ttl");
  EXPECT_TRUE(probe.MayHave(PackedItem::Pack(Item{{"a", "x"}, {"ttl", Number(5)}, {"z", "y"}})));
  EXPECT_FALSE(probe.MayHave(PackedItem::Pack(Item{{"a", "ttl"}, {"ttl", "5"}})));
  EXPECT_FALSE(probe.MayHave(PackedItem()));
}

}  // namespace
}  // namespace cairn::item
