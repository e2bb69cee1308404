// Random: the only source of chance, so that a seed replays a run.
#pragma once

#include <cstdint>
#include <mutex>
#include <random>
#include <string>

namespace cairn {

class Random {
 public:
  virtual ~Random() = default;
  virtual uint64_t Next() = 0;
};

// The kernel's generator; for ids and secrets. Thread-safe.
class SystemRandom : public Random {
 public:
  uint64_t Next() override;
};

// Replays the same numbers from the same seed. Thread-safe.
class SeededRandom : public Random {
 public:
  explicit SeededRandom(uint64_t seed) : engine_(seed) {}
  uint64_t Next() override;

 private:
  std::mutex mutex_;  // guards engine_
  std::mt19937_64 engine_;
};

// A version 4 UUID, e.g. "9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f".
std::string NewUuid(Random& random);

}  // namespace cairn
