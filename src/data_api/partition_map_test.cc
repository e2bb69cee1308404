#include "data_api/partition_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data_api/model_for_test.h"
#include "item/item_json.h"

namespace cairn::data_api {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class PartitionMapTest : public testing::Test {
 protected:
  std::vector<Link> Links(std::string_view entity, std::string_view json) {
    const auto item = item::ParseItemJson(json);
    EXPECT_TRUE(item) << json;
    return map_.LinksOf(model::Record(*model_, *model_->FindEntity(entity), item::PackedItem::Pack(*item)));
  }
  static std::vector<std::string> Keys(const std::vector<Link>& links) {
    std::vector<std::string> keys;
    for (const Link& link : links) keys.push_back(link.partition);
    return keys;
  }
  model::ModelPtr model_ = LoadTestModel();
  PartitionMap map_{*model_};
};

TEST_F(PartitionMapTest, AnItemLeadsToPartitionsThatGoOnFromItsOwn) {
  const auto links = Links("List", R"({"PK":{"S":"U#ada"},"SK":{"S":"LIST#7"},"day":{"S":"2026-11-16"}})");
  EXPECT_THAT(Keys(links), ElementsAre("U#ada#LIST#7", "U#ada#DAY#2026-11-16"));
  EXPECT_THAT(links.front().entities, ElementsAre("Entry"));
}

TEST_F(PartitionMapTest, WhatIsMissingOrNullLeadsNowhere) {
  EXPECT_THAT(Keys(Links("List", R"({"PK":{"S":"U#ada"},"SK":{"S":"LIST#7"},"day":{"NULL":true}})")),
              ElementsAre("U#ada#LIST#7"));
  EXPECT_THAT(Links("Head", R"({"PK":{"S":"U#ada"},"SK":{"S":"HEAD"}})"), IsEmpty());
}

TEST_F(PartitionMapTest, AHeadLeadsWhereThePatternGoesFromIt) {
  const auto links = Links("Head", R"({"PK":{"S":"U#ada"},"SK":{"S":"HEAD"},"newest":{"S":"9"}})");
  EXPECT_THAT(Keys(links), ElementsAre("U#ada#LIST#9"));
  EXPECT_THAT(links.front().entities, ElementsAre("Entry"));
}

// An entry has a day, a day has a list; but neither partition goes on from the other.
TEST_F(PartitionMapTest, SiblingsAreNotGuessed) {
  EXPECT_THAT(
      Links("Entry", R"({"PK":{"S":"U#ada#LIST#7"},"SK":{"S":"ENTRY#001"},"day":{"S":"2026-11-16"}})"),
      IsEmpty());
  EXPECT_THAT(Links("Day", R"({"PK":{"S":"U#ada#DAY#2026-11-16"},"SK":{"S":"DAY"},"listId":{"S":"7"}})"),
              IsEmpty());
}

TEST_F(PartitionMapTest, PartitionsLeadBackToWhatTheyGoOnFrom) {
  const auto parents = map_.ParentsOf(0, "U#ada#LIST#7");
  EXPECT_THAT(Keys(parents), ElementsAre("U#ada"));
  EXPECT_THAT(parents.front().entities, ElementsAre("Head", "List"));
  EXPECT_THAT(map_.ParentsOf(0, "U#ada"), IsEmpty());
  EXPECT_THAT(map_.ParentsOf(0, "U#ada#UNKNOWN#7"), IsEmpty());
  EXPECT_THAT(map_.ParentsOf(1, "JOB"), IsEmpty());
}

}  // namespace
}  // namespace cairn::data_api
