#include <fstream>

#include "accounts_fixture.h"
#include "identity/session_token.h"
#include "identity/signer_for_test.h"
#include "identity/token.h"

namespace cairn::identity {
namespace {

using rest::Identified;
using rest::Proof;

class AuthenticatorTest : public AccountsTest {
 protected:
  void SetUp() override {
    AccountsTest::SetUp();
    ASSERT_TRUE(Register());
  }
  Identified WithToken(std::string token) {
    return Found(RunHere(authenticator_->IdentifyToken(std::move(token))));
  }
  Identified WithCookie(std::string cookie) {
    return Found(RunHere(authenticator_->IdentifyCookie(std::move(cookie))));
  }
  static Identified Found(Result<Identified> who) {
    EXPECT_TRUE(who) << (who ? "" : who.error().message);
    return who ? *std::move(who) : Identified();
  }
  bool StillValid(const Identified& who) { return RunHere(authenticator_->IsStillValid(who)); }
  std::string OperatorToken(Claims claims) {
    claims.expires = clock_.Now() + std::chrono::hours(1);
    return IssueToken(kSigningKey, claims, clock_.Now());
  }
};

TEST_F(AuthenticatorTest, AccessTokenNamesUserAndSession) {
  const Credentials program = Login();
  const Identified who = WithToken(program.access_token);
  EXPECT_EQ(who.user_id, program.user_id);
  EXPECT_EQ(who.session_id, program.session_id);
  EXPECT_EQ(who.proof, Proof::kToken);
  EXPECT_EQ(who.csrf_token, "");
  EXPECT_EQ(who.expires, program.access_expires);
  EXPECT_EQ(who.claims, (model::Caller::Claims{{"sub", program.user_id}}));
}

TEST_F(AuthenticatorTest, CookieNamesUserSessionAndCsrfToken) {
  const Credentials browser = Browser();
  const Identified who = WithCookie(browser.cookie);
  EXPECT_EQ(who.user_id, browser.user_id);
  EXPECT_EQ(who.session_id, browser.session_id);
  EXPECT_EQ(who.proof, Proof::kCookie);
  EXPECT_EQ(who.csrf_token, browser.csrf_token);
  EXPECT_EQ(who.expires, browser.expires);
  EXPECT_EQ(who.claims, (model::Caller::Claims{{"sub", browser.user_id}}));
}

TEST_F(AuthenticatorTest, OperatorsTokenNeedsNoSession) {
  const Identified who = WithToken(OperatorToken({.subject = "any", .others = {{"tenantId", "acme"}}}));
  EXPECT_EQ(who.user_id, "any");
  EXPECT_EQ(who.session_id, "");
  EXPECT_EQ(who.claims, (model::Caller::Claims{{"sub", "any"}, {"tenantId", "acme"}}));
  EXPECT_TRUE(StillValid(who));
}

TEST_F(AuthenticatorTest, TokenOfASessionThatIsNotThereIsRefused) {
  const Credentials program = Login();
  for (const std::string session_id : {"01ARZ3NDEKTSV4RRFFQ69G5FAV", "x", "a#b", "../x"}) {
    EXPECT_FALSE(TokenIsGood(OperatorToken({.subject = program.user_id, .session_id = session_id})));
  }
  for (const std::string subject : {"somebody", "a#b", "*", " "}) {
    EXPECT_FALSE(TokenIsGood(OperatorToken({.subject = subject, .session_id = program.session_id})))
        << subject;
  }
}

TEST_F(AuthenticatorTest, OneKindOfTokenNeverStandsForAnother) {
  const Credentials program = Login(), browser = Browser();
  const auto as_cookie = [](const Credentials& c) {
    return SealSessionToken(kSigningKey, SessionTokenPurpose::kCookie,
                            {.user_id = c.user_id, .session_id = c.session_id, .generation = 1});
  };
  EXPECT_EQ(as_cookie(browser), browser.cookie);
  for (const std::string& cookie : {program.refresh_token, program.access_token, browser.csrf_token,
                                    std::string(), as_cookie(program), browser.cookie + "x"}) {
    EXPECT_FALSE(CookieIsGood(cookie));
  }
  for (const std::string& token :
       {program.refresh_token, browser.cookie, browser.csrf_token, std::string()}) {
    EXPECT_FALSE(TokenIsGood(token));
  }
}

TEST_F(AuthenticatorTest, CookieOfAnotherGenerationIsRefused) {
  const Credentials browser = Browser();
  EXPECT_FALSE(CookieIsGood(
      SealSessionToken(kSigningKey, SessionTokenPurpose::kCookie,
                       {.user_id = browser.user_id, .session_id = browser.session_id, .generation = 2})));
}

TEST_F(AuthenticatorTest, WhoWasIdentifiedIsAskedAgain) {
  const Credentials program = Login(), browser = Browser();
  const Identified by_token = WithToken(program.access_token), by_cookie = WithCookie(browser.cookie);
  EXPECT_TRUE(StillValid(by_token));
  EXPECT_TRUE(StillValid(by_cookie));
  clock_.Advance(minutes(16) + seconds(1));
  EXPECT_FALSE(StillValid(by_token)) << "the token has ended";
  EXPECT_TRUE(StillValid(by_cookie));
  const Identified again = WithToken(Value(Refresh(program.refresh_token)).access_token);
  ASSERT_TRUE(RunHere(accounts_->LogoutEverywhere(program.user_id, kOrigin)));
  EXPECT_FALSE(StillValid(again));
  EXPECT_FALSE(StillValid(by_cookie));
}

TEST_F(AuthenticatorTest, CookieThatWasRenewedLastsOn) {
  const Credentials browser = Browser();
  const Identified who = WithCookie(browser.cookie);
  clock_.Advance(std::chrono::days(29));
  ASSERT_TRUE(Value(
      RunHere(accounts_->RenewBrowser({.user_id = browser.user_id, .session_id = browser.session_id}))));
  clock_.Advance(std::chrono::days(5));
  EXPECT_TRUE(StillValid(who));
  clock_.Advance(std::chrono::days(30));
  EXPECT_FALSE(StillValid(who));
}

TEST_F(AuthenticatorTest, TokensOfOtherIssuersNameTheirSubjects) {
  const std::string file = testing::TempDir() + "cairn-accounts-jwks-" + std::to_string(getpid());
  std::ofstream(file) << R"({"keys":[)" << SignerForTest::SharedEc().Jwk("one") << "]}";
  const auto issuers = ExternalIssuers::Create(
      {{.issuer = "https://good.example", .audience = "cairn-api", .jwks_file = file}}, clock_);
  ASSERT_TRUE(issuers);
  authenticator_ =
      std::make_unique<Authenticator>(*database_, kSigningKey, issuers->get(), *standing_, clock_);
  const auto token = [](std::string_view issuer) {
    return SignerForTest::SharedEc().Token(
        R"({"alg":"ES256","kid":"one"})",
        R"({"iss":")" + std::string(issuer) +
            R"(","aud":"cairn-api","sub":"ext-1","exp":1800000600,"sid":"x","tenantId":"acme"})");
  };
  const Identified who = WithToken(token("https://good.example"));
  EXPECT_EQ(who.user_id, "ext-1");
  EXPECT_EQ(who.session_id, "");
  EXPECT_EQ(who.claims, (model::Caller::Claims{{"sub", "ext-1"}, {"tenantId", "acme"}}));
  EXPECT_TRUE(StillValid(who));
  EXPECT_FALSE(TokenIsGood(token("https://evil.example")));
  EXPECT_FALSE(TokenIsGood(token("cairn")));
  EXPECT_TRUE(TokenIsGood(Login().access_token)) << "and our own";
  clock_.Advance(minutes(11) + seconds(1));
  EXPECT_FALSE(StillValid(who));
  std::filesystem::remove(file);
}

