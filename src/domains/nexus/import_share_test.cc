#include "domains/nexus/import_share.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <random>
#include <string>

namespace cairn::nexus {
namespace {

size_t Sum(const std::vector<size_t>& wanted, int64_t share) {
  return std::accumulate(wanted.begin(), wanted.end(), size_t{0}, [&](size_t sum, size_t one) {
    return sum + std::min(one, static_cast<size_t>(share));
  });
}

TEST(ImportShare, WhatFitsIsNotShared) {
  EXPECT_EQ(ShareOf({}, 10), std::nullopt);
  EXPECT_EQ(ShareOf({4, 6}, 10), std::nullopt);
  EXPECT_EQ(ShareOf({0, 0, 10}, 10), std::nullopt);
}

TEST(ImportShare, ThoseWhoWantLessHaveAll) {
  EXPECT_EQ(ShareOf({2, 100, 100}, 10), 4);
  EXPECT_EQ(ShareOf({100, 0, 5, 100}, 25), 10);
}

TEST(ImportShare, EverybodyHasAtLeastOne) { EXPECT_EQ(ShareOf(std::vector<size_t>(50, 3), 10), 1); }

TEST(ImportShare, NothingIsLeftThatOneMoreOfEachWouldFit) {
  const char* given = std::getenv("CAIRN_SEED");
  const auto seed = given == nullptr ? std::random_device()() : static_cast<unsigned>(std::stoul(given));
  SCOPED_TRACE("CAIRN_SEED=" + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 1'000; ++round) {
    std::vector<size_t> wanted(random() % 30 + 1);
    for (size_t& one : wanted) one = random() % 50;
    const size_t total = random() % 600 + wanted.size();
    const auto share = ShareOf(wanted, total);
    if (!share) {
      EXPECT_LE(Sum(wanted, 1'000), total);
      continue;
    }
    EXPECT_LE(Sum(wanted, *share), total);
    EXPECT_GT(Sum(wanted, *share + 1), total);
  }
}

}  // namespace
}  // namespace cairn::nexus
