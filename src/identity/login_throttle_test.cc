#include "identity/login_throttle.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace cairn::identity {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

class LoginThrottleTest : public testing::Test {
 protected:
  // How long an attempt has to wait; zero when it was let through, and failed.
  seconds Fail(std::string_view email, std::string_view address = "192.0.2.1") {
    return Told(throttle_.BeginAsStranger(email, address), Outcome::kFails);
  }
  seconds Succeed(std::string_view email, std::string_view address = "192.0.2.1") {
    return Told(throttle_.BeginAsStranger(email, address), Outcome::kSucceeds);
  }
  enum class Outcome { kFails, kSucceeds };
  static seconds Told(LoginThrottle::Begun attempt, Outcome outcome) {
    if (!attempt) return attempt.error();
    if (outcome == Outcome::kFails) attempt->Failed();
    if (outcome == Outcome::kSucceeds) attempt->Succeeded();
    return seconds(0);
  }
  seconds FailOnDevice(std::string_view device, std::string_view email = "ada@example.org") {
    return Told(throttle_.BeginOnKnownDevice(email, device), Outcome::kFails);
  }
  seconds FailInSession(std::string_view session) {
    return Told(throttle_.BeginInSession(session), Outcome::kFails);
  }
  // As many guesses as networks all over the world are let make.
  int GuessFromEverywhere(std::string_view email, int networks) {
    int tried = 0;
    for (int network = 0; network < networks; ++network) {
      for (int i = 0; i < 5; ++i) {
        if (Fail(email, "203." + std::to_string(network / 256) + "." + std::to_string(network % 256) +
                            ".1") == seconds(0))
          ++tried;
      }
    }
    return tried;
  }

  FakeClock clock_{Time(seconds(1'800'000'000))};
  LoginThrottle throttle_{clock_};
};

TEST_F(LoginThrottleTest, PausesDoubleAfterFiveFailures) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Fail("ada@example.org"), seconds(0)) << i;
  for (const int pause : {1, 2, 4, 8, 16}) {
    EXPECT_EQ(Fail("ada@example.org"), seconds(pause));
    clock_.Advance(seconds(pause) - std::chrono::milliseconds(1));
    EXPECT_EQ(Fail("ada@example.org"), seconds(1)) << "a moment too early";
    clock_.Advance(std::chrono::milliseconds(1));
    EXPECT_EQ(Fail("ada@example.org"), seconds(0));
  }
}

TEST_F(LoginThrottleTest, TenFailuresInAQuarterOfAnHour) {
  const Time start = clock_.Now();
  int tried = 0;
  while (clock_.Now() < start + minutes(15)) {
    const seconds wait = Fail("ada@example.org");
    if (wait == seconds(0)) ++tried;
    if (tried == 10 && wait > seconds(0)) {
      EXPECT_EQ(clock_.Now() + wait, start + minutes(15)) << "says when the quarter of an hour is over";
      break;
    }
    clock_.Advance(wait);
  }
  EXPECT_EQ(tried, 10);
}

TEST_F(LoginThrottleTest, PausesGrowToAQuarterOfAnHour) {
  seconds longest(0);
  for (int failures = 0; failures < 19;) {
    const seconds wait = Fail("ada@example.org");
    if (wait == seconds(0)) ++failures;
    longest = std::max(longest, wait);
    clock_.Advance(wait);
  }
  EXPECT_EQ(longest, minutes(15));
  EXPECT_EQ(Fail("ada@example.org"), minutes(15));
}

TEST_F(LoginThrottleTest, TwentyFailuresOfASourceInADay) {
  const Time start = clock_.Now();
  int tried = 0;
  while (clock_.Now() < start + std::chrono::hours(24)) {
    const seconds wait = Fail("ada@example.org");
    if (wait == seconds(0)) ++tried;
    clock_.Advance(wait);
  }
  EXPECT_EQ(tried, 20);
  EXPECT_EQ(clock_.Now(), start + std::chrono::hours(24)) << "said how long";
  EXPECT_EQ(Fail("ada@example.org"), seconds(0));
}

// ---- What others do.

TEST_F(LoginThrottleTest, FailuresFromOneNetworkKeepNobodyOutElsewhere) {
  const Time start = clock_.Now();
  for (; clock_.Now() < start + std::chrono::days(3); clock_.Advance(minutes(1))) {
    Fail("ada@example.org", "198.51.100.9");
    ASSERT_EQ(Succeed("ada@example.org", "192.0.2.1"), seconds(0)) << "the owner, from home";
  }
}

TEST_F(LoginThrottleTest, GuessesFromEverywhereAreBounded) {
  EXPECT_EQ(GuessFromEverywhere("ada@example.org", 1000), 50);
  EXPECT_EQ(Fail("ada@example.org", "192.0.2.77"), minutes(30)) << "then one more now and then";
  int in_a_day = 50;
  for (int i = 0; i < 47; ++i) {
    clock_.Advance(minutes(30));
    in_a_day += GuessFromEverywhere("ada@example.org", 200);
  }
  EXPECT_LE(in_a_day, 98);
  EXPECT_GE(in_a_day, 90);
  EXPECT_EQ(Succeed("bob@example.org", "192.0.2.77"), seconds(0)) << "nobody else waits";
}

TEST_F(LoginThrottleTest, SuccessGivesStrangersNoNewGuesses) {
  int tried = 0;
  for (int i = 0; i < 100; ++i) {
    if (Fail("ada@example.org", "203.0.113." + std::to_string(i)) == seconds(0)) ++tried;
    Succeed("ada@example.org", "192.0.2.1");
  }
  EXPECT_EQ(tried, 50);
}

TEST_F(LoginThrottleTest, KnownDevicesAndSessionsWaitForNobody) {
  GuessFromEverywhere("ada@example.org", 1000);
  for (int i = 0; i < 100; ++i) Fail("u" + std::to_string(i) + "@example.org", "192.0.2.1");
  ASSERT_GT(Fail("ada@example.org", "192.0.2.1"), seconds(0)) << "account and network both wait";
  EXPECT_TRUE(throttle_.BeginOnKnownDevice("ada@example.org", "laptop"));
  EXPECT_TRUE(throttle_.BeginInSession("user.session"));
}

TEST_F(LoginThrottleTest, KnownDevicesAndSessionsGuessNoFaster) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(FailOnDevice("laptop"), seconds(0));
    EXPECT_EQ(FailInSession("user.one"), seconds(0));
  }
  EXPECT_EQ(FailOnDevice("laptop"), seconds(1));
  EXPECT_EQ(FailInSession("user.one"), seconds(1));
  EXPECT_EQ(FailOnDevice("phone"), seconds(0));
  EXPECT_EQ(FailOnDevice("laptop", "bob@example.org"), seconds(0)) << "another account of the same browser";
  EXPECT_EQ(FailInSession("user.two"), seconds(0));
  const Time start = clock_.Now();
  int tried = 0;
  for (; clock_.Now() < start + std::chrono::hours(24); clock_.Advance(minutes(1))) {
    if (FailOnDevice("laptop") == seconds(0)) ++tried;
  }
  EXPECT_EQ(tried, 15) << "twenty with the first five";
  EXPECT_EQ(Succeed("ada@example.org", "192.0.2.50"), seconds(0)) << "a stolen laptop keeps nobody out";
}

