#include "expr/path.h"

#include <gtest/gtest.h>

#include "expr/expression_for_test.h"

namespace cairn::expr {
namespace {

TEST(Path, FindsNestedValues) {
  const item::Item item = ItemOf(R"({"a": {"M": {"b": {"L": [{"S": "x"}, {"M": {"c": {"N": "7"}}}]}}}})");
  EXPECT_EQ(*FindValue(item, {"a", {"b", 0u}}), item::AttributeValue("x"));
  EXPECT_EQ(*FindValue(item, {"a", {"b", 1u, "c"}}), Number(7));
  EXPECT_NE(FindValue(item, {"a", {}}), nullptr);
}

TEST(Path, NothingWhereThePathLeadsNowhere) {
  const item::Item item = ItemOf(R"({"a": {"M": {"b": {"L": [{"S": "x"}]}}}, "s": {"S": "t"}})");
  EXPECT_EQ(FindValue(item, {"z", {}}), nullptr);
  EXPECT_EQ(FindValue(item, {"z", {"b", 0u}}), nullptr);
  EXPECT_EQ(FindValue(item, {"a", {0u}}), nullptr);
  EXPECT_EQ(FindValue(item, {"a", {"b", "c"}}), nullptr);
  EXPECT_EQ(FindValue(item, {"a", {"b", 1u}}), nullptr);
  EXPECT_EQ(FindValue(item, {"s", {"b"}}), nullptr);
}

TEST(Path, PrintsAsInExpressions) { EXPECT_EQ(ToString({"info", {"rating", 2u, "x"}}), "info.rating[2].x"); }

}  // namespace
}  // namespace cairn::expr
