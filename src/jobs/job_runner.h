// JobRunner: does the jobs that are due, on a thread of its own. A job whose worker fails comes again later;
// one whose worker succeeds is removed. A crash in between repeats the job, so workers must not mind.
//
// Between jobs the thread sleeps until the next one is due: a hundred thousand that wait for tomorrow cost
// nothing today.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/task.h"
#include "jobs/job_queue.h"

namespace cairn::jobs {

using Worker = std::function<Task<Status>(const Job&)>;

class JobRunner {
 public:
  // Workers by kind.
  JobRunner(JobQueue& queue, const Clock& clock, std::map<std::string, Worker> workers);
  ~JobRunner() { Stop(); }

  void Start();
  // Lets the job at hand finish.
  void Stop();

  // What is due now, once, on the calling thread. Returns how many were done; used by Start's thread and by
  // tests.
  Task<size_t> RunDue();

 private:
  Task<bool> RunOne(const Job& job);
  Task<Status> Postpone(const Job& job, std::string reason);
  void Loop();
  void Expect(Time due);
  Time LookAgainAt(std::optional<Time> next);

  JobQueue& queue_;
  const Clock& clock_;
  const std::map<std::string, Worker> workers_;
  std::mutex mutex_;  // guards what follows, but the thread
  std::condition_variable wake_;
  bool stopping_ = false;
  bool expecting_ = false;  // to look before asleep_until_
  Time asleep_until_{};
  std::optional<Time> expected_;  // the first job that was announced, to be looked for when it is due
  Time uncommitted_until_{};      // until then a job may appear that is due already
  std::thread thread_;
};

}  // namespace cairn::jobs
