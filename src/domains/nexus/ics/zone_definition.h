// VTIMEZONE: a zone written down for programs that do not know it by its name. Pure but for the zone
// database.
#pragma once

#include <string>

#include "base/result.h"

namespace cairn::nexus::ics {

struct ZoneYears {
  std::string zone;
  int first = 0, last = 0;  // that must be right
};

// Changes of the clocks that follow a rule of every year are written as a rule; one that still holds thirty
// years after `last` is written without an end. The others are listed one by one. Fails on an unknown zone.
Status AppendZoneDefinition(std::string& out, const ZoneYears& years);

}  // namespace cairn::nexus::ics
