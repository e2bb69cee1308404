#include "data_api/item_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data_api/model_for_test.h"
#include "item/item_json.h"

namespace cairn::data_api {
namespace {

using testing::ElementsAre;

ItemView Shown(std::string_view entity, std::string_view json) {
  const model::ModelPtr model = LoadTestModel();
  const auto item = item::ParseItemJson(json);
  EXPECT_TRUE(item) << json;
  return ViewOf(*model, 0, model->FindEntity(entity), item::PackedItem::Pack(*item));
}

TEST(ItemView, TellsKeysAndAttributesApart) {
  const ItemView view =
      Shown("Head", R"({"SK":{"S":"HEAD"},"newest":{"S":"9"},"PK":{"S":"U#ada"},"n":{"N":"1.50"}})");
  EXPECT_EQ(view.entity, "Head");
  EXPECT_EQ(view.keys.text, R"({"PK":{"S":"U#ada"},"SK":{"S":"HEAD"}})");
  EXPECT_EQ(view.attributes.text, R"({"n":{"N":"1.5"},"newest":{"S":"9"}})");
  EXPECT_TRUE(view.hidden.empty());
}

TEST(ItemView, SecretsAreNamedAndNotShown) {
  const std::string_view json =
      R"({"PK":{"S":"U#ada"},"SK":{"S":"LIST#1"},"p":{"S":"1234"},"pin":{"S":"x"}})";
  // Also in an item of which nobody knows what it is.
  for (const std::string_view entity : {"List", "Head", "nothing"}) {
    const ItemView view = Shown(entity, json);
    EXPECT_EQ(view.attributes.text, R"({"pin":{"S":"x"}})");
    EXPECT_THAT(view.hidden, ElementsAre("p"));
  }
  EXPECT_EQ(Shown("nothing", json).entity, std::nullopt);
}

TEST(ItemView, EntitiesAreShownAsTheModelHasThem) {
  const EntityView view = ViewOf(*LoadTestModel()->FindEntity("Head"));
  EXPECT_EQ(view.doc, "Points at the newest list.");
  EXPECT_EQ(view.pk, "U#{userId}");
  EXPECT_EQ(view.sk, "HEAD");
}

}  // namespace
}  // namespace cairn::data_api
