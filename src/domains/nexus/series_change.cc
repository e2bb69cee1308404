#include "domains/nexus/series_change.h"

#include <algorithm>
#include <functional>

namespace cairn::nexus {
namespace {

using data::Instance;
using data::Master;
using std::chrono::days;
using std::chrono::seconds;
using Locals = std::optional<std::vector<std::string>>;

// What is left when the rule has no occurrence from here on: the extra date that it is split at.
constexpr const char* kOnce = "FREQ=DAILY;COUNT=1";

bool IsTold(LocalTime time) { return time >= calendar::kLocalMin && time <= calendar::kLocalMax; }
LocalTime DayOf(LocalTime time) { return std::chrono::floor<days>(time); }
seconds ClockOf(LocalTime time) { return time - DayOf(time); }
seconds WallLength(const Times& times) { return EndOf(times) - StartOf(times); }

// By the wall clock or exactly: over a change of the clocks one of them differs.
bool LastAsLong(const Times& a, const Times& b) {
  return a.all_day == b.all_day && (WallLength(a) == WallLength(b) || DurationOf(a) == DurationOf(b));
}

// What says how long it lasts, for a series in another zone: of hours exactly as long where it floats, too.
Times LastingIn(Times like, const std::optional<std::string>& tzid) {
  const bool is_of_hours = EndOf(like) <= DayOf(StartOf(like)) + days(1);
  if (like.tzid && !tzid && is_of_hours)
    like.end_local = calendar::FormatLocal(StartOf(like) + DurationOf(like));
  like.tzid = tzid;
  return like;
}

template <class Change>  // std::optional<LocalTime>(LocalTime)
void ChangeAll(Locals& locals, Change change) {
  if (!locals) return;
  std::vector<std::string> changed;
  for (const std::string& text : *locals) {
    const auto local = calendar::ParseLocal(text);
    const std::optional<LocalTime> then = local ? change(*local) : std::nullopt;
    if (then && IsTold(*then)) changed.push_back(calendar::FormatLocal(*then));
  }
  *locals = std::move(changed);
}

void Tidy(Locals& locals) {
  if (!locals) return;
  std::ranges::sort(*locals);
  const auto repeated = std::ranges::unique(*locals);
  locals->erase(repeated.begin(), repeated.end());
  if (locals->empty()) locals.reset();
}

template <class Test>  // bool(const std::string&)
void Drop(Locals& locals, Test test) {
  if (locals) std::erase_if(*locals, test);
  Tidy(locals);
}

// Where an occurrence is after an edit; nothing when the series does not have it then. Extra dates move as
// far as what was dragged.
std::optional<LocalTime> Follow(LocalTime local, const SeriesEdit& edit,
                                const std::vector<LocalTime>& extra) {
  const bool is_extra = std::ranges::find(extra, local) != extra.end();
  const auto then = is_extra ? std::optional(local + edit.move.shift()) : edit.move.Map(local);
  return then && edit.after.all_day.value_or(false) ? DayOf(*then) : then;
}

Decision<calendar::SeriesMove> PlanMove(const calendar::Series& series, LocalTime at,
                                        const std::optional<TimesChange>& change, const SeriesPatch& patch) {
  if (!change || patch.rrule) {
    const seconds shift = change ? change->shift : seconds(0);
    return calendar::SeriesMove::ByShift(series.rule, series.start, shift);
  }
  auto move = calendar::SeriesMove::Plan(series.rule, series.start, at, at + change->shift,
                                         change->tzid.value_or(""));
  if (!move && move.error().code == Code::kInvalidArgument)
    return Refuse("rule-cannot-move", move.error().message);
  if (!move) return std::unexpected(Refusal(move.error()));
  return *std::move(move);
}

// The first occurrence of the rule itself from `at` on, excluded or not.
Decision<std::optional<LocalTime>> NextByRule(const calendar::Series& series, LocalTime at) {
  const calendar::Series by_rule{.rule = series.rule, .start = series.start, .exdates = {}, .rdates = {}};
  const auto next = calendar::NextOccurrence(by_rule, at - seconds(1));
  if (!next) return std::unexpected(Refusal(next.error()));
  return *next;
}

}  // namespace

TimesChange ChangeOf(const Times& series, const Times& before, const Times& wanted) {
  TimesChange change{
      .shift = StartOf(wanted) - StartOf(before), .tzid = series.tzid, .all_day = series.all_day};
  if (wanted.all_day != before.all_day) change.all_day = wanted.all_day;
  if (wanted.tzid != before.tzid) change.tzid = wanted.tzid;
  if (change.all_day) change.tzid.reset();
  // By whole days, and to midnight if it was not there.
  if (change.all_day) change.shift = DayOf(StartOf(series) + change.shift) - StartOf(series);
  if (!LastAsLong(before, wanted)) change.lasts_like = wanted;
  return change;
}

Decision<void> SettleRule(Master& master) {
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(master));
  if (master.all_day.value_or(false) && series.rule.has_times())
    return RefuseField("rrule", "has times of the day, and the series is of whole days");
  const auto is_timed = [](LocalTime local) { return ClockOf(local) != seconds(0); };
  if (master.all_day.value_or(false) && std::ranges::any_of(series.rdates, is_timed))
    return RefuseField("rdates", "must be midnights, for the series is of whole days");
  master.rrule = series.rule.text();
  master.rrule_until.reset();
  if (series.rule.until()) {
    const LocalTime until = *series.rule.until();
    const auto instant = calendar::ToInstantNotAfter(until, master.start_tzid.value_or("UTC"));
    if (!instant) return RefuseField("rrule", instant.error().message);
    master.rrule_until = TextOf(*instant);
  }
  return {};
}

