// Addresses that are confirmed and passwords that are recovered by mail, with a courier that keeps what it is
// given.
#include "identity/account_mail.h"
#include "accounts_fixture.h"
#include "identity/mail_token.h"
#include "jobs/job_runner.h"

namespace cairn::identity {
namespace {

using platform::AuditEvent;

class Mailbox final : public outbound::Courier {
 public:
  bool HasWebhooks() const override { return false; }
  bool HasMail() const override { return true; }
  Status CheckWebhookUrl(const std::string&) const override { return Fail(Invalid("")); }
  Result<long> Post(const outbound::WebhookPost&) const override { return Fail(Invalid("")); }
  Status Send(const outbound::Mail& mail) const override {
    if (down) return Fail(Code::kUnavailable, "the mail server does not answer");
    mails.push_back(mail);
    return {};
  }
  mutable std::vector<outbound::Mail> mails;
  bool down = false;
};

class AccountMailTest : public AccountsTest {
 protected:
  void SetUp() override {
    AccountsTest::SetUp();
    RestartWithMail();
    ASSERT_TRUE(Register());
    user_id_ = Login().user_id;
  }
  void RestartWithMail() {
    accounts_.reset();
    jobs_ = std::make_unique<jobs::JobQueue>(*database_,
                                             std::set<std::string, std::less<>>{std::string(kMailJob)});
    accounts_ = std::make_unique<Accounts>(
        *database_, *pool_, *throttle_, *standing_, *jobs_, clock_, random_,
        AccountsOptions{.signing_key = kSigningKey, .courier = &mailbox_, .link_origin = [] {
                          return "https://cairn.example";
                        }});
  }
  // Does the jobs that are due; the mails that came of it.
  std::vector<outbound::Mail> Deliver() {
    mailbox_.mails.clear();
    const jobs::Worker send = [this](const jobs::Job& job) { return accounts_->SendMail(job); };
    jobs::JobRunner runner(*jobs_, clock_, {{std::string(kMailJob), send}}, {.lane = jobs::Lane::kPatient});
    RunHere(runner.RunDue());
    return mailbox_.mails;
  }
  static std::string TokenIn(const outbound::Mail& mail) {
    const size_t mark = mail.body.find('#');
    return mail.body.substr(mark + 1, mail.body.find('\n', mark) - mark - 1);
  }
  Answer<std::string> Confirm(std::string token) {
    return RunHere(accounts_->ConfirmEmail(std::move(token), kOrigin));
  }
  Answer<void> Forgot(std::string email = kEmail, std::string address = "192.0.2.1") {
    const Origin origin{.address = std::move(address)};
    return RunHere(accounts_->AskForRecovery(std::move(email), origin));
  }
  Answer<Credentials> Recover(std::string token, std::string password = "another horse") {
    return RunHere(accounts_->RecoverPassword(
        {.token = std::move(token), .new_password = std::move(password), .origin = kOrigin}));
  }
  Answer<platform::User> ChangeEmail(std::string email, std::string password = kPassword) {
    return RunHere(accounts_->ChangeEmail({.user_id = user_id_,
                                           .session_id = "s",
                                           .password = std::move(password),
                                           .new_email = std::move(email),
                                           .origin = kOrigin}));
  }

