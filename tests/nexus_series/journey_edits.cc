// Edits of occurrences, times, zones and excluded dates.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/run_here.h"
#include "journey.h"

namespace cairn::nexus {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

// Several times of a day stay on one day, at the same hours.
bool AreTimesTorn(const ModelSeries& series, seconds shift) {
  const std::vector<int>& of_day = series.rule.pattern.hours;
  if (of_day.size() < 2) return false;
  const seconds part = shift - std::chrono::floor<days>(shift);
  const seconds first = series.first_clock, last = first + hours(of_day.back() - of_day.front());
  return std::chrono::floor<days>(first + part) != std::chrono::floor<days>(last + part);
}

std::string Describe(const ModelEdit& edit) {
  std::string text;
  if (edit.title) text += " title";
  if (edit.start) text += " start " + calendar::FormatLocal(*edit.start);
  if (edit.length) text += " length " + std::to_string(edit.length->count());
  if (edit.zone) text += " zone " + edit.zone->value_or("(floating)");
  if (edit.rule) text += " rule " + edit.rule->text;
  return text;
}

bool IsInTime(LocalTime time) {
  return time >= Local("2026-12-25T00:00:00") && time <= Local("2031-01-01T00:00:00");
}

}  // namespace

std::string NameOf(Scope scope) { return std::string(kScopeTexts[static_cast<size_t>(scope)]); }

bool IsFine(LocalTime start, seconds length) {
  return ClockOfTime(start) >= hours(4) && ClockOfTime(start) + length <= hours(24);
}

bool AreFine(const ModelSeries& series) {
  if (series.all_day || series.HasHours()) return true;
  return std::ranges::all_of(series.occurrences, [&](const ModelOccurrence& one) {
    const seconds length = std::max(one.length, series.length);
    return IsFine(one.start, length) && IsFine(one.original, length);
  });
}

bool Journey::EditSomething() {
  ModelSeries& series = chance_.OneOf(series_);
  if (series.is_single) return BeginToRepeat(series);
  const int kind = chance_.Pick(1, 100);
  if (kind <= 50) return PatchOccurrence(series);
  if (kind <= 64) return DeleteOccurrence(series);
  if (kind <= 71) return PatchTheMaster(series);
  if (kind <= 77) return ChangeExdates(series);
  if (kind <= 81) return ChangeZone(series);
  if (kind <= 83) return ChangeKind(series);
  if (kind <= 87) return GiveRule(series);
  if (kind <= 93) return GiveRuleFrom(series);
  if (kind <= 97) return ListDates(series);
  return chance_.Is(50) ? StopRepeating(series) : StopRepeatingAt(series);
}

SeriesPatch Journey::PatchOf(const ModelEdit& edit, const ModelSeries& series, LocalTime start,
                             seconds length) {
  SeriesPatch patch;
  patch.title = edit.title;
  if (edit.rule) patch.rrule = edit.rule->text;
  const auto zone = edit.zone.value_or(series.zone);
  if (edit.zone) patch.times.tzid = *edit.zone;
  if (edit.start) patch.times.start_local = calendar::FormatLocal(*edit.start);
  const LocalTime begins = edit.start.value_or(start);
  if (edit.length) {
    if (zone && !series.all_day)
      patch.times.end_utc = TextOf(*calendar::ToInstant(begins, *zone) + *edit.length);
    else
      patch.times.end_local = calendar::FormatLocal(begins + *edit.length);
  } else if (edit.start && chance_.Is(40)) {  // as pages do: both ends, although it lasts as long
    patch.times.end_local = calendar::FormatLocal(EndOf(begins, length, zone, series.all_day));
  }
  return patch;
}

ModelEdit Journey::PickEdit(const ModelSeries& series, LocalTime start, seconds length) {
  ModelEdit edit;
  const int kind = chance_.Pick(1, 100);
  if (kind <= 25 || kind > 90) edit.title = NewTitle();
  if (kind > 25 && kind <= 75) {
    const int by = chance_.Pick(1, 3);
    LocalTime to = start;
    if (by != 1) to += days(chance_.Is(50) ? chance_.Pick(1, 9) : -chance_.Pick(1, 9));
    if (by != 2 && !series.all_day) to = DayOfTime(to) + minutes(15 * chance_.Pick(16, 80));
    if (to != start) edit.start = to;
  }
  if (kind > 70 && kind <= 90) {
    const seconds to =
        series.all_day ? seconds(days(chance_.Pick(1, 3))) : seconds(minutes(15 * chance_.Pick(1, 12)));
    if (to != length) edit.length = to;
  }
  return edit;
}

