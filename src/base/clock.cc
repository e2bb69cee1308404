#include "base/clock.h"

#include <cstdlib>

namespace cairn {
namespace {

// For tests: how far the server's clock is from the machine's, so that everything can be tried on another
// day.
std::chrono::seconds Offset() {
  const char* text = std::getenv("CAIRN_CLOCK_OFFSET_SECONDS");
  return std::chrono::seconds(text == nullptr ? 0 : std::strtoll(text, nullptr, 10));
}

}  // namespace

Time SystemClock::Now() const {
  static const std::chrono::seconds offset = Offset();
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now()) + offset;
}

}  // namespace cairn
