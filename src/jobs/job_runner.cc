#include "jobs/job_runner.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/run_here.h"
#include "base/test_point.h"
#include "base/together.h"

namespace cairn::jobs {
namespace {

// A job is announced when it is staged; until its transaction is through, it is looked for so often.
constexpr std::chrono::milliseconds kLookEvery{200};
constexpr std::chrono::seconds kCommitTakes{5};
// In case somebody else writes jobs.
constexpr std::chrono::minutes kLookAtLeastEvery{1};
constexpr int64_t kAtOnceMax = 100;
constexpr size_t kUsersAtOnce = 16;        // their commits share syncs
constexpr int64_t kPauseDoublingsMax = 9;  // of ten seconds: a little more than an hour

// Those of each user together; whoever has waited longest comes first.
std::vector<std::vector<Job>> ByUser(std::vector<Job> due) {
  std::ranges::stable_sort(due, {}, &Job::due);
  std::vector<std::vector<Job>> by_user;
  std::map<std::string, size_t> positions;
  for (Job& job : due) {
    const auto [found, is_new] = positions.emplace(job.user_id, by_user.size());
    if (is_new) by_user.emplace_back();
    by_user[found->second].push_back(std::move(job));
  }
  return by_user;
}

}  // namespace

JobRunner::JobRunner(JobQueue& queue, const Clock& clock, std::map<std::string, Worker> workers,
                     JobRunnerOptions options)
    : queue_(queue), clock_(clock), workers_(std::move(workers)), options_(options) {}

void JobRunner::Start() {
  queue_.SetListener(options_.lane, [this](Time due) { Expect(due); });
  if (options_.at_once > 1) {
    for (size_t i = 0; i < options_.at_once; ++i) helpers_.emplace_back([this] { Help(); });
  }
  thread_ = std::thread([this] { Loop(); });
}

void JobRunner::Stop() {
  if (!thread_.joinable()) return;
  queue_.SetListener(options_.lane, {});
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  handed_out_.notify_all();
  thread_.join();
  for (std::thread& helper : helpers_) helper.join();
}

void JobRunner::Loop() {
  for (;;) {
    {
      std::lock_guard lock(mutex_);
      if (stopping_) return;
      expecting_ = false;
    }
    // As long as there is work it is done without a pause.
    if (RunHere(helpers_.empty() ? RunDue() : HandOut()) > 0) continue;
    std::optional<Time> next;
    if (auto found = RunHere(queue_.NextDue(options_.lane))) next = *found;
    std::unique_lock lock(mutex_);
    asleep_until_ = LookAgainAt(next);
    wake_.wait_for(lock, asleep_until_ - clock_.Now(), [this] { return stopping_ || expecting_; });
  }
}

Task<size_t> JobRunner::HandOut() {
  auto due = co_await queue_.Due(options_.lane, clock_.Now(), kAtOnceMax);
  if (!due) {
    log::Warning("jobs cannot be read", {{"reason", due.error().error.message}});
    co_return 0;
  }
  std::vector<std::vector<Job>> by_user = ByUser(*std::move(due));
  std::lock_guard lock(mutex_);
  size_t handed = 0;
  for (std::vector<Job>& jobs : by_user) {
    if (busy_.size() >= options_.at_once) break;
    if (!busy_.insert(jobs.front().user_id).second) continue;
    handed_.push_back(std::move(jobs));
    ++handed;
  }
  if (handed > 0) handed_out_.notify_all();
  co_return handed;
}

void JobRunner::Help() {
  std::unique_lock lock(mutex_);
  for (;;) {
    handed_out_.wait(lock, [this] { return stopping_ || !handed_.empty(); });
    if (stopping_) return;
    const std::vector<Job> jobs = std::move(handed_.front());
    handed_.pop_front();
    for (const Job& job : jobs) {
      if (stopping_) return;
      lock.unlock();
      RunHere(RunOne(job));
      lock.lock();
    }
    busy_.erase(jobs.front().user_id);
    expecting_ = true;
    wake_.notify_all();
  }
}

void JobRunner::Expect(Time due) {
  std::lock_guard lock(mutex_);
  const Time now = clock_.Now();
  const bool is_soon = due < now + kCommitTakes;
  if (is_soon) uncommitted_until_ = now + kCommitTakes;
  if (!is_soon && (!expected_ || due < *expected_)) expected_ = due;
  // What comes later than the next look is found by it.
  if (!is_soon && due >= asleep_until_) return;
  expecting_ = true;
  wake_.notify_all();
}

Time JobRunner::LookAgainAt(std::optional<Time> next) {
  const Time now = clock_.Now();
  const Time soon = now + kLookEvery;
  if (expected_ && *expected_ <= now) expected_.reset();
  Time at = now + kLookAtLeastEvery;
  if (now < uncommitted_until_) at = soon;
  if (expected_) at = std::min(at, *expected_);
  // One that is due and was not done cannot be done now.
  if (next) at = std::min(at, *next <= now ? soon : *next);
  return at;
}

Task<size_t> JobRunner::RunDue() {
  auto due = co_await queue_.Due(options_.lane, clock_.Now(), kAtOnceMax);
  if (!due) {
    log::Warning("jobs cannot be read", {{"reason", due.error().error.message}});
    co_return 0;
  }
  size_t done = 0;
  std::vector<Task<size_t>> side_by_side;
  std::vector<std::vector<Job>> by_user = ByUser(*std::move(due));
  for (size_t i = 0; i < by_user.size(); ++i) {
    side_by_side.push_back(RunAll(std::move(by_user[i])));
    if (side_by_side.size() < kUsersAtOnce && i + 1 < by_user.size()) continue;
    const std::vector<size_t> counts = co_await Together(std::exchange(side_by_side, {}));
    for (const size_t count : counts) done += count;
  }
  co_return done;
}

Task<size_t> JobRunner::RunAll(std::vector<Job> jobs) {
  size_t done = 0;
  for (const Job& job : jobs) {
    const bool succeeded = co_await RunOne(job);
    if (succeeded) ++done;
  }
  co_return done;
}

Task<bool> JobRunner::RunOne(const Job& job) {
  const auto worker = workers_.find(job.kind);
  Status status = Fail(Code::kUnavailable, "this server has no worker for it");
  if (worker != workers_.end()) status = co_await worker->second(job);
  if (!status) {
    const Status postponed = co_await Postpone(job, status.error().message);
    if (!postponed) log::Warning("a job cannot be postponed", {{"reason", postponed.error().message}});
    co_return false;
  }
  co_await TestPoint("jobs.done");
  model::Session session = queue_.NewSession(job.user_id);
  if (auto staged = queue_.Remove(session, job); !staged) {
    log::Warning("a job cannot be removed", {{"kind", job.kind}, {"reason", staged.error().error.message}});
    co_return false;
  }
  auto committed = co_await session.Commit();
  // One that is gone already was removed by its own work.
  co_return committed || committed.error().error.code == Code::kResourceNotFound;
}

Task<Status> JobRunner::Postpone(const Job& job, std::string reason) {
  log::Warning("a job failed and comes again",
               {{"kind", job.kind}, {"attempts", job.attempts + 1}, {"reason", reason}});
  const auto pause = options_.first_pause * (int64_t{1} << std::min(job.attempts, kPauseDoublingsMax));
  Job later = job;
  ++later.attempts;
  later.due = std::chrono::floor<std::chrono::milliseconds>(clock_.Now() + pause);
  model::Session session = queue_.NewSession(job.user_id);
  auto staged = queue_.Remove(session, job);
  if (staged) staged = queue_.Schedule(session, later);
  if (!staged) co_return Fail(staged.error().error);
  auto committed = co_await session.Commit();
  if (!committed) co_return Fail(committed.error().error);
  co_return Status();
}

}  // namespace cairn::jobs