bool Journey::IsAsExpected(const Decision<SeriesChanged>& changed, const ModelSeries& before,
                           const ModelSeries& expected, const ModelEdit& edit, const ModelMove& move) {
  const seconds clock = ClockOfTime(before.FirstOfRule().value_or(before.start));
  const bool changes_days = std::chrono::floor<days>(clock + move.shift) != days(0);
  const bool may_be = !edit.rule && before.rule.may_refuse && (changes_days || before.HasHours());
  const bool must_be = !edit.rule && AreTimesTorn(before, move.shift);
  if (!changed && (may_be || must_be)) {
    EXPECT_EQ(changed.error().reason, "rule-cannot-move") << Words(changed.error());
    ++done_["refused, as there is no such rule"];
    return false;
  }
  EXPECT_FALSE(must_be) << story_;
  EXPECT_TRUE(changed) << Words(changed.error());
  if (!changed || must_be) return false;
  std::set<std::string> orphans, wanted;
  for (const Instance& instance : changed->orphans) orphans.insert(*instance.original_local);
  for (const LocalTime original : expected.Orphans()) wanted.insert(calendar::FormatLocal(original));
  EXPECT_EQ(orphans, wanted) << story_;
  if (!wanted.empty()) ++done_["exceptions that the rule has no occurrence for"];
  return true;
}

bool Journey::PatchOccurrence(ModelSeries& series) {
  auto live = series.Live();
  if (live.empty()) return false;
  ModelOccurrence& one = *chance_.OneOf(live);
  const Scope scope = one.is_orphan() ? Scope::kThis : static_cast<Scope>(chance_.Pick(0, 2));
  const ModelEdit edit = PickEdit(series, one.start, one.length);
  if (edit.empty() || !IsInTime(edit.start.value_or(one.start))) return false;
  if (scope != Scope::kThis) return PatchWide(series, one, scope, edit);
  const bool is_timed = !series.HasHours() && !series.all_day;
  if (is_timed && !IsFine(edit.start.value_or(one.start), edit.length.value_or(one.length))) return false;
  const auto instance = Find(series, one);
  if (!instance) return false;
  const SeriesPatch patch = PatchOf(edit, series, one.start, one.length);
  Tell("patch this: " + series.id + " " + calendar::FormatLocal(one.original) + Describe(edit));
  auto changed = RunHere(
      PatchInstance(nexus_, caller_, *instance->instance_id, patch, instance->version, Silent<Instance>()));
  EXPECT_TRUE(changed) << Words(changed.error());
  Take(one, edit);
  return true;
}

bool Journey::PatchWide(ModelSeries& series, ModelOccurrence one, Scope scope, const ModelEdit& edit) {
  const LocalTime at = one.original;
  const seconds shift = edit.start.value_or(one.start) - one.start;
  const bool is_whole = scope == Scope::kAll || series.IsFirst(at);
  // Whether what has no occurrence any more takes place before it is nobody's business.
  if (scope == Scope::kFollowing && !series.Orphans().empty()) return false;
  ModelSeries expected = series;
  ModelSeries target = is_whole ? series : SplitOff(expected, at);
  const ModelSeries before = target;
  const auto first = target.FirstOfRule();
  if (!first) return false;
  const ModelMove move = edit.rule ? ModelMove{.shift = shift, .from = {}, .to = {}, .months = {}}
                                   : MoveOf(target, one.is_extra && target.start != at ? *first : at, shift);
  if (edit.rule) {
    const LocalTime begins = is_whole ? Local(*Load(series)->start_local) : at;
    target.start = begins + shift;
    target.begins_at_first = edit.rule->list.front() == target.start;
    std::ranges::find(target.occurrences, at, &ModelOccurrence::original)->is_extra = one.is_extra;
  }
  if (!Apply(target, edit, move) || !AreFine(target)) return false;
  if (one.is_exception) {
    const LocalTime then = edit.rule ? at + shift : move.Of(one, at).value_or(at + shift);
    const auto moved = std::ranges::find(target.occurrences, then, &ModelOccurrence::original);
    if (moved == target.occurrences.end()) return false;
    moved->start = one.start;
    moved->length = one.length;
    Take(*moved, edit);
    if (!AreFine(target)) return false;
  }
  const auto instance = Find(series, one);
  if (!instance) return false;
  const SeriesPatch patch = PatchOf(edit, series, one.start, one.length);
  Tell((edit.rule ? "rule of " : "patch ") + NameOf(scope) + (one.is_exception ? " exception" : "") + ": " +
       series.id + " " + calendar::FormatLocal(at) + Describe(edit));
  auto changed = RunHere(PatchFrom(nexus_, caller_, *instance->instance_id, scope, patch, instance->version,
                                   Silent<SeriesChanged>()));
  if (!IsAsExpected(changed, before, target, edit, move)) return true;
  EXPECT_EQ(changed->split_from.has_value(), !is_whole) << story_;
  if (is_whole) {
    series = std::move(target);
    return true;
  }
  target.id = *changed->master.master_id;
  series = std::move(expected);
  series_.push_back(std::move(target));
  return true;
}

