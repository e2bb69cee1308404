// Dates, times and durations as RFC 5545 writes them. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "domains/nexus/ics/calendar.h"

namespace cairn::nexus::ics {

// "20261116", "20261116T090000", "20261116T090000Z". `zone` is that of a time without Z. Nothing for what is
// no such text, no such day, or outside the years 1900 to 2999.
std::optional<When> ParseWhen(std::string_view text, std::string_view zone);

// "20261116T090000" or, of a day, "20261116"; with Z in UTC.
std::string FormatWhen(const When& when);
// "DTSTART;TZID=Europe/Berlin:20261116T090000"
std::string WhenLine(std::string_view property, const When& when);
// "20261116T080000Z"
std::string FormatInstant(Time time);

struct Duration {
  std::chrono::days days{};        // by the calendar
  std::chrono::seconds seconds{};  // exactly
};
// "P1DT2H", "-PT15M"; the sign is of both parts. At most a hundred years.
std::optional<Duration> ParseDuration(std::string_view text);

// The moment, where it has one; what floats, where `floating_zone` is. Nothing outside the calendar.
std::optional<Time> InstantOf(const When& when, std::string_view floating_zone = "UTC");
// The moment by the clocks of `zone`, or in UTC where those show the time twice and mean the other one.
When InZone(Time instant, const std::string& zone);

}  // namespace cairn::nexus::ics
