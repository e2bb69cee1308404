#include "accounts_fixture.h"

namespace cairn::identity {
namespace {

using platform::AuditEvent;

class LogoutTest : public AccountsTest {
 protected:
  void SetUp() override {
    AccountsTest::SetUp();
    ASSERT_TRUE(Register());
  }
  Answer<void> Logout(std::string user_id, std::string session_id) {
    return RunHere(
        accounts_->Logout({.user_id = std::move(user_id), .session_id = std::move(session_id)}, kOrigin));
  }
  void ExpectOver(const Credentials& credentials) {
    if (credentials.kind == platform::SessionKind::kBrowser) {
      EXPECT_FALSE(CookieIsGood(credentials.cookie));
    } else {
      EXPECT_FALSE(TokenIsGood(credentials.access_token));
      EXPECT_FALSE(Refresh(credentials.refresh_token));
    }
  }
};

TEST_F(LogoutTest, EndsOneSessionAtOnce) {
  const Credentials program = Login(), browser = Browser(), other = Login();
  ASSERT_TRUE(Logout(program.user_id, program.session_id));
  ASSERT_TRUE(Logout(browser.user_id, browser.session_id));
  ExpectOver(program);
  ExpectOver(browser);
  EXPECT_TRUE(TokenIsGood(other.access_token));
  EXPECT_EQ(CountOf(program.user_id, AuditEvent::kLoggedOut), 2u);
}

TEST_F(LogoutTest, AgainSucceedsAndRecordsNothing) {
  const Credentials program = Login();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Logout(program.user_id, program.session_id));
  for (const std::string id : {"", "x", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "a#b"}) {
    EXPECT_TRUE(Logout(program.user_id, id));
  }
  EXPECT_EQ(CountOf(program.user_id, AuditEvent::kLoggedOut), 1u);
}

TEST_F(LogoutTest, NobodyEndsAnothersSession) {
  ASSERT_TRUE(Register("bob@example.org"));
  const Credentials ada = Login();
  const Credentials bob = Login(platform::SessionKind::kProgram, "bob@example.org");
  EXPECT_TRUE(Logout(bob.user_id, ada.session_id)) << "as if it were not there";
  EXPECT_TRUE(TokenIsGood(ada.access_token));
}

TEST_F(LogoutTest, EverywhereEndsAllOfOneAccount) {
  ASSERT_TRUE(Register("bob@example.org"));
  std::vector<Credentials> all;
  for (int i = 0; i < 50; ++i) all.push_back(i % 2 == 0 ? Login() : Browser());
  const Credentials bob = Login(platform::SessionKind::kProgram, "bob@example.org");
  ASSERT_TRUE(RunHere(accounts_->LogoutEverywhere(all[0].user_id, kOrigin)));
  for (const Credentials& credentials : all) ExpectOver(credentials);
  EXPECT_TRUE(TokenIsGood(bob.access_token));
  EXPECT_EQ(CountOf(all[0].user_id, AuditEvent::kLoggedOut), 1u);
  EXPECT_REFUSED(RunHere(accounts_->LogoutEverywhere("9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f", kOrigin)),
                 Code::kResourceNotFound, "no such account");
}

TEST_F(LogoutTest, EverythingThatEndsAnAccountsSessionsIsFeltAtOnce) {
  const std::pair<std::string, std::function<void(const Credentials&)>> ends[] = {
      {"password change",
       [&](const Credentials& c) { Value(ChangePassword(c.user_id, kPassword, "another horse")); }},
      {"password reset",
       [&](const Credentials&) { Value(RunHere(accounts_->ResetPassword(kEmail, std::string(kPassword)))); }},
      {"disabling",
       [&](const Credentials&) {
         EXPECT_TRUE(RunHere(accounts_->Disable(kEmail)));
         EXPECT_FALSE(TryLogin(kEmail, kPassword));
         EXPECT_TRUE(RunHere(accounts_->Enable(kEmail)));
       }},
      {"deletion", [&](const Credentials& c) { EXPECT_TRUE(DeleteAccount(c.user_id)); }},
  };
  for (const auto& [name, end] : ends) {
    SCOPED_TRACE(name);
    const Credentials program = Login(), browser = Browser();
    end(program);
    ExpectOver(program);
    ExpectOver(browser);
    if (name == "password change") Value(RunHere(accounts_->ResetPassword(kEmail, std::string(kPassword))));
  }
}

TEST_F(LogoutTest, ProfileShowsNoHash) {
  const std::string user_id = Login().user_id;
  const platform::User user = Value(RunHere(accounts_->Profile(user_id)));
  EXPECT_EQ(user.email, kEmail);
  EXPECT_EQ(user.password_hash, std::nullopt);
  EXPECT_REFUSED(RunHere(accounts_->Profile("nobody")), Code::kResourceNotFound, "no such account");
}

}  // namespace
}  // namespace cairn::identity
