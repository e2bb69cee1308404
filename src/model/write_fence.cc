#include "model/write_fence.h"

#include <mutex>

#include "base/yield.h"

namespace cairn::model {
namespace {

constexpr std::chrono::hours kClosedFor{24};
constexpr std::string_view kUserClaim = "sub";

size_t ShardOfThread() {
  static std::atomic<size_t> next{0};
  thread_local const size_t shard = next.fetch_add(1, std::memory_order_relaxed);
  return shard;
}

}  // namespace

bool WriteFence::IsOutside(const Caller& caller) const {
  const std::string* user = caller.Claim(kUserClaim);
  if (user == nullptr) return false;
  std::shared_lock lock(mutex_);
  return closed_.contains(*user);
}

// Counted first, then asked: whoever closes the fence does it the other way round, so one of both sees the
// other.
std::optional<WriteFence::Passage> WriteFence::Enter(const Caller& caller, const Caller* together_with) {
  std::atomic<int64_t>& under_way = shards_[ShardOfThread() % kShards].under_way[period_.load() % 2];
  under_way.fetch_add(1);
  Passage passage(under_way);
  if (closed_count_.load() == 0) return passage;
  if (IsOutside(caller) || (together_with != nullptr && IsOutside(*together_with))) return std::nullopt;
  return passage;
}

int64_t WriteFence::UnderWay(size_t parity) const {
  int64_t sum = 0;
  for (const Shard& shard : shards_) sum += shard.under_way[parity].load();
  return sum;
}

Task<Status> WriteFence::CloseAround(std::string user_id) {
  {
    std::unique_lock lock(mutex_);
    const Time now = clock_.Now();
    std::erase_if(closed_, [&](const auto& entry) { return now - entry.second > kClosedFor; });
    closed_.insert_or_assign(std::move(user_id), now);
    closed_count_ = closed_.size();
  }
  while (turning_.exchange(true)) co_await Yield();
  // What began before counts in this period or, where a thread was held up between reading the period and
  // counting, in the other one: both are waited for. A write takes milliseconds.
  for (int turn = 0; turn < 2; ++turn) {
    const size_t parity = period_.fetch_add(1) % 2;
    while (UnderWay(parity) != 0) co_await Yield();
  }
  turning_ = false;
  co_return Status();
}

}  // namespace cairn::model
