// CHECK(condition, "why it must hold"): a broken invariant ends the process, in release builds too.
// Never reachable from input: whatever a client can cause is a Result.
#pragma once

namespace cairn {
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition, const char* why);
}  // namespace cairn

#define CHECK(condition, why) \
  ((condition) ? static_cast<void>(0) : ::cairn::CheckFailed(__FILE__, __LINE__, #condition, why))
