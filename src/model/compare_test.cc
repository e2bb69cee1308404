#include "model/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/load.h"

namespace cairn::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kModel = R"(format = "cairn-model/1"
name = "shop"
[enum]
Status = ["OPEN", "PAID"]
[table.main]
name = "Shop"
pk = "PK"
sk = "SK"
type_attr = "kind"
index.GSI1 = { pk = "G1PK", sk = "G1SK" }
index.GSI2 = { pk = "G2PK", sk = "G2SK" }
[entity.Order]
type = "ORDER"
pk = "ORDERS"
sk = "ORDER#{orderId}"
index.GSI1 = { pk = "STATUS#{status}", sk = "{orderId}" }
index.GSI2 = { pk = "MAIL#{email}", sk = "{orderId}" }
[entity.Order.attr]
orderId = "id!"
status = { type = "enum:Status", default = "OPEN" }
email = "email"
qty = { type = "int", max = 9 }
[pattern.orders]
query = ["Order"]
pk = "ORDERS"
)";

// What follows from replacing one text of the model by another.
TableDifference Replaced(const std::string& text, const std::string& by) {
  std::string changed = kModel;
  const size_t at = changed.find(text);
  EXPECT_NE(at, std::string::npos) << text;
  changed.replace(at, text.size(), by);
  const auto before = ParseModel(kModel, "before.toml");
  const auto now = ParseModel(changed, "now.toml");
  EXPECT_TRUE(before && now) << (now ? "" : ToString(now.error().front()));
  if (!before || !now) return {};
  return CompareTables(**before, 0, **now, 0);
}

TEST(CompareTables, WhatConcernsNoItemIsNoDifference) {
  EXPECT_TRUE(Replaced("[pattern.orders]", "[pattern.allOrders]").empty());
  EXPECT_TRUE(Replaced("[entity.Order]\n", "[entity.Order]\ndoc = \"Bought.\"\n").empty());
  EXPECT_TRUE(Replaced("email = ", "note = \"string\"\nemail = ").empty());
  EXPECT_TRUE(Replaced("email = ", "note = { type = \"string\", required = true, default = \"-\" }\nemail = ")
                  .empty());
}

TEST(CompareTables, IndexKeysFollowTemplatesRulesAndDefaults) {
  EXPECT_THAT(Replaced("MAIL#{email}", "M#{email}").indexes, ElementsAre(1));
  EXPECT_THAT(
      Replaced("sk = \"{orderId}\" }\nindex.GSI2", "sk = \"{orderId}\", when = \"qty > 3\" }\nindex.GSI2")
          .indexes,
      ElementsAre(0));
  EXPECT_THAT(Replaced("default = \"OPEN\"", "default = \"PAID\"").indexes, ElementsAre(0));
  EXPECT_FALSE(Replaced("MAIL#{email}", "M#{email}").NeedsSurvey());
}

TEST(CompareTables, TypesAndKeysHide) {
  EXPECT_THAT(Replaced("\"ORDER\"", "\"ORD\"").hiding,
              ElementsAre("the type of Order was \"ORDER\" and is \"ORD\""));
  EXPECT_THAT(Replaced("\"ORDER#{orderId}\"", "\"O#{orderId}\"").hiding,
              ElementsAre("sk of Order was \"ORDER#{orderId}\" and is \"O#{orderId}\""));
  EXPECT_THAT(Replaced("type_attr = \"kind\"", "type_attr = \"is\"").hiding,
              ElementsAre("items were told apart by \"kind\" and now are by \"is\""));
}

TEST(CompareTables, NarrowedRulesConcernValues) {
  EXPECT_THAT(Replaced("max = 9", "max = 5").values, ElementsAre(testing::Pair("Order", ElementsAre("qty"))));
  EXPECT_THAT(Replaced("\"email\"", "\"email!\"").values,
              ElementsAre(testing::Pair("Order", ElementsAre("email"))));
  EXPECT_THAT(Replaced("[\"OPEN\", \"PAID\"]", "[\"OPEN\"]").values,
              ElementsAre(testing::Pair("Order", ElementsAre("status"))));
  EXPECT_THAT(Replaced("[entity.Order]\n", "[entity.Order]\nunique = [[\"email\"]]\n").unique,
              ElementsAre("Order"));
}

}  // namespace
}  // namespace cairn::model
