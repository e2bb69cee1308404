#include "random_rule.h"

#include <algorithm>
#include <set>

namespace cairn::nexus {
namespace {

std::vector<int> SomeWeekdays(Chance& chance, int with, int more) {
  std::set<int> weekdays{with};
  for (; more > 0; --more) weekdays.insert(chance.Pick(0, 6));
  return {weekdays.begin(), weekdays.end()};
}

int MonthIn(LocalTime time) { return static_cast<int>(MonthOfTime(time) % 12) + 1; }

// What the rule's days are chosen from: the start, or another day near it.
LocalTime SomeDay(Chance& chance, LocalTime start) {
  return chance.Is(75) ? start : start + days(chance.Pick(1, 50));
}

void WithoutTimes(Chance& chance, LocalTime start, ModelRule& rule) {
  Pattern& pattern = rule.pattern;
  const int kind = chance.Pick(1, 4);
  if (kind == 1) {
    pattern.every = Every::kDay;
    if (chance.Is(25)) pattern.weekdays = SomeWeekdays(chance, WeekdayOfTime(start), 3);
    if (chance.Is(10)) {
      pattern.months = {MonthIn(start), MonthIn(start) % 12 + 1};
      rule.may_refuse = true;
    }
    return;
  }
  pattern.every = Every::kWeek;
  pattern.weekdays = SomeWeekdays(chance, WeekdayOfTime(start), chance.Pick(0, 2));
  if (chance.Is(30)) pattern.week_start = chance.Pick(1, 6);
  if (chance.Is(20)) pattern.positions = {chance.Is(50) ? 1 : -1};
  if (pattern.weekdays.size() == 1 && pattern.positions.empty() && chance.Is(40)) pattern.weekdays.clear();
}

void WithTimes(Chance& chance, LocalTime start, ModelRule& rule) {
  Pattern& pattern = rule.pattern;
  if (chance.Is(50)) {
    pattern.every = Every::kHours;
    pattern.interval = chance.Pick(5, 30);
    return;
  }
  pattern.every = Every::kDay;
  const int first = static_cast<int>(ClockOfTime(start) / std::chrono::hours(1));
  pattern.hours = {first, chance.Pick(first + 1, std::max(first + 1, 21))};
  if (pattern.hours.back() > 23) pattern.hours.pop_back();
}

// The place is told by the rule, or by the start.
void AtPlace(Chance& chance, LocalTime start, ModelRule& rule, const Place& like) {
  const LocalTime day = SomeDay(chance, start);
  rule.place = PlaceOf(day, like);
  Pattern& pattern = rule.pattern;
  if (rule.place->month_day != 0)
    pattern.month_days = {rule.place->month_day};
  else
    pattern.ordinals = {*rule.place};
  if (pattern.every == Every::kYear && !rule.place->is_in_year) pattern.months = {MonthIn(day)};
  rule.text = pattern.Text();
  if (day != start || rule.place->month_day <= 0 || !chance.Is(40)) return;
  Pattern told = pattern;
  told.month_days.clear();
  told.months.clear();
  rule.text = told.Text();
}

void Monthly(Chance& chance, LocalTime start, ModelRule& rule) {
  Pattern& pattern = rule.pattern;
  pattern.every = Every::kMonth;
  const int kind = chance.Pick(1, 100);
  if (kind <= 45) return AtPlace(chance, start, rule, {.month_day = chance.Is(70) ? 1 : -1});
  if (kind <= 70) return AtPlace(chance, start, rule, {.ordinal = chance.Is(60) ? 1 : -1});
  rule.may_refuse = true;
  if (kind <= 80) {
    pattern.month_days = {chance.Pick(1, 14), chance.Pick(15, 31)};
  } else if (kind <= 95) {
    pattern.weekdays =
        chance.Is(50) ? std::vector{0, 1, 2, 3, 4} : SomeWeekdays(chance, WeekdayOfTime(start), 2);
    pattern.positions = {chance.Is(50) ? chance.Pick(1, 3) : -chance.Pick(1, 3)};
  } else {
    pattern.weekdays = SomeWeekdays(chance, WeekdayOfTime(start), 1);
  }
}

void Yearly(Chance& chance, LocalTime start, ModelRule& rule) {
  Pattern& pattern = rule.pattern;
  pattern.every = Every::kYear;
  const int kind = chance.Pick(1, 100);
  if (kind <= 30) return AtPlace(chance, start, rule, {.month_day = chance.Is(80) ? 1 : -1});
  if (kind <= 45) return AtPlace(chance, start, rule, {.ordinal = chance.Is(60) ? 1 : -1});
  if (kind <= 55)
    return AtPlace(chance, start, rule, {.is_in_year = true, .ordinal = chance.Is(70) ? 1 : -1});
  rule.may_refuse = true;
  if (kind <= 70) {  // several months
    AtPlace(chance, start, rule, {.month_day = chance.Is(80) ? 1 : -1});
    pattern.months.push_back(chance.Pick(1, 12));
    std::ranges::sort(pattern.months);
    pattern.months.erase(std::ranges::unique(pattern.months).begin(), pattern.months.end());
    rule.text = pattern.Text();
  } else if (kind <= 78) {
    pattern.months = {chance.Pick(1, 12)};
    pattern.weekdays = chance.Is(50) ? std::vector{0, 1, 2, 3, 4} : SomeWeekdays(chance, 0, 2);
    pattern.positions = {chance.Is(50) ? 1 : -1};
  } else if (kind <= 88) {
    pattern.year_days = {chance.Is(60) ? chance.Pick(1, 366) : -chance.Pick(1, 366)};
  } else {
    pattern.interval = 1;
    pattern.weeks = {chance.Pick(1, 53)};
    pattern.weekdays = SomeWeekdays(chance, WeekdayOfTime(start), 1);
  }
}

std::string Compact(LocalTime time) {
  std::string text = calendar::FormatLocal(time);
  std::erase(text, '-');
  std::erase(text, ':');
  return text;
}

}  // namespace

std::optional<ModelRule> RandomRule(Chance& chance, LocalTime start, bool has_times) {
  ModelRule rule;
  rule.pattern.interval = chance.Is(60) ? 1 : chance.Pick(2, 3);
  const int kind = chance.Pick(1, 100);
  if (kind <= 40)
    WithoutTimes(chance, start, rule);
  else if (kind <= 52 && has_times)
    WithTimes(chance, start, rule);
  else if (kind <= 80)
    Monthly(chance, start, rule);
  else
    Yearly(chance, start, rule);
  const Pattern& pattern = rule.pattern;
  if (rule.text.empty()) rule.text = pattern.Text();
  rule.list = pattern.Expand(start, EndOfLists(pattern));
  const int bound = chance.Pick(1, 100);
  const auto size = static_cast<size_t>(chance.Pick(2, 8));
  if (rule.list.size() < size + 2) return std::nullopt;
  const bool is_frequent = pattern.every <= Every::kDay;
  if (bound <= 60) {
    rule.bound = Bound::kCount;
    rule.text += ";COUNT=" + std::to_string(size);
  } else if (bound <= 90 || is_frequent) {
    rule.bound = Bound::kUntil;
    LocalTime until = rule.list[size - 1];
    if (chance.Is(60)) until += seconds(chance.Below((rule.list[size] - until).count()));
    rule.text += ";UNTIL=" + Compact(until);
  }
  if (rule.bound != Bound::kEndless) rule.list.resize(size);
  return rule;
}

}  // namespace cairn::nexus
