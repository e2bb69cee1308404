#include "identity/known_device.h"

#include <gtest/gtest.h>

namespace cairn::identity {
namespace {

const std::string kKey(32, 'k');
const Time kNow = Time(std::chrono::seconds(1'800'000'000));

class KnownDeviceTest : public testing::Test {
 protected:
  std::string Remember(std::string_view cookie, std::string_view email, Time now = kNow) {
    return RememberDevice(kKey, cookie, email, now, random_);
  }
  std::optional<std::string> Find(std::string_view cookie, std::string_view email, Time now = kNow) {
    return FindKnownDevice(kKey, cookie, email, now);
  }
  SeededRandom random_{7};
};

TEST_F(KnownDeviceTest, IsKnownForItsOwnAccountOnly) {
  const std::string cookie = Remember("", "ada@example.org");
  ASSERT_TRUE(Find(cookie, "ada@example.org"));
  EXPECT_FALSE(Find(cookie, "bob@example.org"));
  EXPECT_FALSE(Find("", "ada@example.org"));
  EXPECT_FALSE(FindKnownDevice(std::string(32, 'x'), cookie, "ada@example.org", kNow));
  EXPECT_EQ(cookie.find("ada"), std::string::npos);
}

TEST_F(KnownDeviceTest, EveryChangedCharacterIsNoticed) {
  const std::string cookie = Remember("", "ada@example.org");
  for (size_t i = 0; i < cookie.size(); ++i) {
    std::string changed = cookie;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(Find(changed, "ada@example.org")) << i;
  }
  for (const std::string text : {"", ".", "..", "~", "~~~", "a.b.c", "a.1.", ".1.x"})
    EXPECT_FALSE(Find(text, "a@b.c"));
  EXPECT_FALSE(Find(std::string(100'000, 'a'), "ada@example.org"));
  EXPECT_FALSE(Find(std::string(100'000, '~') + cookie, "ada@example.org"));
}

TEST_F(KnownDeviceTest, StaysTheSameDeviceAfterAnotherLogin) {
  const std::string first = Remember("", "ada@example.org");
  const std::string second = Remember(first, "ada@example.org", kNow + std::chrono::days(300));
  EXPECT_EQ(Find(first, "ada@example.org"), Find(second, "ada@example.org", kNow + std::chrono::days(500)));
  EXPECT_EQ(second.find('~'), std::string::npos) << "one entry for one account";
  EXPECT_NE(Find(Remember("", "ada@example.org"), "ada@example.org"), Find(first, "ada@example.org"));
}

TEST_F(KnownDeviceTest, IsForgottenAfterFourHundredDays) {
  const std::string cookie = Remember("", "ada@example.org");
  EXPECT_TRUE(Find(cookie, "ada@example.org", kNow + std::chrono::days(400) - std::chrono::seconds(1)));
  EXPECT_FALSE(Find(cookie, "ada@example.org", kNow + std::chrono::days(400)));
}

TEST_F(KnownDeviceTest, RemembersTheLastFiveAccounts) {
  std::string cookie;
  const auto name = [](int i) { return "u" + std::to_string(i) + "@example.org"; };
  for (int i = 0; i < 7; ++i) cookie = Remember(cookie, name(i));
  for (int i = 0; i < 7; ++i) EXPECT_EQ(Find(cookie, name(i)).has_value(), i >= 2) << i;
  cookie = Remember("\x01 bad;~" + cookie, name(7));
  EXPECT_TRUE(Find(cookie, name(7)));
  EXPECT_EQ(cookie.find_first_of(" ;\x01"), std::string::npos) << "nothing of what a client made up";
}

}  // namespace
}  // namespace cairn::identity
