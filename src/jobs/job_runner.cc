#include "jobs/job_runner.h"

#include <time.h>

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
constexpr int64_t kPageMax = 99;        // a page of the pattern has at most 100, and one may be known already
constexpr size_t kWaitingMax = 50'000;  // known at once; the store has the rest
// Everything that is due is read again so often, for what was planned into the past meanwhile; at least ten
// times as long as the reading takes.
constexpr std::chrono::seconds kLookOverEvery{1};
constexpr size_t kUsersAtOnce = 16;  // their commits share syncs
// A user's turn.
constexpr size_t kJobsOfTurn = 25;
constexpr std::chrono::milliseconds kTimeOfTurn{100};
constexpr int64_t kPauseDoublingsMax = 9;  // of ten seconds: a little more than an hour

// Of the calling thread.
std::chrono::microseconds CpuTime() {
  timespec spent{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return std::chrono::seconds(spent.tv_sec) + std::chrono::microseconds(spent.tv_nsec / 1000);
}

}  // namespace

JobRunner::JobRunner(JobQueue& queue, const Clock& clock, std::map<std::string, Worker> workers,
                     JobRunnerOptions options)
    : queue_(queue),
      clock_(clock),
      workers_(std::move(workers)),
      options_(options),
      budget_(clock, options.user_time_per_minute) {}

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
    if (RunHere(helpers_.empty() ? Turn() : HandOut()) > 0) continue;
    std::optional<Time> next;
    if (auto found = RunHere(queue_.NextDue(options_.lane))) next = *found;
    std::unique_lock lock(mutex_);
    asleep_until_ = LookAgainAt(next);
    wake_.wait_for(lock, asleep_until_ - clock_.Now(), [this] { return stopping_ || expecting_; });
  }
}

bool JobRunner::IsStopping() {
  if (queue_.IsStopping()) return true;
  std::lock_guard lock(mutex_);
  return stopping_;
}

Task<Status> JobRunner::Collect() {
  std::set<std::string> busy;
  bool nothing_known = false;
  {
    std::lock_guard lock(mutex_);
    busy = busy_;
    nothing_known = waiting_.empty();
  }
  const Time now = clock_.Now();
  const bool from_the_beginning = nothing_known || now >= look_over_at_;
  if (from_the_beginning) {
    read_until_ = {};
    std::lock_guard lock(mutex_);
    // Those who are busy keep what they have left: some of the jobs that are read now are done meanwhile.
    waiting_.ForgetExcept(busy);
  }
  const Status read = co_await ReadOn(from_the_beginning, busy);
  if (from_the_beginning) {
    const Time then = clock_.Now();
    look_over_at_ = then + std::max<std::chrono::microseconds>(kLookOverEvery, (then - now) * 10);
  }
  co_return read;
}

Task<Status> JobRunner::ReadOn(bool from_the_beginning, const std::set<std::string>& busy) {
  const Time now = clock_.Now();
  for (int64_t shard = 0; shard < kShards; ++shard) {
    std::optional<Job>& until = read_until_[static_cast<size_t>(shard)];
    for (bool is_more = true; is_more && !IsStopping();) {
      auto page = co_await queue_.DueAfter(options_.lane, shard, until, now, kPageMax);
      if (!page) co_return Fail(std::move(page).error().error);
      is_more = page->size() >= static_cast<size_t>(kPageMax);
      if (!page->empty()) until = page->back();
      std::lock_guard lock(mutex_);
      for (Job& job : *page) {
        // Threads have gone on with those who were busy while the page was read: some of it may be done.
        const bool beside_work = busy.contains(job.user_id) || busy_.contains(job.user_id);
        if (from_the_beginning && busy.contains(job.user_id)) continue;
        waiting_.Add(std::move(job), beside_work ? ReadBeside::kWork : ReadBeside::kNobody);
      }
      is_more = is_more && waiting_.size() < kWaitingMax;
    }
  }
  co_return Status();
}

std::optional<std::string> JobRunner::NextUser() {
  std::lock_guard lock(mutex_);
  return waiting_.NextUser([this](const std::string& user_id) {
    return !busy_.contains(user_id) && (user_id.empty() || budget_.HasTime(user_id));
  });
}

