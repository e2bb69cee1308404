#include "jobs/time_budget.h"

#include <gtest/gtest.h>

namespace cairn::jobs {
namespace {

using std::chrono::seconds;

class TimeBudgetTest : public testing::Test {
 protected:
  FakeClock clock_{Time(std::chrono::days(20'000))};
};

TEST_F(TimeBudgetTest, WhoHasUsedTheirTimeWaitsUntilItComesBack) {
  TimeBudget budget(clock_, seconds(30));
  budget.Charge("mallory", seconds(29));
  EXPECT_TRUE(budget.HasTime("mallory"));
  budget.Charge("mallory", seconds(11));
  EXPECT_FALSE(budget.HasTime("mallory")) << "ten seconds too many";
  EXPECT_TRUE(budget.HasTime("ada"));
  clock_.Advance(seconds(20));
  EXPECT_FALSE(budget.HasTime("mallory"));
  clock_.Advance(seconds(1));
  EXPECT_TRUE(budget.HasTime("mallory")) << "half a second for every second";
}

TEST_F(TimeBudgetTest, NobodySavesMoreThanAMinuteHas) {
  TimeBudget budget(clock_, seconds(30));
  budget.Charge("ada", seconds(1));
  clock_.Advance(std::chrono::days(10));
  budget.Charge("ada", seconds(31));
  EXPECT_FALSE(budget.HasTime("ada"));
}

TEST_F(TimeBudgetTest, ZeroIsNoLimit) {
  TimeBudget budget(clock_, seconds(0));
  budget.Charge("ada", std::chrono::hours(1));
  EXPECT_TRUE(budget.HasTime("ada"));
}

}  // namespace
}  // namespace cairn::jobs
