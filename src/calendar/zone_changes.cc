#include "calendar/zone_changes.h"

#include <algorithm>

#include "calendar/internal/zone_rules.h"

namespace cairn::calendar {

using std::chrono::seconds;
using std::chrono::sys_seconds;

Result<ZoneStretch> ZoneChanges(std::string_view zone, sys_seconds from, sys_seconds to) {
  ASSIGN_OR_RETURN(const ZoneRules* rules, ZoneRules::Find(zone));
  const auto offset_at = [rules](sys_seconds instant) {
    return rules->ToLocal(instant).time_since_epoch() - instant.time_since_epoch();
  };
  ZoneStretch stretch{.offset_at_start = offset_at(from), .changes = {}};
  seconds before = stretch.offset_at_start;
  for (sys_seconds day = from; day < to;) {
    const sys_seconds next = std::min(to, day + std::chrono::days(1));
    if (const seconds after = offset_at(next); after != before) {
      sys_seconds low = day, high = next;  // changed in (low, high]
      while (high - low > seconds(1)) {
        const sys_seconds middle = low + (high - low) / 2;
        (offset_at(middle) == before ? low : high) = middle;
      }
      const seconds then = offset_at(high);
      stretch.changes.push_back({.at = high, .before = before, .after = then});
      before = then;
      day = high;
      continue;
    }
    day = next;
  }
  return stretch;
}

}  // namespace cairn::calendar
