#include "domains/values/plan/three_way.h"

#include <gtest/gtest.h>

#include <string>

namespace cairn::values {
namespace {

std::string Decide(const std::string& base, const std::string& theirs, const std::string& mine) {
  const std::string* value = ThreeWay(base, theirs, mine);
  return value == nullptr ? "conflict" : *value;
}

TEST(ThreeWay, OneSideChangedIsTaken) {
  EXPECT_EQ(Decide("a", "b", "a"), "b");
  EXPECT_EQ(Decide("a", "a", "b"), "b");
  EXPECT_EQ(Decide("a", "a", "a"), "a");
}

TEST(ThreeWay, BothChangedAlikeAgree) { EXPECT_EQ(Decide("a", "b", "b"), "b"); }

TEST(ThreeWay, BothChangedDifferentlyIsAConflict) { EXPECT_EQ(Decide("a", "b", "c"), "conflict"); }

}  // namespace
}  // namespace cairn::values
