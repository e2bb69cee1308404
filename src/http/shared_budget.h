// SharedBudget: how many bytes all clients may make the server hold, and how much of it any one of them may:
// its share, which shrinks as the others take theirs: when they have taken half of the budget, it is half as
// large. So those who come late find room, too. Thread-safe; asked only about what is large or slow.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "http/account.h"

namespace cairn::http {

class SharedBudget {
 public:
  SharedBudget(size_t bytes_max, size_t share_bytes_max)
      : bytes_max_(bytes_max), share_bytes_max_(share_bytes_max) {}

  // False: the budget or the account's share is spent, nothing was taken.
  [[nodiscard]] bool TryTake(Account account, size_t bytes);
  // As they were taken.
  void Return(Account account, size_t bytes);

  size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  struct Shard {
    std::mutex mutex;  // guards bytes
    std::unordered_map<uint64_t, size_t> bytes;
  };
  Shard& ShardOf(Account account) { return shards_[(account.hash >> 58) % shards_.size()]; }
  bool TakeFromAll(size_t bytes, size_t share_before);

  const size_t bytes_max_;
  const size_t share_bytes_max_;
  std::atomic<size_t> bytes_ = 0;
  std::array<Shard, 64> shards_;  // by account
};

// What one client has taken of a budget; gives it back at its end.
class BudgetShare {
 public:
  explicit BudgetShare(SharedBudget& budget) : budget_(budget) {}
  ~BudgetShare() { Release(); }
  BudgetShare(const BudgetShare&) = delete;
  BudgetShare& operator=(const BudgetShare&) = delete;

  // False: nothing was taken.
  [[nodiscard]] bool TryTake(size_t bytes) {
    if (!budget_.TryTake(account_, bytes)) return false;
    bytes_ += bytes;
    return true;
  }
  // Whose share it is from now on. What was taken before moves along, if there is room for it there.
  void ChargeTo(Account account) {
    if (bytes_ > 0 && !budget_.TryTake(account, bytes_)) return;
    if (bytes_ > 0) budget_.Return(account_, bytes_);
    account_ = account;
  }
  void Release() {
    if (bytes_ > 0) budget_.Return(account_, std::exchange(bytes_, 0));
  }
  size_t bytes() const { return bytes_; }

 private:
  SharedBudget& budget_;
  Account account_;
  size_t bytes_ = 0;
};

}  // namespace cairn::http
