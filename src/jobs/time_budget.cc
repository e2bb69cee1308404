#include "jobs/time_budget.h"

#include <algorithm>

namespace cairn::jobs {
namespace {

constexpr size_t kEntriesMax = 10'000;  // then those are forgotten who have all their time again
constexpr std::chrono::microseconds kMinute = std::chrono::minutes(1);

}  // namespace

std::chrono::microseconds TimeBudget::LeftNow(const Entry& entry, Time now) const {
  const auto passed = std::clamp(now - entry.at, std::chrono::microseconds(0), kMinute * 60);
  return std::min(per_minute_, entry.left + passed * per_minute_.count() / kMinute.count());
}

bool TimeBudget::HasTime(const std::string& user_id) {
  if (per_minute_.count() == 0) return true;
  const auto found = entries_.find(user_id);
  return found == entries_.end() || LeftNow(found->second, clock_.Now()).count() > 0;
}

void TimeBudget::Charge(const std::string& user_id, std::chrono::microseconds used) {
  if (per_minute_.count() == 0) return;
  const Time now = clock_.Now();
  if (entries_.size() >= kEntriesMax) ForgetRested(now);
  const auto [found, is_new] = entries_.try_emplace(user_id, Entry{.left = per_minute_, .at = now});
  Entry& entry = found->second;
  entry.left = LeftNow(entry, now) - used;
  entry.at = now;
}

void TimeBudget::ForgetRested(Time now) {
  std::erase_if(entries_, [&](const auto& entry) { return LeftNow(entry.second, now) >= per_minute_; });
}

}  // namespace cairn::jobs
