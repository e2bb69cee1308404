// Recurrence rules (RFC 5545, 3.3.10) and the series that follow them.
//
// Used by everything that repeats. All of it is wall time: a series at 09:00 is at 09:00 in summer and in
// winter, and calendar/zone.h says which instant that is. Knows no clock, no events and no store. How rules
// are read where the RFC leaves room, and where we differ from others: docs/recurrence.md.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calendar/zone.h"

namespace cairn::calendar {

inline constexpr size_t kRuleBytesMax = 2000;

enum class Frequency { kSecondly, kMinutely, kHourly, kDaily, kWeekly, kMonthly, kYearly };

// "MO" (ordinal 0: every one), "2MO", "-1FR".
struct NumberedWeekday {
  int ordinal = 0;
  int day = 0;  // from Monday, 0
  friend auto operator<=>(const NumberedWeekday&, const NumberedWeekday&) = default;
};

// What a rule says; its lists are sorted, without repetition.
struct RuleParts {
  Frequency frequency = Frequency::kDaily;
  int64_t interval = 1;
  std::vector<int> by_second, by_minute, by_hour, by_month_day, by_year_day, by_week_number, by_month,
      by_set_position;
  std::vector<NumberedWeekday> by_day;
  int week_start = 0;  // from Monday, 0
  friend bool operator==(const RuleParts&, const RuleParts&) = default;
};

class Rule {
 public:
  // `rrule` is the value of an RRULE property; "RRULE:" before it is dropped, small letters are taken for
  // capitals. `zone` is the series' zone, "" for floating times; UNTIL is in UTC with a zone (a local time or
  // a date is taken as the zone's) and local without. Fails with kInvalidArgument and a sentence for whoever
  // wrote the rule.
  static Result<Rule> Parse(std::string_view rrule, LocalTime start, std::string_view zone);

  // The same rule with other parts, end and zone. Fails as Parse does.
  Result<Rule> With(RuleParts parts, std::optional<LocalTime> until, std::string_view zone) const;
  // Without COUNT and UNTIL.
  Rule Endless() const;

  // The rule in one form: capitals, parts in a fixed order, lists sorted, defaults left out. Parse takes it
  // back.
  const std::string& text() const { return text_; }
  const RuleParts& parts() const { return parts_; }
  const std::string& zone() const { return zone_; }
  std::optional<int64_t> count() const { return count_; }
  // The last wall time at which there may be an occurrence.
  std::optional<LocalTime> until() const { return until_; }
  // "20261231T080000Z", as text() has it; "" without an end.
  const std::string& until_text() const { return until_text_; }
  bool is_endless() const { return !count_ && !until_; }
  // Whether it means times of the day (FREQ below DAILY, BYHOUR, BYMINUTE, BYSECOND): whole days must not
  // have those.
  bool has_times() const {
    return parts_.frequency < Frequency::kDaily || !parts_.by_hour.empty() || !parts_.by_minute.empty() ||
           !parts_.by_second.empty();
  }

  friend bool operator==(const Rule&, const Rule&) = default;

 private:
  friend class RuleReader;
  friend Rule EndingBefore(const Rule& rule, LocalTime time);
  friend Result<Rule> Continuing(const Rule& rule, int64_t already);
  void WriteText();

  RuleParts parts_;
  std::string zone_, text_, until_text_;
  std::optional<int64_t> count_;
  std::optional<LocalTime> until_;
};

// The same rule with its last occurrence before `time`, or with the end it has if that is sooner. Drops
// COUNT.
Rule EndingBefore(const Rule& rule, LocalTime time);
// The rule of what is left after `already` occurrences: COUNT less those; without COUNT the same. Fails with
// kInvalidArgument when nothing is left.
Result<Rule> Continuing(const Rule& rule, int64_t already);

struct Series {
  Rule rule;
  LocalTime start;                         // an occurrence only if the rule says so
  std::vector<LocalTime> exdates, rdates;  // in any order; what is excluded is excluded from both
};

// Those in [from, to), ascending, none twice. Fails with kLimitExceeded when they are more than `max`, or
// when the rule takes too long to work out (an exotic one with times of the day that hardly ever match).
Result<std::vector<LocalTime>> Occurrences(const Series& series, LocalTime from, LocalTime to, size_t max);

// The first one after `after`; nothing when there is none until the year 9999. Fails as Occurrences does.
Result<std::optional<LocalTime>> NextOccurrence(const Series& series, LocalTime after);

// How often the rule itself happens before `before`, excluded or not: what COUNT counts. Fails as Occurrences
// does.
Result<int64_t> CountBefore(const Rule& rule, LocalTime start, LocalTime before);

}  // namespace cairn::calendar
