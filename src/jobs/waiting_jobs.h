// WaitingJobs: jobs that are due, by user, for turns: whoever was served goes to the back of the queue, so a
// user with ten thousand of them delays nobody else. Bounded: of each user only the first ones are kept; the
// store has the rest. Not thread-safe.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "jobs/job_queue.h"

namespace cairn::jobs {

inline constexpr size_t kWaitingOfUserMax = 500;

// How a job was read: while nobody worked on the jobs of its user, or beside somebody who did: then it may be
// done by now.
enum class ReadBeside { kNobody, kWork };

class WaitingJobs {
 public:
  struct Taken {
    Job job;
    bool may_be_done = false;  // to be looked up before it is begun
  };

  // One that is due, in the order of their moments. One that waits already, and those beyond
  // kWaitingOfUserMax, are left out.
  void Add(Job job, ReadBeside beside = ReadBeside::kNobody);
  // Forgets the jobs of all users except `kept`; who comes next stays the same.
  void ForgetExcept(const std::set<std::string>& kept);

  // The user whose turn it is among those that `may_run`, and who has jobs; they go to the back of the queue.
  std::optional<std::string> NextUser(const std::function<bool(const std::string&)>& may_run);
  // The longest waiting job of the user.
  std::optional<Taken> Take(const std::string& user_id);

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }

 private:
  std::map<std::string, std::deque<Taken>> jobs_;  // by user; those in turns_, perhaps without jobs
  std::deque<std::string> turns_;                  // each user once
  size_t size_ = 0;
};

}  // namespace cairn::jobs
