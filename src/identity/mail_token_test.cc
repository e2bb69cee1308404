#include "identity/mail_token.h"

#include <gtest/gtest.h>

namespace cairn::identity {
namespace {

using models::platform::User;

const std::string kKey(32, 'k');
const Time kNow = Time(std::chrono::seconds(1'800'000'000));
const Time kEnd = kNow + std::chrono::minutes(30);

User Ada() {
  User user{.email = "ada@example.org", .password_hash = "$argon2id$one"};
  user.user_id = "2f1c";
  user.pending_email = "new@example.org";
  return user;
}

std::string Sealed(MailPurpose purpose, const User& user = Ada()) {
  const MailToken token{.purpose = purpose, .user_id = *user.user_id, .expires = kEnd};
  return SealMailToken(kKey, token, user);
}
bool IsGood(std::string_view text, const User& user, Time now = kNow) {
  return IsMailTokenFor(kKey, text, user, now);
}

TEST(MailToken, IsGoodUntilItEnds) {
  for (const MailPurpose purpose : {MailPurpose::kVerify, MailPurpose::kChange, MailPurpose::kRecover}) {
    const std::string text = Sealed(purpose);
    EXPECT_EQ(ReadMailToken(text)->purpose, purpose);
    EXPECT_EQ(ReadMailToken(text)->user_id, "2f1c");
    EXPECT_TRUE(IsGood(text, Ada()));
    EXPECT_TRUE(IsGood(text, Ada(), kEnd - std::chrono::seconds(1)));
    EXPECT_FALSE(IsGood(text, Ada(), kEnd));
    EXPECT_FALSE(IsMailTokenFor(std::string(32, 'x'), text, Ada(), kNow));
  }
}

TEST(MailToken, EndsWithWhatItIsBoundTo) {
  struct Change {
    std::string_view what;
    void (*make)(User&);
    bool verify, change, recover;  // whether the token is still good
  };
  const Change changes[] = {
      {"nothing", [](User&) {}, true, true, true},
      {"another password", [](User& user) { user.password_hash = "$argon2id$two"; }, true, false, false},
      {"another address", [](User& user) { user.email = "other@example.org"; }, false, false, false},
      {"another new address", [](User& user) { user.pending_email = "third@example.org"; }, true, false,
       true},
      {"no new address", [](User& user) { user.pending_email.reset(); }, true, false, true},
      {"another account", [](User& user) { user.user_id = "2f1d"; }, false, false, false},
      {"a login", [](User& user) { user.last_login_at = "2027-01-15T08:00:00.000Z"; }, true, true, true},
  };
  for (const Change& change : changes) {
    User user = Ada();
    change.make(user);
    EXPECT_EQ(IsGood(Sealed(MailPurpose::kVerify), user), change.verify) << change.what;
    EXPECT_EQ(IsGood(Sealed(MailPurpose::kChange), user), change.change) << change.what;
    EXPECT_EQ(IsGood(Sealed(MailPurpose::kRecover), user), change.recover) << change.what;
  }
}

TEST(MailToken, EveryChangedCharacterIsNoticed) {
  const std::string text = Sealed(MailPurpose::kRecover);
  for (size_t i = 0; i < text.size(); ++i) {
    for (const char c : {'A', 'v', '0', '.'}) {
      std::string changed = text;
      if (changed[i] == c) continue;
      changed[i] = c;
      EXPECT_FALSE(IsGood(changed, Ada())) << i << c;
    }
  }
  EXPECT_FALSE(IsGood(text + "A", Ada()));
  EXPECT_FALSE(IsGood(text.substr(0, text.size() - 1), Ada()));
}

TEST(MailToken, WhatIsNoneIsNone) {
  for (const std::string text : {"", ".", "...", "r.x.1", "x.x.1.m", "r..1.m", "r.x..m", "r.x.-1.m",
                                 "r.x.1x.m", "rr.x.1.m", "r.x.1.m.n", "r.x.999999999999.m"}) {
    EXPECT_FALSE(ReadMailToken(text)) << text;
  }
  EXPECT_FALSE(ReadMailToken("r.x.1." + std::string(600, 'm')));
}

}  // namespace
}  // namespace cairn::identity
