#include "calendar/internal/day_filter.h"

#include <algorithm>

namespace cairn::calendar {
namespace {

using std::chrono::days;
using std::chrono::local_days;
using std::chrono::year_month_day;

int WeekdayFromMonday(local_days day) {
  return static_cast<int>(std::chrono::weekday(day).iso_encoding()) - 1;
}

local_days FirstOf(std::chrono::year year) { return local_days(year / std::chrono::January / 1); }

int DaysIn(std::chrono::year_month month) {
  return static_cast<int>(static_cast<unsigned>((month / std::chrono::last).day()));
}

int Bit(int n) { return n < 0 ? -n : n; }

}  // namespace

local_days FirstWeekOf(std::chrono::year year, int week_start) {
  const local_days first = FirstOf(year);
  const int since_week_start = (WeekdayFromMonday(first) - week_start + 7) % 7;
  return first + days(since_week_start <= 3 ? -since_week_start : 7 - since_week_start);
}

DayFilter::DayFilter(const RuleParts& parts, local_days start) : week_start_(parts.week_start) {
  const year_month_day date(start);
  if (!parts.by_month.empty()) months_ = 0;
  for (const int month : parts.by_month) months_ |= 1u << month;
  for (const int day : parts.by_month_day) (day > 0 ? month_days_ : month_days_from_end_) |= 1u << Bit(day);
  for (const int day : parts.by_year_day)
    (day > 0 ? year_days_ : year_days_from_end_).set(static_cast<size_t>(Bit(day)));
  has_year_days_ = !parts.by_year_day.empty();
  for (const int week : parts.by_week_number)
    (week > 0 ? weeks_ : weeks_from_end_) |= uint64_t{1} << Bit(week);
  for (const NumberedWeekday& day : parts.by_day) {
    if (day.ordinal == 0)
      weekdays_ |= 1u << day.day;
    else
      numbered_.push_back(day);
  }
  is_numbered_in_month_ = parts.frequency == Frequency::kMonthly || !parts.by_month.empty();

  // What the rule does not say, the start says.
  const bool has_days = !parts.by_day.empty() || !parts.by_month_day.empty() || has_year_days_;
  if (has_days || parts.frequency < Frequency::kWeekly) return;
  if (parts.frequency == Frequency::kWeekly || !parts.by_week_number.empty()) {
    weekdays_ = 1u << WeekdayFromMonday(start);
    return;
  }
  month_days_ = 1u << static_cast<unsigned>(date.day());
  if (parts.frequency == Frequency::kYearly && parts.by_month.empty())
    months_ = 1u << static_cast<unsigned>(date.month());
}

bool DayFilter::HasWeekday(local_days day, const Range& range) const {
  if (weekdays_ == 0 && numbered_.empty()) return true;
  const int weekday = WeekdayFromMonday(day);
  if ((weekdays_ >> weekday & 1) != 0) return true;
  const int index = static_cast<int>((day - range.begin).count());
  return std::ranges::any_of(numbered_, [&](const NumberedWeekday& wanted) {
    if (wanted.day != weekday) return false;
    return wanted.ordinal > 0 ? wanted.ordinal == index / 7 + 1
                              : -wanted.ordinal == (range.days - 1 - index) / 7 + 1;
  });
}

bool DayFilter::HasYearDay(local_days day, std::chrono::year year) const {
  if (!has_year_days_) return true;
  const auto number = static_cast<size_t>((day - FirstOf(year)).count()) + 1;
  const size_t days_in_year = year.is_leap() ? 366 : 365;
  return year_days_[number] || year_days_from_end_[days_in_year + 1 - number];
}

bool DayFilter::Has(local_days day, const year_month_day& date, int days_in_month, const Range& range) const {
  if (month_days_ != 0 || month_days_from_end_ != 0) {
    const auto number = static_cast<unsigned>(date.day());
    const unsigned from_end = static_cast<unsigned>(days_in_month) + 1 - number;
    if ((month_days_ >> number & 1) == 0 && (month_days_from_end_ >> from_end & 1) == 0) return false;
  }
  return HasWeekday(day, range) && HasYearDay(day, date.year());
}

bool DayFilter::Has(local_days day) const {
  const year_month_day date(day);
  return HasMonth(date.month()) &&
         Has(day, date, DaysIn(date.year() / date.month()), {.begin = day, .days = 1});
}

int64_t DayFilter::AppendMonth(std::chrono::year_month month, std::vector<local_days>& found) const {
  if (!HasMonth(month.month())) return 1;
  const local_days begin(month / 1);
  const int length = DaysIn(month);
  const Range range = is_numbered_in_month_
                          ? Range{begin, length}
                          : Range{FirstOf(month.year()), month.year().is_leap() ? 366 : 365};
  for (int i = 0; i < length; ++i) {
    const year_month_day date(month.year(), month.month(), std::chrono::day(static_cast<unsigned>(i) + 1));
    if (Has(begin + days(i), date, length, range)) found.push_back(begin + days(i));
  }
  return length;
}

int64_t DayFilter::AppendWeekYear(std::chrono::year year, std::vector<local_days>& found) const {
  const local_days begin = FirstWeekOf(year, week_start_);
  const auto weeks = (FirstWeekOf(year + std::chrono::years(1), week_start_) - begin).count() / 7;
  int64_t looked_at = 0;
  for (int64_t week = 1; week <= weeks; ++week) {
    ++looked_at;
    if ((weeks_ >> week & 1) == 0 && (weeks_from_end_ >> (weeks + 1 - week) & 1) == 0) continue;
    for (int64_t i = (week - 1) * 7; i < week * 7; ++i, ++looked_at) {
      if (Has(begin + days(i))) found.push_back(begin + days(i));
    }
  }
  return looked_at;
}

int64_t DayFilter::AppendYear(std::chrono::year year, std::vector<local_days>& found) const {
  int64_t looked_at = 0;
  for (unsigned month = 1; month <= 12; ++month)
    looked_at += AppendMonth(year / std::chrono::month(month), found);
  return looked_at;
}

}  // namespace cairn::calendar
