#include "quotas/rate_table.h"

#include <algorithm>

namespace cairn::quotas {
namespace {

std::chrono::seconds RoundedUp(int64_t microseconds) {
  return std::max(std::chrono::seconds(1),
                  std::chrono::ceil<std::chrono::seconds>(std::chrono::microseconds(microseconds)));
}

}  // namespace

int64_t& RateTable::EntryOf(Shard& shard, std::string_view name, int64_t now) {
  const auto found = shard.entries.find(name);
  if (found != shard.entries.end()) {
    // A clock that was put back must not lock anybody out for longer than twice the burst takes.
    found->second = std::clamp(found->second, now, now + 2 * TimeFor(rate_.burst));
    return found->second;
  }
  if (shard.entries.size() >= shard_entries_max_) {
    std::erase_if(shard.entries, [now](const auto& entry) { return entry.second <= now; });
    if (shard.entries.size() >= shard_entries_max_) shard.entries.erase(shard.entries.begin());
  }
  return shard.entries.emplace(name, now).first->second;
}

Result<void, std::chrono::seconds> RateTable::Take(std::string_view name, double amount) {
  if (!is_limited()) return {};
  Shard& shard = ShardOf(name);
  const int64_t now = Now();
  const int64_t taken = TimeFor(std::min(amount, rate_.burst)), burst = TimeFor(rate_.burst);
  std::lock_guard lock(shard.mutex);
  int64_t& whole_at = EntryOf(shard, name, now);
  const int64_t too_much = whole_at + taken - now - burst;
  if (too_much > 0) return std::unexpected(RoundedUp(too_much));
  whole_at += taken;
  return {};
}

void RateTable::Charge(std::string_view name, double amount) {
  if (!is_limited()) return;
  Shard& shard = ShardOf(name);
  const int64_t now = Now();
  std::lock_guard lock(shard.mutex);
  EntryOf(shard, name, now) += TimeFor(amount);
}

std::chrono::seconds RateTable::WaitOf(std::string_view name) { return WaitFor(name, 0); }

std::chrono::seconds RateTable::WaitFor(std::string_view name, double amount) {
  if (!is_limited()) return {};
  Shard& shard = ShardOf(name);
  const int64_t now = Now();
  std::lock_guard lock(shard.mutex);
  const auto found = shard.entries.find(name);
  if (found == shard.entries.end()) return {};
  const int64_t taken = TimeFor(std::min(amount, rate_.burst)), burst = TimeFor(rate_.burst);
  const int64_t too_much = std::clamp(found->second - now, int64_t{0}, 2 * burst) + taken - burst;
  return too_much > 0 ? RoundedUp(too_much) : std::chrono::seconds(0);
}

}  // namespace cairn::quotas
