#include "quotas/rate_table.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace cairn::quotas {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class RateTableTest : public testing::Test {
 protected:
  FakeClock clock_{Time(std::chrono::days(20'000))};
};

TEST_F(RateTableTest, BurstThenSoMuchInASecond) {
  RateTable table(clock_, {.per_second = 10, .burst = 30});
  for (int i = 0; i < 30; ++i) EXPECT_TRUE(table.Take("ada", 1)) << i;
  const auto refused = table.Take("ada", 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), seconds(1)) << "a tenth of one, but it is told in whole seconds";
  EXPECT_TRUE(table.Take("bob", 1)) << "others have their own";
  clock_.Advance(milliseconds(200));
  EXPECT_TRUE(table.Take("ada", 1));
  EXPECT_TRUE(table.Take("ada", 1));
  EXPECT_FALSE(table.Take("ada", 1));
}

TEST_F(RateTableTest, RefusalTakesNothingAndSaysHowLongToWait) {
  RateTable table(clock_, {.per_second = 1, .burst = 20});
  EXPECT_TRUE(table.Take("ada", 18));
  const auto refused = table.Take("ada", 10);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), seconds(8));
  EXPECT_TRUE(table.Take("ada", 2)) << "two are left";
  clock_.Advance(seconds(10));
  EXPECT_TRUE(table.Take("ada", 10));
}

TEST_F(RateTableTest, WhatCostsMoreThanTheBurstMayBeHadByWhoHasRested) {
  RateTable table(clock_, {.per_second = 1, .burst = 5});
  EXPECT_TRUE(table.Take("ada", 50));
  EXPECT_FALSE(table.Take("ada", 1));
  clock_.Advance(seconds(5));
  EXPECT_TRUE(table.Take("ada", 50));
}

TEST_F(RateTableTest, AskingHowLongToWaitTakesNothing) {
  RateTable table(clock_, {.per_second = 1, .burst = 20});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(table.WaitFor("ada", 20), seconds(0));
  EXPECT_TRUE(table.Take("ada", 18));
  EXPECT_EQ(table.WaitFor("ada", 2), seconds(0));
  EXPECT_EQ(table.WaitFor("ada", 10), seconds(8));
  EXPECT_EQ(table.WaitFor("ada", 50), seconds(18)) << "more than the burst is had by who has rested";
  clock_.Advance(seconds(100));
  EXPECT_EQ(table.WaitFor("ada", 50), seconds(0));
}

TEST_F(RateTableTest, ChargesAreKnownAfterwards) {
  RateTable table(clock_, {.per_second = 100, .burst = 1'000});
  EXPECT_EQ(table.WaitOf("ada"), seconds(0));
  table.Charge("ada", 900);
  EXPECT_EQ(table.WaitOf("ada"), seconds(0));
  table.Charge("ada", 600);
  EXPECT_EQ(table.WaitOf("ada"), seconds(5));
  clock_.Advance(seconds(5));
  EXPECT_EQ(table.WaitOf("ada"), seconds(0));
}

TEST_F(RateTableTest, ClockThatIsPutBackLocksNobodyOut) {
  RateTable table(clock_, {.per_second = 10, .burst = 100});
  EXPECT_TRUE(table.Take("ada", 50));
  clock_.Advance(-std::chrono::hours(5));
  const auto refused = table.Take("ada", 1);
  if (!refused) {
    EXPECT_LE(refused.error(), seconds(11));
  }
  clock_.Advance(seconds(21));
  EXPECT_TRUE(table.Take("ada", 1));
}

TEST_F(RateTableTest, ZeroIsNoLimit) {
  RateTable table(clock_, {});
  for (int i = 0; i < 1'000; ++i) EXPECT_TRUE(table.Take("ada", 1e9));
  EXPECT_EQ(table.WaitOf("ada"), seconds(0));
}

TEST_F(RateTableTest, ManyNamesAreForgottenNotKept) {
  RateTable table(clock_, {.per_second = 1, .burst = 1}, 6'400);
  for (int i = 0; i < 100'000; ++i) EXPECT_TRUE(table.Take("user" + std::to_string(i), 1));
  // Those who came last are known.
  EXPECT_FALSE(table.Take("user99999", 1));
}

TEST_F(RateTableTest, ThreadsTogetherGetNoMoreThanTheBurst) {
  RateTable table(clock_, {.per_second = 1, .burst = 1'000});
  std::atomic<int> taken = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 1'000; ++j) taken += table.Take("ada", 1).has_value();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, 1'000);
}

}  // namespace
}  // namespace cairn::quotas
