// Wall clock and time zones: which instant "2026-11-16T09:00:00 in Europe/Berlin" is, and back.
//
// Used by everything that shows or repeats times where people live. Zones are those of the system's tzdata,
// right for the years 1 to 9999 by the laws it knows: what it lists, and beyond that its rule for all coming
// years. A zone is read on first use; after that a conversion takes no lock, no memory and less than a
// microsecond.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace cairn::calendar {

// What a clock on the wall shows, wherever the wall is.
using LocalTime = std::chrono::local_seconds;

// The wall times that four digits of a year can tell.
inline constexpr LocalTime kLocalMin =
    std::chrono::local_days(std::chrono::year(1) / std::chrono::January / 1);
inline constexpr LocalTime kLocalMax =
    std::chrono::local_days(std::chrono::year(9999) / std::chrono::December / 31) +
    std::chrono::seconds(86399);

// Exactly "2026-11-16T09:00:00"; fails with kInvalidArgument on anything else.
Result<LocalTime> ParseLocal(std::string_view text);
// The inverse. Precondition: kLocalMin <= time <= kLocalMax.
std::string FormatLocal(LocalTime time);

// "UTC" or "Area/Place" of the IANA database. Not: EST, +01:00, localtime.
bool IsKnownZone(std::string_view name);

// A wall time that the clocks skip is shifted forward by what they skip (02:30 becomes what they show as
// 03:30); of one that they show twice it is the first. Fails with kInvalidArgument on an unknown zone, and
// when the instant lies outside the years 1 to 9999.
Result<Time> ToInstant(LocalTime time, std::string_view zone);
// Fractions of a second are cut. Fails as ToInstant does.
Result<LocalTime> ToLocal(Time instant, std::string_view zone);
// The last instant at which the clocks have not shown more than `time`, of two passes in the first: as
// ToInstant, but a time that the clocks skip becomes the last second before.
Result<Time> ToInstantNotAfter(LocalTime time, std::string_view zone);

}  // namespace cairn::calendar
