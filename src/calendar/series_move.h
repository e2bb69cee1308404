// SeriesMove: what becomes of a rule when its series is moved: one occurrence was dragged elsewhere, and all
// are to go along.
//
// The lists of the rule (BYDAY, BYMONTHDAY, BYHOUR ...) move with the series, and so does its end: UNTIL
// stays as it is while it still bounds the same occurrences, otherwise it moves with the last of them. Where
// every occurrence can go as far as the dragged one, it does. "The second Monday", "the 31st" and other
// places in a month or a year cannot all move by the same number of days: there the place of the dragged one
// is the new place ("the second Tuesday"), month by month or year by year. A rule that has no such form is
// refused. docs/recurrence.md has the table. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "calendar/recurrence.h"

namespace cairn::calendar {

class SeriesMove {
 public:
  // The rule of a series that begins at `start`, after `at` went to `to` and the series to `zone` ("": it
  // floats). An `at` that the rule does not have moves the first one as far. Fails with kInvalidArgument and
  // a sentence when no rule has those occurrences, kLimitExceeded as Occurrences does.
  static Result<SeriesMove> Plan(const Rule& rule, LocalTime start, LocalTime at, LocalTime to,
                                 std::string_view zone);
  // Everything by as much, and the rule as it is: for a series that is given another rule.
  static SeriesMove ByShift(const Rule& rule, LocalTime start, std::chrono::seconds shift);

  const Rule& rule() const { return rule_; }
  LocalTime start() const { return start_; }
  std::chrono::seconds shift() const { return shift_; }  // of the dragged one

  // Where an occurrence is then; what is not of the rule moves as far as the dragged one. Nothing when the
  // moved rule has none in its month or year.
  std::optional<LocalTime> Map(LocalTime occurrence) const;

 private:
  enum class Period { kNone, kMonth, kYear };

  SeriesMove(const Rule& rule, LocalTime start, std::chrono::seconds shift)
      : rule_(rule), start_(start), shift_(shift) {}
  static std::vector<std::chrono::local_days> DaysIn(const RuleParts& parts, Period unit, int64_t period);
  static int64_t PeriodOf(LocalTime time, Period unit);
  Status SetStart(const Rule& before, LocalTime start);
  Result<std::optional<LocalTime>> EndAfter(const Rule& before, LocalTime start) const;

  Rule rule_;
  LocalTime start_;
  std::chrono::seconds shift_;
  // Of a move from place to place: day n of a period goes to day n of the period so many later.
  Period period_ = Period::kNone;
  int64_t periods_later_ = 0;
  RuleParts days_before_, days_after_;
};

}  // namespace cairn::calendar