Decision<SeriesEdit> EditSeries(const Master& master, LocalTime at, const std::optional<TimesChange>& change,
                                const SeriesPatch& patch) {
  RETURN_IF_ERROR(CheckPatch(patch));
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(master));
  ASSIGN_OR_RETURN(calendar::SeriesMove move, PlanMove(series, at, change, patch));
  SeriesEdit edit{.before = master, .after = master, .move = std::move(move)};
  Master& after = edit.after;
  ApplyContent(after, patch);
  if (change) {
    Times like = LastingIn(change->lasts_like.value_or(TimesOf(master)), change->tzid);
    like.all_day = change->all_day;
    ASSIGN_OR_RETURN(const Times times, TimesAt(edit.move.start(), like));
    SetTimes(after, times);
    after.rrule = edit.move.rule().text();
    ChangeAll(after.exdates, [&](LocalTime local) { return Follow(local, edit, series.rdates); });
    ChangeAll(after.rdates, [&](LocalTime local) { return Follow(local, edit, series.rdates); });
  }
  if (patch.rrule && *patch.rrule) after.rrule = **patch.rrule;
  if (patch.exdates) after.exdates = *patch.exdates;
  if (patch.rdates) after.rdates = *patch.rdates;
  Tidy(after.exdates);
  Tidy(after.rdates);
  RETURN_IF_ERROR(SettleRule(after));
  return edit;
}

