// Days of a user: which stretch of time "2026-11-16" is where the user lives, and which day a moment belongs
// to. A day begins at the user's start hour and ends where the next one begins, so it has 23 or 25 hours when
// the clocks change.
//
// Used by everything about plans. Knows no clock: moments come in. What zones are is in zone.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace cairn::calendar {

struct DayRules {
  std::string timezone = "UTC";  // a name of the IANA database
  int day_start_hour = 0;        // 0 to 23, by the user's clock
};

// From `start` on, until before `end`. Empty for a day that a zone has skipped.
struct DayBounds {
  Time start, end;
  friend bool operator==(const DayBounds&, const DayBounds&) = default;
};

// ---- Calendar days as text, "2026-11-16", of the years 0001 to 9999. All fail with kInvalidArgument on
// anything else.
bool IsDay(std::string_view text);
Result<std::chrono::sys_days> ParseDay(std::string_view text);
Result<std::string> FormatDay(std::chrono::sys_days day);
Result<std::string> AddDays(std::string_view day, int64_t count);
// Negative when `to` is the earlier one.
Result<int64_t> DaysBetween(std::string_view from, std::string_view to);
// The Monday of the day's week.
Result<std::string> WeekOf(std::string_view day);

// ---- Days in a zone. All fail with kInvalidArgument on an unknown zone, hour or day.
// A start hour that the clocks skip becomes the first moment after; of one that they show twice the first.
Result<Time> DayStart(std::string_view day, const DayRules& rules);
Result<Time> DayEnd(std::string_view day, const DayRules& rules);
Result<DayBounds> BoundsOf(std::string_view day, const DayRules& rules);
// The day whose bounds hold the moment.
Result<std::string> DayOf(Time moment, const DayRules& rules);
// The first start of a day after the moment.
Result<Time> NextDayStart(Time moment, const DayRules& rules);

// ---- Moments as stored: 2026-11-15T19:42:30.000Z, what FormatIsoMilliseconds writes.
// Takes Z and offsets, with or without a fraction; cuts to milliseconds.
Result<Time> ParseInstant(std::string_view text);
// The stored form of whatever ParseInstant takes.
Result<std::string> NormalInstant(std::string_view text);

}  // namespace cairn::calendar
