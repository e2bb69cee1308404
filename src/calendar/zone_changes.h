// When the clocks of a zone are changed: for whoever has to write a zone down for others (VTIMEZONE).
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cairn::calendar {

struct ZoneChange {
  std::chrono::sys_seconds at;
  std::chrono::seconds before, after;  // difference to UTC
  friend bool operator==(const ZoneChange&, const ZoneChange&) = default;
};

struct ZoneStretch {
  std::chrono::seconds offset_at_start;  // difference to UTC at `from`
  std::vector<ZoneChange> changes;       // ascending, in (from, to]
};

// Fails with kInvalidArgument on an unknown zone. Looks at every day: a year takes about ten microseconds.
// Two changes on one day that cancel each other are not seen.
Result<ZoneStretch> ZoneChanges(std::string_view zone, std::chrono::sys_seconds from,
                                std::chrono::sys_seconds to);

}  // namespace cairn::calendar
