#include "design/cost.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "design/item_bytes.h"
#include "design/model_for_test.h"
#include "design/text_table.h"

namespace cairn::design {
namespace {

using testing::HasSubstr;

class Cost : public testing::Test {
 protected:
  const ReadCost& Reading(const std::string& pattern) const {
    return *std::find_if(report_.reads.begin(), report_.reads.end(),
                         [&](const ReadCost& cost) { return cost.pattern->name == pattern; });
  }
  const WriteCost& Writing(const std::string& entity) const {
    return *std::find_if(report_.writes.begin(), report_.writes.end(),
                         [&](const WriteCost& cost) { return cost.entity->name == entity; });
  }

  model::ModelPtr model_ = ParseForTest(kShopModel);
  CostReport report_ = EstimateCost(*model_);
};

TEST_F(Cost, GetIsRoundedToFourKilobytes) {
  const ReadCost& cost = Reading("order");
  EXPECT_EQ(cost.calls, "GetItem");
  EXPECT_TRUE(cost.consistent);
  EXPECT_EQ(cost.strong, 1);
  EXPECT_EQ(cost.eventual, 0.5);
  EXPECT_EQ(cost.eventual_20, std::nullopt);
}

TEST_F(Cost, QueryIsRoundedAsAWhole) {
  const ReadCost& cost = Reading("orders");
  EXPECT_EQ(cost.page_items, 40);
  EXPECT_EQ(cost.strong, 15);  // 40 * 1500 / 4096
  EXPECT_EQ(cost.eventual, 7.5);
  EXPECT_EQ(cost.eventual_20, 4);
}

TEST_F(Cost, IndexHasNoStrongReads) {
  const ReadCost& cost = Reading("ordersByState");
  EXPECT_EQ(cost.calls, "Query GSI1");
  EXPECT_EQ(cost.strong, std::nullopt);
}

// 1,500 bytes are 2 units, in GSI1 too; GSI2 keeps keys only: 1.
TEST_F(Cost, WriteCountsIndexRows) {
  const WriteCost& cost = Writing("Order");
  EXPECT_FALSE(cost.transaction);
  EXPECT_EQ(cost.create, 2 + 2 + 1);
  EXPECT_EQ(cost.update, 2 + 2);            // the row of keys stays as it is
  EXPECT_EQ(cost.move, 2 + 2 * 2 + 2 * 1);  // state changes both keys: delete and put
  EXPECT_EQ(cost.remove, cost.create);
  EXPECT_EQ(cost.writes_per_second, 500);
}

// In a transaction everything counts twice: the link of 200 bytes, and the check of its tag.
TEST_F(Cost, MirroredElementIsATransaction) {
  EXPECT_THAT(Writing("Order").remarks,
              testing::ElementsAre("a change of tagIds costs twice and +4 for each new element"));
  const WriteCost& link = Writing("TagOrder");
  EXPECT_TRUE(link.transaction);
  EXPECT_EQ(link.create, 2 + 2);
  EXPECT_EQ(link.remove, 2);
  EXPECT_THAT(link.remarks, testing::ElementsAre("written with Order.tagIds", "checks its Tag"));
}

TEST_F(Cost, UniqueValueCostsItsGuard) {
  const WriteCost& cost = Writing("Tag");
  EXPECT_TRUE(cost.transaction);
  EXPECT_EQ(cost.create, 2 * 1 + 2);
  EXPECT_EQ(cost.update, 1);
  EXPECT_EQ(cost.remove, 2 * 1 + 2);
}

TEST_F(Cost, AppendedItemsAreNeverUpdatedOrDeleted) {
  const WriteCost& cost = Writing("Visit");
  EXPECT_FALSE(cost.transaction);
  EXPECT_EQ(cost.create, 1);
  EXPECT_EQ(cost.update, std::nullopt);
  EXPECT_EQ(cost.remove, std::nullopt);
}

TEST_F(Cost, SizesSayWhereTheyComeFrom) {
  EXPECT_EQ(Writing("Order").size.source, SizeSource::kDeclared);
  EXPECT_EQ(Writing("Visit").size.source, SizeSource::kEstimated);
  const ItemSize measured = SizeOf(*model_, *model_->FindEntity("Order"), {{"Order", 3000}});
  EXPECT_EQ(measured.source, SizeSource::kMeasured);
  EXPECT_EQ(measured.bytes, 3000);
}

TEST_F(Cost, SharedPartitionsAreNamedWithTheirRate) {
  ASSERT_EQ(report_.hot_keys.size(), 2u);
  EXPECT_EQ(report_.hot_keys[0].subject, "Order.GSI2");
  EXPECT_FALSE(report_.hot_keys[0].time_bucket);
  EXPECT_EQ(report_.hot_keys[0].writes_per_second, 1000);
  EXPECT_EQ(report_.hot_keys[1].subject, "Visit");
  EXPECT_TRUE(report_.hot_keys[1].time_bucket);
}

TEST_F(Cost, TextNamesEveryPatternAndEntity) {
  const std::string text = ToText(report_);
  for (const model::Entity& entity : model_->entities) EXPECT_THAT(text, HasSubstr(entity.name));
  for (const model::Pattern& pattern : model_->patterns) EXPECT_THAT(text, HasSubstr(pattern.name));
}

TEST_F(Cost, SizesFileNamesEntities) {
  const auto sizes = ParseSizes(R"({"Order": 812.5, "Tag": 40})", *model_);
  ASSERT_TRUE(sizes);
  EXPECT_EQ(sizes->at("Order"), 812.5);
  for (const char* bad : {"[]", "{", R"({"Nobody": 1})", R"({"Order": "big"})", R"({"Order": 0})", ""}) {
    EXPECT_FALSE(ParseSizes(bad, *model_)) << bad;
  }
}

TEST(ItemBytes, ListOfBoundedLengthIsBounded) {
  model::ValueType list{.kind = model::Kind::kList};
  list.element = std::make_shared<model::ValueType>(model::ValueType{.kind = model::Kind::kUlid});
  EXPECT_EQ(EstimateValue(list, {}).most, std::nullopt);
  model::ValueLimits limits;
  limits.length_max = 10;
  EXPECT_EQ(EstimateValue(list, limits).most, 3 + 10 * 27);
}

TEST(ItemBytes, TextIsBoundedByItsLengthOnly) {
  const model::ValueType text{.kind = model::Kind::kString};
  EXPECT_EQ(EstimateValue(text, {}).most, std::nullopt);
  model::ValueLimits limits;
  limits.length_max = 200;
  EXPECT_EQ(EstimateValue(text, limits).most, 200);
  EXPECT_EQ(EstimateValue(text, limits).usual, 100);
}

TEST(TextTable, ColumnsAlignAndLinesEndWithoutSpaces) {
  TextTable table({{"name"}, {"n", TextTable::Align::kRight}, {"x"}});
  table.AddRow({"a", "10", ""});
  table.AddRow({"long name", "9", "≤"});
  EXPECT_EQ(table.ToString(), "name        n  x\na          10\nlong name   9  ≤\n");
}

TEST(TextTable, NumbersAreShort) {
  EXPECT_EQ(ShortNumber(1), "1");
  EXPECT_EQ(ShortNumber(0.5), "0.5");
  EXPECT_EQ(ShortNumber(1234567), "1,234,567");
  EXPECT_EQ(ShortNumber(62.5), "62.5");
  EXPECT_EQ(ShortNumber(1000.04), "1,000");
}

}  // namespace
}  // namespace cairn::design
