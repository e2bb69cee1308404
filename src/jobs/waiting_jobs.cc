#include "jobs/waiting_jobs.h"

#include <algorithm>
#include <utility>

namespace cairn::jobs {

void WaitingJobs::Add(Job job) {
  const auto [found, is_new] = jobs_.try_emplace(job.user_id);
  if (is_new) turns_.push_back(job.user_id);
  std::deque<Job>& of_user = found->second;
  // Shards are read one after the other, each in the order of its moments.
  const auto place = std::ranges::upper_bound(of_user, job.due, {}, &Job::due);
  if (of_user.size() >= kWaitingOfUserMax) {
    if (place == of_user.end()) return;
    of_user.insert(place, std::move(job));
    of_user.pop_back();
    return;
  }
  of_user.insert(place, std::move(job));
  ++size_;
}

void WaitingJobs::ForgetExcept(const std::set<std::string>& kept) {
  for (auto& [user_id, of_user] : jobs_) {
    if (kept.contains(user_id)) continue;
    size_ -= of_user.size();
    of_user.clear();
  }
}

std::optional<std::string> WaitingJobs::NextUser(const std::function<bool(const std::string&)>& may_run) {
  for (size_t i = turns_.size(); i > 0; --i) {
    std::string user_id = std::move(turns_.front());
    turns_.pop_front();
    const auto found = jobs_.find(user_id);
    if (found->second.empty()) {
      jobs_.erase(found);
      continue;
    }
    turns_.push_back(user_id);
    if (may_run(user_id)) return user_id;
  }
  return std::nullopt;
}

std::optional<Job> WaitingJobs::Take(const std::string& user_id) {
  const auto found = jobs_.find(user_id);
  if (found == jobs_.end() || found->second.empty()) return std::nullopt;
  Job job = std::move(found->second.front());
  found->second.pop_front();
  --size_;
  return job;
}

}  // namespace cairn::jobs
