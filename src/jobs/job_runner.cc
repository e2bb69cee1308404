#include "jobs/job_runner.h"

#include <algorithm>

#include "base/log.h"
#include "base/run_here.h"

namespace cairn::jobs {
namespace {

// A job is announced when it is staged; until its transaction is through, it is looked for so often.
constexpr std::chrono::milliseconds kLookEvery{200};
constexpr std::chrono::seconds kCommitTakes{5};
// In case somebody else writes jobs.
constexpr std::chrono::minutes kLookAtLeastEvery{1};
constexpr int64_t kAtOnceMax = 100;
constexpr std::chrono::seconds kFirstPause{10};
constexpr int64_t kPauseDoublingsMax = 9;  // a little more than an hour

}  // namespace

JobRunner::JobRunner(JobQueue& queue, const Clock& clock, std::map<std::string, Worker> workers)
    : queue_(queue), clock_(clock), workers_(std::move(workers)) {}

void JobRunner::Start() {
  queue_.SetListener([this](Time due) { Expect(due); });
  thread_ = std::thread([this] { Loop(); });
}

void JobRunner::Stop() {
  if (!thread_.joinable()) return;
  queue_.SetListener({});
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void JobRunner::Loop() {
  for (;;) {
    {
      std::lock_guard lock(mutex_);
      if (stopping_) return;
      expecting_ = false;
    }
    // As long as there is work it is done without a pause.
    if (RunHere(RunDue()) > 0) continue;
    std::optional<Time> next;
    if (auto found = RunHere(queue_.NextDue())) next = *found;
    std::unique_lock lock(mutex_);
    asleep_until_ = LookAgainAt(next);
    wake_.wait_for(lock, asleep_until_ - clock_.Now(), [this] { return stopping_ || expecting_; });
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
  auto due = co_await queue_.Due(clock_.Now(), kAtOnceMax);
  if (!due) {
    log::Warning("jobs cannot be read", {{"reason", due.error().error.message}});
    co_return 0;
  }
  size_t done = 0;
  for (const Job& job : *due) {
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
  const auto pause = kFirstPause * (int64_t{1} << std::min(job.attempts, kPauseDoublingsMax));
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
