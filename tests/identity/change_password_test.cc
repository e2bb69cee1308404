#include "accounts_fixture.h"

namespace cairn::identity {
namespace {

using platform::AuditEvent;

class ChangePasswordTest : public AccountsTest {
 protected:
  void SetUp() override {
    AccountsTest::SetUp();
    ASSERT_TRUE(Register());
  }
};

TEST_F(ChangePasswordTest, EndsAllSessionsAndOpensANewOne) {
  std::vector<Credentials> old;
  for (int i = 0; i < 50; ++i) old.push_back(Login());
  const std::string user_id = old[0].user_id;
  const Credentials fresh = Value(ChangePassword(user_id, kPassword, "another horse"));
  for (const Credentials& credentials : old) {
    EXPECT_FALSE(TokenIsGood(credentials.access_token));
    EXPECT_FALSE(Refresh(credentials.refresh_token));
  }
  EXPECT_TRUE(TokenIsGood(fresh.access_token));
  EXPECT_THAT(SessionsOf(user_id), SizeIs(1));
  EXPECT_FALSE(TryLogin(kEmail, kPassword));
  EXPECT_TRUE(TryLogin(kEmail, "another horse"));
  EXPECT_EQ(CountOf(user_id, AuditEvent::kPasswordChanged), 1u);
}

TEST_F(ChangePasswordTest, WrongCurrentPasswordChangesNothing) {
  const Credentials program = Login();
  const auto refused = ChangePassword(program.user_id, "wrong password", "another horse");
  EXPECT_REFUSED(refused, Code::kInvalidArgument, "currentPassword");
  EXPECT_EQ(FieldsOf(refused.error()), "currentPassword is not right");
  EXPECT_TRUE(TokenIsGood(program.access_token));
  EXPECT_TRUE(TryLogin(kEmail, kPassword));
}

TEST_F(ChangePasswordTest, GuessingTheCurrentPasswordIsSlow) {
  const Credentials program = Login();
  for (int i = 0; i < 5; ++i)
    EXPECT_FALSE(ChangePassword(program.user_id, "wrong password", "another horse"));
  EXPECT_REFUSED(ChangePassword(program.user_id, kPassword, "another horse"), Code::kOverloaded,
                 "too many attempts");
  EXPECT_REFUSED(DeleteAccount(program.user_id), Code::kOverloaded, "too many attempts");
}

TEST_F(ChangePasswordTest, RulesHoldForTheNewPassword) {
  const Credentials program = Login();
  for (const std::string password : {"short", "password1", "Ada@example.org"}) {
    const auto refused = ChangePassword(program.user_id, kPassword, password);
    EXPECT_REFUSED(refused, Code::kInvalidArgument, "newPassword");
  }
  EXPECT_TRUE(TokenIsGood(program.access_token));
}

TEST_F(ChangePasswordTest, UserOfAnotherIssuerHasNone) {
  EXPECT_REFUSED(ChangePassword("external-user", kPassword, "another horse"), Code::kResourceNotFound,
                 "no such account");
}

TEST_F(ChangePasswordTest, OneOfManyAtOnceWins) {
  const std::string user_id = Login().user_id;
  std::atomic<int> won = 0;
  InParallel(6, [&](int i) {
    if (ChangePassword(user_id, kPassword, "horse number " + std::to_string(i))) ++won;
  });
  EXPECT_EQ(won, 1);
  EXPECT_THAT(SessionsOf(user_id), SizeIs(1));
}

// The race that matters: sessions that are just being opened with the old password.
TEST_F(ChangePasswordTest, NoSessionOfTheOldPasswordSurvives) {
  for (int round = 0; round < 20; ++round) {
    const std::string email = "u" + std::to_string(round) + "@example.org";
    Restart();
    ASSERT_TRUE(Register(email));
    const std::string user_id = Login(platform::SessionKind::kProgram, email).user_id;
    InParallel(5, [&](int i) {
      if (i == 0) {
        EXPECT_TRUE(ChangePassword(user_id, kPassword, "another horse"));
      } else {
        (void)TryLogin(email, kPassword);
      }
    });
    EXPECT_THAT(SessionsOf(user_id), SizeIs(1)) << "round " << round;
  }
}

TEST_F(ChangePasswordTest, RefreshDuringTheChangeDoesNotSurvive) {
  std::string password = kPassword;
  for (int round = 0; round < 20; ++round) {
    const Credentials program = Login(platform::SessionKind::kProgram, kEmail, password);
    const std::string next = "horse number " + std::to_string(round);
    std::optional<Credentials> refreshed;
    InParallel(2, [&](int i) {
      if (i == 0) {
        EXPECT_TRUE(ChangePassword(program.user_id, password, next));
      } else if (auto answer = Refresh(program.refresh_token)) {
        refreshed = *std::move(answer);
      }
    });
    if (refreshed) {
      EXPECT_FALSE(TokenIsGood(refreshed->access_token));
    }
    EXPECT_THAT(SessionsOf(program.user_id), SizeIs(1)) << "round " << round;
    password = next;
  }
}

}  // namespace
}  // namespace cairn::identity
