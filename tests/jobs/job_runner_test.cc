// Whose turn it is, what a stop leaves, and what comes again.
#include "jobs/job_runner.h"

#include <gmock/gmock.h>

#include <condition_variable>
#include <mutex>

#include "../values_domain/interrupted_store.h"
#include "base/log.h"
#include "models/platform.h"
#include "session_fixture.h"

namespace cairn::jobs {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::SizeIs;

class JobRunnerTest : public model::SessionTest {
 protected:
  void SetUp() override {
    log::SetLevel(log::Level::kOff);
    Start(models::platform::LoadModel());
    store_.emplace(*engine_);
    platform_.emplace(models::platform::LoadModel(), *store_, clock_, random_);
    queue_.emplace(*platform_, std::set<std::string, std::less<>>{"slow"});
  }
  void TearDown() override {
    queue_.reset();
    platform_.reset();
    store_.reset();
    model::SessionTest::TearDown();
    log::SetLevel(log::Level::kInfo);
  }

  Job JobOf(std::string user, std::string id, seconds ago = seconds(0), std::string kind = "quick") const {
    return {.kind = std::move(kind),
            .id = user + "-" + id,
            .due = std::chrono::floor<milliseconds>(clock_.Now() - ago),
            .user_id = std::move(user),
            .argument = {}};
  }
  void Plan(const std::vector<Job>& jobs) {
    for (size_t i = 0; i < jobs.size();) {
      model::Session session = queue_->NewSession("");
      for (size_t j = 0; j < 90 && i < jobs.size(); ++i, ++j) ASSERT_TRUE(queue_->Schedule(session, jobs[i]));
      ASSERT_TRUE(RunHere(session.Commit()));
    }
  }
  // `count` jobs that have been due for an hour.
  void PlanBacklog(const std::string& user, size_t count) {
    std::vector<Job> jobs;
    for (size_t i = 0; i < count; ++i) jobs.push_back(JobOf(user, std::to_string(i), minutes(60)));
    Plan(jobs);
  }
  std::map<std::string, Worker> Recording() {
    return {{"quick", [this](const Job& job) { return Record(job); }}};
  }
  Task<Status> Record(const Job& job) {
    done_.push_back(job.user_id);
    co_return Status();
  }
  size_t DoneOf(const std::string& user) const {
    return static_cast<size_t>(std::ranges::count(done_, user));
  }
  bool IsThere(const std::string& id) {
    const auto due = RunHere(queue_->Due(Lane::kPatient, clock_.Now(), 100));
    EXPECT_TRUE(due.has_value());
    return due && std::ranges::find(*due, id, &Job::id) != due->end();
  }
  size_t Left(Lane lane) {
    size_t left = 0;
    for (int64_t shard = 0; shard < kShards; ++shard) {
      for (std::optional<Job> after;;) {
        const auto page =
            RunHere(queue_->DueAfter(lane, shard, after, clock_.Now() + std::chrono::days(1), 50));
        EXPECT_TRUE(page.has_value()) << (page ? "" : page.error().error.message);
        if (!page || page->empty()) break;
        left += page->size();
        after = page->back();
      }
    }
    return left;
  }

  std::optional<values::InterruptedStore> store_;  // what the queue lies on, past which nothing is seen
  std::optional<model::Database> platform_;
  std::optional<JobQueue> queue_;
  std::vector<std::string> done_;
};

// Workers of the patient lane that tests hold and let go, and what they have begun, by id.
class HeldWorkers {
 public:
  Worker WorkerHolding(std::string id) {
    return [this, id = std::move(id)](const Job& job) -> Task<Status> {
      std::unique_lock lock(mutex_);
      ++begun_[job.id];
      ++begun_in_all_;
      changed_.notify_all();
      if (job.id == id) changed_.wait(lock, [this] { return is_let_go_; });
      co_return Status();
    };
  }
  void LetGo() {
    std::lock_guard lock(mutex_);
    is_let_go_ = true;
    changed_.notify_all();
  }
  void Await(const std::string& id) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return begun_.contains(id); });
  }
  void AwaitInAll(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return begun_in_all_ >= count; });
  }
  std::map<std::string, int> begun() {
    std::lock_guard lock(mutex_);
    return begun_;
  }

 private:
  std::mutex mutex_;  // guards the rest
  std::condition_variable changed_;
  std::map<std::string, int> begun_;
  size_t begun_in_all_ = 0;
  bool is_let_go_ = false;
};

