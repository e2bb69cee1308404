// What happens by chance in a random test, from one seed.
#pragma once

#include <vector>

#include "base/random.h"

namespace cairn::nexus {

class Chance {
 public:
  explicit Chance(uint64_t seed) : random_(seed) {}

  int Pick(int low, int high) { return low + static_cast<int>(Below(high - low + 1)); }
  int64_t Below(int64_t end) { return static_cast<int64_t>(random_.Next() % static_cast<uint64_t>(end)); }
  bool Is(int percent) { return Pick(1, 100) <= percent; }
  template <class T>
  T& OneOf(std::vector<T>& values) {
    return values[static_cast<size_t>(Below(static_cast<int64_t>(values.size())))];
  }

 private:
  SeededRandom random_;
};

}  // namespace cairn::nexus
