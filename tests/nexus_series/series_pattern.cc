#include "series_pattern.h"

#include <algorithm>

namespace cairn::nexus {
namespace {

using std::chrono::year_month_day;

const char* const kDays[] = {"MO", "TU", "WE", "TH", "FR", "SA", "SU"};

local_days FirstDay(bool is_year, int64_t period) {
  const auto year = std::chrono::year(static_cast<int>(is_year ? period : period / 12));
  const auto month = std::chrono::month(is_year ? 1 : static_cast<unsigned>(period % 12) + 1);
  return local_days(year / month / 1);
}

bool Has(const std::vector<int>& list, int value) { return std::ranges::find(list, value) != list.end(); }
// The number of a day counted from the beginning or from the end.
bool HasNumber(const std::vector<int>& list, int number, int size) {
  return Has(list, number) || Has(list, number - size - 1);
}

// Weeks belong to the year that has most of their days.
struct Week {
  int64_t year;
  int number;
};
Week WeekOf(local_days day, int week_start) {
  const local_days middle = day - days((WeekdayOfTime(day) - week_start + 7) % 7) + days(3);
  const int64_t year = YearOfTime(middle);
  return {.year = year, .number = static_cast<int>((middle - FirstDay(true, year)).count()) / 7 + 1};
}

std::string Listed(const char* name, const std::vector<int>& list) {
  std::string text;
  for (const int value : list) text += (text.empty() ? "" : ",") + std::to_string(value);
  return text.empty() ? "" : std::string(";") + name + "=" + text;
}

}  // namespace

int WeekdayOfTime(LocalTime time) {
  return static_cast<int>(std::chrono::weekday(DayOfTime(time)).iso_encoding()) - 1;
}
int64_t YearOfTime(LocalTime time) { return static_cast<int>(year_month_day(DayOfTime(time)).year()); }
int64_t MonthOfTime(LocalTime time) {
  const auto month = year_month_day(DayOfTime(time)).month();
  return YearOfTime(time) * 12 + static_cast<int>(static_cast<unsigned>(month)) - 1;
}

std::optional<local_days> Place::DayIn(int64_t period) const {
  std::vector<local_days> found;
  for (local_days day = FirstDay(is_in_year, period); day < FirstDay(is_in_year, period + 1);
       day += days(1)) {
    if (month_day != 0 || WeekdayOfTime(day) == weekday) found.push_back(day);
  }
  const int number = month_day != 0 ? month_day : ordinal, size = static_cast<int>(found.size());
  const int index = number > 0 ? number - 1 : size + number;
  if (index < 0 || index >= size) return std::nullopt;
  return found[static_cast<size_t>(index)];
}

Place PlaceOf(LocalTime time, const Place& like) {
  const int64_t period = like.PeriodOf(time);
  const local_days first = FirstDay(like.is_in_year, period), end = FirstDay(like.is_in_year, period + 1);
  const bool is_from_end = like.month_day < 0 || like.ordinal < 0;
  const auto before = static_cast<int>((DayOfTime(time) - first).count());
  const auto after = static_cast<int>((end - DayOfTime(time)).count()) - 1;
  const int number = is_from_end ? after : before, sign = is_from_end ? -1 : 1;
  Place place{.is_in_year = like.is_in_year};
  if (like.month_day != 0) {
    place.month_day = sign * (number + 1);
  } else {
    place.ordinal = sign * (number / 7 + 1);
    place.weekday = WeekdayOfTime(time);
  }
  return place;
}

std::string Pattern::Text() const {
  static const char* const kNames[] = {"HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"};
  std::string text = std::string("FREQ=") + kNames[static_cast<size_t>(every)];
  if (interval != 1) text += ";INTERVAL=" + std::to_string(interval);
  std::string named;
  for (const int day : weekdays) named += std::string(named.empty() ? "" : ",") + kDays[day];
  for (const Place& place : ordinals)
    named += (named.empty() ? "" : ",") + std::to_string(place.ordinal) + kDays[place.weekday];
  if (!named.empty()) text += ";BYDAY=" + named;
  text += Listed("BYMONTHDAY", month_days) + Listed("BYMONTH", months) + Listed("BYYEARDAY", year_days) +
          Listed("BYWEEKNO", weeks) + Listed("BYHOUR", hours) + Listed("BYSETPOS", positions);
  if (week_start != 0) text += std::string(";WKST=") + kDays[week_start];
  return text;
}

bool Pattern::Fits(local_days day, LocalTime start) const {
  const int64_t month = MonthOfTime(day), year = YearOfTime(day);
  const local_days first = FirstDay(false, month), new_year = FirstDay(true, year);
  const auto month_size = static_cast<int>((FirstDay(false, month + 1) - first).count());
  const auto year_size = static_cast<int>((FirstDay(true, year + 1) - new_year).count());
  const int month_day = static_cast<int>((day - first).count()) + 1;
  if (!months.empty() && !Has(months, static_cast<int>(month % 12) + 1)) return false;
  if (!weeks.empty() && !Has(weeks, WeekOf(day, week_start).number)) return false;
  const int year_day = static_cast<int>((day - new_year).count()) + 1;
  if (!year_days.empty() && !HasNumber(year_days, year_day, year_size)) return false;
  if (!month_days.empty() && !HasNumber(month_days, month_day, month_size)) return false;
  if (!weekdays.empty() || !ordinals.empty()) {
    const int weekday = WeekdayOfTime(day);
    const auto is_there = [&](const Place& place) {
      return place.weekday == weekday && place.DayIn(place.PeriodOf(day)) == day;
    };
    return Has(weekdays, weekday) || std::ranges::any_of(ordinals, is_there);
  }
  if (!month_days.empty() || !year_days.empty() || every < Every::kWeek) return true;
  if (every == Every::kWeek || !weeks.empty()) return WeekdayOfTime(day) == WeekdayOfTime(start);
  if (month_day != (DayOfTime(start) - FirstDay(false, MonthOfTime(start))).count() + 1) return false;
  return every == Every::kMonth || !months.empty() || month % 12 == MonthOfTime(start) % 12;
}

int64_t Pattern::PeriodOf(local_days day) const {
  const int64_t number = day.time_since_epoch().count();
  if (every == Every::kDay) return number;
  if (every == Every::kWeek) return (number - (WeekdayOfTime(day) - week_start + 7) % 7 + 7) / 7;
  if (every == Every::kMonth) return MonthOfTime(day);
  return weeks.empty() ? YearOfTime(day) : WeekOf(day, week_start).year;
}

std::vector<LocalTime> Pattern::Expand(LocalTime start, LocalTime end) const {
  std::vector<LocalTime> list;
  if (every == Every::kHours) {
    for (LocalTime time = start; time < end; time += std::chrono::hours(interval)) list.push_back(time);
    return list;
  }
  const int64_t first = PeriodOf(DayOfTime(start));
  local_days day = DayOfTime(start);
  while (PeriodOf(day - days(1)) == first) day -= days(1);
  std::vector<LocalTime> period;
  const auto take = [&] {
    for (size_t i = 0; i < period.size(); ++i) {
      const int size = static_cast<int>(period.size()), number = static_cast<int>(i) + 1;
      const bool is_chosen = positions.empty() || HasNumber(positions, number, size);
      if (is_chosen && period[i] >= start && period[i] < end) list.push_back(period[i]);
    }
    period.clear();
  };
  for (; day < end; day += days(1)) {
    if ((PeriodOf(day) - first) % interval == 0 && Fits(day, start)) {
      if (hours.empty()) period.push_back(day + ClockOfTime(start));
      for (const int hour : hours)
        period.push_back(day + std::chrono::hours(hour) + ClockOfTime(start) % std::chrono::hours(1));
    }
    if (PeriodOf(day + days(1)) != PeriodOf(day)) take();
  }
  take();
  return list;
}

}  // namespace cairn::nexus
