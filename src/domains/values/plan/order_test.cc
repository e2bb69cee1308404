#include "domains/values/plan/order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace cairn::values {
namespace {

using testing::ElementsAre;

std::optional<ActionOrder> Merge(const ActionOrder& base, const ActionOrder& theirs, const ActionOrder& mine,
                                 const std::set<std::string>& gone = {}) {
  std::set<std::string> kept(theirs.begin(), theirs.end());
  kept.insert(mine.begin(), mine.end());
  for (const std::string& action : gone) kept.erase(action);
  return MergeOrders({base, theirs, mine, kept});
}

TEST(PlanOrder, AdditionsOfBothAreKeptBehindTheirNeighbours) {
  EXPECT_EQ(Merge({"a", "b"}, {"a", "x", "b"}, {"a", "b", "y"}), (ActionOrder{"a", "x", "b", "y"}));
  EXPECT_EQ(Merge({"a"}, {"a", "x"}, {"a", "y"}), (ActionOrder{"a", "x", "y"}));
  EXPECT_EQ(Merge({"a"}, {"x", "a"}, {"y", "z", "a"}), (ActionOrder{"x", "y", "z", "a"}));
  EXPECT_EQ(Merge({}, {"x", "y"}, {"y", "z"}), (ActionOrder{"x", "y", "z"}));
}

TEST(PlanOrder, TheSideThatReorderedIsFollowed) {
  EXPECT_EQ(Merge({"a", "b", "c"}, {"c", "a", "b"}, {"a", "y", "b", "c"}), (ActionOrder{"c", "a", "y", "b"}));
  EXPECT_EQ(Merge({"a", "b", "c"}, {"a", "x", "b", "c"}, {"c", "a", "b"}), (ActionOrder{"c", "a", "x", "b"}));
}

TEST(PlanOrder, NeighbourThatIsGoneYieldsToTheOneBefore) {
  EXPECT_EQ(Merge({"a", "b", "c"}, {"a", "c"}, {"a", "b", "y", "c"}, {"b"}), (ActionOrder{"a", "y", "c"}));
}

TEST(PlanOrder, BothReorderedAlikeAgree) {
  EXPECT_EQ(Merge({"a", "b", "c"}, {"c", "b", "a"}, {"c", "b", "y", "a"}), (ActionOrder{"c", "b", "y", "a"}));
}

TEST(PlanOrder, BothReorderedDifferentlyIsNothing) {
  EXPECT_EQ(Merge({"a", "b", "c"}, {"b", "a", "c"}, {"a", "c", "b"}), std::nullopt);
}

TEST(PlanOrder, MoveOfWhatIsGoneIsNoMove) {
  EXPECT_EQ(Merge({"a", "b", "c"}, {"b", "a"}, {"c", "a", "b"}, {"c"}), (ActionOrder{"b", "a"}));
}

TEST(PlanOrder, JoinFollowsItsFirstOrder) {
  const std::set<std::string> kept{"a", "b", "x", "y"};
  EXPECT_EQ(JoinOrders({"b", "x", "a"}, {"a", "b", "y"}, kept), (ActionOrder{"b", "x", "y", "a"}));
}

}  // namespace
}  // namespace cairn::values
