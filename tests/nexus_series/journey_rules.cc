// Edits of how a series repeats: another rule, extra and excluded dates, repeating or not.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/run_here.h"
#include "domains/nexus/events.h"
#include "domains/nexus/repeating.h"
#include "journey.h"
#include "random_rule.h"

namespace cairn::nexus {
namespace {

using std::chrono::minutes;

bool MayHaveTimes(const ModelSeries& series) { return series.zone == "UTC" && !series.all_day; }

}  // namespace

bool Journey::GiveRule(ModelSeries& series) {
  const auto master = Load(series);
  if (!master) return true;
  const LocalTime start = Local(*master->start_local);
  ModelEdit edit;
  if (chance_.Is(30)) edit.start = start + days(chance_.Pick(1, 9));
  const LocalTime begins = edit.start.value_or(start);
  edit.rule = RandomRule(chance_, begins, MayHaveTimes(series));
  if (!edit.rule) return false;
  ModelSeries expected = series;
  expected.start = begins;
  expected.begins_at_first = edit.rule->list.front() == begins;
  const ModelMove move{.shift = begins - start, .from = {}, .to = {}, .months = {}};
  return PatchWhole(series, expected, edit, PatchOf(edit, series, start, series.length), move,
                    "rule of master");
}

bool Journey::GiveRuleFrom(ModelSeries& series) {
  auto live = series.Live();
  if (live.empty()) return false;
  const ModelOccurrence one = *chance_.OneOf(live);
  if (one.is_orphan() || one.original > Local("2029-01-01T00:00:00")) return false;
  const Scope scope = chance_.Is(50) ? Scope::kAll : Scope::kFollowing;
  ModelEdit edit;
  if (chance_.Is(30)) edit.start = one.start + days(chance_.Pick(1, 9));
  if (chance_.Is(30)) edit.title = NewTitle();
  LocalTime begins = one.original;
  if (scope == Scope::kAll || series.IsFirst(one.original)) {
    const auto master = Load(series);
    if (!master) return true;
    begins = Local(*master->start_local);
  }
  edit.rule =
      RandomRule(chance_, begins + (edit.start.value_or(one.start) - one.start), MayHaveTimes(series));
  return edit.rule && PatchWide(series, one, scope, edit);
}

// The lists of excluded and of extra dates, as a whole.
bool Journey::ListDates(ModelSeries& series) {
  ModelSeries expected = series;
  SeriesPatch patch;
  std::string what;
  if (chance_.Is(50)) {
    const bool is_more = chance_.Is(60);
    if (is_more) {
      const seconds clock = series.all_day ? seconds(0) : seconds(minutes(15 * chance_.Pick(16, 60) + 7));
      const LocalTime extra = Local("2027-01-01T00:00:00") + days(chance_.Pick(0, 90)) + clock;
      for (const ModelOccurrence& one : series.occurrences) {
        if (one.original == extra) return false;
      }
      expected.occurrences.push_back(OccurrenceAt(series, extra));
      expected.occurrences.back().is_of_rule = false;
      expected.occurrences.back().is_extra = true;
      expected.Sort();
    } else {
      for (ModelOccurrence& one : expected.occurrences) one.is_extra = false;
    }
    patch.rdates.emplace(std::vector<std::string>());
    for (const ModelOccurrence& one : expected.occurrences) {
      if (one.is_extra) (*patch.rdates)->push_back(calendar::FormatLocal(one.original));
    }
    what = is_more ? "more extra dates" : "no extra dates";
  } else {
    patch.exdates.emplace(std::vector<std::string>());
    for (ModelOccurrence& one : expected.occurrences) {
      const bool is_out = one.is_deleted || one.is_of_series() ? chance_.Is(one.is_deleted ? 50 : 15) : false;
      if (one.is_deleted && !is_out) {
        one = OccurrenceAt(series, one.original);
        const auto same = std::ranges::find(series.occurrences, one.original, &ModelOccurrence::original);
        one.is_extra = same->is_extra;
        one.is_of_rule = same->is_of_rule;
      }
      if (!is_out) continue;
      one.is_deleted = true;
      one.is_exception = false;
      if ((*patch.exdates)->size() < 20)
        (*patch.exdates)->push_back(calendar::FormatLocal(one.original));
      else
        return false;
    }
    what = "list of excluded dates";
  }
  std::erase_if(expected.occurrences, [](const ModelOccurrence& one) {
    return !one.is_of_series() && !one.is_deleted && !one.is_exception;
  });
  if (std::ranges::none_of(expected.occurrences, &ModelOccurrence::is_of_series)) return false;
  if (!AreFine(expected)) return false;
  const auto master = Load(series);
  if (!master) return true;
  Tell(what + ": " + series.id);
  auto changed =
      RunHere(PatchSeries(nexus_, caller_, series.id, patch, master->version, Silent<SeriesChanged>()));
  const ModelMove stays{.from = {}, .to = {}, .months = {}};
  if (IsAsExpected(changed, series, expected, {}, stays)) series = std::move(expected);
  return true;
}

bool Journey::BeginToRepeat(ModelSeries& series) {
  ModelOccurrence one = series.occurrences.front();
  if (!chance_.Is(60)) {  // it does not, and is moved
    const ModelEdit edit = PickEdit(series, one.start, one.length);
    Take(one, edit);
    if (edit.empty() || (!series.all_day && !IsFine(one.start, one.length))) return false;
    Tell("patch single: " + series.id + " start " + calendar::FormatLocal(one.start));
    const EventPatch patch = PatchOf(edit, series, series.start, series.length);
    auto changed = RunHere(PatchEvent(nexus_, caller_, series.id, patch, {}, Silent<Event>()));
    EXPECT_TRUE(changed) << Words(changed.error());
    series.title = one.title;
    series.start = one.start;
    series.length = one.length;
    series.occurrences = {OccurrenceAt(series, series.start)};
    return true;
  }
  ModelEdit edit;
  if (chance_.Is(30)) edit.start = one.start + days(chance_.Pick(1, 9));
  if (chance_.Is(30)) edit.title = NewTitle();
  const LocalTime start = edit.start.value_or(one.start);
  edit.rule = RandomRule(chance_, start, MayHaveTimes(series));
  if (!edit.rule) return false;
  const SeriesPatch patch = PatchOf(edit, series, one.start, one.length);
  Tell("begin to repeat: " + series.id + " " + edit.rule->text + " from " + calendar::FormatLocal(start));
  auto changed = RunHere(BeginRepeating(nexus_, caller_, series.id, patch, {}, Silent<SeriesChanged>()));
  EXPECT_TRUE(changed) << Words(changed.error());
  if (!changed) return true;
  series.id = *changed->master.master_id;
  series.is_single = false;
  series.title = edit.title.value_or(series.title);
  series.rule = *edit.rule;
  series.start = start;
  series.first_clock = ClockOfTime(start);
  series.begins_at_first = series.rule.list.front() == start;
  series.occurrences.clear();
  for (const LocalTime time : series.rule.list) series.occurrences.push_back(OccurrenceAt(series, time));
  return true;
}

void Journey::BecomeSingle(ModelSeries& series, const ModelOccurrence& one,
                           const Decision<SeriesChanged>& changed) {
  EXPECT_TRUE(changed) << Words(changed.error());
  if (!changed) return;
  EXPECT_TRUE(changed->single) << story_;
  if (!changed->single) return;
  series.id = *changed->single->event_id;
  series.is_single = true;
  series.title = one.title;
  series.start = one.start;
  series.length = one.length;
  series.rule = {};
  series.occurrences = {OccurrenceAt(series, one.start)};
}

bool Journey::StopRepeating(ModelSeries& series) {
  const auto master = Load(series);
  if (!master) return true;
  const auto first = std::ranges::find_if(
      series.occurrences, [](const ModelOccurrence& one) { return !one.is_deleted && one.is_of_series(); });
  SeriesPatch patch;
  patch.rrule.emplace();
  Tell("stop repeating: " + series.id);
  auto changed =
      RunHere(EndRepeating(nexus_, caller_, series.id, patch, master->version, Silent<SeriesChanged>()));
  if (first == series.occurrences.end()) {
    EXPECT_FALSE(changed) << story_;
    if (!changed) {
      EXPECT_EQ(changed.error().reason, "nothing-takes-place") << Words(changed.error());
    }
    return true;
  }
  const ModelOccurrence one = *first;
  BecomeSingle(series, one, changed);
  return true;
}

bool Journey::StopRepeatingAt(ModelSeries& series) {
  const ModelOccurrence one = chance_.OneOf(series.occurrences);
  const Scope scope = chance_.Is(40) || one.is_orphan() ? Scope::kAll : Scope::kFollowing;
  if (scope == Scope::kFollowing && !series.Orphans().empty()) return false;
  if (one.is_deleted && !one.is_of_series()) return false;
  if (one.original > Local("2027-12-01T00:00:00")) return false;
  Work work(nexus_, caller_);
  const auto instance = Find(series, one);
  if (!instance) return false;
  SeriesPatch patch;
  patch.rrule.emplace();
  Tell("stop repeating " + NameOf(scope) + ": " + series.id + " " + calendar::FormatLocal(one.original));
  auto changed = RunHere(EndRepeatingAt(nexus_, caller_, *instance->instance_id, scope, patch,
                                        instance->version, Silent<SeriesChanged>()));
  if (one.is_deleted) {
    EXPECT_FALSE(changed) << story_;
    if (!changed) {
      EXPECT_EQ(changed.error().reason, "cancelled") << Words(changed.error());
    }
    return true;
  }
  if (scope == Scope::kAll || series.IsFirst(one.original)) {
    BecomeSingle(series, one, changed);
    return true;
  }
  ModelSeries single = SplitOff(series, one.original);
  BecomeSingle(single, one, changed);
  series_.push_back(std::move(single));
  return true;
}

}  // namespace cairn::nexus
