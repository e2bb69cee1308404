#include "calendar/recurrence.h"

#include <algorithm>

#include "calendar/internal/rule_iterator.h"

namespace cairn::calendar {
namespace {

std::vector<LocalTime> Sorted(std::vector<LocalTime> times) {
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

// Rule and added times together, without the excluded ones, ascending.
class SeriesIterator {
 public:
  SeriesIterator(const Series& series, LocalTime from, LocalTime to)
      : exdates_(Sorted(series.exdates)),
        rdates_(Sorted(series.rdates)),
        by_rule_(series.rule, series.start, from, to) {
    next_rdate_ = std::ranges::lower_bound(rdates_, from);
    end_ = std::ranges::lower_bound(next_rdate_, rdates_.end(), to);
  }

  Result<std::optional<LocalTime>> Next() {
    for (;;) {
      if (!next_by_rule_ && !is_rule_done_) {
        ASSIGN_OR_RETURN(next_by_rule_, by_rule_.Next());
        is_rule_done_ = !next_by_rule_;
      }
      if (!next_by_rule_ && next_rdate_ == end_) return std::optional<LocalTime>();
      const bool is_rdate = next_rdate_ != end_ && (!next_by_rule_ || *next_rdate_ <= *next_by_rule_);
      const LocalTime next = is_rdate ? *next_rdate_ : *next_by_rule_;
      if (is_rdate) ++next_rdate_;
      if (next_by_rule_ == next) next_by_rule_.reset();
      if (!std::ranges::binary_search(exdates_, next)) return std::optional(next);
    }
  }

 private:
  const std::vector<LocalTime> exdates_, rdates_;
  RuleIterator by_rule_;
  std::vector<LocalTime>::const_iterator next_rdate_, end_;
  std::optional<LocalTime> next_by_rule_;
  bool is_rule_done_ = false;
};

}  // namespace

Result<std::vector<LocalTime>> Occurrences(const Series& series, LocalTime from, LocalTime to, size_t max) {
  std::vector<LocalTime> occurrences;
  if (from >= to) return occurrences;
  SeriesIterator iterator(series, from, to);
  for (;;) {
    ASSIGN_OR_RETURN(const auto next, iterator.Next());
    if (!next) return occurrences;
    if (occurrences.size() == max) {
      return Fail(Code::kLimitExceeded,
                  "The series happens more than " + std::to_string(max) + " times in this stretch of time.");
    }
    occurrences.push_back(*next);
  }
}

Result<std::optional<LocalTime>> NextOccurrence(const Series& series, LocalTime after) {
  if (after >= kLocalMax) return std::optional<LocalTime>();
  return SeriesIterator(series, after + std::chrono::seconds(1), kLocalMax + std::chrono::seconds(1)).Next();
}

Result<int64_t> CountBefore(const Rule& rule, LocalTime start, LocalTime before) {
  return RuleIterator(rule, start, start, before).CountAll();
}

}  // namespace cairn::calendar