TEST_F(JobRunnerTest, BacklogOfOneUserDelaysNobodyElse) {
  PlanBacklog("mallory", 2'000);
  JobRunner runner(*queue_, clock_, Recording());
  RunHere(runner.Turn());
  // Due now, so behind everything that mallory has.
  Plan({JobOf("ada", "1"), JobOf("bob", "1")});
  clock_.Advance(milliseconds(10));
  RunHere(runner.Turn());
  EXPECT_EQ(DoneOf("ada"), 1u);
  EXPECT_EQ(DoneOf("bob"), 1u);
  EXPECT_LE(DoneOf("mallory"), 50u);
}

TEST_F(JobRunnerTest, JobPlannedIntoThePastIsFoundBehindABacklog) {
  PlanBacklog("mallory", 1'000);
  JobRunner runner(*queue_, clock_, Recording());
  RunHere(runner.Turn());
  Plan({JobOf("ada", "1", minutes(120))});
  clock_.Advance(seconds(2));
  RunHere(runner.Turn());
  EXPECT_EQ(DoneOf("ada"), 1u);
}

TEST_F(JobRunnerTest, AllOfABacklogIsDoneOnce) {
  PlanBacklog("mallory", 1'200);
  PlanBacklog("eve", 700);
  JobRunner runner(*queue_, clock_, Recording());
  size_t done = 0;
  while (const size_t more = RunHere(runner.Turn())) {
    done += more;
    clock_.Advance(milliseconds(100));
  }
  EXPECT_EQ(done, 1'900u);
  EXPECT_THAT(done_, SizeIs(1'900));
  EXPECT_EQ(Left(Lane::kPrompt), 0u);
}

TEST_F(JobRunnerTest, WhoHasUsedTheirTimeWaits) {
  PlanBacklog("mallory", 100);
  JobRunner runner(*queue_, clock_,
                   {{"quick",
                     [this](const Job& job) {
                       if (job.user_id == "mallory") clock_.Advance(seconds(4));
                       return Record(job);
                     }}},
                   {.user_time_per_minute = seconds(6)});
  RunHere(runner.Turn());
  RunHere(runner.Turn());
  EXPECT_EQ(DoneOf("mallory"), 2u) << "one in each turn: they take long";
  Plan({JobOf("ada", "1")});
  RunHere(runner.Turn());
  EXPECT_EQ(DoneOf("mallory"), 2u) << "eight seconds of six";
  EXPECT_EQ(DoneOf("ada"), 1u);
  clock_.Advance(minutes(1));
  RunHere(runner.Turn());
  EXPECT_EQ(DoneOf("mallory"), 3u);
}

TEST_F(JobRunnerTest, StopLeavesTheRestAsItIs) {
  PlanBacklog("mallory", 300);
  JobRunner runner(*queue_, clock_, {{"quick", [this](const Job& job) {
                                        if (done_.size() == 3) queue_->BeginStop();
                                        return Record(job);
                                      }}});
  RunHere(runner.RunDue());
  EXPECT_THAT(done_, SizeIs(4));
  EXPECT_EQ(Left(Lane::kPrompt), 296u);
}

TEST_F(JobRunnerTest, JobThatEndsEarlyBecauseOfAStopHasNotFailed) {
  Plan({JobOf("ada", "1", seconds(1))});
  JobRunner runner(*queue_, clock_, {{"quick", [this](const Job&) -> Task<Status> {
                                        queue_->BeginStop();
                                        co_return Stopping();
                                      }}});
  EXPECT_EQ(RunHere(runner.RunDue()), 0u);
  const auto due = RunHere(queue_->Due(Lane::kPrompt, clock_.Now(), 10));
  ASSERT_TRUE(due);
  ASSERT_THAT(*due, SizeIs(1));
  EXPECT_EQ(due->front().attempts, 0);
}

TEST_F(JobRunnerTest, JobStaysInTheLaneItWasPlannedInto) {
  {
    // Of a server that did not think it slow.
    JobQueue before(*database_);
    model::Session session = before.NewSession("ada");
    ASSERT_TRUE(before.Schedule(session, JobOf("ada", "1", seconds(1), "slow")));
    ASSERT_TRUE(RunHere(session.Commit()));
  }
  int failures = 1;
  JobRunner runner(*queue_, clock_, {{"slow", [&](const Job&) -> Task<Status> {
                                        if (failures-- > 0) co_return Fail(Code::kUnavailable, "not yet");
                                        co_return Status();
                                      }}});
  EXPECT_EQ(RunHere(runner.RunDue()), 0u);
  EXPECT_EQ(Left(Lane::kPrompt), 1u) << "postponed, where it was";
  clock_.Advance(minutes(1));
  EXPECT_EQ(RunHere(runner.RunDue()), 1u);
  EXPECT_EQ(Left(Lane::kPrompt) + Left(Lane::kPatient), 0u);
}

TEST_F(JobRunnerTest, ThreadsOfThePatientLaneServeEveryUser) {
  // More users than threads, and one who would keep them all busy.
  std::vector<Job> jobs;
  for (int i = 0; i < 400; ++i) jobs.push_back(JobOf("mallory", std::to_string(i), minutes(60), "slow"));
  for (int i = 0; i < 20; ++i) jobs.push_back(JobOf("user" + std::to_string(i), "1", seconds(0), "slow"));
  Plan(jobs);
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> order;
  JobRunner runner(*queue_, clock_,
                   {{"slow",
                     [&](const Job& job) -> Task<Status> {
                       std::lock_guard lock(mutex);
                       order.push_back(job.user_id);
                       changed.notify_all();
                       co_return Status();
                     }}},
                   {.lane = Lane::kPatient, .at_once = 3});
  runner.Start();
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return order.size() == 420; });
  }
  runner.Stop();
  EXPECT_EQ(Left(Lane::kPatient), 0u);
  size_t others = 0, position = 0;
  for (; position < order.size() && others < 20; ++position) others += order[position] != "mallory";
  EXPECT_LT(position, 250u) << "all others were served long before the backlog was done";
}

// What is due is read, then a thread finishes one of the jobs that were read, then users are handed out.
TEST_F(JobRunnerTest, JobFinishedBetweenReadingAndHandingOutIsNotDoneAgain) {
  Plan({JobOf("ada", "1", seconds(9), "slow"), JobOf("ada", "2", seconds(8), "slow")});
  HeldWorkers workers;
  std::atomic<bool> reads_again = false;
  store_->AfterQuery([&](const store::QueryRequest& request) -> std::optional<Error> {
    if (request.limit == 1 || !reads_again.exchange(false)) return std::nullopt;
    // The page at hand may have both jobs; now the first is done, down to its removal.
    workers.LetGo();
    while (IsThere("ada-1")) std::this_thread::yield();
    return std::nullopt;
  });
  JobRunner runner(*queue_, clock_, {{"slow", workers.WorkerHolding("ada-1")}},
                   {.lane = Lane::kPatient, .at_once = 2});
  runner.Start();
  workers.Await("ada-1");
  clock_.Advance(seconds(2));  // everything is read again
  reads_again = true;
  Plan({JobOf("bob", "1", seconds(1), "slow")});
  workers.AwaitInAll(3);
  runner.Stop();
  EXPECT_EQ(workers.begun(), (std::map<std::string, int>{{"ada-1", 1}, {"ada-2", 1}, {"bob-1", 1}}));
  EXPECT_EQ(Left(Lane::kPatient), 0u);
}

// A reading that ends early goes on where it was, and comes upon jobs of somebody who is being served.
TEST_F(JobRunnerTest, JobAtHandWhileReadingFailsHalfwayIsDoneOnce) {
  std::vector<Job> jobs;
  for (int i = 0; i < 12; ++i) jobs.push_back(JobOf("ada", std::to_string(i), seconds(20 - i), "slow"));
  Plan(jobs);
  HeldWorkers workers;
  std::atomic<bool> fails = false, has_failed = false;
  store_->AfterQuery([&](const store::QueryRequest& request) -> std::optional<Error> {
    // Not where it only asks when the next one is due.
    if (request.limit == 1 || !fails.exchange(false)) return std::nullopt;
    has_failed = true;
    return Error{Code::kUnavailable, "not now"};
  });
  JobRunner runner(*queue_, clock_, {{"slow", workers.WorkerHolding("ada-0")}},
                   {.lane = Lane::kPatient, .at_once = 2});
  runner.Start();
  workers.Await("ada-0");
  clock_.Advance(seconds(2));  // everything is read again; the reading fails at the first shard
  fails = true;
  Plan({JobOf("bob", "1", seconds(1), "slow")});
  workers.Await("bob-1");  // which a further reading has found
  EXPECT_TRUE(has_failed);
  workers.LetGo();
  workers.AwaitInAll(13);
  while (Left(Lane::kPatient) > 0) std::this_thread::yield();
  // Whoever is found once more has their turn before this one.
  Plan({JobOf("ada", "last", seconds(0), "slow")});
  workers.Await("ada-last");
  runner.Stop();
  for (const auto& [id, times] : workers.begun()) EXPECT_EQ(times, 1) << id;
  EXPECT_EQ(workers.begun().size(), 14u);
}

TEST_F(JobRunnerTest, ReceiverThatTakesItsTimeDelaysOnlyItsOwner) {
  // More than is known of one user at once, all of it before what others have.
  std::vector<Job> jobs;
  for (size_t i = 0; i < 3 * kWaitingOfUserMax; ++i)
    jobs.push_back(JobOf("mallory", std::to_string(i), i == 0 ? minutes(61) : minutes(60), "slow"));
  Plan(jobs);
  HeldWorkers workers;
  JobRunner runner(*queue_, clock_, {{"slow", workers.WorkerHolding("mallory-0")}},
                   {.lane = Lane::kPatient, .at_once = 2});
  runner.Start();
  workers.Await("mallory-0");
  Plan({JobOf("ada", "1", seconds(0), "slow")});
  workers.Await("ada-1");  // while the other one is still waited for
  EXPECT_LT(workers.begun().size(), 10u);
  workers.LetGo();
  runner.Stop();
}

}  // namespace
}  // namespace cairn::jobs
