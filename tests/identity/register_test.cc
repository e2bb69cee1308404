#include "accounts_fixture.h"

namespace cairn::identity {
namespace {

using platform::AuditEvent;
using testing::ElementsAre;

using RegisterTest = AccountsTest;

TEST_F(RegisterTest, AccountCanLogIn) {
  ASSERT_TRUE(Register(" Ada@Example.ORG "));
  const Credentials credentials = Login();
  const platform::User user = UserOf(credentials.user_id);
  EXPECT_EQ(user.email, "ada@example.org");
  EXPECT_EQ(user.display_name, "Ada");
  EXPECT_EQ(user.state, platform::AccountState::kActive);
  EXPECT_EQ(credentials.user_id.size(), 36u) << "a UUID";
  EXPECT_THAT(AuditOf(credentials.user_id), ElementsAre(AuditEvent::kLoggedIn, AuditEvent::kRegistered));
}

TEST_F(RegisterTest, StoresHashAndNoPassword) {
  ASSERT_TRUE(Register());
  const auto login = Raw({{"PK", "LOGIN#" + kEmail}, {"SK", "LOGIN"}});
  ASSERT_TRUE(login);
  const auto user = Raw({{"PK", "USER#" + model::Text(*login, "userId")}, {"SK", "USER"}});
  ASSERT_TRUE(user);
  EXPECT_THAT(model::Text(*user, "passwordHash"), testing::StartsWith("$argon2id$"));
  for (const item::Attribute& attribute : *user) {
    if (attribute.value.is(item::Type::kString)) {
      EXPECT_THAT(attribute.value.string(), testing::Not(HasSubstr(kPassword))) << attribute.name;
    }
  }
  EXPECT_EQ(RawCount(kIdentityTable), 3u) << "account, address, audit";
}

TEST_F(RegisterTest, TakenAddressAnswersTheSameAndChangesNothing) {
  ASSERT_TRUE(Register());
  EXPECT_EQ(pool_->done(), 1u);
  ASSERT_TRUE(Register("ADA@example.org", "another password"));
  EXPECT_EQ(pool_->done(), 2u) << "costs a hash like the first time";
  EXPECT_EQ(RawCount(kIdentityTable), 3u);
  EXPECT_FALSE(TryLogin(kEmail, "another password"));
  EXPECT_TRUE(TryLogin(kEmail, kPassword));
}

TEST_F(RegisterTest, ManyAtOnceMakeOneAccount) {
  std::atomic<int> succeeded = 0;
  InParallel(16, [&](int i) {
    if (Register(kEmail, "password of " + std::to_string(i))) ++succeeded;
  });
  EXPECT_EQ(succeeded, 16);
  EXPECT_EQ(RawCount(kIdentityTable), 3u);
  int right = 0;
  for (int i = 0; i < 16; ++i) {
    Restart();
    if (TryLogin(kEmail, "password of " + std::to_string(i))) ++right;
  }
  EXPECT_EQ(right, 1);
}

TEST_F(RegisterTest, WrongFieldsAreNamedTogether) {
  const auto refused = RunHere(
      accounts_->Register({.email = "ada", .password = "short", .display_name = "a\nb", .origin = kOrigin}));
  EXPECT_REFUSED(refused, Code::kInvalidArgument, "email");
  EXPECT_EQ(
      FieldsOf(refused.error()),
      "email must be an e-mail address such as ada@example.org; password must have at least 8 characters; "
      "displayName must be a text without control characters");
  EXPECT_EQ(pool_->done(), 0u);
  EXPECT_EQ(RawCount(kIdentityTable), 0u);
}

TEST_F(RegisterTest, GuessablePasswordsAreRefused) {
  for (const std::string password : {"password", "12345678", "Ada@Example.org"}) {
    const auto refused = Register(kEmail, password);
    EXPECT_REFUSED(refused, Code::kInvalidArgument, "password");
  }
}

TEST_F(RegisterTest, LongNamesAreRefused) {
  RegisterRequest request{
      .email = kEmail, .password = kPassword, .display_name = std::string(201, 'x'), .origin = kOrigin};
  EXPECT_EQ(FieldsOf(RunHere(accounts_->Register(request)).error()),
            "displayName must have at most 200 bytes");
  request.display_name = "  ";
  ASSERT_TRUE(RunHere(accounts_->Register(request)));
  EXPECT_EQ(UserOf(Login().user_id).display_name, std::nullopt);
}

TEST_F(RegisterTest, TwentyAnHourFromOneAddress) {
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Register("u" + std::to_string(i) + "@example.org"));
  const auto refused = Register("late@example.org");
  EXPECT_REFUSED(refused, Code::kOverloaded, "Try again in 3600 seconds.");
  EXPECT_EQ(refused.error().retry_after, minutes(60));
  EXPECT_EQ(pool_->done(), 20u);
  EXPECT_TRUE(Register("late@example.org", kPassword, "192.0.2.2"));
}

TEST_F(RegisterTest, BytesFromElsewhereAreCutToFit) {
  ASSERT_TRUE(Register());
  const std::string long_agent = std::string(299, 'x') + "\xc3\xa4";
  const LoginRequest request{.email = kEmail,
                             .password = kPassword,
                             .origin = {.address = std::string(100, '1'), .user_agent = long_agent}};
  const Credentials credentials = Value(RunHere(accounts_->Login(request)));
  EXPECT_EQ(SessionsOf(credentials.user_id).back().user_agent, std::string(299, 'x'));
  const LoginRequest broken{
      .email = kEmail, .password = kPassword, .origin = {.address = "\xff", .user_agent = "\xfe"}};
  EXPECT_TRUE(RunHere(accounts_->Login(broken)));
}

}  // namespace
}  // namespace cairn::identity
