// The judge of stored items (domains/nexus/conformance.h): one item at a time.
#include "domains/nexus/conformance.h"

#include <gmock/gmock.h>

#include "base/utf8.h"
#include "models/nexus.h"
#include "session_fixture.h"

namespace cairn::nexus {
namespace {

using item::AttributeValue;
using item::Item;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;

class ConformanceTest : public model::SessionTest {
 protected:
  void SetUp() override { Start(models::nexus::LoadModel()); }

  std::vector<std::string> RulesFor(const Item& item) const {
    std::vector<std::string> rules;
    for (const ConformanceFinding& finding : CheckConformance(*database_, item::PackedItem::Pack(item))) {
      EXPECT_FALSE(finding.message.empty());
      rules.emplace_back(ConformanceRules()[static_cast<size_t>(finding.rule)].id);
    }
    return rules;
  }
};

Item RightTask() {
  return {{"PK", "USER#u"},
          {"SK", "TASK#task_9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f"},
          {"entityType", "TASK"},
          {"taskId", "task_9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f"},
          {"version", item::Number(1)},
          {"createdAt", "2026-01-01T00:00:00Z"},
          {"updatedAt", "2026-01-01T00:00:00Z"},
          {"title", "t"},
          {"status", "TODO"},
          {"priority", item::Number(2)},
          {"rank", "n"},
          {"dueUtc", "2026-12-31T23:59:59Z"},
          {"tags", item::StringSet{{"a", "b"}}},
          {"GSI1PK", "USER#u#2026"},
          {"GSI1SK", "2026-12-31T23:59:59Z"},
          {"GSI3PK", "USER#u"},
          {"GSI3SK", "TASK#TODO#2#n"}};
}

TEST_F(ConformanceTest, RightItemsHaveNoFinding) { EXPECT_THAT(RulesFor(RightTask()), IsEmpty()); }

TEST_F(ConformanceTest, EveryRuleHasItsWords) {
  for (const ConformanceRule& rule : ConformanceRules()) EXPECT_FALSE(rule.id.empty() || rule.what.empty());
}

TEST_F(ConformanceTest, OneFaultIsOneFinding) {
  Item item = RightTask();
  item.Set("priority", item::Number(9));
  item.Remove("GSI3PK");
  item.Remove("GSI3SK");
  EXPECT_THAT(RulesFor(item), IsSupersetOf({"values"}));
  item = RightTask();
  item.Set("createdAt", "2026-12-31T23:59:59.000Z");
  EXPECT_THAT(RulesFor(item), ElementsAre("instants"));
  item = RightTask();
  item.Set("dueUtc", "2026-12-31");
  EXPECT_THAT(RulesFor(item), ElementsAre("instants", "index-keys")) << "no key can be made of it";
  item = RightTask();
  item.Set("GSI3SK", "TASK#DONE#2#n");
  EXPECT_THAT(RulesFor(item), ElementsAre("index-keys"));
  item = RightTask();
  item.Set("tags", item::List{AttributeValue("a")});
  EXPECT_THAT(RulesFor(item), ElementsAre("sets"));
}

// Whatever somebody stores, the judge lives and says that it is wrong.
TEST_F(ConformanceTest, NoItemIsTooStrange) {
  const std::vector<AttributeValue> strange = {"",
                                               "#",
                                               "USER#u#x#y#z",
                                               std::string("\0\xff", 2),
                                               item::Number(7),
                                               AttributeValue(true),
                                               item::Null(),
                                               item::Binary{"x"},
                                               item::List{},
                                               Item{{"A_b", item::List{Item{{"C", "d"}}}}},
                                               item::StringSet{{"x"}}};
  const Item right = RightTask();
  for (const item::Attribute& attribute : right) {
    for (const AttributeValue& value : strange) {
      const bool is_key = attribute.name == "PK" || attribute.name == "SK";
      if (is_key && !value.is(item::Type::kString)) continue;  // no table has such a key
      Item item = right;
      item.Set(attribute.name, value);
      const bool is_text = value.is(item::Type::kString) && !value.string().empty() && IsUtf8(value.string());
      const bool is_right = (attribute.name == "version" && value.is(item::Type::kNumber)) ||
                            (attribute.name == "tags" && value.is(item::Type::kStringSet)) ||
                            (attribute.name == "title" && is_text);
      EXPECT_EQ(RulesFor(item).empty(), is_right) << attribute.name;
    }
    Item item = right;
    item.Remove(attribute.name);
    // What has a default is as if it were there.
    const bool may_lack = attribute.name == "tags" || attribute.name == "rank";
    EXPECT_EQ(RulesFor(item).empty(), may_lack) << attribute.name;
  }
  EXPECT_FALSE(RulesFor({{"PK", ""}, {"SK", ""}}).empty());
}

}  // namespace
}  // namespace cairn::nexus
