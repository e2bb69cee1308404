// ULIDs: ids of 26 characters whose text order is the order of their making. A millisecond clock in 48 bits,
// then 80 bits of chance, in Crockford's base 32.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/random.h"

namespace cairn {

inline constexpr size_t kUlidBytes = 26;

// Makes ULIDs, each greater than the one before: also within a millisecond, and when the clock steps back.
// Thread-safe.
class UlidSource {
 public:
  explicit UlidSource(Random& random) : random_(random) {}
  std::string Next(Time now);

 private:
  Random& random_;
  std::mutex mutex_;      // guards what follows
  bool started_ = false;  // whether there was an id already
  uint64_t milliseconds_ = 0;
  uint64_t chance_high_ = 0;  // 16 bits
  uint64_t chance_low_ = 0;
};

// 26 characters of Crockford's alphabet in upper case, the first one at most '7' (more does not fit 128
// bits).
bool IsUlid(std::string_view text);

}  // namespace cairn
