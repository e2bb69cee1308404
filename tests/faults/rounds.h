// How long a fault test runs, and from which seed: CAIRN_ROUNDS and CAIRN_TEST_SEED. CAIRN_LOG=1 shows the
// store's log.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "base/log.h"

namespace cairn::faults {

inline uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* given = std::getenv(name);
  return given != nullptr ? std::strtoull(given, nullptr, 10) : otherwise;
}

inline uint64_t Rounds(uint64_t otherwise) { return FromEnvironment("CAIRN_ROUNDS", otherwise); }

// Printed, so that a failure can be replayed.
inline uint64_t Seed() {
  const uint64_t seed = FromEnvironment("CAIRN_TEST_SEED", std::random_device{}());
  std::printf("CAIRN_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  return seed;
}

inline void QuietLog() {
  log::SetLevel(std::getenv("CAIRN_LOG") != nullptr ? log::Level::kDebug : log::Level::kOff);
}

}  // namespace cairn::faults
