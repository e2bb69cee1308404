#include "series_model.h"

#include <algorithm>
#include <set>

namespace cairn::nexus {
namespace {

// The list of what is moved from place to place: from the first one's month or year on, as many as it says,
// or until the month or year of the last one.
std::vector<LocalTime> ListAtPlace(const ModelSeries& series, const ModelMove& move, Pattern& pattern) {
  std::vector<LocalTime> before;
  for (const ModelOccurrence& one : series.occurrences) {
    if (one.is_of_rule) before.push_back(one.original);
  }
  for (int& month : pattern.months) month = static_cast<int>(((month - 1 + move.periods) % 12 + 12) % 12) + 1;
  if (move.to->month_day != 0)
    pattern.month_days = {move.to->month_day};
  else
    pattern.ordinals = {*move.to};
  const Place first{.is_in_year = move.to->is_in_year, .month_day = 1};
  const auto begin = first.DayIn(first.PeriodOf(before.front()) + move.periods);
  std::vector<LocalTime> list =
      pattern.Expand(*begin + ClockOfTime(before.front() + move.shift), EndOfLists(pattern));
  const int64_t last = first.PeriodOf(before.back()) + move.periods;
  if (series.rule.bound == Bound::kCount && list.size() > before.size()) list.resize(before.size());
  if (series.rule.bound == Bound::kUntil)
    std::erase_if(list, [&](LocalTime time) { return first.PeriodOf(time) > last; });
  return list;
}

}  // namespace

LocalTime EndOfLists(const Pattern& pattern) {
  const bool is_long = pattern.every >= Every::kMonth;
  return local_days(std::chrono::year(is_long ? 2045 : 2032) / std::chrono::January / 1);
}

std::vector<ModelOccurrence*> ModelSeries::Live() {
  std::vector<ModelOccurrence*> live;
  for (ModelOccurrence& one : occurrences) {
    if (!one.is_deleted) live.push_back(&one);
  }
  return live;
}

std::optional<LocalTime> ModelSeries::FirstOfRule() const {
  const auto found = std::ranges::find_if(occurrences, &ModelOccurrence::is_of_rule);
  return found == occurrences.end() ? std::nullopt : std::optional(found->original);
}

std::vector<LocalTime> ModelSeries::Orphans() const {
  std::vector<LocalTime> orphans;
  for (const ModelOccurrence& one : occurrences) {
    if (one.is_orphan()) orphans.push_back(one.original);
  }
  return orphans;
}

bool ModelSeries::IsFirst(LocalTime at) const {
  return std::ranges::none_of(occurrences, [&](const ModelOccurrence& one) {
    return !one.is_deleted && one.is_of_series() && one.original < at;
  });
}

void ModelSeries::Sort() { std::ranges::stable_sort(occurrences, {}, &ModelOccurrence::original); }

ModelOccurrence OccurrenceAt(const ModelSeries& series, LocalTime time) {
  return {.original = time, .start = time, .length = series.length, .title = series.title};
}

ModelSeries SplitOff(ModelSeries& series, LocalTime at) {
  ModelSeries rest = series;
  std::erase_if(rest.occurrences, [&](const ModelOccurrence& one) { return one.original < at; });
  std::erase_if(series.occurrences, [&](const ModelOccurrence& one) { return one.original >= at; });
  // What was over by then has the end that it had.
  if (const auto first = rest.FirstOfRule()) {
    series.rule.bound = Bound::kUntil;
    rest.start = *first;
    rest.begins_at_first = true;
    return rest;
  }
  rest.start = at;  // of extra dates alone the first makes the series
  rest.begins_at_first = true;
  rest.rule = {
      .pattern = {}, .place = {}, .may_refuse = false, .bound = Bound::kCount, .text = {}, .list = {}};
  for (ModelOccurrence& one : rest.occurrences) {
    if (one.original != at) continue;
    one.is_extra = false;
    one.is_of_rule = true;
  }
  return rest;
}

std::optional<LocalTime> ModelMove::Of(const ModelOccurrence& one, LocalTime time) const {
  if (!to || one.is_extra) return time + shift;
  const int month = static_cast<int>(MonthOfTime(time) % 12) + 1;
  const bool is_meant = months.empty() || std::ranges::find(months, month) != months.end();
  if (!is_meant || from->DayIn(from->PeriodOf(time)) != DayOfTime(time)) return time + shift;
  const auto day = to->DayIn(to->PeriodOf(time) + periods);
  if (!day) return std::nullopt;
  return *day + ClockOfTime(time + shift);
}

ModelMove MoveOf(const ModelSeries& series, LocalTime at, seconds shift) {
  ModelMove move{.shift = shift, .from = {}, .to = {}, .months = {}};
  const LocalTime then = at + shift;
  if (!series.rule.place || DayOfTime(at) == DayOfTime(then)) return move;
  move.from = series.rule.place;
  move.to = PlaceOf(then, *move.from);
  move.periods = move.to->PeriodOf(then) - move.from->PeriodOf(at);
  move.months = series.rule.pattern.months;
  return move;
}

bool Apply(ModelSeries& series, const ModelEdit& edit, const ModelMove& move) {
  const seconds length_before = series.length;
  if (edit.title) series.title = *edit.title;
  if (edit.length) series.length = *edit.length;
  if (edit.zone) series.zone = *edit.zone;
  std::vector<LocalTime> list;
  if (edit.rule) {
    list = edit.rule->list;
    series.rule = *edit.rule;
  } else if (move.to) {
    list = ListAtPlace(series, move, series.rule.pattern);
    series.rule.place = move.to;
  } else {
    for (const ModelOccurrence& one : series.occurrences) {
      if (one.is_of_rule) list.push_back(one.original + move.shift);
    }
  }
  const std::set<LocalTime> of_rule(list.begin(), list.end());
  std::vector<ModelOccurrence> then;
  std::set<LocalTime> there;
  for (ModelOccurrence one : series.occurrences) {
    const bool is_own = one.is_exception && !one.is_deleted;
    const auto moved = edit.rule ? std::optional(one.original + move.shift) : move.Of(one, one.original);
    if (!moved && !is_own) continue;
    LocalTime follows = moved.value_or(one.original + move.shift);
    if (series.all_day) follows = DayOfTime(follows);
    const bool own_day = DayOfTime(one.start) != DayOfTime(one.original);
    const bool own_clock = ClockOfTime(one.start) != ClockOfTime(one.original) && !series.all_day;
    one.start = DayOfTime(own_day ? one.start : follows) + ClockOfTime(own_clock ? one.start : follows);
    one.original = follows;
    one.is_of_rule = of_rule.contains(follows);
    if (one.length == length_before) one.length = series.length;
    if (edit.title && !one.is_exception) one.title = series.title;
    if (!one.is_of_series() && !is_own && !one.is_deleted) continue;
    if (!there.insert(follows).second) return false;
    then.push_back(std::move(one));
  }
  for (const LocalTime time : list) {
    if (there.insert(time).second) then.push_back(OccurrenceAt(series, time));
  }
  series.occurrences = std::move(then);
  series.Sort();
  if (series.begins_at_first && !edit.rule) series.start = series.FirstOfRule().value_or(series.start);
  series.first_clock = ClockOfTime(edit.rule ? list.front() : LocalTime(series.first_clock + move.shift));
  return true;
}

void Take(ModelOccurrence& one, const ModelEdit& edit) {
  if (edit.title) one.title = *edit.title;
  if (edit.start) one.start = *edit.start;
  if (edit.length) one.length = *edit.length;
  one.is_exception = true;
}

}  // namespace cairn::nexus
