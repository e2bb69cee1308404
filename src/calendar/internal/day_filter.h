// Which days a rule means: its BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY and BYDAY, with what they leave to
// the start.
#pragma once

#include <bitset>
#include <chrono>
#include <cstdint>
#include <vector>

#include "calendar/recurrence.h"

namespace cairn::calendar {

// The first day of the year's first week: the first one with at least four days in the year (ISO 8601, with
// any day as the first of a week; Monday is 0).
std::chrono::local_days FirstWeekOf(std::chrono::year year, int week_start);

class DayFilter {
 public:
  DayFilter(const RuleParts& parts, std::chrono::local_days start);

  // Appends the days of the period that count, ascending, and returns how many were looked at.
  int64_t AppendYear(std::chrono::year year, std::vector<std::chrono::local_days>& days) const;
  int64_t AppendMonth(std::chrono::year_month month, std::vector<std::chrono::local_days>& days) const;
  // Of a rule with BYWEEKNO, whose years are those of whole weeks.
  int64_t AppendWeekYear(std::chrono::year year, std::vector<std::chrono::local_days>& days) const;

  // Of a rule whose BYDAY has no numbers: they depend on the period.
  bool Has(std::chrono::local_days day) const;
  bool HasMonth(std::chrono::month month) const { return (months_ >> static_cast<unsigned>(month) & 1) != 0; }

 private:
  static constexpr uint32_t kAllMonths = 0x1ffe;

  // The stretch in which 2MO is the second Monday.
  struct Range {
    std::chrono::local_days begin;
    int days;
  };
  bool Has(std::chrono::local_days day, const std::chrono::year_month_day& date, int days_in_month,
           const Range& range) const;
  bool HasWeekday(std::chrono::local_days day, const Range& range) const;
  bool HasYearDay(std::chrono::local_days day, std::chrono::year year) const;

  uint32_t months_ = kAllMonths;
  uint32_t month_days_ = 0, month_days_from_end_ = 0;  // bit n: the n-th; both 0: all
  std::bitset<367> year_days_, year_days_from_end_;
  bool has_year_days_ = false;
  uint64_t weeks_ = 0, weeks_from_end_ = 0;
  uint32_t weekdays_ = 0;  // bit 0: every Monday
  std::vector<NumberedWeekday> numbered_;
  bool is_numbered_in_month_ = false;
  int week_start_ = 0;
};

}  // namespace cairn::calendar