TEST_F(LoginThrottleTest, NoNetworkFillsTheQueueAlone) {
  std::vector<LoginThrottle::Attempt> under_way;
  for (int i = 0; i < 100; ++i) {
    auto attempt = throttle_.BeginAsStranger("u" + std::to_string(i) + "@example.org", "192.0.2.1");
    if (attempt) under_way.push_back(*std::move(attempt));
  }
  EXPECT_EQ(under_way.size(), 16u);
  EXPECT_TRUE(throttle_.BeginAsStranger("ada@example.org", "192.0.2.2"));
  EXPECT_TRUE(throttle_.BeginOnKnownDevice("ada@example.org", "laptop"));
  under_way.clear();
  EXPECT_TRUE(throttle_.BeginAsStranger("u@example.org", "192.0.2.1"));
}

// ---- The rest.

TEST_F(LoginThrottleTest, SuccessResetsTheCounter) {
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 4; ++i) EXPECT_EQ(Fail("ada@example.org"), seconds(0));
    EXPECT_EQ(Succeed("ada@example.org"), seconds(0));
  }
}

TEST_F(LoginThrottleTest, ADayWithoutFailuresResetsTheCounter) {
  for (int i = 0; i < 5; ++i) Fail("ada@example.org");
  clock_.Advance(std::chrono::hours(24));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Fail("ada@example.org"), seconds(0));
}

TEST_F(LoginThrottleTest, OthersAreNotSlowedDown) {
  for (int i = 0; i < 9; ++i) Fail("ada@example.org");
  EXPECT_GT(Fail("ada@example.org"), seconds(0));
  EXPECT_EQ(Succeed("ada@example.org", "198.51.100.7"), seconds(0));
  EXPECT_EQ(Succeed("bob@example.org"), seconds(0));
}

TEST_F(LoginThrottleTest, NetworkAddressHasAHundredFailures) {
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Fail("u" + std::to_string(i) + "@example.org"), seconds(0));
  EXPECT_EQ(Fail("new@example.org"), minutes(15));
  EXPECT_EQ(Fail(""), minutes(15)) << "also where the e-mail address does not count";
  EXPECT_EQ(Fail("new@example.org", "192.0.2.2"), seconds(0));
  clock_.Advance(minutes(15));
  EXPECT_EQ(Fail("new@example.org"), seconds(0));
}

