// A series as a person sees it: a list of occurrences that edits change. Knows how the series was said to
// repeat (so that "the second Monday" and "the 31st" can be moved), nothing of rules, items or horizons.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "series_pattern.h"

namespace cairn::nexus {

// Lists of what has no end are long enough to reach here.
LocalTime EndOfLists(const Pattern& pattern);

// One occurrence. What it does not have of its own it has from its series.
struct ModelOccurrence {
  LocalTime original;  // what it stands for
  LocalTime start;
  seconds length;
  std::string title;
  bool is_of_rule = true;
  bool is_extra = false;    // an RDATE
  bool is_deleted = false;  // if of no rule: an excluded date that excludes nothing
  bool is_exception =
      false;  // of its own: another zone or kind than the series has is never given to one alone

  bool is_of_series() const { return is_of_rule || is_extra; }
  // Its occurrence is gone after a change of the rule; what was edited on it stays to be seen.
  bool is_orphan() const { return !is_of_series() && !is_deleted; }
};

enum class Bound { kEndless, kCount, kUntil };

// How a series is said to repeat, and what that is.
struct ModelRule {
  Pattern pattern;             // of a place: with every list that the start would make up for
  std::optional<Place> place;  // it moves from place to place, month by month or year by year
  bool may_refuse = false;     // there may be no rule for what it would be on other days
  Bound bound = Bound::kEndless;
  std::string text;
  std::vector<LocalTime> list;
};

struct ModelSeries {
  std::string id;
  std::string title;
  std::optional<std::string> zone;  // none: it floats
  bool is_single = false;           // an event
  bool all_day = false;
  seconds length{};
  ModelRule rule;                            // its list is of the beginning
  seconds first_clock{};                     // of several times of a day
  bool begins_at_first = true;               // whether the start is an occurrence
  LocalTime start;                           // if so
  std::vector<ModelOccurrence> occurrences;  // by original

  std::vector<ModelOccurrence*> Live();
  bool HasHours() const { return rule.pattern.every == Every::kHours || !rule.pattern.hours.empty(); }
  std::optional<LocalTime> FirstOfRule() const;
  std::vector<LocalTime> Orphans() const;
  // Whether nothing takes place before.
  bool IsFirst(LocalTime at) const;
  void Sort();
};

ModelOccurrence OccurrenceAt(const ModelSeries& series, LocalTime time);
// Takes what begins at `at` out of the series, as a series of its own.
ModelSeries SplitOff(ModelSeries& series, LocalTime at);

// ---- how a person moves a series

struct ModelMove {
  seconds shift{};
  std::optional<Place> from, to;  // from place to place, so many months or years later
  int64_t periods = 0;
  std::vector<int> months;  // those that the rule has; none: all

  // Nothing when there is no such place in its month or year then.
  std::optional<LocalTime> Of(const ModelOccurrence& one, LocalTime time) const;
};
// What was at `at` is wanted elsewhere.
ModelMove MoveOf(const ModelSeries& series, LocalTime at, seconds shift);

struct ModelEdit {
  std::optional<std::string> title;
  std::optional<LocalTime> start;  // of what is edited
  std::optional<seconds> length;
  std::optional<std::optional<std::string>> zone;
  std::optional<ModelRule> rule;

  bool empty() const { return !title && !start && !length && !zone && !rule; }
};
// Changes all of the series. Everything goes along; what one has of its own (its day, its time of the day,
// its length) it keeps. False where two would stand for the same time: nobody can tell what is right then.
[[nodiscard]] bool Apply(ModelSeries& series, const ModelEdit& edit, const ModelMove& move);
// Changes one on its own.
void Take(ModelOccurrence& one, const ModelEdit& edit);

}  // namespace cairn::nexus
