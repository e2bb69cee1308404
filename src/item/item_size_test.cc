#include "item/item_size.h"

namespace cairn::item {
namespace {

AttributeValue Wrap(int times, AttributeValue value) {
  for (int i = 0; i < times; ++i) value = Map{{"n", value}};
  return value;
}

TEST(ItemSize, CountsAsTheDeveloperGuideSays) {
  EXPECT_EQ(ItemBytes(Item{}), 0u);
  EXPECT_EQ(ItemBytes(Item{{"id", "abc"}}), 5u);
  EXPECT_EQ(ItemBytes(Item{{"n", Number(12345)}}), 1u + 4u);
  EXPECT_EQ(ItemBytes(Item{{"flag", AttributeValue(true)}, {"none", Null{}}}), 5u + 5u);
  EXPECT_EQ(ItemBytes(Item{{"l", List{"xy"}}}), 1u + 3u + 1u + 2u);
  EXPECT_EQ(ItemBytes(Item{{"m", Map{{"k", "v"}}}}), 1u + 3u + 1u + 2u);
  EXPECT_EQ(ItemBytes(Item{{"s", StringSet{{"ab", "c"}}}}), 1u + 3u);
  EXPECT_EQ(ItemBytes(Item{{"b", Binary{std::string(10, '\0')}}}), 11u);
  EXPECT_EQ(ItemBytes(Item{{"\xc3\xa9", "\xc3\xa9"}}), 4u);
}

TEST(ItemSize, NestingCountsEnclosingContainers) {
  EXPECT_EQ(NestingDepth(AttributeValue("a")), 0);
  EXPECT_EQ(NestingDepth(AttributeValue(List{})), 0);
  EXPECT_EQ(NestingDepth(Item{{"a", List{}}}), 1);
  EXPECT_EQ(NestingDepth(Item{{"a", List{"x"}}}), 2);
  EXPECT_EQ(NestingDepth(Item{{"a", Wrap(31, "leaf")}}), kNestingMax);
}

}  // namespace
}  // namespace cairn::item
