#include "jobs/waiting_jobs.h"

#include <algorithm>
#include <utility>

namespace cairn::jobs {

void WaitingJobs::Add(Job job, ReadBeside beside) {
  const auto [found, is_new] = jobs_.try_emplace(job.user_id);
  if (is_new) turns_.push_back(job.user_id);
  std::deque<Taken>& of_user = found->second;
  const auto due_of = [](const Taken& taken) { return taken.job.due; };
  // Shards are read one after the other, each in the order of its moments.
  const auto same_moment = std::ranges::equal_range(of_user, job.due, {}, due_of);
  const bool is_known = std::ranges::any_of(same_moment, [&](const Taken& taken) {
    return taken.job.id == job.id && taken.job.kind == job.kind && taken.job.shard == job.shard;
  });
  if (is_known) return;
  const auto place = same_moment.end();
  Taken waiting{.job = std::move(job), .may_be_done = beside == ReadBeside::kWork};
  if (of_user.size() >= kWaitingOfUserMax) {
    if (place == of_user.end()) return;
    of_user.insert(place, std::move(waiting));
    of_user.pop_back();
    return;
  }
  of_user.insert(place, std::move(waiting));
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

std::optional<WaitingJobs::Taken> WaitingJobs::Take(const std::string& user_id) {
  const auto found = jobs_.find(user_id);
  if (found == jobs_.end() || found->second.empty()) return std::nullopt;
  Taken taken = std::move(found->second.front());
  found->second.pop_front();
  --size_;
  return taken;
}

}  // namespace cairn::jobs