TEST_F(LoginThrottleTest, SpellingsAndNeighboursOfAnAddressAreOne) {
  const std::string_view spellings[] = {"2001:db8:0:0:1::1", "2001:0db8::1:0:0:9", "2001:DB8::ffff:1"};
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(Fail("u" + std::to_string(i) + "@example.org", spellings[i % 3]), seconds(0));
  }
  EXPECT_GT(Fail("new@example.org", "2001:db8::42"), seconds(0));
  EXPECT_EQ(Fail("new@example.org", "2001:db8:0:1::42"), seconds(0)) << "another network";
  for (int i = 0; i < 100; ++i) Fail("v" + std::to_string(i) + "@example.org", "::ffff:203.0.113.5");
  EXPECT_GT(Fail("w@example.org", "203.0.113.5"), seconds(0));
}

TEST_F(LoginThrottleTest, ManyAtOnceGainNothing) {
  std::vector<LoginThrottle::Attempt> under_way;
  int refused = 0;
  for (int i = 0; i < 50; ++i) {
    auto attempt = throttle_.BeginAsStranger("ada@example.org", "192.0.2.1");
    if (attempt) {
      under_way.push_back(*std::move(attempt));
    } else {
      EXPECT_EQ(attempt.error(), seconds(1));
      ++refused;
    }
  }
  EXPECT_EQ(under_way.size(), 10u);
  EXPECT_EQ(refused, 40);
  for (auto& attempt : under_way) attempt.Failed();
  under_way.clear();
  EXPECT_EQ(Fail("ada@example.org"), minutes(15));
}

TEST_F(LoginThrottleTest, OnceThereArePausesAttemptsGoOneByOne) {
  for (int i = 0; i < 5; ++i) Fail("ada@example.org");
  clock_.Advance(seconds(1));
  auto first = throttle_.BeginAsStranger("ada@example.org", "192.0.2.1");
  ASSERT_TRUE(first);
  EXPECT_EQ(Fail("ada@example.org"), seconds(1));
  first->Succeeded();
  EXPECT_EQ(Fail("ada@example.org"), seconds(0));
}

TEST_F(LoginThrottleTest, AttemptWithoutJudgementCountsNothing) {
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(throttle_.BeginAsStranger("ada@example.org", "192.0.2.1"));
}

TEST_F(LoginThrottleTest, TwentyRegistrationsAnHour) {
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(throttle_.TakeRegistration("192.0.2.1"));
  clock_.Advance(minutes(20));
  const auto refused = throttle_.TakeRegistration("192.0.2.1");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), minutes(40));
  EXPECT_TRUE(throttle_.TakeRegistration("192.0.2.2"));
  EXPECT_EQ(Succeed("ada@example.org"), seconds(0)) << "logins go on";
  clock_.Advance(minutes(40));
  EXPECT_TRUE(throttle_.TakeRegistration("192.0.2.1"));
}

TEST_F(LoginThrottleTest, AClockSetBackLocksNobodyOut) {
  for (int i = 0; i < 10; ++i) {
    Fail("ada@example.org");
    clock_.Advance(minutes(1));
  }
  clock_.Advance(-std::chrono::hours(48));
  EXPECT_LE(Fail("ada@example.org"), minutes(15));
  clock_.Advance(minutes(15));
  clock_.Advance(std::chrono::hours(48));
  EXPECT_EQ(Fail("ada@example.org"), seconds(0));
}

TEST(RecentTable, ForgetsWhatWasIdleForLongest) {
  RecentTable<int> table(3);
  for (const char* name : {"a", "b", "c"}) table.At(name) = 1;
  EXPECT_NE(table.Find("a"), nullptr);
  table.At("d") = 1;
  EXPECT_EQ(table.size(), 3u);
  EXPECT_EQ(table.Find("b"), nullptr);
  EXPECT_NE(table.Find("a"), nullptr);
  table.Forget("a");
  EXPECT_EQ(table.size(), 2u);
  EXPECT_EQ(table.At("a"), 0);
}

TEST(LoginThrottle, StaysBoundedUnderAFlood) {
  FakeClock clock{Time(seconds(1'800'000'000))};
  LoginThrottle throttle(clock, 100);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        const std::string name = std::to_string(t) + "-" + std::to_string(i);
        auto attempt = throttle.BeginAsStranger(name + "@example.org", name);
        if (attempt && i % 2 == 0) attempt->Failed();
        if (attempt && i % 3 == 0) attempt->Succeeded();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(throttle.BeginAsStranger("ada@example.org", "192.0.2.1"));
}

}  // namespace
}  // namespace cairn::identity
