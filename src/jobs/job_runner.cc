#include "jobs/job_runner.h"

#include <algorithm>

#include "base/log.h"
#include "base/run_here.h"

namespace cairn::jobs {
namespace {

constexpr std::chrono::seconds kLookEvery{1};
constexpr int64_t kAtOnceMax = 100;
constexpr std::chrono::seconds kFirstPause{10};
constexpr int64_t kPauseDoublingsMax = 9;  // a little more than an hour

}  // namespace

JobRunner::JobRunner(JobQueue& queue, const Clock& clock, std::map<std::string, Worker> workers)
    : queue_(queue), clock_(clock), workers_(std::move(workers)) {}

void JobRunner::Start() {
  thread_ = std::thread([this] { Loop(); });
}

void JobRunner::Stop() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void JobRunner::Loop() {
  for (;;) {
    RunHere(RunDue());
    std::unique_lock lock(mutex_);
    if (wake_.wait_for(lock, kLookEvery, [this] { return stopping_; })) return;
  }
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
