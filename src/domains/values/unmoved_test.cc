#include "domains/values/unmoved.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <utility>

#include "item/random_item_for_test.h"

namespace cairn::values {
namespace {

using testing::ElementsAre;

// Things that have the numbers 1, 2, ... now.
std::vector<Renumbered> From(std::initializer_list<int64_t> numbers) {
  std::vector<Renumbered> things;
  for (const int64_t number : numbers) things.push_back({number, static_cast<int64_t>(things.size()) + 1});
  return things;
}

TEST(Unmoved, NothingMoved) {
  EXPECT_THAT(Unmoved({}), ElementsAre());
  EXPECT_THAT(Unmoved(From({1, 2, 6})), ElementsAre(true, true, true));
}

TEST(Unmoved, OneThatWentToTheTopIsOneMove) {
  EXPECT_THAT(Unmoved(From({4, 1, 2, 3})), ElementsAre(false, true, true, true));
  EXPECT_THAT(Unmoved(From({2, 3, 4, 1})), ElementsAre(true, true, true, false));
}

TEST(Unmoved, WhatHasItsNumberHasNotMoved) {
  // Two new ones on top; the third went up before the first and second, and is the third.
  EXPECT_THAT(Unmoved(std::vector<Renumbered>{{3, 3}, {1, 4}, {2, 5}}), ElementsAre(true, false, false));
}

// Of all subsets that are in order and have everything with its number still, none is larger.
TEST(Unmoved, AsManyAsPossible) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 300; ++round) {
    std::vector<int64_t> from(12), to(12);
    std::iota(from.begin(), from.end(), 1);
    std::iota(to.begin(), to.end(), 1);
    std::ranges::shuffle(from, random);
    const size_t count = random() % 9;
    std::ranges::shuffle(to, random);
    std::sort(to.begin(), to.begin() + static_cast<ptrdiff_t>(count));
    std::vector<Renumbered> things;
    for (size_t i = 0; i < count; ++i) things.push_back({from[i], to[i]});
    const auto fits = [&](const auto& is_in) {
      int64_t last = 0;
      for (size_t i = 0; i < count; ++i) {
        if (!is_in(i) && things[i].from == things[i].to) return false;
        if (is_in(i) && std::exchange(last, things[i].from) > things[i].from) return false;
      }
      return true;
    };
    ptrdiff_t best = 0;
    for (size_t mask = 0; mask < (size_t{1} << count); ++mask) {
      if (fits([&](size_t i) { return (mask >> i & 1) != 0; }))
        best = std::max<ptrdiff_t>(best, std::popcount(mask));
    }
    const std::vector<bool> unmoved = Unmoved(things);
    ASSERT_TRUE(fits([&](size_t i) { return unmoved[i]; }));
    ASSERT_EQ(std::ranges::count(unmoved, true), best);
  }
}

}  // namespace
}  // namespace cairn::values
