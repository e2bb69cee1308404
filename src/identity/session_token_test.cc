#include "identity/session_token.h"

#include <gtest/gtest.h>

#include "base/base64url.h"
#include "rest/hmac.h"

namespace cairn::identity {
namespace {

using enum SessionTokenPurpose;

const std::string kKey(32, 'k');
const SessionToken kToken{.user_id = "9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f",
                          .session_id = "01JCRZ6P4V8Q3W5X7Y9Z2A4B6C",
                          .generation = 12};

TEST(SessionToken, SealedTokenOpens) {
  for (const SessionTokenPurpose purpose : {kCookie, kRefresh}) {
    const auto opened = OpenSessionToken(kKey, purpose, SealSessionToken(kKey, purpose, kToken));
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->user_id, kToken.user_id);
    EXPECT_EQ(opened->session_id, kToken.session_id);
    EXPECT_EQ(opened->generation, 12);
  }
}

TEST(SessionToken, OnePurposeNeverStandsForAnother) {
  const std::string cookie = SealSessionToken(kKey, kCookie, kToken);
  const std::string refresh = SealSessionToken(kKey, kRefresh, kToken);
  const std::string csrf = CsrfToken(kKey, kToken.user_id, kToken.session_id);
  EXPECT_FALSE(OpenSessionToken(kKey, kRefresh, cookie));
  EXPECT_FALSE(OpenSessionToken(kKey, kCookie, refresh));
  const std::string name = kToken.user_id + "." + kToken.session_id + ".12.";
  for (const SessionTokenPurpose purpose : {kCookie, kRefresh})
    EXPECT_FALSE(OpenSessionToken(kKey, purpose, name + csrf));
}

TEST(SessionToken, OtherKeysAreRefused) {
  EXPECT_FALSE(OpenSessionToken(std::string(32, 'x'), kCookie, SealSessionToken(kKey, kCookie, kToken)));
}

TEST(SessionToken, EveryChangedCharacterIsNoticed) {
  const std::string good = SealSessionToken(kKey, kCookie, kToken);
  for (size_t i = 0; i < good.size(); ++i) {
    for (const char other : {'0', 'A', 'b', '7', '-', '.', '=', '\0', ' '}) {
      if (good[i] == other) continue;
      std::string changed = good;
      changed[i] = other;
      EXPECT_FALSE(OpenSessionToken(kKey, kCookie, changed)) << "position " << i;
    }
    EXPECT_FALSE(OpenSessionToken(kKey, kCookie, good.substr(0, i)));
    EXPECT_FALSE(OpenSessionToken(kKey, kCookie, good.substr(i + 1)));
  }
  for (const char* tail : {"=", " ", "A", ".", "\n"})
    EXPECT_FALSE(OpenSessionToken(kKey, kCookie, good + tail));
}

TEST(SessionToken, GarbageIsRefused) {
  for (const std::string& text : {std::string(), std::string("."), std::string("..."), std::string("a.b.c.d"),
                                  std::string(1 << 20, '.'), std::string(1 << 20, 'A'),
                                  kToken.user_id + "." + kToken.session_id + ".12."}) {
    EXPECT_FALSE(OpenSessionToken(kKey, kCookie, text));
  }
}

TEST(CsrfToken, BelongsToOneSession) {
  const std::string token = CsrfToken(kKey, "u", "s");
  EXPECT_EQ(token, CsrfToken(kKey, "u", "s"));
  EXPECT_EQ(token.size(), 43u);
  EXPECT_NE(token, CsrfToken(kKey, "u", "t"));
  EXPECT_NE(token, CsrfToken(kKey, "v", "s"));
  EXPECT_NE(token, CsrfToken(std::string(32, 'x'), "u", "s"));
}

}  // namespace
}  // namespace cairn::identity
