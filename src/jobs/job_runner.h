// JobRunner: does the jobs that are due, on a thread of its own: those of one user one after another, those
// of several side by side, so that their commits share a sync. A job whose worker fails comes again later;
// one whose worker succeeds is removed. A crash in between repeats the job, so workers must not mind.
//
// Users take turns: each has a few jobs or a fraction of a second done, then the next ones. So somebody's
// backlog delays their own jobs only. And each has so much time in a minute; whoever has used it waits.
//
// Between jobs the thread sleeps until the next one is due: a hundred thousand that wait for tomorrow cost
// nothing today.
//
// A runner of a lane whose jobs wait for others does several at once, on threads that it hands users to: the
// jobs of one user one after another, so that no user takes all of them.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/task.h"
#include "jobs/job_queue.h"
#include "jobs/time_budget.h"
#include "jobs/waiting_jobs.h"

namespace cairn::jobs {

using Worker = std::function<Task<Status>(const Job&)>;

struct JobRunnerOptions {
  Lane lane = Lane::kPrompt;
  size_t at_once = 1;
  // Before a job that failed comes again; doubled with every further failure, up to an hour or so.
  std::chrono::milliseconds first_pause = std::chrono::seconds(10);
  // How long the jobs of one user may run in a minute; zero: as long as they like.
  std::chrono::seconds user_time_per_minute = std::chrono::seconds(0);
};

class JobRunner {
 public:
  // Workers by kind.
  JobRunner(JobQueue& queue, const Clock& clock, std::map<std::string, Worker> workers,
            JobRunnerOptions options = {});
  ~JobRunner() { Stop(); }

  void Start();
  // Lets the jobs at hand finish, and begins no other. They end early where they can if the queue was told
  // (JobQueue::BeginStop).
  void Stop();

  // All that is due now, on the calling thread. Returns how many were done. For tests; never while started.
  Task<size_t> RunDue();
  // One turn: a few jobs of a few users. Returns how many were done. For tests, likewise.
  Task<size_t> Turn();

 private:
  // Looks for jobs that are due and not known yet; for all of them from the beginning every second or so.
  Task<Status> Collect();
  Task<Status> ReadOn(bool from_the_beginning, const std::set<std::string>& busy);
  // Of a job that was read beside work on others of its user: whether it is still to be done.
  Task<bool> IsLeft(const Job& job);
  // A few jobs of a user; returns how many were done.
  Task<size_t> RunSlice(std::string user_id);
  Task<bool> RunOne(const Job& job);
  Task<Status> Postpone(const Job& job, std::string reason);
  std::optional<std::string> NextUser();
  std::optional<WaitingJobs::Taken> TakeJob(const std::string& user_id);
  void Charge(const std::string& user_id, std::chrono::microseconds used);
  // Gives users with jobs to idle threads; returns to how many.
  Task<size_t> HandOut();
  void Help();
  void Loop();
  bool IsStopping();
  void Expect(Time due);
  Time LookAgainAt(std::optional<Time> next);

  JobQueue& queue_;
  const Clock& clock_;
  const std::map<std::string, Worker> workers_;
  const JobRunnerOptions options_;

  // Where reading goes on in each shard; of the runner's own thread only.
  std::array<std::optional<Job>, kShards> read_until_;
  Time look_over_at_{};  // then everything that is due is read again

  std::mutex mutex_;  // guards what follows, except the threads
  WaitingJobs waiting_;
  TimeBudget budget_;
  std::condition_variable wake_;
  bool stopping_ = false;
  bool expecting_ = false;  // to look before asleep_until_
  Time asleep_until_{};
  std::optional<Time> expected_;  // the first job that was announced, to be looked for when it is due
  Time uncommitted_until_{};      // until then a job may appear that is due already
  std::condition_variable handed_out_;
  std::deque<std::string> handed_;  // users, each for one thread
  std::set<std::string> busy_;      // users who were handed out and are not done
  std::thread thread_;
  std::vector<std::thread> helpers_;
};

}  // namespace cairn::jobs