std::optional<WaitingJobs::Taken> JobRunner::TakeJob(const std::string& user_id) {
  std::lock_guard lock(mutex_);
  return waiting_.Take(user_id);
}

void JobRunner::Charge(const std::string& user_id, std::chrono::microseconds used) {
  if (user_id.empty()) return;
  std::lock_guard lock(mutex_);
  budget_.Charge(user_id, used);
}

Task<size_t> JobRunner::HandOut() {
  const Status collected = co_await Collect();
  if (!collected) log::Warning("jobs cannot be read", {{"reason", collected.error().message}});
  size_t handed = 0;
  for (;;) {
    {
      std::lock_guard lock(mutex_);
      if (busy_.size() >= options_.at_once) break;
    }
    const std::optional<std::string> user_id = NextUser();
    if (!user_id) break;
    std::lock_guard lock(mutex_);
    busy_.insert(*user_id);
    handed_.push_back(*user_id);
    ++handed;
  }
  if (handed > 0) handed_out_.notify_all();
  co_return handed;
}

void JobRunner::Help() {
  for (;;) {
    std::string user_id;
    {
      std::unique_lock lock(mutex_);
      handed_out_.wait(lock, [this] { return stopping_ || !handed_.empty(); });
      if (stopping_) return;
      user_id = std::move(handed_.front());
      handed_.pop_front();
    }
    const auto before = CpuTime();
    RunHere(RunSlice(user_id));
    Charge(user_id, CpuTime() - before);
    std::lock_guard lock(mutex_);
    busy_.erase(user_id);
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
  look_over_at_ = {};
  size_t done = 0;
  std::optional<size_t> left;
  for (;;) {
    const size_t more = co_await Turn();
    done += more;
    std::lock_guard lock(mutex_);
    // None: all is done. As many as before: those who have some may not run.
    if (waiting_.empty() || waiting_.size() == left) co_return done;
    left = waiting_.size();
  }
}

Task<size_t> JobRunner::Turn() {
  const Status collected = co_await Collect();
  if (!collected) {
    log::Warning("jobs cannot be read", {{"reason", collected.error().message}});
    co_return 0;
  }
  std::vector<std::string> users;
  while (users.size() < kUsersAtOnce) {
    std::optional<std::string> user_id = NextUser();
    // All have had their turn.
    if (!user_id || std::ranges::find(users, *user_id) != users.end()) break;
    users.push_back(*std::move(user_id));
  }
  const Time begun = clock_.Now();
  std::vector<Task<size_t>> side_by_side;
  for (const std::string& user_id : users) side_by_side.push_back(RunSlice(user_id));
  const std::vector<size_t> counts = co_await Together(std::move(side_by_side));
  size_t done = 0;
  for (const size_t count : counts) done += count;
  // They have shared the thread.
  const auto share = (clock_.Now() - begun) / std::max<int64_t>(1, static_cast<int64_t>(users.size()));
  for (const std::string& user_id : users) Charge(user_id, share);
  co_return done;
}

Task<size_t> JobRunner::RunSlice(std::string user_id) {
  const Time begun = clock_.Now();
  size_t done = 0;
  for (size_t i = 0; i < kJobsOfTurn && clock_.Now() - begun < kTimeOfTurn && !IsStopping(); ++i) {
    const std::optional<WaitingJobs::Taken> taken = TakeJob(user_id);
    if (!taken) break;
    if (taken->may_be_done && !co_await IsLeft(taken->job)) continue;
    const bool succeeded = co_await RunOne(taken->job);
    if (succeeded) ++done;
  }
  co_return done;
}

Task<bool> JobRunner::IsLeft(const Job& job) {
  auto found = co_await queue_.Has(job);
  if (!found) log::Warning("a job cannot be read", {{"reason", found.error().error.message}});
  // One that cannot be read is found again by the next reading.
  co_return found&&* found;
}

Task<bool> JobRunner::RunOne(const Job& job) {
  const auto worker = workers_.find(job.kind);
  Status status = Fail(Code::kUnavailable, "this server has no worker for it");
  if (worker != workers_.end()) status = co_await worker->second(job);
  if (!status && queue_.IsStopping()) co_return false;  // it comes again as it is
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
