#include "accounts_fixture.h"

namespace cairn::identity {
namespace {

using platform::AuditEvent;

class OperatorsTest : public AccountsTest {
 protected:
  void SetUp() override {
    AccountsTest::SetUp();
    ASSERT_TRUE(Register());
  }
};

TEST_F(OperatorsTest, ResetMakesARandomPassword) {
  const std::string user_id = Login().user_id;
  const std::string first = Value(RunHere(accounts_->ResetPassword(" ADA@example.org", std::nullopt)));
  EXPECT_THAT(first, testing::MatchesRegex("[a-z2-9]{4}(-[a-z2-9]{4}){4}"));
  EXPECT_THAT(SessionsOf(user_id), IsEmpty());
  EXPECT_FALSE(TryLogin(kEmail, kPassword));
  EXPECT_TRUE(TryLogin(kEmail, first));
  EXPECT_NE(Value(RunHere(accounts_->ResetPassword(kEmail, std::nullopt))), first);
  EXPECT_EQ(CountOf(user_id, AuditEvent::kPasswordReset), 2u);
}

TEST_F(OperatorsTest, ResetTakesAGivenPassword) {
  EXPECT_EQ(Value(RunHere(accounts_->ResetPassword(kEmail, "another horse"))), "another horse");
  EXPECT_TRUE(TryLogin(kEmail, "another horse"));
  EXPECT_REFUSED(RunHere(accounts_->ResetPassword(kEmail, "short")), Code::kInvalidArgument, "newPassword");
}

TEST_F(OperatorsTest, DisabledAccountGetsInAgainWhenEnabled) {
  const std::string user_id = Login().user_id;
  ASSERT_TRUE(RunHere(accounts_->Disable(kEmail)));
  ASSERT_TRUE(RunHere(accounts_->Disable(kEmail))) << "again";
  EXPECT_FALSE(TryLogin(kEmail, kPassword));
  EXPECT_THAT(SessionsOf(user_id), IsEmpty());
  EXPECT_REFUSED(ChangePassword(user_id, kPassword, "another horse"), Code::kResourceNotFound,
                 "no such account");
  ASSERT_TRUE(RunHere(accounts_->Enable(kEmail)));
  EXPECT_TRUE(TryLogin(kEmail, kPassword));
  EXPECT_EQ(CountOf(user_id, AuditEvent::kEnabled), 1u);
  EXPECT_GE(CountOf(user_id, AuditEvent::kDisabled), 1u);
}

TEST_F(OperatorsTest, LoginDuringDisablingDoesNotSurvive) {
  const std::string user_id = Login().user_id;
  for (int round = 0; round < 20; ++round) {
    Restart();
    InParallel(4, [&](int i) {
      if (i == 0) {
        EXPECT_TRUE(RunHere(accounts_->Disable(kEmail)));
      } else {
        (void)TryLogin(kEmail, kPassword);
      }
    });
    EXPECT_THAT(SessionsOf(user_id), IsEmpty()) << "round " << round;
    ASSERT_TRUE(RunHere(accounts_->Enable(kEmail)));
  }
}

TEST_F(OperatorsTest, UnknownAddressesAreNotFound) {
  for (const std::string email : {"nobody@example.org", "", "x"}) {
    EXPECT_REFUSED(RunHere(accounts_->Disable(email)), Code::kResourceNotFound, "No account");
    EXPECT_REFUSED(RunHere(accounts_->Enable(email)), Code::kResourceNotFound, "No account");
    EXPECT_REFUSED(RunHere(accounts_->ResetPassword(email, std::nullopt)), Code::kResourceNotFound,
                   "No account");
  }
}

TEST_F(OperatorsTest, AccountThatIsBeingDeletedStaysSo) {
  ASSERT_TRUE(DeleteAccount(Login().user_id));
  EXPECT_REFUSED(RunHere(accounts_->Enable(kEmail)), Code::kConditionFailed, "being deleted");
  EXPECT_REFUSED(RunHere(accounts_->ResetPassword(kEmail, std::nullopt)), Code::kConditionFailed,
                 "being deleted");
}

TEST_F(OperatorsTest, ListShowsAllAccountsByAddressWithoutHashes) {
  for (int i = 0; i < 7; ++i) {
    ASSERT_TRUE(
        Register("u" + std::to_string(i) + "#x@example.org", kPassword, "192.0.2." + std::to_string(i)));
  }
  std::vector<std::string> emails;
  model::typed::PageOptions options{.limit = 3, .cursor = {}};
  do {
    const auto page = Value(RunHere(accounts_->List(options)));
    for (const platform::User& user : page.items) {
      emails.push_back(user.email);
      EXPECT_EQ(user.password_hash, std::nullopt);
      EXPECT_TRUE(user.user_id);
    }
    options.cursor = page.next_cursor;
  } while (!options.cursor.empty());
  EXPECT_THAT(emails, SizeIs(8));
  EXPECT_TRUE(std::ranges::is_sorted(emails));
}

}  // namespace
}  // namespace cairn::identity
