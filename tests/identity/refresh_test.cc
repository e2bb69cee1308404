#include "accounts_fixture.h"
#include "identity/session_token.h"
#include "identity/token.h"

namespace cairn::identity {
namespace {

using platform::AuditEvent;

class RefreshTest : public AccountsTest {
 protected:
  void SetUp() override {
    AccountsTest::SetUp();
    ASSERT_TRUE(Register());
  }
};

TEST_F(RefreshTest, EachTokenBringsTheNext) {
  Credentials credentials = Login();
  std::set<std::string> seen = {credentials.refresh_token};
  for (int i = 0; i < 5; ++i) {
    clock_.Advance(minutes(20));
    EXPECT_FALSE(TokenIsGood(credentials.access_token)) << "access tokens last a quarter of an hour";
    const Credentials next = Value(Refresh(credentials.refresh_token));
    EXPECT_EQ(next.session_id, credentials.session_id);
    EXPECT_TRUE(TokenIsGood(next.access_token));
    EXPECT_EQ(next.expires, clock_.Now() + std::chrono::days(30)) << "a session lasts on while it is used";
    EXPECT_TRUE(seen.insert(next.refresh_token).second);
    credentials = next;
  }
  const auto sessions = SessionsOf(credentials.user_id);
  ASSERT_THAT(sessions, SizeIs(1));
  EXPECT_EQ(sessions[0].generation, 6);
}

TEST_F(RefreshTest, SecondUseEndsTheSession) {
  const Credentials first = Login();
  const Credentials other = Login();
  const Credentials second = Value(Refresh(first.refresh_token));
  const Credentials third = Value(Refresh(second.refresh_token));
  EXPECT_TRUE(TokenIsGood(third.access_token));
  EXPECT_REFUSED(Refresh(first.refresh_token), Code::kUnauthenticated, "Log in again");
  for (const Credentials& credentials : {first, second, third}) {
    EXPECT_FALSE(Refresh(credentials.refresh_token));
    EXPECT_FALSE(TokenIsGood(credentials.access_token));
  }
  EXPECT_EQ(CountOf(first.user_id, AuditEvent::kRefreshReused), 1u);
  EXPECT_TRUE(TokenIsGood(other.access_token)) << "another session is another family";
  EXPECT_TRUE(Refresh(other.refresh_token));
}

TEST_F(RefreshTest, OfTwentyAtOnceOneWinsAndTheSessionEnds) {
  for (int round = 0; round < 5; ++round) {
    const Credentials first = Login();
    std::atomic<int> won = 0, refused = 0;
    std::mutex mutex;
    Credentials winner;
    InParallel(20, [&](int) {
      const auto next = Refresh(first.refresh_token);
      if (next) {
        ++won;
        std::lock_guard lock(mutex);
        winner = *next;
      } else if (next.error().error.code == Code::kUnauthenticated) {
        ++refused;
      }
    });
    EXPECT_EQ(won, 1);
    EXPECT_EQ(refused, 19);
    EXPECT_FALSE(TokenIsGood(winner.access_token));
    EXPECT_FALSE(Refresh(winner.refresh_token));
    EXPECT_THAT(SessionsOf(first.user_id), IsEmpty());
    EXPECT_EQ(CountOf(first.user_id, AuditEvent::kRefreshReused), static_cast<size_t>(round) + 1);
  }
}

TEST_F(RefreshTest, WhatIsNoRefreshTokenHasNoEffect) {
  const Credentials program = Login();
  const Credentials browser = Browser();
  const SessionToken of_program{
      .user_id = program.user_id, .session_id = program.session_id, .generation = 1};
  std::string changed = program.refresh_token;
  changed[40] = changed[40] == 'A' ? 'B' : 'A';
  for (const std::string& token :
       {std::string(), std::string("x"), std::string("a.b.c.d"), std::string(1 << 20, 'x'), changed,
        browser.cookie, browser.csrf_token, program.access_token, program.refresh_token + ".",
        " " + program.refresh_token,
        SealSessionToken(std::string(32, 'x'), SessionTokenPurpose::kRefresh, of_program),
        SealSessionToken(kSigningKey, SessionTokenPurpose::kCookie, of_program)}) {
    EXPECT_REFUSED(Refresh(token), Code::kUnauthenticated, "not valid");
  }
  EXPECT_TRUE(TokenIsGood(program.access_token));
  EXPECT_TRUE(CookieIsGood(browser.cookie));
  EXPECT_EQ(CountOf(program.user_id, AuditEvent::kRefreshReused), 0u);
  EXPECT_TRUE(Refresh(program.refresh_token));
}

// Authentic, but of a generation that the store does not know: it was restored from a backup.
TEST_F(RefreshTest, GenerationToComeIsRefusedWithoutEffect) {
  const Credentials program = Login();
  const SessionToken later{.user_id = program.user_id, .session_id = program.session_id, .generation = 9};
  EXPECT_FALSE(Refresh(SealSessionToken(kSigningKey, SessionTokenPurpose::kRefresh, later)));
  EXPECT_TRUE(Refresh(program.refresh_token));
}

TEST_F(RefreshTest, SessionEndsAfterThirtyDaysWithoutUse) {
  const Credentials program = Login();
  const Credentials browser = Browser();
  clock_.Advance(std::chrono::days(30) - seconds(1));
  EXPECT_TRUE(CookieIsGood(browser.cookie));
  clock_.Advance(seconds(1));
  EXPECT_FALSE(CookieIsGood(browser.cookie));
  EXPECT_REFUSED(Refresh(program.refresh_token), Code::kUnauthenticated, "not valid");
  EXPECT_THAT(SessionsOf(program.user_id), IsEmpty());
}

TEST_F(RefreshTest, AccessTokenEndsWithItsSession) {
  const Credentials program = Login();
  const auto claims = VerifyToken(kSigningKey, program.access_token, clock_.Now());
  ASSERT_TRUE(claims);
  EXPECT_EQ(claims->subject, program.user_id);
  EXPECT_EQ(claims->session_id, program.session_id);
  EXPECT_NE(claims->id, "");
}

TEST_F(RefreshTest, BrowserIsRenewedOnceADay) {
  const Credentials browser = Browser();
  const SessionName name{.user_id = browser.user_id, .session_id = browser.session_id};
  EXPECT_FALSE(Value(RunHere(accounts_->RenewBrowser(name))));
  clock_.Advance(std::chrono::hours(24));
  const auto renewed = Value(RunHere(accounts_->RenewBrowser(name)));
  ASSERT_TRUE(renewed);
  EXPECT_EQ(renewed->cookie, browser.cookie) << "the same cookie lasts longer";
  EXPECT_EQ(renewed->expires, clock_.Now() + std::chrono::days(30));
  EXPECT_FALSE(Value(RunHere(accounts_->RenewBrowser(name))));
  clock_.Advance(std::chrono::days(29));
  EXPECT_TRUE(CookieIsGood(browser.cookie));
  const Credentials program = Login();
  const SessionName other{.user_id = program.user_id, .session_id = program.session_id};
  clock_.Advance(std::chrono::days(2));
  EXPECT_FALSE(Value(RunHere(accounts_->RenewBrowser(other)))) << "programs refresh";
  EXPECT_FALSE(Value(RunHere(accounts_->RenewBrowser(name)))) << "over is over";
}

}  // namespace
}  // namespace cairn::identity