Decision<Instance> FollowEdit(Instance instance, const SeriesEdit& edit) {
  const auto original = calendar::ParseLocal(instance.original_local.value_or(""));
  if (!original) return instance;
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(edit.before));
  const LocalTime then = Follow(*original, edit, series.rdates).value_or(*original + edit.move.shift());
  if (!IsTold(then)) return instance;
  if (then != *original) {
    instance.original_local = calendar::FormatLocal(then);
    instance.date = instance.original_local->substr(0, 10);
  }
  const Times of_series = TimesOf(edit.after);
  ASSIGN_OR_RETURN(const Times regular, TimesAt(*original, TimesOf(edit.before)));
  const Times own = TimesOf(instance);
  if (instance.is_cancelled.value_or(false)) {
    ASSIGN_OR_RETURN(const Times times, TimesAt(then, of_series));
    SetTimes(instance, times);
    return instance;
  }
  if (own.tzid != regular.tzid || own.all_day != regular.all_day) return instance;
  const LocalTime start = StartOf(own);
  const bool is_on_its_day = DayOf(start) == DayOf(*original);
  const bool is_at_its_time = ClockOf(start) == ClockOf(*original) || of_series.all_day;
  const LocalTime follows =
      DayOf(is_on_its_day ? then : start) + (is_at_its_time ? ClockOf(then) : ClockOf(start));
  const bool stays_of_a_kind = of_series.all_day == own.all_day;
  const Times like =
      LastAsLong(own, regular) || !stays_of_a_kind ? of_series : LastingIn(own, of_series.tzid);
  ASSIGN_OR_RETURN(const Times times, TimesAt(follows, like));
  SetTimes(instance, times);
  ASSIGN_OR_RETURN(const Times stands_for, TimesAt(then, of_series));
  instance.original_start_utc = stands_for.start_utc;
  return instance;
}

Decision<bool> IsFirst(const Master& master, LocalTime at) {
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(master));
  const auto first = calendar::NextOccurrence(series, calendar::kLocalMin);
  if (!first) return std::unexpected(Refusal(first.error()));
  return !*first || **first >= at;
}

Decision<Master> EndBefore(Master master, LocalTime at) {
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(master));
  ASSIGN_OR_RETURN(const auto next, NextByRule(series, at));
  // A rule that is over by then has its end already: there may be extra dates after it.
  if (next) master.rrule = calendar::EndingBefore(series.rule, at).text();
  const auto is_later = [text = calendar::FormatLocal(at)](const std::string& local) {
    return local >= text;
  };
  Drop(master.exdates, is_later);
  Drop(master.rdates, is_later);
  RETURN_IF_ERROR(SettleRule(master));
  return master;
}

Decision<Split> SplitAt(const Master& master, LocalTime at, const std::optional<TimesChange>& change,
                        const SeriesPatch& patch) {
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(master));
  ASSIGN_OR_RETURN(Master ended, EndBefore(master, at));
  Master next = master;
  next.master_id.reset();
  next.version.reset();
  next.created_at.reset();
  next.updated_at.reset();
  next.uid.reset();
  next.materialized_from.reset();
  next.materialized_until.reset();
  next.continues_id = master.master_id;
  next.continues_at.reset();
  const std::string from = calendar::FormatLocal(at);
  const auto is_before = [&](const std::string& local) { return local < from; };
  Drop(next.exdates, is_before);
  Drop(next.rdates, is_before);
  // It begins where the rule does from there on (the occurrence itself may be an extra date); another rule
  // begins with the occurrence that it is given to.
  const bool has_other_rule = patch.rrule && *patch.rrule;
  ASSIGN_OR_RETURN(auto first, NextByRule(series, at));
  if (has_other_rule) {
    first = at;
  } else if (first) {
    const auto before = calendar::CountBefore(series.rule, series.start, at);
    if (!before) return std::unexpected(Refusal(before.error()));
    const auto rest = calendar::Continuing(series.rule, *before);
    if (!rest) return std::unexpected(Refusal(rest.error()));
    next.rrule = rest->text();
  } else {
    next.rrule = kOnce;
    Drop(next.rdates, [&](const std::string& local) { return local == from; });
  }
  ASSIGN_OR_RETURN(const Times begins, TimesAt(first.value_or(at), TimesOf(master)));
  SetTimes(next, begins);
  ASSIGN_OR_RETURN(SeriesEdit continued, EditSeries(next, at, change, patch));
  return Split{.ended = std::move(ended), .continued = std::move(continued)};
}

}  // namespace cairn::nexus
