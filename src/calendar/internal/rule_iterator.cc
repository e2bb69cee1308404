#include "calendar/internal/rule_iterator.h"

#include <algorithm>
#include <ranges>

namespace cairn::calendar {
namespace {

using std::chrono::days;
using std::chrono::local_days;
using std::chrono::seconds;
using std::chrono::year_month_day;

// Days, hours, minutes or seconds looked at: 2,870 years of days, or some milliseconds.
constexpr int64_t kWorkMax = int64_t{1} << 20;
constexpr int64_t kDaysInCycle =
    146'097;  // of 400 years, after which dates fall on the same days of the week

int64_t FloorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
int64_t CeilDivide(int64_t a, int64_t b) { return -FloorDivide(-a, b); }

local_days DayOfTime(LocalTime time) { return std::chrono::floor<days>(time); }

int64_t MonthNumber(const year_month_day& date) {
  return static_cast<int>(date.year()) * int64_t{12} + static_cast<unsigned>(date.month()) - 1;
}
std::chrono::year_month MonthOf(int64_t number) {
  return std::chrono::year(static_cast<int>(FloorDivide(number, 12))) /
         std::chrono::month(static_cast<unsigned>(number - FloorDivide(number, 12) * 12) + 1);
}

seconds UnitOfFrequency(Frequency frequency) {
  switch (frequency) {
    case Frequency::kSecondly:
      return seconds(1);
    case Frequency::kMinutely:
      return seconds(60);
    case Frequency::kHourly:
      return seconds(3600);
    case Frequency::kDaily:
      return days(1);
    case Frequency::kWeekly:
      return days(7);
    case Frequency::kMonthly:
    case Frequency::kYearly:
      break;
  }
  return seconds(0);
}

bool HasList(const std::vector<int>& list, int64_t value) {
  return list.empty() || std::ranges::binary_search(list, static_cast<int>(value));
}

// The times within a period's part that BYHOUR, BYMINUTE and BYSECOND give, where they are below the
// frequency.
std::vector<seconds> Offsets(const RuleParts& parts, LocalTime start) {
  const std::chrono::hh_mm_ss clock(start - DayOfTime(start));
  const auto list = [&parts](Frequency below, const std::vector<int>& given, int64_t of_start) {
    if (parts.frequency <= below) return std::vector<int>{0};
    return given.empty() ? std::vector<int>{static_cast<int>(of_start)} : given;
  };
  std::vector<seconds> offsets;
  for (const int hour : list(Frequency::kHourly, parts.by_hour, clock.hours().count())) {
    for (const int minute : list(Frequency::kMinutely, parts.by_minute, clock.minutes().count())) {
      for (const int second : list(Frequency::kSecondly, parts.by_second, clock.seconds().count()))
        offsets.emplace_back(hour * 3600 + minute * 60 + second);
    }
  }
  return offsets;
}

bool HasNoLists(const RuleParts& parts) {
  return parts.by_second.empty() && parts.by_minute.empty() && parts.by_hour.empty() &&
         parts.by_day.empty() && parts.by_month_day.empty() && parts.by_year_day.empty() &&
         parts.by_month.empty();
}

}  // namespace

RuleIterator::RuleIterator(const Rule& rule, LocalTime start, LocalTime from, LocalTime to)
    : rule_(rule),
      parts_(rule.parts()),
      start_(start),
      from_(std::max(from, start)),
      end_(std::min(to, kLocalMax + seconds(1))),
      filter_(parts_, DayOfTime(start)),
      unit_(UnitOfFrequency(parts_.frequency)),
      remaining_(rule.count()),
      offsets_(Offsets(parts_, start)) {
  if (rule.until()) end_ = std::min(end_, *rule.until() + seconds(1));
  first_unit_ = UnitOf(start_);
  EndByCount();
  if (!remaining_ && from_ < end_)
    index_ = std::max<int64_t>(0, (UnitOf(from_) - first_unit_) / parts_.interval);
  index_max_ = from_ < end_ ? (UnitOf(end_ - seconds(1)) - first_unit_) / parts_.interval : -1;
  cycle_ = unit_ != seconds(0)                       ? kDaysInCycle * 86400 / unit_.count()
           : parts_.frequency == Frequency::kMonthly ? 400 * 12
                                                     : 400;
}

// A rule that happens once in each period ends at a time that can be told, so that nothing needs to be
// counted.
void RuleIterator::EndByCount() {
  if (!remaining_ || unit_ == seconds(0) || !HasNoLists(parts_)) return;
  // COUNT and INTERVAL have nine digits each: the product fits, and times a week's seconds it might not.
  const int64_t units = (*remaining_ - 1) * parts_.interval;
  if (units < (end_ - start_).count() / unit_.count() + 1)
    end_ = std::min(end_, start_ + units * unit_ + seconds(1));
  remaining_.reset();
}

int64_t RuleIterator::YearOf(local_days day) const {
  const std::chrono::year year = year_month_day(day).year();
  const int number = static_cast<int>(year);
  if (!HasWeekYears()) return number;
  if (day < FirstWeekOf(year, parts_.week_start)) return number - 1;
  return day < FirstWeekOf(year + std::chrono::years(1), parts_.week_start) ? number : number + 1;
}

int64_t RuleIterator::UnitOf(LocalTime time) const {
  const local_days day = DayOfTime(time);
  switch (parts_.frequency) {
    case Frequency::kYearly:
      return YearOf(day);
    case Frequency::kMonthly:
      return MonthNumber(year_month_day(day));
    case Frequency::kWeekly:  // 1970-01-01 was a Thursday, three days after a Monday
      return FloorDivide(day.time_since_epoch().count() + 3 - parts_.week_start, 7);
    default:
      return FloorDivide(time.time_since_epoch().count(), unit_.count());
  }
}

LocalTime RuleIterator::UnitStart(int64_t unit) const {
  switch (parts_.frequency) {
    case Frequency::kYearly: {
      const std::chrono::year year(static_cast<int>(unit));
      return HasWeekYears() ? FirstWeekOf(year, parts_.week_start)
                            : local_days(year / std::chrono::January / 1);
    }
    case Frequency::kMonthly:
      return local_days(MonthOf(unit) / 1);
    case Frequency::kWeekly:
      return local_days(days(unit * 7 - 3 + parts_.week_start));
    default:
      return LocalTime(unit * unit_);
  }
}

int64_t RuleIterator::IndexAtOrAfter(int64_t unit) const {
  return CeilDivide(unit - first_unit_, parts_.interval);
}

LocalTime RuleIterator::NextMonthThatCounts(local_days day) const {
  std::chrono::year_month month = MonthOf(MonthNumber(year_month_day(day)));
  do month += std::chrono::months(1);
  while (!filter_.HasMonth(month.month()));
  return local_days(month / 1);
}

// For DAILY and below: the day must count, or we go to the next one that may.
int64_t RuleIterator::FillDay(LocalTime begin) {
  const local_days day = DayOfTime(begin);
  if (checked_ != day) {
    checked_ = day;
    is_checked_good_ = filter_.Has(day);
  }
  if (is_checked_good_) {
    starts_.push_back(begin);
    return 0;
  }
  LocalTime next = day + days(1);
  if (!filter_.HasMonth(year_month_day(day).month())) next = NextMonthThatCounts(day);
  return std::max(index_ + 1, IndexAtOrAfter(UnitOf(next)));
}

// For HOURLY and below: hour, minute and second must count, too.
int64_t RuleIterator::FillPartOfDay(LocalTime begin) {
  const int64_t next = FillDay(begin);
  if (starts_.empty()) return next;
  const int64_t second_of_day = (begin - DayOfTime(begin)).count();
  seconds step(0);
  if (!HasList(parts_.by_hour, second_of_day / 3600))
    step = seconds(3600 - second_of_day % 3600);
  else if (parts_.frequency <= Frequency::kMinutely && !HasList(parts_.by_minute, second_of_day / 60 % 60))
    step = seconds(60 - second_of_day % 60);
  else if (parts_.frequency == Frequency::kSecondly && !HasList(parts_.by_second, second_of_day % 60))
    step = seconds(1);
  if (step == seconds(0)) return 0;
  starts_.clear();
  return std::max(index_ + 1, IndexAtOrAfter(UnitOf(begin + step)));
}

int64_t RuleIterator::FillPeriod(LocalTime begin, int64_t unit) {
  starts_.clear();
  days_.clear();
  ++work_;
  switch (parts_.frequency) {
    case Frequency::kYearly:
      work_ += HasWeekYears() ? filter_.AppendWeekYear(std::chrono::year(static_cast<int>(unit)), days_)
                              : filter_.AppendYear(std::chrono::year(static_cast<int>(unit)), days_);
      break;
    case Frequency::kMonthly:
      work_ += filter_.AppendMonth(MonthOf(unit), days_);
      break;
    case Frequency::kWeekly:
      for (int i = 0; i < 7; ++i) {
        const local_days day = DayOfTime(begin) + days(i);
        if (filter_.Has(day)) days_.push_back(day);
      }
      work_ += 7;
      break;
    case Frequency::kDaily:
      return FillDay(begin);
    default:
      return FillPartOfDay(begin);
  }
  starts_.assign(days_.begin(), days_.end());
  return index_ + 1;
}

void RuleIterator::ChoosePositions() {
  const auto all = static_cast<int64_t>(starts_.size() * offsets_.size());
  size_ = all;
  if (parts_.by_set_position.empty()) return;
  positions_.clear();
  for (const int position : parts_.by_set_position) {
    const int64_t index = position > 0 ? position - 1 : all + position;
    if (index >= 0 && index < all) positions_.push_back(index);
  }
  std::ranges::sort(positions_);
  positions_.erase(std::unique(positions_.begin(), positions_.end()), positions_.end());
  size_ = static_cast<int64_t>(positions_.size());
}

LocalTime RuleIterator::Value(int64_t index) const {
  auto at = static_cast<size_t>(index);
  if (!parts_.by_set_position.empty()) at = static_cast<size_t>(positions_[at]);
  return starts_[at / offsets_.size()] + offsets_[at % offsets_.size()];
}

int64_t RuleIterator::FirstAtOrAfter(LocalTime time) const {
  const auto indices = std::views::iota(int64_t{0}, size_);
  return *std::ranges::partition_point(indices, [&](int64_t index) { return Value(index) < time; });
}

Result<bool> RuleIterator::NextPeriod() {
  int64_t empty_since = index_;
  while (index_ <= index_max_ && index_ - empty_since <= cycle_ && !(remaining_ && *remaining_ == 0)) {
    const int64_t unit = first_unit_ + index_ * parts_.interval;
    const LocalTime begin = UnitStart(unit);
    const int64_t next_index = FillPeriod(begin, unit);
    if (work_ > kWorkMax) {
      return Fail(
          Code::kLimitExceeded,
          "This recurrence rule takes too long to work out. Choose a lower frequency, or fewer BY parts.");
    }
    if (starts_.empty()) {
      index_ = next_index;
      continue;
    }
    ++index_;
    ChoosePositions();
    if (size_ > 0) empty_since = index_;  // though it may lie before what we are asked for
    const int64_t first = begin < start_ ? FirstAtOrAfter(start_) : 0;
    if (remaining_) {
      size_ = std::min(size_, first + *remaining_);
      *remaining_ -= std::max<int64_t>(0, size_ - first);
    }
    next_ = begin < from_ ? FirstAtOrAfter(from_) : 0;
    if (next_ < size_) return true;
  }
  return false;
}

Result<std::optional<LocalTime>> RuleIterator::Next() {
  if (next_ == size_) {
    ASSIGN_OR_RETURN(const bool is_there, NextPeriod());
    if (!is_there) return std::optional<LocalTime>();
  }
  const LocalTime value = Value(next_);
  if (value >= end_) {
    index_ = index_max_ + 1;
    size_ = next_ = 0;
    return std::optional<LocalTime>();
  }
  ++next_;
  return std::optional(value);
}

Result<int64_t> RuleIterator::CountAll() {
  int64_t count = 0;
  for (;;) {
    if (next_ == size_) {
      ASSIGN_OR_RETURN(const bool is_there, NextPeriod());
      if (!is_there) return count;
    }
    count += std::max<int64_t>(0, FirstAtOrAfter(end_) - next_);
    next_ = size_;
  }
}

}  // namespace cairn::calendar
