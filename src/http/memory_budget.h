// MemoryBudget: how many bytes all users of one kind (WebSocket queues) may hold together.
// Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>

namespace cairn::http {

class MemoryBudget {
 public:
  explicit MemoryBudget(size_t bytes_max) : bytes_max_(bytes_max) {}

  // False: the budget is spent, nothing was taken.
  bool TryTake(size_t bytes) {
    const size_t before = bytes_.fetch_add(bytes, std::memory_order_relaxed);
    if (before + bytes <= bytes_max_) return true;
    Return(bytes);
    return false;
  }
  // For what must not fail: may overdraw the budget.
  void Take(size_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  void Return(size_t bytes) { bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  const size_t bytes_max_;
  std::atomic<size_t> bytes_ = 0;
};

}  // namespace cairn::http
