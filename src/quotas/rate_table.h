// RateTable: how much of something each of many may have in a second, and how much at once. For requests and
// for bytes written. Whoever has rested has the whole burst again.
//
// In memory and bounded: it forgets at a restart, and whom it has no room for. Thread-safe, by shards: those
// who ask at the same time seldom wait for each other.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/clock.h"
#include "base/result.h"

namespace cairn::quotas {

struct Rate {
  double per_second = 0;  // 0: no limit
  double burst = 0;
};

class RateTable {
 public:
  RateTable(const Clock& clock, Rate rate, size_t entries_max = 100'000)
      : clock_(clock), rate_(rate), shard_entries_max_(entries_max / kShards) {}

  // Takes `amount` if it may be had. Fails with how long to wait for it, at least a second.
  Result<void, std::chrono::seconds> Take(std::string_view name, double amount);
  // How long to wait until Take would succeed; zero: now. Takes nothing.
  std::chrono::seconds WaitFor(std::string_view name, double amount);
  // Takes it in any case: what was used is known only afterwards.
  void Charge(std::string_view name, double amount);
  // How long to wait until anything may be had; zero: now.
  std::chrono::seconds WaitOf(std::string_view name);

  bool is_limited() const { return rate_.per_second > 0; }
  const Rate& rate() const { return rate_; }

 private:
  static constexpr size_t kShards = 64;

  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };
  // When everything that was taken has come back, in microseconds since 1970.
  using Entries = std::unordered_map<std::string, int64_t, Hash, std::equal_to<>>;
  struct alignas(64) Shard {
    std::mutex mutex;  // guards what follows
    Entries entries;
  };

  Shard& ShardOf(std::string_view name) { return shards_[Hash()(name) % kShards]; }
  // Of a shard that is locked; makes room if there is none.
  int64_t& EntryOf(Shard& shard, std::string_view name, int64_t now);
  int64_t Now() const { return clock_.Now().time_since_epoch().count(); }
  int64_t TimeFor(double amount) const { return static_cast<int64_t>(amount * 1e6 / rate_.per_second); }

  const Clock& clock_;
  const Rate rate_;
  const size_t shard_entries_max_;
  std::array<Shard, kShards> shards_;
};

}  // namespace cairn::quotas
