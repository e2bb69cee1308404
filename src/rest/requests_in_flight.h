// RequestsInFlight: how many requests of one user are being worked on, so that no user has the memory for all
// of them. Thread-safe, without locks: users are counted by a hash, and two with the same one count together.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "http/account.h"

namespace cairn::rest {

class RequestsInFlight {
 public:
  // Of one user. A browser has six connections; programs that do much at once have some dozens.
  static constexpr uint16_t kAtOnceMax = 64;

  // One request's place; gives it back at its end.
  class Place {
   public:
    Place(RequestsInFlight& requests, http::Account account)
        : count_(requests.counts_[account.hash % kCounts]),
          is_taken_(count_.fetch_add(1, std::memory_order_relaxed) < kAtOnceMax) {}
    ~Place() { count_.fetch_sub(1, std::memory_order_relaxed); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    // False: there are too many; this one is to be refused.
    bool is_taken() const { return is_taken_; }

   private:
    std::atomic<uint16_t>& count_;
    const bool is_taken_;
  };

 private:
  static constexpr size_t kCounts = 1 << 16;

  std::vector<std::atomic<uint16_t>> counts_ = std::vector<std::atomic<uint16_t>>(kCounts);
};

}  // namespace cairn::rest
