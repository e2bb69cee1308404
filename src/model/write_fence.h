// WriteFence: keeps out what belongs to an account that is being deleted. Once it is closed around a user,
// nothing is written for that user any more except deletions, by whatever request or job that was under way;
// and what was on its way to the store before has arrived. So an erasure that begins then finds everything.
//
// Shared by all databases of a process; a store has one process. Sessions ask it before each write
// (commit.cc, write_many.cc), which costs two additions to a counter that threads do not share.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/result.h"
#include "base/task.h"
#include "model/caller.h"

namespace cairn::model {

class WriteFence {
 public:
  explicit WriteFence(const Clock& clock) : clock_(clock) {}

  // A write on its way to the store; let go when the store has answered.
  class Passage {
   public:
    explicit Passage(std::atomic<int64_t>& under_way) : under_way_(&under_way) {}
    Passage(Passage&& other) noexcept : under_way_(std::exchange(other.under_way_, nullptr)) {}
    Passage& operator=(Passage&&) = delete;
    ~Passage() {
      if (under_way_ != nullptr) under_way_->fetch_sub(1);
    }

   private:
    std::atomic<int64_t>* under_way_;
  };

  // Nothing when one of the callers, who write together, is a user whom the fence is closed around.
  std::optional<Passage> Enter(const Caller& caller, const Caller* together_with = nullptr);

  // What such a caller is told.
  static Error Deleted() { return {Code::kUnauthenticated, "The account was deleted."}; }

  // From the return on nothing is being written for the user, and nothing will be for a day: longer than any
  // request or job lasts. Writes of others are not held up.
  Task<Status> CloseAround(std::string user_id);

 private:
  static constexpr size_t kShards = 64;
  struct alignas(64) Shard {
    std::atomic<int64_t> under_way[2] = {0, 0};  // by the parity of the period in which they began
  };

  bool IsOutside(const Caller& caller) const;
  int64_t UnderWay(size_t parity) const;

  const Clock& clock_;
  std::atomic<size_t> period_{0};
  std::atomic<bool> turning_{false};  // somebody waits for a period's writes
  std::array<Shard, kShards> shards_;
  std::atomic<size_t> closed_count_{0};
  mutable std::shared_mutex mutex_;                  // guards closed_
  std::map<std::string, Time, std::less<>> closed_;  // users, and since when
};

}  // namespace cairn::model
