#include "http/shared_budget.h"

#include <gtest/gtest.h>

#include <vector>

namespace cairn::http {
namespace {

const Account kAnn = Account::OfUser("ann");
const Account kBob = Account::OfUser("bob");

TEST(SharedBudget, NobodyInParticularMayTakeEverything) {
  SharedBudget budget(1'000, 100);
  EXPECT_TRUE(budget.TryTake(Account(), 1'000));
  EXPECT_FALSE(budget.TryTake(Account(), 1));
  budget.Return(Account(), 1'000);
  EXPECT_EQ(budget.bytes(), 0u);
}

TEST(SharedBudget, AnAccountTakesItsShareAndNoMore) {
  SharedBudget budget(1'000, 100);
  EXPECT_TRUE(budget.TryTake(kAnn, 60));
  EXPECT_TRUE(budget.TryTake(kAnn, 40));
  EXPECT_FALSE(budget.TryTake(kAnn, 1));
  budget.Return(kAnn, 40);
  EXPECT_TRUE(budget.TryTake(kAnn, 30));
  EXPECT_EQ(budget.bytes(), 90u);
}

TEST(SharedBudget, AShareShrinksWithWhatTheOthersHave) {
  SharedBudget budget(1'000, 100);
  ASSERT_TRUE(budget.TryTake(Account(), 500));
  EXPECT_FALSE(budget.TryTake(kAnn, 51));
  EXPECT_TRUE(budget.TryTake(kAnn, 50));
  budget.Return(Account(), 500);
  EXPECT_TRUE(budget.TryTake(kAnn, 50));
}

TEST(SharedBudget, HoweverManyTakeWhatTheyCanOneMoreFindsRoom) {
  SharedBudget budget(1'000'000, 125'000);
  for (int round = 0; round < 50; ++round) {
    for (int account = 0; account < 16; ++account) {
      while (budget.TryTake(Account::OfUser("greedy " + std::to_string(account)), 1'000)) {
      }
    }
  }
  EXPECT_GT(budget.bytes(), 600'000u);
  EXPECT_TRUE(budget.TryTake(kAnn, 10'000));
  EXPECT_LE(budget.bytes(), 1'000'000u);
}

TEST(SharedBudget, WhatIsHeldMovesToAnotherShareIfItFits) {
  SharedBudget budget(100'000, 100);
  {
    BudgetShare held(budget);
    ASSERT_TRUE(held.TryTake(90));
    held.ChargeTo(kAnn);
    EXPECT_FALSE(budget.TryTake(kAnn, 11));
    held.ChargeTo(kBob);
    EXPECT_TRUE(budget.TryTake(kAnn, 60));
    held.ChargeTo(kAnn);  // no room: stays Bob's
    EXPECT_FALSE(budget.TryTake(kBob, 11));
    EXPECT_EQ(budget.bytes(), 150u);
  }
  EXPECT_EQ(budget.bytes(), 60u);
  budget.Return(kAnn, 60);
}

TEST(Account, AnIpv6NetworkIsOneAndKindsDiffer) {
  const auto of = [](std::string_view address) { return Account::OfAddress(*IpAddress::Parse(address)); };
  EXPECT_EQ(of("2001:db8::1"), of("2001:db8::ffff:1"));
  EXPECT_NE(of("2001:db8::1"), of("2001:db8:0:1::1"));
  EXPECT_NE(of("192.0.2.7"), of("192.0.2.8"));
  EXPECT_NE(Account::OfUser("x"), Account::OfAccessKey("x"));
  EXPECT_NE(Account::OfUser(""), Account());
}

}  // namespace
}  // namespace cairn::http
