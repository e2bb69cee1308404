#include "calendar/series_move.h"

#include <algorithm>
#include <array>

#include "calendar/internal/day_filter.h"

namespace cairn::calendar {
namespace {

using std::chrono::days;
using std::chrono::local_days;
using std::chrono::seconds;
using std::chrono::year_month_day;

// Every month and every year has these days.
constexpr int kMonthDaySafe = 28, kYearDaySafe = 365, kWeekSafe = 52;

std::unexpected<Error> Refuse(std::string_view why) {
  return Fail(Invalid("The rule cannot move so: " + std::string(why) +
                      ". Change the rule itself, or move only this occurrence."));
}

local_days DayOf(LocalTime time) { return std::chrono::floor<days>(time); }
seconds ClockOf(LocalTime time) { return time - DayOf(time); }
year_month_day DateOf(LocalTime time) { return year_month_day(DayOf(time)); }
int DayOfMonth(LocalTime time) { return static_cast<int>(static_cast<unsigned>(DateOf(time).day())); }
int MonthOf(LocalTime time) { return static_cast<int>(static_cast<unsigned>(DateOf(time).month())); }
int YearOf(LocalTime time) { return static_cast<int>(DateOf(time).year()); }
int64_t MonthNumber(LocalTime time) { return YearOf(time) * int64_t{12} + MonthOf(time) - 1; }
int Weekday(LocalTime time) { return static_cast<int>(std::chrono::weekday(DayOf(time)).iso_encoding()) - 1; }
int DaysInMonth(LocalTime time) {
  const year_month_day date = DateOf(time);
  return static_cast<int>(static_cast<unsigned>((date.year() / date.month() / std::chrono::last).day()));
}
int Modulo(int64_t value, int by) { return static_cast<int>((value % by + by) % by); }

bool HasDayParts(const RuleParts& parts) {
  return !parts.by_day.empty() || !parts.by_month_day.empty() || !parts.by_year_day.empty() ||
         !parts.by_week_number.empty() || !parts.by_month.empty();
}
bool HasNumbered(const RuleParts& parts) {
  return std::ranges::any_of(parts.by_day, [](const NumberedWeekday& day) { return day.ordinal != 0; });
}
bool AllNumbered(const RuleParts& parts) {
  return std::ranges::all_of(parts.by_day, [](const NumberedWeekday& day) { return day.ordinal != 0; });
}
void Rotate(std::vector<NumberedWeekday>& weekdays, int64_t shift) {
  for (NumberedWeekday& day : weekdays) day.day = Modulo(day.day + shift, 7);
}
// Moves numbers that count from the beginning (or, negative, from the end) if every period has them, before
// and after.
bool MoveNumbers(std::vector<int>& numbers, int64_t shift, int safe) {
  const auto is_safe = [&](int64_t from, int64_t to) {
    return (from >= 1 && from <= safe && to >= 1 && to <= safe) ||
           (from <= -1 && from >= -safe && to <= -1 && to >= -safe);
  };
  for (int& number : numbers) {
    if (!is_safe(number, number + shift)) return false;
    number += static_cast<int>(shift);
  }
  return true;
}

// ---- times of the day

struct TimesMoved {
  bool is_mixed = false;  // some go over midnight, some do not
  int64_t days = 0;       // all go so many days further, if they are not mixed
};
// Moves BYHOUR, BYMINUTE and BYSECOND by less than a day.
Result<TimesMoved> MoveTimes(RuleParts& parts, LocalTime start, seconds shift) {
  struct Level {
    std::vector<int> RuleParts::*list;
    int size;
    Frequency unit;
    int64_t of_start, shift;
  };
  const int64_t clock = ClockOf(start).count(), by = shift.count();
  const std::array<Level, 3> levels{
      Level{&RuleParts::by_second, 60, Frequency::kSecondly, clock % 60, by % 60},
      Level{&RuleParts::by_minute, 60, Frequency::kMinutely, clock / 60 % 60, by / 60 % 60},
      Level{&RuleParts::by_hour, 24, Frequency::kHourly, clock / 3600, by / 3600}};
  TimesMoved moved;
  int64_t carry = 0;
  for (const Level& level : levels) {
    std::vector<int>& list = parts.*level.list;
    const bool is_free = list.empty() && level.unit >= parts.frequency;
    if (moved.is_mixed && !is_free) return Refuse("its times of the day would lie on different days");
    const int64_t add = level.shift + carry;
    carry = add / level.size;
    if (is_free) {
      moved.is_mixed = moved.is_mixed || add % level.size != 0;
      continue;
    }
    const std::vector<int> values = list.empty() ? std::vector<int>{static_cast<int>(level.of_start)} : list;
    carry = (values.front() + add) / level.size;
    for (size_t i = 0; i < values.size(); ++i) {
      if ((values[i] + add) / level.size != carry)
        return Refuse("its times of the day would not be the same hours and minutes on every day");
      if (!list.empty()) list[i] = static_cast<int>((values[i] + add) % level.size);
    }
  }
  moved.days = carry;
  if (moved.is_mixed && HasDayParts(parts)) return Refuse("some of its times would go to the next day");
  return moved;
}

// What the start says about times of the day is said by the rule, where another start would say otherwise.
void KeepTimes(RuleParts& parts, LocalTime occurrence, LocalTime start) {
  const int64_t is = ClockOf(start).count(), wanted = ClockOf(occurrence).count();
  const auto keep = [&](std::vector<int>& list, Frequency unit, int64_t value, int64_t of_start) {
    if (list.empty() && unit < parts.frequency && value != of_start) list.push_back(static_cast<int>(value));
  };
  keep(parts.by_second, Frequency::kSecondly, wanted % 60, is % 60);
  keep(parts.by_minute, Frequency::kMinutely, wanted / 60 % 60, is / 60 % 60);
  keep(parts.by_hour, Frequency::kHourly, wanted / 3600, is / 3600);
}

// ---- days

// Weeks may begin on another day then, so that the days of a week stay together.
void MoveWeek(RuleParts& parts, int64_t shift) {
  const int by = Modulo(shift, 7);
  const auto position = [&](const NumberedWeekday& day) { return Modulo(day.day - parts.week_start, 7); };
  const bool all_later =
      std::ranges::all_of(parts.by_day, [&](const NumberedWeekday& day) { return position(day) + by <= 6; });
  const bool all_earlier =
      std::ranges::all_of(parts.by_day, [&](const NumberedWeekday& day) { return position(day) + by >= 7; });
  const bool matters = parts.interval > 1 || !parts.by_set_position.empty();
  Rotate(parts.by_day, shift);
  if (matters && !parts.by_day.empty() && !all_later && !all_earlier)
    parts.week_start = Modulo(parts.week_start + shift, 7);
}

Status MoveWeekNumbers(RuleParts& parts, LocalTime at, int64_t shift) {
  if (!parts.by_month.empty() || !parts.by_month_day.empty() || !parts.by_year_day.empty())
    return Refuse("it names weeks and days of the year at once");
  std::vector<NumberedWeekday> weekdays = parts.by_day;
  if (weekdays.empty()) weekdays.push_back({.ordinal = 0, .day = Weekday(at)});
  std::optional<int64_t> weeks;
  for (const NumberedWeekday& day : weekdays) {
    const int64_t position = Modulo(day.day - parts.week_start, 7) + shift;
    const int64_t later = (position - Modulo(position, 7)) / 7;
    if (weeks && *weeks != later) return Refuse("its days would lie in different weeks");
    weeks = later;
  }
  if (!MoveNumbers(parts.by_week_number, *weeks, kWeekSafe)) return Refuse("not every year has such weeks");
  Rotate(parts.by_day, shift);
  return {};
}

// Moves the lists by whole days where that moves every occurrence by as much; false where it cannot.
Result<bool> MoveDays(RuleParts& parts, LocalTime at, int64_t shift) {
  if (shift == 0) return true;
  const Frequency frequency = parts.frequency;
  if (!parts.by_week_number.empty()) {
    RETURN_IF_ERROR(MoveWeekNumbers(parts, at, shift));
    return true;
  }
  if (HasNumbered(parts)) return false;
  if (!parts.by_year_day.empty()) {
    if (!parts.by_month.empty() || !parts.by_month_day.empty()) return false;
    Rotate(parts.by_day, shift);
    return MoveNumbers(parts.by_year_day, shift, kYearDaySafe);
  }
  const bool is_long = frequency >= Frequency::kMonthly;
  // Of months and years without days the start says the day.
  if (!parts.by_month_day.empty() || (is_long && parts.by_day.empty())) {
    std::vector<int> month_days = parts.by_month_day;
    if (month_days.empty()) month_days.push_back(DayOfMonth(at));
    if (!MoveNumbers(month_days, shift, kMonthDaySafe)) return false;
    if (!parts.by_month_day.empty()) parts.by_month_day = std::move(month_days);
    Rotate(parts.by_day, shift);
    return true;
  }
  if (!parts.by_month.empty()) return false;
  if (frequency == Frequency::kWeekly) {
    MoveWeek(parts, shift);
    return true;
  }
  if (is_long && (parts.interval > 1 || !parts.by_set_position.empty())) return false;
  Rotate(parts.by_day, shift);
  return true;
}

// ---- places: "the second Monday", "the 31st"

// The number of the day among those of the same weekday: in its month or year, from the beginning or the end.
int OrdinalOf(LocalTime time, bool in_month, bool from_end) {
  const year_month_day date = DateOf(time);
  const local_days first = in_month ? local_days(date.year() / date.month() / 1)
                                    : local_days(date.year() / std::chrono::January / 1);
  const int size = in_month ? DaysInMonth(time) : date.year().is_leap() ? 366 : 365;
  const auto index = static_cast<int>((DayOf(time) - first).count());
  return from_end ? -((size - 1 - index) / 7 + 1) : index / 7 + 1;
}

// Sets BYMONTH for a move from one month to another.
Status MoveMonths(RuleParts& parts, LocalTime at, LocalTime to) {
  if (parts.by_month.empty()) return {};
  const int64_t later = MonthNumber(to) - MonthNumber(at);
  if (parts.frequency == Frequency::kYearly && parts.by_month.size() > 1) {
    const auto is_in_year = [&](int month) { return month + later >= 1 && month + later <= 12; };
    if (!std::ranges::all_of(parts.by_month, is_in_year))
      return Refuse("its months would lie in different years");
  }
  for (int& month : parts.by_month) month = Modulo(month - 1 + later, 12) + 1;
  return {};
}

Status MoveNumbered(RuleParts& parts, LocalTime at, LocalTime to) {
  const bool in_month = parts.frequency == Frequency::kMonthly || !parts.by_month.empty();
  const NumberedWeekday first = parts.by_day.front();
  const bool from_end = first.ordinal < 0;
  const int later = OrdinalOf(to, in_month, from_end) - OrdinalOf(at, in_month, from_end);
  const int most = in_month ? 5 : 53;
  for (NumberedWeekday& day : parts.by_day) {
    if (day.day != first.day || (day.ordinal < 0) != from_end)
      return Refuse("it has several days of the week that are counted in the month or year");
    const int ordinal = day.ordinal + later;
    const int least = parts.by_day.size() > 1 ? most - 1 : most;
    if (ordinal == 0 || (ordinal < 0) != from_end || std::abs(ordinal) > least)
      return Refuse("not every month or year has such days");
    day = {.ordinal = ordinal, .day = Weekday(to)};
  }
  return {};
}

// With every list that the start would make up for.
Result<RuleParts> WithAllLists(RuleParts parts, LocalTime at) {
  if (!parts.by_set_position.empty())
    return Refuse("BYSETPOS chooses from the days of a month or year, and they do not move together");
  if (!parts.by_day.empty()) {
    if (!AllNumbered(parts) || !parts.by_month_day.empty() || !parts.by_year_day.empty())
      return Refuse("its days are chosen in more than one way");
    return parts;
  }
  if (!parts.by_year_day.empty() || parts.by_month_day.size() > 1)
    return Refuse("not every month or year has such days");
  const bool is_dated = parts.by_month_day.empty();
  if (is_dated) parts.by_month_day.push_back(DayOfMonth(at));
  if (parts.frequency == Frequency::kYearly && parts.by_month.empty()) {
    if (!is_dated) return Refuse("not every month has such days");
    parts.by_month.push_back(MonthOf(at));
  }
  return parts;
}

Result<RuleParts> MovePlaces(RuleParts parts, LocalTime at, LocalTime to) {
  RETURN_IF_ERROR(MoveMonths(parts, at, to));
  if (!parts.by_day.empty()) {
    RETURN_IF_ERROR(MoveNumbered(parts, at, to));
  } else {
    int& day = parts.by_month_day.front();
    day = day > 0 ? DayOfMonth(to) : DayOfMonth(to) - DaysInMonth(to) - 1;
  }
  return parts;
}

Result<bool> Happens(const Rule& rule, LocalTime start, LocalTime at) {
  const Series series{.rule = rule.Endless(), .start = start, .exdates = {}, .rdates = {}};
  ASSIGN_OR_RETURN(const auto found, Occurrences(series, at, at + seconds(1), 1));
  return !found.empty();
}

Result<std::optional<LocalTime>> FirstOf(const Rule& rule, LocalTime start) {
  return NextOccurrence({.rule = rule, .start = start, .exdates = {}, .rdates = {}}, start - seconds(1));
}

// The last one until the rule's end; nothing when there is none.
Result<std::optional<LocalTime>> LastOf(const Rule& rule, LocalTime start) {
  constexpr size_t kAtOnceMax = 200'000;
  const Series series{.rule = rule.Endless(), .start = start, .exdates = {}, .rdates = {}};
  const LocalTime until = *rule.until();
  for (seconds reach = days(1);; reach *= 8) {
    const bool is_all = until - start <= reach;
    const LocalTime from = is_all ? start : until - reach;
    ASSIGN_OR_RETURN(const auto found, Occurrences(series, from, until + seconds(1), kAtOnceMax));
    if (!found.empty()) return std::optional(found.back());
    if (is_all) return std::optional<LocalTime>();
  }
}

}  // namespace

int64_t SeriesMove::PeriodOf(LocalTime time, Period unit) {
  return unit == Period::kMonth ? MonthNumber(time) : YearOf(time);
}

std::vector<local_days> SeriesMove::DaysIn(const RuleParts& parts, Period unit, int64_t period) {
  const DayFilter filter(parts, local_days());
  std::vector<local_days> found;
  if (unit == Period::kMonth) {
    const std::chrono::year year(static_cast<int>(period / 12));
    filter.AppendMonth(year / std::chrono::month(static_cast<unsigned>(period % 12) + 1), found);
  } else {
    filter.AppendYear(std::chrono::year(static_cast<int>(period)), found);
  }
  return found;
}

std::optional<LocalTime> SeriesMove::Map(LocalTime occurrence) const {
  if (period_ == Period::kNone) return occurrence + shift_;
  const int64_t period = PeriodOf(occurrence, period_);
  const std::vector<local_days> before = DaysIn(days_before_, period_, period);
  const auto found = std::ranges::find(before, DayOf(occurrence));
  if (found == before.end()) return occurrence + shift_;
  const std::vector<local_days> after = DaysIn(days_after_, period_, period + periods_later_);
  const auto index = static_cast<size_t>(found - before.begin());
  if (index >= after.size()) return std::nullopt;
  return after[index] + ClockOf(occurrence + shift_);
}

SeriesMove SeriesMove::ByShift(const Rule& rule, LocalTime start, seconds shift) {
  SeriesMove move(rule, start, shift);
  move.start_ = start + shift;
  return move;
}

// Where the moved series begins.
Status SeriesMove::SetStart(const Rule& before, LocalTime start) {
  ASSIGN_OR_RETURN(const auto first, FirstOf(before.Endless(), start));
  start_ = start + shift_;
  if (!first) return {};
  std::optional<LocalTime> moved = Map(*first);
  if (period_ != Period::kNone) {
    // Where there is no such place then, the next one that the moved rule has.
    constexpr int64_t kPeriodsMax = 400 * 12;  // then dates fall on the same days of the week again
    const Period unit = rule_.parts().frequency == Frequency::kMonthly ? Period::kMonth : Period::kYear;
    const int64_t earliest = PeriodOf(*first, period_) + periods_later_;
    int64_t period = unit == period_ ? earliest : earliest / 12;
    for (int64_t i = 0; !moved && i < kPeriodsMax && period < 9999 * int64_t{12}; ++i) {
      std::vector<local_days> found = DaysIn(days_after_, unit, period);
      std::erase_if(found, [&](local_days day) { return PeriodOf(day, period_) < earliest; });
      if (!found.empty()) moved = found.front() + ClockOf(*first + shift_);
      period += rule_.parts().interval;
    }
    if (!moved) return Refuse("it would never happen");
    start_ = *moved;
    return {};
  }
  // A start that is no occurrence may say other times and days than the first one that is.
  RuleParts parts = rule_.parts();
  KeepTimes(parts, *moved, start_);
  ASSIGN_OR_RETURN(const Rule rule, rule_.With(parts, rule_.until(), rule_.zone()));
  ASSIGN_OR_RETURN(const auto first_then, FirstOf(rule.Endless(), start_));
  if (first_then == moved) {
    rule_ = rule;
  } else {
    start_ = *moved;
  }
  return {};
}

// The end of the moved series.
Result<std::optional<LocalTime>> SeriesMove::EndAfter(const Rule& before, LocalTime start) const {
  if (!before.until()) return std::optional<LocalTime>();
  const LocalTime until = *before.until();
  ASSIGN_OR_RETURN(const auto last, LastOf(before, start));
  if (!last) return std::optional(until + shift_);
  const std::optional<LocalTime> last_then = Map(*last);
  const Series moved{.rule = rule_.Endless(), .start = start_, .exdates = {}, .rdates = {}};
  if (last_then) {
    ASSIGN_OR_RETURN(const auto next_then, NextOccurrence(moved, *last_then));
    if (*last_then <= until && (!next_then || *next_then > until)) return std::optional(until);
  }
  if (period_ == Period::kNone) return std::optional(until + shift_);
  // Where the last one has no place any more, the end of its month or year.
  if (!last_then) {
    const int64_t next = PeriodOf(*last, period_) + periods_later_ + 1;
    const auto year = std::chrono::year(static_cast<int>(period_ == Period::kMonth ? next / 12 : next));
    const auto month =
        std::chrono::month(period_ == Period::kMonth ? static_cast<unsigned>(next % 12) + 1 : 1);
    return std::optional<LocalTime>(local_days(year / month / 1) - seconds(1));
  }
  return last_then;
}

Result<SeriesMove> SeriesMove::Plan(const Rule& rule, LocalTime start, LocalTime at, LocalTime to,
                                    std::string_view zone) {
  SeriesMove move(rule, start, to - at);
  ASSIGN_OR_RETURN(const bool is_of_rule, Happens(rule, start, at));
  if (!is_of_rule) {
    ASSIGN_OR_RETURN(const auto first, FirstOf(rule.Endless(), start));
    at = first.value_or(start);
    to = at + move.shift_;
  }
  if (to < kLocalMin || to > kLocalMax) return Refuse("it would leave the years 0001 to 9999");
  const auto whole_days = std::chrono::floor<days>(move.shift_);
  RuleParts parts = rule.parts();
  ASSIGN_OR_RETURN(const TimesMoved times, MoveTimes(parts, at, move.shift_ - whole_days));
  if (!times.is_mixed) {
    ASSIGN_OR_RETURN(const bool is_exact, MoveDays(parts, at, whole_days.count() + times.days));
    if (!is_exact) {
      if (parts.frequency < Frequency::kMonthly)
        return Refuse("it is limited to some months or days of them");
      RuleParts places = rule.parts();
      places.by_hour = parts.by_hour;
      places.by_minute = parts.by_minute;
      places.by_second = parts.by_second;
      parts = places;
      ASSIGN_OR_RETURN(move.days_before_, WithAllLists(parts, at));
      ASSIGN_OR_RETURN(move.days_after_, MovePlaces(move.days_before_, at, to));
      // Of a year, too, each in its own month: some months may not have the place.
      const bool is_in_months = parts.frequency == Frequency::kMonthly || !move.days_before_.by_month.empty();
      move.period_ = is_in_months ? Period::kMonth : Period::kYear;
      move.periods_later_ = PeriodOf(to, move.period_) - PeriodOf(at, move.period_);
      parts.by_day = move.days_after_.by_day;
      if (!parts.by_month_day.empty()) parts.by_month_day = move.days_after_.by_month_day;
      if (!parts.by_month.empty()) parts.by_month = move.days_after_.by_month;
    }
  }
  ASSIGN_OR_RETURN(move.rule_, rule.With(std::move(parts), rule.until(), rule.zone()));
  RETURN_IF_ERROR(move.SetStart(rule, start));
  ASSIGN_OR_RETURN(const auto until, move.EndAfter(rule, start));
  ASSIGN_OR_RETURN(move.rule_, move.rule_.With(move.rule_.parts(), until, zone));
  // Whatever else: what was dragged is where it was dragged to.
  ASSIGN_OR_RETURN(const bool is_there, Happens(move.rule_, move.start_, to));
  if (is_of_rule && !is_there) return Refuse("there is no rule that has this time, too");
  return move;
}

}  // namespace cairn::calendar
