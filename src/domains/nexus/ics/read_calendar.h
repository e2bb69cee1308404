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

// To others the start of a series is an occurrence whatever its rule says; to calendar/recurrence.h only if
// the rule means it. Adds it as an extra date where that differs. Fails when nothing ever happens, or the
// rule takes too long to work out: up to some twenty milliseconds, which is why the reader leaves it to
// whoever has the time.
Status CompleteSeries(Event& event);

}  // namespace cairn::nexus::ics
