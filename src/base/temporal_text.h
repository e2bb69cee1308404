// Dates, instants and durations as text, by hand arithmetic: they stand in keys, so this runs with every
// write. Used by value types, templates and the calendar.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace cairn {

inline constexpr size_t kDateBytes = 10;       // 2026-11-15
inline constexpr size_t kInstantBytes = 20;    // 2026-11-15T19:42:30Z
inline constexpr size_t kInstantMsBytes = 24;  // 2026-11-15T19:42:30.123Z

// What fits four digits of a year: 0001-01-01T00:00:00Z to the last microsecond of 9999.
inline constexpr std::chrono::year_month_day kFirstDay{std::chrono::year(1), std::chrono::month(1),
                                                       std::chrono::day(1)};
inline constexpr std::chrono::year_month_day kLastDay{std::chrono::year(9999), std::chrono::month(12),
                                                      std::chrono::day(31)};
inline constexpr Time kTimeMin = std::chrono::sys_days(kFirstDay);
inline constexpr Time kTimeMax =
    Time(std::chrono::sys_days(kLastDay) + std::chrono::days(1)) - std::chrono::microseconds(1);

// "2026-11-15", exactly; leap years are respected.
std::optional<std::chrono::sys_days> ParseDate(std::string_view text);
// "2026-11-15T19:42:30", an optional fraction of up to 9 digits (cut to microseconds), then Z or +hh:mm or
// -hh:mm. Nothing when the text is something else or the moment in UTC lies outside kTimeMin to kTimeMax.
std::optional<Time> ParseInstant(std::string_view text);

// Whether the text is in the one form that is stored.
bool IsDateText(std::string_view text);
bool IsInstantText(std::string_view text);
bool IsInstantMsText(std::string_view text);

// Precondition: kTimeMin <= time <= kTimeMax. Fractions are cut.
void AppendDate(std::string& out, Time time);
void AppendInstant(std::string& out, Time time);
void AppendInstantMs(std::string& out, Time time);
// 2026, 202611, 20261115.
void AppendCompactDate(std::string& out, Time time, size_t digits);

// `digits` decimal digits of `value`, with leading zeros. Precondition: it fits.
void AppendDigits(std::string& out, uint64_t value, size_t digits);
// All of `text` as decimal digits; nothing for anything else, for "" and for more than 18 digits.
std::optional<int64_t> ReadDigits(std::string_view text);

}  // namespace cairn