bool Journey::DeleteOccurrence(ModelSeries& series) {
  auto live = series.Live();
  if (live.empty()) return false;
  ModelOccurrence& one = *chance_.OneOf(live);
  const int chance = chance_.Pick(1, 100);
  const Scope scope = chance <= 75 || one.is_orphan() ? Scope::kThis
                      : chance <= 95                  ? Scope::kFollowing
                                                      : Scope::kAll;
  if (scope == Scope::kFollowing && !series.Orphans().empty()) return false;
  const LocalTime at = one.original;
  const auto instance = Find(series, one);
  if (!instance) return false;
  Tell("delete " + NameOf(scope) + ": " + series.id + " " + calendar::FormatLocal(at));
  auto gone = RunHere(
      DeleteInstance(nexus_, caller_, *instance->instance_id, scope, instance->version, Silent<Gone>()));
  EXPECT_TRUE(gone) << (gone ? "" : Words(gone.error()));
  if (scope == Scope::kThis) {
    one.is_deleted = true;
    one.is_exception = false;
  } else if (scope == Scope::kAll || series.IsFirst(at)) {
    Remove(series);
  } else {
    SplitOff(series, at);
  }
  return true;
}

bool Journey::PatchWhole(ModelSeries& series, ModelSeries expected, const ModelEdit& edit,
                         const SeriesPatch& patch, const ModelMove& move, const std::string& what) {
  if (!Apply(expected, edit, move) || !AreFine(expected)) return false;
  const auto master = Load(series);
  if (!master) return true;
  Tell(what + ": " + series.id + Describe(edit));
  auto changed =
      RunHere(PatchSeries(nexus_, caller_, series.id, patch, master->version, Silent<SeriesChanged>()));
  if (IsAsExpected(changed, series, expected, edit, move)) series = std::move(expected);
  return true;
}

bool Journey::PatchTheMaster(ModelSeries& series) {
  const auto master = Load(series);
  const auto first = series.FirstOfRule();
  if (!master || !first) return false;
  const LocalTime start = Local(*master->start_local);
  const ModelEdit edit = PickEdit(series, start, series.length);
  if (edit.empty() || !IsInTime(edit.start.value_or(start))) return false;
  const seconds shift = edit.start.value_or(start) - start;
  return PatchWhole(series, series, edit, PatchOf(edit, series, start, series.length),
                    MoveOf(series, *first, shift), "patch master");
}

bool Journey::ChangeZone(ModelSeries& series) {
  if (series.all_day || series.HasHours()) return false;
  ModelEdit edit;
  edit.zone = PickZone();
  if (*edit.zone == series.zone) return false;
  const ModelMove stays{.from = {}, .to = {}, .months = {}};
  return PatchWhole(series, series, edit, PatchOf(edit, series, series.start, series.length), stays,
                    "change zone");
}

// From hours to whole days, and back.
bool Journey::ChangeKind(ModelSeries& series) {
  const bool has_extra = std::ranges::any_of(series.occurrences, &ModelOccurrence::is_extra);
  if (has_extra || series.HasHours()) return false;
  const auto master = Load(series);
  if (!master) return true;
  SeriesPatch patch;
  ModelMove move{.from = {}, .to = {}, .months = {}};
  ModelEdit edit;
  patch.times.all_day = !series.all_day;
  const LocalTime before = Local(*master->start_local);
  if (series.all_day) {
    const LocalTime start = before + minutes(15 * chance_.Pick(16, 60));
    edit.zone = PickZone();
    edit.length = minutes(15 * chance_.Pick(1, 12));
    patch.times.tzid = *edit.zone;
    patch.times.start_local = calendar::FormatLocal(start);
    patch.times.end_local = calendar::FormatLocal(EndOf(start, *edit.length, *edit.zone, false));
    move.shift = start - before;
  } else {
    edit.zone = std::optional<std::string>();
    edit.length = days(1);
    move.shift = -ClockOfTime(before);
  }
  ModelSeries expected = series;
  expected.all_day = !series.all_day;
  // Whatever one had of its own in hours, or days, is told in the other.
  for (ModelOccurrence& one : expected.occurrences) one.length = expected.length;
  return PatchWhole(series, expected, edit, patch, move, expected.all_day ? "to whole days" : "to hours");
}

bool Journey::ChangeExdates(ModelSeries& series) {
  std::vector<ModelOccurrence*> deleted, live;
  for (ModelOccurrence& one : series.occurrences) {
    if (one.is_deleted) deleted.push_back(&one);
    if (!one.is_deleted && one.is_of_series()) live.push_back(&one);
  }
  const bool is_back = !deleted.empty() && chance_.Is(70);
  if (!is_back && live.empty()) return false;
  ModelOccurrence& one = *chance_.OneOf(is_back ? deleted : live);
  const std::string local = calendar::FormatLocal(one.original);
  Tell(std::string(is_back ? "remove" : "add") + " exdate: " + series.id + " " + local);
  auto changed = is_back
                     ? RunHere(RemoveExdate(nexus_, caller_, series.id, local, {}, Silent<SeriesChanged>()))
                     : RunHere(AddExdate(nexus_, caller_, series.id, local, {}, Silent<SeriesChanged>()));
  EXPECT_TRUE(changed) << (changed ? "" : Words(changed.error()));
  if (is_back && !one.is_of_series()) {
    std::erase_if(series.occurrences, [&](const ModelOccurrence& other) { return &other == &one; });
    return true;
  }
  one.is_deleted = !is_back;
  one.is_exception = false;
  if (!is_back) return true;
  one.start = one.original;
  one.length = series.length;
  one.title = series.title;
  return true;
}

}  // namespace cairn::nexus
