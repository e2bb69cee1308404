// Reads calendars as Google, Apple, Outlook and others export them. Pure. Takes over what it understands and
// notes the rest; what it returns can be stored: texts within the limits of the domain, times in known zones,
// rules that calendar/recurrence.h takes.
//
// docs/nexus-interchange.md says what is understood.
#pragma once

#include <string_view>

#include "base/result.h"
#include "domains/nexus/ics/calendar.h"
#include "domains/nexus/ics/component.h"

namespace cairn::nexus::ics {

struct Reading {
  Calendar calendar;
  int64_t skipped = 0;  // components that were left out; a note says why
  Notes notes = {};
};

// Fails with kInvalidArgument when there is no calendar in it, kLimitExceeded when there is too much.
Result<Reading> ReadCalendar(std::string_view text);

}  // namespace cairn::nexus::ics
