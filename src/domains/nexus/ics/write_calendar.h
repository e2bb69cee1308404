// Writes a calendar for other programs (RFC 5545). Pure but for the zone database.
#pragma once

#include <string>

#include "domains/nexus/ics/calendar.h"

namespace cairn::nexus::ics {

// The same text for the same calendar. Precondition: zones are known, texts are UTF-8.
std::string WriteCalendar(const Calendar& calendar);

// Whether others would read the same in both, whenever they were changed.
bool MeansTheSame(const Event& a, const Event& b);

}  // namespace cairn::nexus::ics
