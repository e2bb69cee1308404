// Walks through the occurrences of a rule, period by period (a year of FREQ=YEARLY, a minute of
// FREQ=MINUTELY). Begins where it is asked to: without COUNT what came before costs nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "calendar/internal/day_filter.h"
#include "calendar/recurrence.h"

namespace cairn::calendar {

class RuleIterator {
 public:
  // Occurrences in [from, to). `rule` must outlive this.
  RuleIterator(const Rule& rule, LocalTime start, LocalTime from, LocalTime to);

  // The next one; nothing after the last. Fails with kLimitExceeded when finding it takes too long.
  Result<std::optional<LocalTime>> Next();
  // How many are left. Fails as Next does.
  Result<int64_t> CountAll();

 private:
  // With BYWEEKNO a year begins with its first week.
  bool HasWeekYears() const { return !parts_.by_week_number.empty(); }
  int64_t YearOf(std::chrono::local_days day) const;
  int64_t UnitOf(LocalTime time) const;        // the number of the period that holds the time
  LocalTime UnitStart(int64_t unit) const;     // and back
  int64_t IndexAtOrAfter(int64_t unit) const;  // of the first period of the rule from that unit on
  void EndByCount();
  // Goes to the next period that has occurrences; false after the last one.
  Result<bool> NextPeriod();
  // Fills starts_; when there are none, says how far the next period that may have some is.
  int64_t FillPeriod(LocalTime begin, int64_t unit);
  int64_t FillPartOfDay(LocalTime begin);
  int64_t FillDay(LocalTime begin);
  LocalTime NextMonthThatCounts(std::chrono::local_days day) const;
  void ChoosePositions();
  LocalTime Value(int64_t index) const;
  int64_t FirstAtOrAfter(LocalTime time) const;

  const Rule& rule_;
  const RuleParts& parts_;
  LocalTime start_, from_, end_;
  DayFilter filter_;
  std::chrono::seconds unit_{0};  // of periods that are all as long; 0: months and years
  int64_t first_unit_ = 0;        // of the start
  int64_t index_ = 0;             // of the period that comes next; the start's is 0
  int64_t index_max_ = 0;
  int64_t cycle_ = 0;  // so many periods without an occurrence, and there is never one
  std::optional<int64_t> remaining_;
  int64_t work_ = 0;

  std::vector<std::chrono::seconds> offsets_;       // from each of starts_
  std::vector<LocalTime> starts_;                   // of the period: days, or the period itself
  std::vector<std::chrono::local_days> days_;       // kept for its memory
  std::vector<int64_t> positions_;                  // what BYSETPOS chooses
  int64_t size_ = 0, next_ = 0;                     // of the period: how many, the next one
  std::optional<std::chrono::local_days> checked_;  // the last day that was looked at
  bool is_checked_good_ = false;
};

}  // namespace cairn::calendar