TEST_F(AuthenticatorTest, NothingThatNamesADisabledAccountIsTaken) {
  const std::string user_id = Login().user_id;
  const std::string token = OperatorToken({.subject = user_id});
  const Identified who = WithToken(token);
  EXPECT_TRUE(TokenIsGood(token)) << "also from what is kept in memory";
  ASSERT_TRUE(RunHere(accounts_->Disable(kEmail)));
  EXPECT_FALSE(TokenIsGood(token));
  EXPECT_FALSE(StillValid(who));
  EXPECT_TRUE(TokenIsGood(OperatorToken({.subject = "somebody-else"})));
  ASSERT_TRUE(RunHere(accounts_->Enable(kEmail)));
  EXPECT_TRUE(TokenIsGood(token));
  EXPECT_TRUE(StillValid(who));
  ASSERT_TRUE(DeleteAccount(user_id));
  EXPECT_FALSE(TokenIsGood(token)) << "while it is being deleted";
  EXPECT_FALSE(StillValid(who));
}

TEST_F(AuthenticatorTest, AskingWhileAnAccountIsDisabledKeepsNoOldAnswer) {
  const std::string user_id = Login().user_id;
  const std::string token = OperatorToken({.subject = user_id});
  for (int round = 0; round < 20; ++round) {
    InParallel(4, [&](int i) {
      if (i == 0) {
        EXPECT_TRUE(RunHere(accounts_->Disable(kEmail)));
      } else {
        (void)TokenIsGood(token);
      }
    });
    EXPECT_FALSE(TokenIsGood(token)) << "round " << round;
    ASSERT_TRUE(RunHere(accounts_->Enable(kEmail)));
    EXPECT_TRUE(TokenIsGood(token)) << "round " << round;
  }
}

TEST_F(AuthenticatorTest, AChangePastTheAccountsIsFeltAfterSomeSeconds) {
  const std::string user_id = Login().user_id;
  const std::string token = OperatorToken({.subject = user_id});
  EXPECT_TRUE(TokenIsGood(token));
  model::Session work(*database_, WorkingFor(user_id));
  platform::UserChanges changes;
  changes.SetState(platform::AccountState::kDisabled);
  ASSERT_TRUE(platform::UpdateUser(work, changes, UserOf(user_id).version));
  ASSERT_TRUE(RunHere(work.Commit()));
  clock_.Advance(seconds(10));
  EXPECT_FALSE(TokenIsGood(token));
}

TEST_F(AuthenticatorTest, SessionsHoldNoSecret) {
  const Credentials program = Login(), browser = Browser();
  for (const auto& [session_id, secret] : {std::pair(program.session_id, program.refresh_token),
                                           std::pair(browser.session_id, browser.cookie)}) {
    const auto raw = Raw({{"PK", "USER#" + program.user_id}, {"SK", "SESSION#" + session_id}});
    ASSERT_TRUE(raw);
    const std::string mac = secret.substr(secret.rfind('.') + 1);
    for (const item::Attribute& attribute : *raw) {
      if (!attribute.value.is(item::Type::kString)) continue;
      EXPECT_THAT(attribute.value.string(), testing::Not(HasSubstr(mac))) << attribute.name;
    }
  }
}

}  // namespace
}  // namespace cairn::identity
