#include "item/attribute_value.h"

namespace cairn::item {
namespace {

TEST(Map, KeepsNamesSortedAndUnique) {
  Map map{{"b", "2"}, {"a", "1"}, {"b", "3"}};
  ASSERT_EQ(map.size(), 2u);
  EXPECT_EQ(map.begin()->name, "a");
  EXPECT_EQ(map.Find("b")->string(), "3");
  EXPECT_EQ(map.Find("c"), nullptr);
  EXPECT_TRUE(map.Remove("a"));
  EXPECT_FALSE(map.Remove("a"));
  EXPECT_EQ(map, (Map{{"b", "3"}}));
}

TEST(Map, FromAttributesLastOfEqualNamesWins) {
  std::vector<Attribute> attributes = {{"b", "1"}, {"a", "1"}, {"b", "2"},
                                       {"a", "2"}, {"c", "1"}, {"b", "3"}};
  EXPECT_EQ(Map::FromAttributes(attributes), (Map{{"a", "2"}, {"b", "3"}, {"c", "1"}}));
  EXPECT_EQ(Map::FromAttributes({}), Map());
}

TEST(AttributeValue, SetsIgnoreOrderAndDuplicates) {
  EXPECT_EQ(AttributeValue(StringSet{{"b", "a", "b"}}), AttributeValue(StringSet{{"a", "b"}}));
  EXPECT_EQ(AttributeValue(NumberSet{{Number(2), Number(1), Number(2)}}),
            AttributeValue(NumberSet{{Number(1), Number(2)}}));
  EXPECT_EQ(AttributeValue(BinarySet{{"b", "a"}}), AttributeValue(BinarySet{{"a", "b"}}));
}

TEST(AttributeValue, TypesAreNotEqualAcross) {
  EXPECT_NE(AttributeValue("1"), AttributeValue(Number(1)));
  EXPECT_NE(AttributeValue("a"), AttributeValue(Binary{"a"}));
  EXPECT_EQ(TypeName(AttributeValue(List{}).type()), "L");
  EXPECT_EQ(TypeName(Type::kBinarySet), "BS");
}

}  // namespace
}  // namespace cairn::item
