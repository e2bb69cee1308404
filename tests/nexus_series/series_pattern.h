// How a series repeats, as the tests say it and count it out: day by day, with none of src/calendar's rules.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "calendar/zone.h"

namespace cairn::nexus {

using calendar::LocalTime;
using std::chrono::days;
using std::chrono::local_days;
using std::chrono::seconds;

inline local_days DayOfTime(LocalTime time) { return std::chrono::floor<days>(time); }
inline seconds ClockOfTime(LocalTime time) { return time - DayOfTime(time); }
int WeekdayOfTime(LocalTime time);  // Monday is 0
int64_t YearOfTime(LocalTime time);
int64_t MonthOfTime(LocalTime time);  // counted through the years

// A place in a month or a year: the 31st, the last but one day, the second Monday, the 20th Friday of the
// year.
struct Place {
  bool is_in_year = false;
  int month_day = 0;             // 5, -1; 0: a day of the week
  int ordinal = 0, weekday = 0;  // 2 and Monday (0)

  int64_t PeriodOf(LocalTime time) const { return is_in_year ? YearOfTime(time) : MonthOfTime(time); }
  // The day that is the place in a month or year, counted out day by day; not every one has it.
  std::optional<local_days> DayIn(int64_t period) const;
};
// The place of a day, told as another one is.
Place PlaceOf(LocalTime time, const Place& like);

enum class Every { kHours, kDay, kWeek, kMonth, kYear };

struct Pattern {
  Every every = Every::kDay;
  int interval = 1;
  int week_start = 0;
  // What of a day must fit; empty: as the start has it.
  std::vector<int> weekdays, month_days, months, year_days, weeks;
  std::vector<Place> ordinals;
  std::vector<int> hours;
  std::vector<int> positions;  // those of a period that count

  // As an RRULE, without its end.
  std::string Text() const;
  // All from the start on, before `end`.
  std::vector<LocalTime> Expand(LocalTime start, LocalTime end) const;

 private:
  bool Fits(local_days day, LocalTime start) const;
  int64_t PeriodOf(local_days day) const;
};

}  // namespace cairn::nexus
