// JobQueue: work that is due at a time and survives a crash: items of the platform's model. Whoever plans
// work stages it in the transaction that makes it necessary; JobRunner (job_runner.h) does what is due.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <set>
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

// Jobs wait in two lanes, each with a runner of its own: what has to be done on time, and what may take long
// because it goes over everything or asks somebody else. Neither holds up the other.
enum class Lane { kPrompt, kPatient };
inline constexpr size_t kLanes = 2;

// After every job.
inline constexpr Time kEndOfTime = std::chrono::sys_days(std::chrono::year(9999) / 12 / 31);

class JobQueue {
 public:
  // Jobs of these kinds go into the patient lane. Stored: a kind stays where it is.
  explicit JobQueue(model::Database& platform, std::set<std::string, std::less<>> patient_kinds = {})
      : platform_(platform), patient_kinds_(std::move(patient_kinds)) {}

  // The platform's model, on behalf of the system inside one user's partitions: for jobs and receipts.
  model::Session NewSession(const std::string& user_id) const;

  // Both stage only. The same kind, id and moment is the same job.
  model::Outcome<void> Schedule(model::Session& platform, const Job& job) const;
  model::Outcome<void> Remove(model::Session& platform, const Job& job) const;

  // Is told of the moment of every job of the lane that is scheduled, before it is committed: whoever waits
  // for the next one need not look in between.
  void SetListener(Lane lane, std::function<void(Time due)> listener);

  // The moment of the job that comes next; nothing when there is none.
  Task<model::Outcome<std::optional<Time>>> NextDue(Lane lane) const;
  // What is due, the longest waiting first within each shard.
  Task<model::Outcome<std::vector<Job>>> Due(Lane lane, Time now, int64_t limit) const;
  // Removes all of one user's, but for those of a kind.
  Task<Status> EraseUser(std::string user_id, std::string except_kind) const;
  // All of one user that come until a moment, of both lanes: for work that must not begin beside them.
  Task<model::Outcome<std::vector<Job>>> Pending(std::string user_id, Time until) const;

 private:
  Lane LaneOf(std::string_view kind) const;

  model::Database& platform_;
  const std::set<std::string, std::less<>> patient_kinds_;
  mutable std::mutex mutex_;                         // guards listeners_
  std::function<void(Time due)> listeners_[kLanes];  // by lane
};

}  // namespace cairn::jobs
