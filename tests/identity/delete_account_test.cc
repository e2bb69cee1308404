#include "accounts_fixture.h"
#include "jobs/job_runner.h"

namespace cairn::identity {
namespace {

using testing::ElementsAre;

class DeleteAccountTest : public AccountsTest {
 protected:
  void SetUp() override {
    AccountsTest::SetUp();
    ASSERT_TRUE(Register());
  }
  void KeepReceipts(const std::string& user_id, int count) {
    model::Session work(*database_, WorkingFor(user_id));
    for (int i = 0; i < count; ++i) {
      const platform::Receipt receipt{
          .key_hash = "k" + std::to_string(i), .request_hash = "r", .status = 200, .body = "{}"};
      ASSERT_TRUE(platform::CreateReceipt(work, receipt));
      ASSERT_TRUE(RunHere(work.Commit()));
    }
  }
  Status Resume(std::string user_id) { return RunHere(accounts_->ResumeErasure(std::move(user_id))); }
};

TEST_F(DeleteAccountTest, LocksTheAccountAndPlansTheErasure) {
  const Credentials program = Login();
  ASSERT_TRUE(DeleteAccount(program.user_id));
  EXPECT_FALSE(TokenIsGood(program.access_token));
  EXPECT_FALSE(TryLogin(kEmail, kPassword));
  EXPECT_EQ(UserOf(program.user_id).state, platform::AccountState::kDeleting);
  EXPECT_EQ(CountOf(program.user_id, platform::AuditEvent::kDeleted), 1u);
  const auto due = RunHere(jobs_->Due(jobs::Lane::kPrompt, clock_.Now(), 10));
  ASSERT_TRUE(due);
  ASSERT_THAT(*due, SizeIs(1));
  EXPECT_EQ(due->front().kind, kErasureJob);
  EXPECT_EQ(due->front().argument, program.user_id);
  EXPECT_EQ(due->front().user_id, "") << "the user's jobs go with the user";
  EXPECT_REFUSED(DeleteAccount(program.user_id), Code::kResourceNotFound, "no such account");
}

TEST_F(DeleteAccountTest, WrongPasswordChangesNothing) {
  const Credentials program = Login();
  const auto refused = DeleteAccount(program.user_id, "wrong password");
  EXPECT_REFUSED(refused, Code::kInvalidArgument, "password");
  EXPECT_EQ(FieldsOf(refused.error()), "password is not right");
  EXPECT_TRUE(TokenIsGood(program.access_token));
  EXPECT_EQ(RawCount(kJobsTable), 0u);
}

TEST_F(DeleteAccountTest, ErasureLeavesNothingOfTheAccountAndAllOfOthers) {
  ASSERT_TRUE(Register("bob@example.org"));
  const Credentials bob = Login(platform::SessionKind::kProgram, "bob@example.org");
  KeepReceipts(bob.user_id, 2);
  const size_t of_others = RawCount(kIdentityTable) - 3;
  std::string user_id;
  for (int i = 0; i < 130; ++i) user_id = Login().user_id;  // more audit entries than a page has
  KeepReceipts(user_id, 120);
  std::vector<std::string> erased;
  Restart({[&](std::string id) -> Task<Status> {
    erased.push_back(std::move(id));
    co_return Status();
  }});
  ASSERT_TRUE(DeleteAccount(user_id));
  ASSERT_TRUE(Resume(user_id));
  EXPECT_THAT(erased, ElementsAre(user_id));
  EXPECT_EQ(RawCount(kIdentityTable), of_others);
  EXPECT_EQ(RawCount(kReceiptsTable), 2u);
  EXPECT_TRUE(TokenIsGood(bob.access_token));
  EXPECT_TRUE(Resume(user_id)) << "again";
  EXPECT_THAT(erased, SizeIs(1));
  ASSERT_TRUE(Register()) << "the address is free";
  EXPECT_NE(Login().user_id, user_id);
}

TEST_F(DeleteAccountTest, InterruptedErasureIsTakenUpAgain) {
  const std::string user_id = Login().user_id;
  KeepReceipts(user_id, 3);
  int values_erased = 0, plans_erased = 0;
  bool store_is_down = true;
  Restart({[&](std::string) -> Task<Status> {
             ++values_erased;
             co_return Status();
           },
           [&](std::string) -> Task<Status> {
             if (store_is_down) co_return Fail(Code::kUnavailable, "down");
             ++plans_erased;
             co_return Status();
           }});
  ASSERT_TRUE(DeleteAccount(user_id));
  EXPECT_FALSE(Resume(user_id));
  EXPECT_EQ(UserOf(user_id).state, platform::AccountState::kDeleting)
      << "the account stays until the rest is gone";
  EXPECT_EQ(RawCount(kReceiptsTable), 3u);
  store_is_down = false;
  EXPECT_TRUE(Resume(user_id));
  EXPECT_EQ(values_erased, 2);
  EXPECT_EQ(plans_erased, 1);
  EXPECT_EQ(RawCount(kIdentityTable), 0u);
  EXPECT_EQ(RawCount(kReceiptsTable), 0u);
}

TEST_F(DeleteAccountTest, AccountThatNobodyDeletesIsLeftAlone) {
  const std::string user_id = Login().user_id;
  bool erased = false;
  Restart({[&](std::string) -> Task<Status> {
    erased = true;
    co_return Status();
  }});
  EXPECT_FALSE(Resume(user_id));
  EXPECT_FALSE(erased);
  EXPECT_TRUE(TryLogin(kEmail, kPassword));
}

TEST_F(DeleteAccountTest, JobErasesWhatWasDeleted) {
  const std::string user_id = Login().user_id;
  ASSERT_TRUE(DeleteAccount(user_id));
  jobs::JobRunner runner(*jobs_, clock_, {{std::string(kErasureJob), [&](const jobs::Job& job) {
                                             return accounts_->ResumeErasure(job.argument);
                                           }}});
  EXPECT_EQ(RunHere(runner.RunDue()), 1u);
  EXPECT_EQ(RawCount(kIdentityTable), 0u);
  EXPECT_EQ(RawCount(kJobsTable), 0u);
}

TEST_F(DeleteAccountTest, JobsOfTheUserGo) {
  const std::string user_id = Login().user_id;
  const auto plan = [&](std::string id, std::string user) {
    model::Session work = jobs_->NewSession(user);
    const jobs::Job job{
        .kind = "remind", .id = id, .due = clock_.Now() + minutes(5), .user_id = user, .argument = {}};
    ASSERT_TRUE(jobs_->Schedule(work, job));
    ASSERT_TRUE(RunHere(work.Commit()));
  };
  for (int i = 0; i < 60; ++i) plan("mine" + std::to_string(i), user_id);
  plan("other", "bob");
  ASSERT_TRUE(DeleteAccount(user_id));
  ASSERT_TRUE(Resume(user_id));
  EXPECT_EQ(RawCount(kJobsTable), 2u) << "the erasure itself, and another user's";
}

// Whatever was under way when the account was deleted writes nothing afterwards, and stays possible for
// others.
TEST_F(DeleteAccountTest, NothingIsWrittenForAnAccountThatIsErased) {
  model::WriteFence fence(clock_);
  model::DatabaseOptions settings;
  settings.fence = &fence;
  database_ = std::make_unique<model::Database>(platform::LoadModel(), *engine_, clock_, random_, settings);
  Restart({}, {.cost = kCheap}, &fence);
  const std::string user_id = Login().user_id;
  const auto keep_receipt = [&](const std::string& user, const std::string& key) {
    model::Session work(*database_, model::Caller::User({{"sub", user}}));
    const platform::Receipt receipt{.key_hash = key, .request_hash = "r", .status = 200, .body = "{}"};
    const auto staged = platform::CreateReceipt(work, receipt);
    EXPECT_TRUE(staged) << (staged ? "" : staged.error().error.message);
    return RunHere(work.Commit());
  };
  ASSERT_TRUE(keep_receipt(user_id, "before"));
  ASSERT_TRUE(DeleteAccount(user_id));
  ASSERT_TRUE(keep_receipt(user_id, "under-way"));
  ASSERT_TRUE(Resume(user_id));
  const auto late = keep_receipt(user_id, "late");
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().error.code, Code::kUnauthenticated);
  EXPECT_EQ(RawCount(kReceiptsTable), 0u);
  EXPECT_TRUE(keep_receipt("bob", "his-own"));
  clock_.Advance(std::chrono::hours(25));
  ASSERT_TRUE(Register("eve@example.org"));
  const std::string eve = Login(platform::SessionKind::kProgram, "eve@example.org").user_id;
  ASSERT_TRUE(DeleteAccount(eve));
  ASSERT_TRUE(Resume(eve));
  EXPECT_TRUE(keep_receipt(user_id, "a-day-later")) << "it is not remembered for ever";
}

}  // namespace
}  // namespace cairn::identity
