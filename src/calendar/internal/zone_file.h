// The file of a zone (TZif, RFC 8536): when its clocks were and will be changed, and the rule after that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calendar/internal/zone_tail.h"

namespace cairn::calendar {

struct ZoneFile {
  std::chrono::seconds first_offset;  // before all changes
  std::vector<OffsetChange> changes;  // ascending
  std::string tail;                   // "CET-1CEST,M3.5.0,M10.5.0/3"; may be ""
};

// Fails with kDamaged on anything else. Files without 64-bit times, of the years before 2006, are refused.
Result<ZoneFile> ParseZoneFile(std::string_view bytes);

}  // namespace cairn::calendar
