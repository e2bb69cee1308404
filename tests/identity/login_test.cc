#include "accounts_fixture.h"

namespace cairn::identity {
namespace {

using platform::SessionKind;

class LoginTest : public AccountsTest {
 protected:
  void SetUp() override {
    AccountsTest::SetUp();
    ASSERT_TRUE(Register());
  }
};

TEST_F(LoginTest, ProgramGetsTokensAndBrowserACookie) {
  const Credentials program = Login();
  EXPECT_EQ(program.cookie, "");
  EXPECT_EQ(program.csrf_token, "");
  EXPECT_TRUE(TokenIsGood(program.access_token));
  EXPECT_EQ(program.access_expires, clock_.Now() + minutes(15));
  EXPECT_EQ(program.expires, clock_.Now() + std::chrono::days(30));
  const Credentials browser = Browser();
  EXPECT_EQ(browser.access_token, "");
  EXPECT_EQ(browser.refresh_token, "");
  EXPECT_TRUE(CookieIsGood(browser.cookie));
  EXPECT_NE(browser.csrf_token, "");
  EXPECT_NE(program.session_id, browser.session_id);
  const auto sessions = SessionsOf(program.user_id);
  ASSERT_THAT(sessions, SizeIs(2));
  EXPECT_EQ(sessions[0].kind, SessionKind::kProgram);
  EXPECT_EQ(sessions[1].kind, SessionKind::kBrowser);
  EXPECT_EQ(sessions[1].user_agent, "test/1");
  EXPECT_EQ(sessions[1].address, "192.0.2.1");
  EXPECT_EQ(UserOf(program.user_id).last_login_at, "2027-01-15T08:00:00.000Z");
}

// What an answer tells: everything but the time.
std::string Told(const Answer<Credentials>& answer) {
  if (answer) return "in";
  return std::string(CodeName(answer.error().error.code)) + " " + answer.error().error.message + " " +
         std::to_string(answer.error().retry_after.count());
}

TEST_F(LoginTest, UnknownWrongDisabledAndDeletedAreTheSame) {
  for (const std::string name : {"disabled", "deleting"}) ASSERT_TRUE(Register(name + "@example.org"));
  const std::string deleting = Login(SessionKind::kProgram, "deleting@example.org").user_id;
  ASSERT_TRUE(RunHere(accounts_->Disable("disabled@example.org")));
  ASSERT_TRUE(DeleteAccount(deleting));
  const std::string expected =
      Told(Refuse(Code::kUnauthenticated, "The e-mail address or the password is not right."));
  const std::pair<std::string, std::string> cases[] = {{kEmail, "wrong password"},
                                                       {"nobody@example.org", kPassword},
                                                       {"disabled@example.org", kPassword},
                                                       {"disabled@example.org", "wrong password"},
                                                       {"deleting@example.org", kPassword}};
  for (const auto& [email, password] : cases) {
    const uint64_t before = pool_->done();
    EXPECT_EQ(Told(TryLogin(email, password)), expected) << email;
    EXPECT_EQ(pool_->done(), before + 1) << email << " costs as much as any other";
  }
  for (const std::string no_address : {"", "x", "a@b@c.de"}) {
    EXPECT_EQ(Told(TryLogin(no_address, kPassword)), expected);
  }
}

TEST_F(LoginTest, LongPasswordsAreNotHashed) {
  const uint64_t before = pool_->done();
  EXPECT_REFUSED(TryLogin(kEmail, std::string(1 << 20, 'x')), Code::kUnauthenticated, "not right");
  EXPECT_EQ(pool_->done(), before);
}

TEST_F(LoginTest, GuessingGetsSlowAndAccountsStaySecret) {
  const auto guess = [this](const std::string& email, const std::string& address) {
    std::vector<std::string> told;
    for (int i = 0; i < 50; ++i) {
      told.push_back(Told(TryLogin(email, "guess " + std::to_string(i), SessionKind::kProgram, address)));
      clock_.Advance(seconds(1));
    }
    return told;
  };
  const uint64_t before = pool_->done();
  const auto known = guess(kEmail, "198.51.100.1");
  EXPECT_LE(pool_->done() - before, 10u) << "most guesses were not even tried";
  EXPECT_THAT(known.front(), HasSubstr("not right"));
  EXPECT_THAT(known[49], HasSubstr("too many attempts"));
  const auto unknown = guess("nobody@example.org", "198.51.100.2");
  EXPECT_EQ(known, unknown) << "word for word, wait for wait";
  EXPECT_REFUSED(TryLogin(kEmail, kPassword, SessionKind::kProgram, "198.51.100.1"), Code::kOverloaded,
                 "too many attempts");
  EXPECT_TRUE(TryLogin(kEmail, kPassword, SessionKind::kProgram, "198.51.100.3"))
      << "one network keeps nobody out who comes from another";
}

TEST_F(LoginTest, KnownDeviceGetsInWhateverStrangersDo) {
  const auto login = [this](std::string password, std::string devices) {
    LoginRequest request{.email = kEmail,
                         .password = std::move(password),
                         .kind = SessionKind::kBrowser,
                         .origin = {.address = "192.0.2.1"},
                         .devices = std::move(devices)};
    return RunHere(accounts_->Login(std::move(request)));
  };
  const std::string devices = Browser().devices;
  ASSERT_NE(devices, "");
  for (int i = 0; i < 200; ++i)
    (void)TryLogin(kEmail, "guess", SessionKind::kProgram, "198.51." + std::to_string(i) + ".1");
  for (int i = 0; i < 120; ++i) (void)TryLogin("u" + std::to_string(i) + "@example.org", "guess");
  EXPECT_REFUSED(login(kPassword, ""), Code::kOverloaded, "too many attempts");
  EXPECT_REFUSED(login(kPassword, devices + "x"), Code::kOverloaded, "too many attempts");
  const Credentials again = Value(login(kPassword, devices));
  for (int i = 0; i < 5; ++i)
    EXPECT_REFUSED(login("guess", again.devices), Code::kUnauthenticated, "not right");
  EXPECT_REFUSED(login(kPassword, again.devices), Code::kOverloaded, "too many attempts");
  EXPECT_REFUSED(login(kPassword, devices), Code::kOverloaded, "too many attempts");
  clock_.Advance(seconds(1));
  EXPECT_TRUE(login(kPassword, again.devices));
}

TEST_F(LoginTest, StrangersCannotKeepASessionFromConfirmingItsPassword) {
  const Credentials program = Login();
  for (int i = 0; i < 200; ++i)
    (void)TryLogin(kEmail, "guess", SessionKind::kProgram, "198.51." + std::to_string(i) + ".1");
  for (int i = 0; i < 120; ++i) (void)TryLogin("u" + std::to_string(i) + "@example.org", "guess");
  EXPECT_TRUE(RunHere(accounts_->ChangePassword({.user_id = program.user_id,
                                                 .session_id = program.session_id,
                                                 .current_password = kPassword,
                                                 .new_password = "another horse",
                                                 .origin = kOrigin})));
}

TEST_F(LoginTest, RightPasswordGetsInAfterThePause) {
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(TryLogin(kEmail, "wrong password"));
  const auto refused = TryLogin(kEmail, kPassword);
  EXPECT_REFUSED(refused, Code::kOverloaded, "Try again in 1 second.");
  EXPECT_EQ(refused.error().retry_after, seconds(1));
  clock_.Advance(seconds(1));
  EXPECT_TRUE(TryLogin(kEmail, kPassword));
  for (int i = 0; i < 5; ++i)
    EXPECT_REFUSED(TryLogin(kEmail, "wrong password"), Code::kUnauthenticated, "not right");
}

TEST_F(LoginTest, FiftyFirstSessionEndsTheOldest) {
  std::vector<Credentials> all;
  for (int i = 0; i < 53; ++i) all.push_back(i % 2 == 0 ? Login() : Browser());
  const auto sessions = SessionsOf(all[0].user_id);
  ASSERT_THAT(sessions, SizeIs(50));
  EXPECT_EQ(sessions.front().session_id, all[3].session_id);
  EXPECT_FALSE(TokenIsGood(all[0].access_token));
  EXPECT_FALSE(CookieIsGood(all[1].cookie));
  EXPECT_FALSE(Refresh(all[2].refresh_token));
  EXPECT_TRUE(CookieIsGood(all[3].cookie));
  EXPECT_TRUE(TokenIsGood(all[52].access_token));
}

TEST_F(LoginTest, ManyAtOnceKeepToFiftySessions) {
  for (int i = 0; i < 46; ++i) Login();
  std::atomic<int> in = 0;
  InParallel(8, [&](int) {
    for (int i = 0; i < 3; ++i) {
      if (TryLogin(kEmail, kPassword)) ++in;
    }
  });
  EXPECT_EQ(in, 24);
  EXPECT_THAT(SessionsOf(Login().user_id), SizeIs(50));
}

// Also two logins of the same millisecond must change the account: its version is what a password change
// relies on.
TEST_F(LoginTest, EveryLoginCountsTheVersionUp) {
  const std::string user_id = Login().user_id;
  const int64_t version = *UserOf(user_id).version;
  Login();
  Login();
  EXPECT_EQ(UserOf(user_id).version, version + 2);
}

TEST_F(LoginTest, HashOfAnotherCostIsMadeAnew) {
  const std::string user_id = Login().user_id;
  const std::string old_hash = *UserOf(user_id).password_hash;
  Restart({}, {.cost = {.operations = 2, .memory_bytes = 16384}});
  EXPECT_FALSE(TryLogin(kEmail, "wrong password"));
  EXPECT_EQ(UserOf(user_id).password_hash, old_hash) << "not without the password";
  Login();
  const std::string new_hash = *UserOf(user_id).password_hash;
  EXPECT_THAT(new_hash, testing::StartsWith("$argon2id$v=19$m=16,t=2,p=1$"));
  Login();
  EXPECT_EQ(UserOf(user_id).password_hash, new_hash);
}

TEST_F(LoginTest, ManyAtOnceOfAnotherCostAllGetIn) {
  Restart({}, {.workers = {.threads = 4, .queue_max = 64}, .cost = {.operations = 2, .memory_bytes = 16384}});
  std::atomic<int> in = 0;
  InParallel(6, [&](int) {
    if (TryLogin(kEmail, kPassword)) ++in;
  });
  EXPECT_EQ(in, 6);
}

// Two hundred logins at once: some are tried, the rest is refused at once, and whoever is in is served
// meanwhile.
TEST_F(LoginTest, FloodIsBoundedAndOthersAreServed) {
  const Credentials inside = Login();
  Restart({}, {.cost = {.operations = 2, .memory_bytes = size_t{16} << 20}});
  LoopExecutor loop;
  const Executor::Scope here(&loop);
  int wrong = 0, refused = 0;
  for (int i = 0; i < 200; ++i) {
    const std::string name = std::to_string(i);
    LoginRequest request{
        .email = name + "@example.org", .password = kPassword, .origin = {.address = "198.51.100." + name}};
    Spawn(accounts_->Login(std::move(request)), [&](Answer<Credentials> answer) {
      ++(answer.error().error.code == Code::kOverloaded ? refused : wrong);
    });
  }
  bool served = false;
  Spawn(authenticator_->IdentifyToken(inside.access_token),
        [&](Result<rest::Identified> who) { served = who.has_value(); });
  EXPECT_TRUE(served) << "without waiting for any password";
  EXPECT_GE(refused, 100);
  while (wrong + refused < 200) loop.RunOne();
  EXPECT_GE(wrong, 34);
}

}  // namespace
}  // namespace cairn::identity
