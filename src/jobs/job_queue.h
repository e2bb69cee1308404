// JobQueue: work that is due at a time and survives a crash: items of the platform's model. Whoever plans
// work stages it in the transaction that makes it necessary; JobRunner (job_runner.h) does what is due.
#pragma once

#include <atomic>
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
  std::string kind;                   // which worker does it: "values-sweep"
  std::string id;                     // unique among the jobs of one moment
  Time due;                           // whole milliseconds
  std::string user_id;                // "" when it is nobody's
  std::string argument;               // for the worker
  int64_t attempts = 0;               // how often it has failed
  std::optional<int64_t> shard = {};  // of a job that was read: where it lies, and stays
};

// Jobs wait in two lanes, each with a runner of its own: what has to be done on time, and what may take long
// because it goes over everything or asks somebody else. Neither holds up the other.
enum class Lane { kPrompt, kPatient };
inline constexpr size_t kLanes = 2;

// After every job.
inline constexpr Time kEndOfTime = std::chrono::sys_days(std::chrono::year(9999) / 12 / 31);

// Jobs of a lane are spread over so many shards. Stored: changing it would lose jobs.
inline constexpr int64_t kShards = 4;

class JobQueue {
 public:
  // Jobs of these kinds go into the patient lane. One that was planned into the other lane is done there.
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
  // The next jobs of one shard (0 to kShards - 1) that are due, in their order, behind `after`; from the
  // first one without it. Fewer than `limit`: there are no more.
  Task<model::Outcome<std::vector<Job>>> DueAfter(Lane lane, int64_t shard, std::optional<Job> after,
                                                  Time now, int64_t limit) const;
  // Whether a job that was read is still there, as it was.
  Task<model::Outcome<bool>> Has(const Job& job) const;

  // All of one user that come until a moment, of both lanes: for work that must not begin beside them.
  Task<model::Outcome<std::vector<Job>>> Pending(std::string user_id, Time until) const;

  // From now on long work ends as soon as it can: what is left of it is done after the next start. A worker
  // asks between two portions of its work, and fails then: the job stays as it is.
  void BeginStop() { stopping_.store(true, std::memory_order_relaxed); }
  bool IsStopping() const { return stopping_.load(std::memory_order_relaxed); }

 private:
  Lane LaneOf(std::string_view kind) const;

  model::Database& platform_;
  const std::set<std::string, std::less<>> patient_kinds_;
  std::atomic<bool> stopping_ = false;
  mutable std::mutex mutex_;                         // guards listeners_
  std::function<void(Time due)> listeners_[kLanes];  // by lane
};

// What a worker fails with that ends before its work is done because the server stops.
std::unexpected<Error> Stopping();

}  // namespace cairn::jobs
