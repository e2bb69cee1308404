// A series as a person sees it: a list of occurrences. Knows how the pattern is told (so that it can be made,
// and so that "the second Monday" can be moved), nothing of rules, items or horizons.
#pragma once

#include <algorithm>
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

// One occurrence. What it does not have of its own it has from its series.
struct ModelOccurrence {
  LocalTime original;  // what it stands for
  LocalTime start;
  seconds length;
  std::string title;
  bool is_extra = false;  // an RDATE
  bool is_deleted = false;
  bool is_exception = false;
  // Of its own: another zone or kind than the series has is never given to one alone.
};

// The place in its month, of what repeats by months.
struct Place {
  int month_day = 0;             // 5, -1; 0: a day of the week
  int ordinal = 0, weekday = 0;  // 2 and Monday (0)
};

struct ModelSeries {
  std::string id;
  std::string title;
  std::optional<std::string> zone;  // none: it floats
  bool all_day = false;
  seconds length{};
  std::optional<Place> place;
  std::vector<int> hours;                    // several times of the day, as it was made
  seconds first_clock{};                     // the first of them
  LocalTime start;                           // of the master
  std::vector<ModelOccurrence> occurrences;  // by original

  std::vector<ModelOccurrence*> Live() {
    std::vector<ModelOccurrence*> live;
    for (ModelOccurrence& one : occurrences) {
      if (!one.is_deleted) live.push_back(&one);
    }
    return live;
  }
};

inline std::chrono::year_month MonthOfTime(LocalTime time) {
  const std::chrono::year_month_day date(DayOfTime(time));
  return date.year() / date.month();
}
inline int DaysOfMonth(std::chrono::year_month month) {
  return static_cast<int>(static_cast<unsigned>((month / std::chrono::last).day()));
}
inline int WeekdayOfTime(LocalTime time) {
  return static_cast<int>(std::chrono::weekday(DayOfTime(time)).iso_encoding()) - 1;
}

// The day that is the place in a month: counted out day by day.
inline local_days DayAt(const Place& place, std::chrono::year_month month) {
  const local_days first(month / 1);
  const int size = DaysOfMonth(month);
  if (place.month_day > 0) return first + days(place.month_day - 1);
  if (place.month_day < 0) return first + days(size + place.month_day);
  std::vector<local_days> found;
  for (int i = 0; i < size; ++i) {
    if (WeekdayOfTime(first + days(i)) == place.weekday) found.push_back(first + days(i));
  }
  return place.ordinal > 0 ? found[static_cast<size_t>(place.ordinal - 1)]
                           : found[found.size() - static_cast<size_t>(-place.ordinal)];
}

// The place of a day, told as another one is. Nothing when not every month has it.
inline std::optional<Place> PlaceOf(LocalTime time, const Place& like) {
  const std::chrono::year_month month = MonthOfTime(time);
  const int size = DaysOfMonth(month);
  const int day = static_cast<int>((DayOfTime(time) - local_days(month / 1)).count()) + 1;
  const bool from_end = like.month_day < 0 || like.ordinal < 0;
  const int number = from_end ? size - day + 1 : day;
  if (number > 28) return std::nullopt;
  if (like.month_day != 0) return Place{.month_day = from_end ? -number : number};
  const int ordinal = (number - 1) / 7 + 1;
  return Place{.month_day = 0, .ordinal = from_end ? -ordinal : ordinal, .weekday = WeekdayOfTime(time)};
}

// ---- how a person moves a series

struct ModelMove {
  seconds shift{};
  std::optional<Place> place;  // the new one, and how many months later
  int months = 0;

  LocalTime Of(const ModelOccurrence& one, LocalTime time) const {
    if (!place || one.is_extra) return time + shift;
    return DayAt(*place, MonthOfTime(time) + std::chrono::months(months)) + ClockOfTime(time + shift);
  }
};

inline int MonthsBetween(LocalTime from, LocalTime to) {
  return static_cast<int>((MonthOfTime(to) - MonthOfTime(from)).count());
}

// Everything goes along; what one has of its own (its day, its time of the day, its length) it keeps.
inline void MoveAll(ModelSeries& series, const ModelMove& move, seconds length_before) {
  for (ModelOccurrence& one : series.occurrences) {
    const LocalTime then = move.Of(one, one.original);
    const bool own_day = DayOfTime(one.start) != DayOfTime(one.original);
    const bool own_clock = ClockOfTime(one.start) != ClockOfTime(one.original) && !series.all_day;
    one.start = DayOfTime(own_day ? one.start : then) + ClockOfTime(own_clock ? one.start : then);
    one.original = then;
    if (one.length == length_before) one.length = series.length;
  }
  ModelOccurrence as_start{.original = series.start, .start = {}, .length = {}, .title = {}};
  series.start = move.Of(as_start, series.start);
  if (move.place) series.place = move.place;
  series.first_clock = ClockOfTime(LocalTime(series.first_clock + move.shift));
}

}  // namespace cairn::nexus
