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

TEST(PlanOrder, NothingMovedIsAllInPlace) {
  EXPECT_THAT(InPlace({}), ElementsAre());
  EXPECT_THAT(InPlace(std::vector<size_t>{0, 1, 5}), ElementsAre(true, true, true));
}

TEST(PlanOrder, OneThatWentToTheTopIsOneMove) {
  EXPECT_THAT(InPlace(std::vector<size_t>{3, 0, 1, 2}), ElementsAre(false, true, true, true));
  EXPECT_THAT(InPlace(std::vector<size_t>{1, 2, 3, 0}), ElementsAre(true, true, true, false));
}

// As many stay as in the best of all subsets.
TEST(PlanOrder, AsManyAsPossibleStayProperty) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 300; ++round) {
    std::vector<size_t> places(random() % 9);
    std::iota(places.begin(), places.end(), 0);
    std::ranges::shuffle(places, random);
    size_t best = 0;
    for (size_t mask = 0; mask < (size_t{1} << places.size()); ++mask) {
      std::vector<size_t> chosen;
      for (size_t i = 0; i < places.size(); ++i) {
        if (mask >> i & 1) chosen.push_back(places[i]);
      }
      if (std::ranges::is_sorted(chosen)) best = std::max(best, chosen.size());
    }
    const std::vector<bool> in_place = InPlace(places);
    std::vector<size_t> staying;
    for (size_t i = 0; i < places.size(); ++i) {
      if (in_place[i]) staying.push_back(places[i]);
    }
    ASSERT_TRUE(std::ranges::is_sorted(staying));
    ASSERT_EQ(staying.size(), best);
  }
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