  Mailbox mailbox_;
  std::string user_id_;
};

TEST_F(AccountMailTest, RegisteringAsksForConfirmation) {
  EXPECT_EQ(UserOf(user_id_).email_verified_at, std::nullopt);
  const auto mails = Deliver();
  ASSERT_THAT(mails, SizeIs(1));
  EXPECT_EQ(mails[0].to, kEmail);
  EXPECT_THAT(mails[0].body, HasSubstr("https://cairn.example/verify#v." + user_id_));
  EXPECT_EQ(Value(Confirm(TokenIn(mails[0]))), kEmail);
  EXPECT_NE(UserOf(user_id_).email_verified_at, std::nullopt);
  EXPECT_EQ(Value(Confirm(TokenIn(mails[0]))), kEmail) << "opened twice";
  EXPECT_EQ(CountOf(user_id_, AuditEvent::kEmailVerified), 1u);
  EXPECT_THAT(Deliver(), IsEmpty());
}

TEST_F(AccountMailTest, TakenAddressGetsNoMail) {
  Deliver();
  ASSERT_TRUE(Register(kEmail, "another password"));
  EXPECT_THAT(Deliver(), IsEmpty());
}

TEST_F(AccountMailTest, OperatorsVouchForAddresses) {
  Deliver();
  ASSERT_TRUE(RunHere(accounts_->Register({.email = "op@example.org",
                                           .password = kPassword,
                                           .display_name = "",
                                           .origin = kOrigin,
                                           .by = Registrant::kOperator})));
  EXPECT_THAT(Deliver(), IsEmpty());
  EXPECT_NE(UserOf(Value(TryLogin("op@example.org", kPassword)).user_id).email_verified_at, std::nullopt);
}

TEST_F(AccountMailTest, ConfirmationIsSentAgainSomeTimes) {
  Deliver();
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(RunHere(accounts_->AskForVerification(user_id_)));
    EXPECT_THAT(Deliver(), SizeIs(1));
  }
  EXPECT_TRUE(RunHere(accounts_->AskForVerification(user_id_)));
  EXPECT_REFUSED(RunHere(accounts_->AskForVerification(user_id_)), Code::kOverloaded, "too many");
  const auto mails = Deliver();
  ASSERT_THAT(mails, SizeIs(1));
  ASSERT_TRUE(Confirm(TokenIn(mails[0])));
  EXPECT_TRUE(RunHere(accounts_->AskForVerification(user_id_))) << "nothing to do";
  EXPECT_THAT(Deliver(), IsEmpty());
}

TEST_F(AccountMailTest, MailIsTriedAgainUntilItsLinkEnds) {
  mailbox_.down = true;
  EXPECT_THAT(Deliver(), IsEmpty());
  mailbox_.down = false;
  EXPECT_THAT(Deliver(), IsEmpty()) << "not at once";
  clock_.Advance(minutes(1));
  EXPECT_THAT(Deliver(), SizeIs(1));
  ASSERT_TRUE(Forgot());
  mailbox_.down = true;
  Deliver();
  mailbox_.down = false;
  clock_.Advance(minutes(30));
  EXPECT_THAT(Deliver(), IsEmpty()) << "whoever waited this long asks again";
  EXPECT_EQ(RawCount(kJobsTable), 0u);
}

TEST_F(AccountMailTest, JobsHoldNoSecret) {
  ASSERT_TRUE(Forgot());
  const auto due = RunHere(jobs_->Due(jobs::Lane::kPatient, clock_.Now(), 10));
  ASSERT_TRUE(due);
  ASSERT_THAT(*due, SizeIs(2));
  const auto mails = Deliver();
  for (const outbound::Mail& mail : mails) {
    const std::string token = TokenIn(mail);
    for (const jobs::Job& job : *due)
      EXPECT_THAT(job.argument, testing::Not(HasSubstr(token.substr(token.rfind('.') + 1))));
  }
}

TEST_F(AccountMailTest, ForgottenPasswordIsChosenOnce) {
  const Credentials before = Login();
  Deliver();
  ASSERT_TRUE(Forgot(" ADA@example.org"));
  const auto mails = Deliver();
  ASSERT_THAT(mails, SizeIs(1));
  EXPECT_THAT(mails[0].body, HasSubstr("https://cairn.example/reset#r."));
  const std::string token = TokenIn(mails[0]);
  EXPECT_REFUSED(Recover(token, "short"), Code::kInvalidArgument, "newPassword");
  const Credentials after = Value(Recover(token));
  EXPECT_TRUE(TokenIsGood(after.access_token));
  EXPECT_NE(after.devices, "");
  EXPECT_FALSE(TokenIsGood(before.access_token)) << "all other sessions end";
  EXPECT_THAT(SessionsOf(user_id_), SizeIs(1));
  EXPECT_FALSE(TryLogin(kEmail, kPassword));
  EXPECT_TRUE(TryLogin(kEmail, "another horse"));
  EXPECT_NE(UserOf(user_id_).email_verified_at, std::nullopt) << "the mail was read";
  EXPECT_REFUSED(Recover(token, "a third horse"), Code::kInvalidArgument, "no longer good");
  EXPECT_EQ(CountOf(user_id_, AuditEvent::kPasswordRecovered), 1u);
}

TEST_F(AccountMailTest, ForgettingTellsNobodyAnything) {
  Deliver();
  for (const std::string& email : {kEmail, std::string("nobody@example.org")}) {
    const size_t before = RawCount(kJobsTable);
    const uint64_t hashed = pool_->done();
    EXPECT_TRUE(Forgot(email)) << email;
    EXPECT_EQ(RawCount(kJobsTable), before + 1) << "the same is written";
    EXPECT_EQ(pool_->done(), hashed);
  }
  EXPECT_THAT(Deliver(), SizeIs(1));
  EXPECT_EQ(RawCount(kJobsTable), 0u);
  EXPECT_REFUSED(Forgot("no address"), Code::kInvalidArgument, "email");
}

TEST_F(AccountMailTest, NobodyIsBuriedInMail) {
  Deliver();
  for (int i = 0; i < 9; ++i) EXPECT_TRUE(Forgot(kEmail, "198.51.100." + std::to_string(i)));
  EXPECT_THAT(Deliver(), SizeIs(3));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(Forgot("u" + std::to_string(i) + "@example.org"));
  EXPECT_REFUSED(Forgot("next@example.org"), Code::kOverloaded, "too many");
  EXPECT_TRUE(Forgot("next@example.org", "203.0.113.1"));
}

TEST_F(AccountMailTest, OthersCannotUseUpWhatSomebodyMayAskFor) {
  ASSERT_TRUE(Register("eve@example.org"));
  const std::string eve = Value(TryLogin("eve@example.org", kPassword)).user_id;
  Deliver();
  for (int i = 0; i < 5; ++i) {
    (void)Register(kEmail, "a password of hers");
    (void)RunHere(accounts_->ChangeEmail(
        {.user_id = eve, .session_id = "s", .password = kPassword, .new_email = kEmail, .origin = kOrigin}));
  }
  Deliver();
  ASSERT_TRUE(Forgot());
  EXPECT_THAT(Deliver(), SizeIs(1));
}

TEST_F(AccountMailTest, LinkEndsWithTimeAndWithThePassword) {
  ASSERT_TRUE(Forgot());
  const std::string late = TokenIn(Deliver().back());
  clock_.Advance(minutes(30));
  EXPECT_REFUSED(Recover(late), Code::kInvalidArgument, "no longer good");
  ASSERT_TRUE(Forgot());
  const std::string token = TokenIn(Deliver().back());
  ASSERT_TRUE(ChangePassword(user_id_, kPassword, "a better horse"));
  EXPECT_REFUSED(Recover(token), Code::kInvalidArgument, "no longer good");
  EXPECT_TRUE(TryLogin(kEmail, "a better horse"));
}

TEST_F(AccountMailTest, TwoLinksOneWinner) {
  ASSERT_TRUE(Forgot());
  const std::string token = TokenIn(Deliver().back());
  std::atomic<int> won = 0;
  InParallel(4, [&](int i) {
    if (Recover(token, "horse number " + std::to_string(i))) ++won;
  });
  EXPECT_EQ(won, 1);
  EXPECT_THAT(SessionsOf(user_id_), SizeIs(1));
}

TEST_F(AccountMailTest, DisabledAccountsGetNoMailAndNoPassword) {
  Deliver();
  ASSERT_TRUE(Forgot());
  const std::string token = TokenIn(Deliver().back());
  ASSERT_TRUE(RunHere(accounts_->Disable(kEmail)));
  EXPECT_REFUSED(Recover(token), Code::kInvalidArgument, "no longer good");
  EXPECT_TRUE(Forgot());
  EXPECT_THAT(Deliver(), IsEmpty());
}

TEST_F(AccountMailTest, OneKindOfLinkIsNoOther) {
  const std::string verify = TokenIn(Deliver().back());
  ASSERT_TRUE(Forgot());
  const std::string recover = TokenIn(Deliver().back());
  EXPECT_REFUSED(Recover(verify), Code::kInvalidArgument, "no longer good");
  EXPECT_REFUSED(Confirm(recover), Code::kInvalidArgument, "no longer good");
  for (const std::string text : {"", "x", "v.nobody.1900000000.x", "r.a#b.1900000000.x"}) {
    EXPECT_REFUSED(Recover(text), Code::kInvalidArgument, "no longer good");
    EXPECT_REFUSED(Confirm(text), Code::kInvalidArgument, "no longer good");
  }
}

TEST_F(AccountMailTest, NewAddressCountsWhenItIsConfirmed) {
  Deliver();
  EXPECT_REFUSED(ChangeEmail("<new@example.org>"), Code::kInvalidArgument, "newEmail");
  EXPECT_REFUSED(ChangeEmail(kEmail), Code::kInvalidArgument, "newEmail");
  EXPECT_REFUSED(ChangeEmail("new@example.org", "wrong password"), Code::kInvalidArgument, "password");
  const platform::User asked = Value(ChangeEmail(" New@example.org"));
  EXPECT_EQ(asked.email, kEmail);
  EXPECT_EQ(accounts_->PendingEmailOf(asked), "new@example.org");
  EXPECT_TRUE(TryLogin(kEmail, kPassword)) << "the old one counts until then";
  EXPECT_FALSE(TryLogin("new@example.org", kPassword));

  const auto mails = Deliver();
  ASSERT_THAT(mails, SizeIs(2));
  const bool first_is_notice = mails[0].to == kEmail;
  const outbound::Mail& notice = mails[first_is_notice ? 0 : 1];
  const outbound::Mail& question = mails[first_is_notice ? 1 : 0];
  EXPECT_EQ(notice.to, kEmail);
  EXPECT_THAT(notice.body, HasSubstr("new@example.org"));
  EXPECT_EQ(notice.body.find('#'), std::string::npos) << "no link";
  EXPECT_EQ(question.to, "new@example.org");

  const Credentials session = Login();
  EXPECT_EQ(Value(Confirm(TokenIn(question))), "new@example.org");
  EXPECT_TRUE(TryLogin("new@example.org", kPassword));
  EXPECT_FALSE(TryLogin(kEmail, kPassword));
  EXPECT_TRUE(TokenIsGood(session.access_token)) << "sessions go on";
  EXPECT_EQ(accounts_->PendingEmailOf(UserOf(user_id_)), std::nullopt);
  EXPECT_REFUSED(Confirm(TokenIn(question)), Code::kInvalidArgument, "no longer good");
  EXPECT_TRUE(Register(kEmail, "somebody else", "192.0.2.7")) << "the old address is free";
  EXPECT_NE(Value(TryLogin(kEmail, "somebody else")).user_id, user_id_);
}

TEST_F(AccountMailTest, NewAddressThatIsTakenMeanwhileStaysTheirs) {
  Deliver();
  ASSERT_TRUE(ChangeEmail("new@example.org"));
  std::string token;
  for (const outbound::Mail& mail : Deliver()) {
    if (mail.to == "new@example.org") token = TokenIn(mail);
  }
  ASSERT_TRUE(Register("new@example.org", "somebody else", "192.0.2.7"));
  EXPECT_REFUSED(Confirm(token), Code::kConditionFailed, "Another account");
  EXPECT_TRUE(TryLogin(kEmail, kPassword));
  EXPECT_NE(Value(TryLogin("new@example.org", "somebody else")).user_id, user_id_);
}

TEST_F(AccountMailTest, WishForAnotherAddressEnds) {
  Deliver();
  const auto token_of = [this](const std::string& email) {
    EXPECT_TRUE(ChangeEmail(email));
    std::string token;
    for (const outbound::Mail& mail : Deliver()) {
      if (mail.to == email) token = TokenIn(mail);
    }
    return token;
  };
  const std::string first = token_of("one@example.org"), second = token_of("two@example.org");
  EXPECT_REFUSED(Confirm(first), Code::kInvalidArgument, "no longer good");
  ASSERT_TRUE(RunHere(accounts_->CancelEmailChange(user_id_)));
  EXPECT_REFUSED(Confirm(second), Code::kInvalidArgument, "no longer good");
  const std::string third = token_of("three@example.org");
  ASSERT_TRUE(ChangePassword(user_id_, kPassword, "another horse"));
  EXPECT_REFUSED(Confirm(third), Code::kInvalidArgument, "no longer good");
  EXPECT_EQ(accounts_->PendingEmailOf(UserOf(user_id_)), std::nullopt);
  EXPECT_EQ(UserOf(user_id_).email, kEmail);
}

TEST_F(AccountMailTest, FiveChangesADay) {
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(ChangeEmail("n" + std::to_string(i) + "@example.org"));
  EXPECT_REFUSED(ChangeEmail("n9@example.org"), Code::kOverloaded, "too many");
}

TEST_F(AccountMailTest, ManyConfirmationsAtOnceChangeTheAddressOnce) {
  Deliver();
  ASSERT_TRUE(ChangeEmail("new@example.org"));
  std::string token;
  for (const outbound::Mail& mail : Deliver()) {
    if (mail.to == "new@example.org") token = TokenIn(mail);
  }
  std::atomic<int> done = 0;
  InParallel(4, [&](int) {
    if (Confirm(token)) ++done;
  });
  EXPECT_EQ(done, 1);
  EXPECT_EQ(CountOf(user_id_, AuditEvent::kEmailChanged), 1u);
  EXPECT_TRUE(TryLogin("new@example.org", kPassword));
}

TEST_F(AccountMailTest, NothingIsSentForADeletedAccount) {
  ASSERT_TRUE(ChangeEmail("new@example.org"));
  ASSERT_TRUE(DeleteAccount(user_id_));
  EXPECT_THAT(Deliver(), IsEmpty());
}

class WithoutMailTest : public AccountsTest {};

TEST_F(WithoutMailTest, NewAddressCountsAtOnce) {
  ASSERT_TRUE(Register());
  const std::string user_id = Login().user_id;
  ASSERT_TRUE(Register("taken@example.org", kPassword));
  const auto change = [&](std::string email) {
    return RunHere(accounts_->ChangeEmail({.user_id = user_id,
                                           .session_id = "s",
                                           .password = kPassword,
                                           .new_email = std::move(email),
                                           .origin = kOrigin}));
  };
  EXPECT_REFUSED(change("taken@example.org"), Code::kInvalidArgument, "newEmail");
  EXPECT_TRUE(TryLogin(kEmail, kPassword)) << "all of it or nothing";
  EXPECT_EQ(Value(change("new@example.org")).email, "new@example.org");
  EXPECT_TRUE(TryLogin("new@example.org", kPassword));
  EXPECT_FALSE(TryLogin(kEmail, kPassword));
  EXPECT_EQ(UserOf(user_id).email_verified_at, std::nullopt);
  EXPECT_EQ(RawCount(kJobsTable), 0u);
}

TEST_F(WithoutMailTest, NothingIsSent) {
  ASSERT_TRUE(Register());
  EXPECT_EQ(RawCount(kJobsTable), 0u);
  EXPECT_FALSE(accounts_->HasMail());
  EXPECT_REFUSED(RunHere(accounts_->AskForRecovery(kEmail, kOrigin)), Code::kInvalidArgument,
                 "whoever runs it");
  EXPECT_REFUSED(RunHere(accounts_->AskForVerification(Login().user_id)), Code::kInvalidArgument,
                 "whoever runs it");
}

}  // namespace
}  // namespace cairn::identity
