#include "identity/mail_limits.h"

#include <gtest/gtest.h>

namespace cairn::identity {
namespace {

using std::chrono::minutes;

TEST(MailLimits, EachCountsOnItsOwn) {
  FakeClock clock{Time(std::chrono::seconds(1'800'000'000))};
  MailLimits limits(clock);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(limits.TakeRecovery("ada@example.org"));
  clock.Advance(minutes(10));
  EXPECT_EQ(limits.TakeRecovery("ada@example.org").error(), minutes(20));
  EXPECT_TRUE(limits.TakeRecovery("bob@example.org"));
  EXPECT_TRUE(limits.TakeForNetwork("ada@example.org"));
  EXPECT_TRUE(limits.TakeConfirmation("ada@example.org"));
  clock.Advance(minutes(20));
  EXPECT_TRUE(limits.TakeRecovery("ada@example.org"));
}

TEST(MailLimits, NetworksAndAccountsHaveMore) {
  FakeClock clock{Time(std::chrono::seconds(1'800'000'000))};
  MailLimits limits(clock);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(limits.TakeForNetwork("2001:db8::" + std::to_string(i)));
  EXPECT_FALSE(limits.TakeForNetwork("2001:db8::77")) << "the same network";
  EXPECT_TRUE(limits.TakeForNetwork("192.0.2.1"));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(limits.TakeAddressChange("u"));
  EXPECT_EQ(limits.TakeAddressChange("u").error(), std::chrono::hours(24));
  clock.Advance(std::chrono::hours(-48));
  EXPECT_TRUE(limits.TakeAddressChange("u")) << "a clock that was set back stops nobody";
}

}  // namespace
}  // namespace cairn::identity
