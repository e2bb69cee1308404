#include "http/shared_budget.h"

#include <algorithm>

namespace cairn::http {

bool SharedBudget::TryTake(Account account, size_t bytes) {
  if (account == Account()) {
    const size_t before = bytes_.fetch_add(bytes, std::memory_order_relaxed);
    if (before + bytes <= bytes_max_) return true;
    bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    return false;
  }
  Shard& shard = ShardOf(account);
  const std::lock_guard lock(shard.mutex);
  const auto known = shard.bytes.find(account.hash);
  const size_t share_before = known == shard.bytes.end() ? 0 : known->second;
  if (!TakeFromAll(bytes, share_before)) return false;
  shard.bytes[account.hash] = share_before + bytes;
  return true;
}

bool SharedBudget::TakeFromAll(size_t bytes, size_t share_before) {
  const size_t before = bytes_.fetch_add(bytes, std::memory_order_relaxed);
  const double others = static_cast<double>(before - std::min(before, share_before));
  const double free_part = 1 - others / static_cast<double>(bytes_max_);
  const bool is_within_share =
      static_cast<double>(share_before + bytes) <= static_cast<double>(share_bytes_max_) * free_part;
  if (is_within_share && before + bytes <= bytes_max_) return true;
  bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  return false;
}

void SharedBudget::Return(Account account, size_t bytes) {
  bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  if (account == Account()) return;
  Shard& shard = ShardOf(account);
  const std::lock_guard lock(shard.mutex);
  const auto known = shard.bytes.find(account.hash);
  known->second -= bytes;
  if (known->second == 0) shard.bytes.erase(known);
}

}  // namespace cairn::http
