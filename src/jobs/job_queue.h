// JobQueue: work that is due at a time and survives a crash: items of the platform's model. Whoever plans
// work stages it in the transaction that makes it necessary; JobRunner (job_runner.h) does what is due.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/task.h"
#include "model/database.h"
#include "model/session.h"

namespace cairn::jobs {

struct Job {
  std::string kind;      // which worker does it: "values-sweep"
  std::string id;        // unique among the jobs of one moment
  Time due;              // whole milliseconds
  std::string user_id;   // "" when it is nobody's
  std::string argument;  // for the worker
  int64_t attempts = 0;  // how often it has failed
};

class JobQueue {
 public:
  explicit JobQueue(model::Database& platform) : platform_(platform) {}

  // The platform's model, on behalf of the system inside one user's partitions: for jobs and receipts.
  model::Session NewSession(const std::string& user_id) const;

  // Both stage only. The same kind, id and moment is the same job.
  model::Outcome<void> Schedule(model::Session& platform, const Job& job) const;
  model::Outcome<void> Remove(model::Session& platform, const Job& job) const;

  // Is told of the moment of every job that is scheduled, before it is committed: whoever waits for the next
  // one need not look in between.
  void SetListener(std::function<void(Time due)> listener);

  // The moment of the job that comes next; nothing when there is none.
  Task<model::Outcome<std::optional<Time>>> NextDue() const;
  // What is due, the longest waiting first within each shard.
  Task<model::Outcome<std::vector<Job>>> Due(Time now, int64_t limit) const;
  // All of one user that come until a moment: for work that must not begin beside them.
  Task<model::Outcome<std::vector<Job>>> Pending(std::string user_id, Time until) const;

 private:
  model::Database& platform_;
  mutable std::mutex mutex_;  // guards listener_
  std::function<void(Time due)> listener_;
};

}  // namespace cairn::jobs
