#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace cairn {

void CheckFailed(const char* file, int line, const char* condition, const char* why) {
  std::fprintf(stderr, "%s:%d: CHECK(%s) failed: %s\n", file, line, condition, why);
  std::abort();
}

}  // namespace cairn
