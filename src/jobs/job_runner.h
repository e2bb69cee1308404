// JobRunner: does the jobs that are due, on a thread of its own: those of one user one after another, those
// of several side by side, so that their commits share a sync. A job whose worker fails comes again later;
// one whose worker succeeds is removed. A crash in between repeats the job, so workers must not mind.
//
// Between jobs the thread sleeps until the next one is due: a hundred thousand that wait for tomorrow cost
// nothing today.
//
// A runner of a lane whose jobs wait for others does several at once, on threads that it hands them to: the
// jobs of one user one after another, so that no user takes all of them.
#pragma once

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

namespace cairn::jobs {

using Worker = std::function<Task<Status>(const Job&)>;

struct JobRunnerOptions {
  Lane lane = Lane::kPrompt;
  size_t at_once = 1;
  // Before a job that failed comes again; doubled with every further failure, up to an hour or so.
  std::chrono::milliseconds first_pause = std::chrono::seconds(10);
};

class JobRunner {
 public:
  // Workers by kind.
  JobRunner(JobQueue& queue, const Clock& clock, std::map<std::string, Worker> workers,
            JobRunnerOptions options = {});
  ~JobRunner() { Stop(); }

  void Start();
  // Lets the jobs at hand finish.
  void Stop();

  // What is due now, once, on the calling thread. Returns how many were done; used by tests, and by Start's
  // thread unless it hands them out.
  Task<size_t> RunDue();

 private:
  // One after another; returns how many were done.
  Task<size_t> RunAll(std::vector<Job> jobs);
  Task<bool> RunOne(const Job& job);
  Task<Status> Postpone(const Job& job, std::string reason);
  // Gives what is due to idle threads; returns to how many.
  Task<size_t> HandOut();
  void Help();
  void Loop();
  void Expect(Time due);
  Time LookAgainAt(std::optional<Time> next);

  JobQueue& queue_;
  const Clock& clock_;
  const std::map<std::string, Worker> workers_;
  const JobRunnerOptions options_;
  std::mutex mutex_;  // guards what follows, but the threads
  std::condition_variable wake_;
  bool stopping_ = false;
  bool expecting_ = false;  // to look before asleep_until_
  Time asleep_until_{};
  std::optional<Time> expected_;  // the first job that was announced, to be looked for when it is due
  Time uncommitted_until_{};      // until then a job may appear that is due already
  std::condition_variable handed_out_;
  std::deque<std::vector<Job>> handed_;  // each of one user, for one thread
  std::set<std::string> busy_;           // users whose jobs were handed out and are not done
  std::thread thread_;
  std::vector<std::thread> helpers_;
};

}  // namespace cairn::jobs
