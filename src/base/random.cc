#include "base/random.h"

#include <sys/random.h>

#include <cstdio>

#include "base/check.h"

namespace cairn {

uint64_t SystemRandom::Next() {
  uint64_t value = 0;
  CHECK(getrandom(&value, sizeof value, 0) == sizeof value, "the kernel gives random bytes");
  return value;
}

uint64_t SeededRandom::Next() {
  std::lock_guard lock(mutex_);
  return engine_();
}

std::string NewUuid(Random& random) {
  const uint64_t high = (random.Next() & ~0xf000ull) | 0x4000ull;                        // version 4
  const uint64_t low = (random.Next() & 0x3fffffffffffffffull) | 0x8000000000000000ull;  // variant 1
  char text[37];
  std::snprintf(text, sizeof text, "%08x-%04x-%04x-%04x-%012llx", static_cast<unsigned>(high >> 32),
                static_cast<unsigned>(high >> 16) & 0xffff, static_cast<unsigned>(high) & 0xffff,
                static_cast<unsigned>(low >> 48), static_cast<unsigned long long>(low & 0xffffffffffffull));
  return text;
}

}  // namespace cairn
