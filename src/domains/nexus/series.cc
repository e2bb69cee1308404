#include "domains/nexus/series.h"

#include <algorithm>
#include <set>

#include "base/aside.h"
#include "domains/nexus/reminders.h"
#include "domains/nexus/series_reminders.h"
#include "domains/nexus/series_store.h"
#include "domains/nexus/settings.h"

namespace cairn::nexus {
namespace {

using std::chrono::seconds;

constexpr size_t kExdatesMax = 1'000;

void ShiftAll(std::optional<std::vector<std::string>>& locals, seconds shift) {
  if (!locals) return;
  for (std::string& text : *locals) {
    if (const auto local = calendar::ParseLocal(text)) text = calendar::FormatLocal(*local + shift);
  }
}

// The rule in its one form, and where it ends: a dedicated attribute says it (REQ-001-18).
Decision<void> SettleRule(Master& master) {
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(master));
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

// Excluded and extra dates go along when the series moves: they are about its occurrences, not about wall
// times.
Decision<void> ApplySeries(Master& master, const SeriesPatch& patch) {
  RETURN_IF_ERROR(CheckPatch(patch));
  ApplyContent(master, patch);
  if (!patch.times.empty()) {
    const Times before = TimesOf(master);
    ASSIGN_OR_RETURN(const Times times, ChangeTimes(before, patch.times));
    const seconds shift = StartOf(times) - StartOf(before);
    SetTimes(master, times);
    ShiftAll(master.exdates, shift);
    ShiftAll(master.rdates, shift);
  }
  if (patch.rrule) master.rrule = *patch.rrule;
  if (patch.exdates) master.exdates = *patch.exdates;
  if (patch.rdates) master.rdates = *patch.rdates;
  for (auto* dates : {&master.exdates, &master.rdates}) {
    if (!*dates) continue;
    std::ranges::sort(**dates);
    const auto repeated = std::ranges::unique(**dates);
    (*dates)->erase(repeated.begin(), repeated.end());
    if ((*dates)->empty()) dates->reset();
  }
  return SettleRule(master);
}

// At least one occurrence must be left, or nobody could find the series again.
Decision<void> CheckHappens(const Master& master) {
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(master));
  const auto first = calendar::NextOccurrence(series, calendar::kLocalMin);
  if (!first) return RefuseField("rrule", first.error().message);
  if (!*first) return RefuseField("rrule", "never happens");
  return {};
}

// Stages the master, whatever is due to its times, and the job.
Task<Decision<SeriesChanged>> StageMaster(Work& work, Master master) {
  CO_RETURN_IF_ERROR(CheckHappens(master));
  auto set_horizon = [&] { return SetHorizon(master, work.nexus().Now()); };
  CO_ASSIGN_OR_RETURN(const Density density, co_await Aside(set_horizon));
  auto spanned = co_await StageSpan(work, DurationOf(TimesOf(master)), density);
  if (!spanned) co_return std::unexpected(std::move(spanned).error());
  auto staged = master.version ? work.StageChange(std::move(master)) : work.StageNew(master);
  if (!staged) co_return std::unexpected(std::move(staged).error());
  CO_RETURN_IF_ERROR(StageSeriesJob(work, *staged->master_id, SoonAfter(work.nexus().Now())));
  co_return SeriesChanged{.master = *std::move(staged), .split_from = {}};
}

// Commits, then brings the occurrences in line. The receipt says nothing of orphans: which ones there are
// shows only then.
Task<Decision<SeriesChanged>> PublishSeries(Work& work, Decision<SeriesChanged> changed,
                                            const Witness<SeriesChanged>& witness) {
  auto published = co_await work.Publish(std::move(changed), witness);
  if (!published) co_return published;
  auto aligned = co_await AlignSeries(work.nexus(), work.session().caller(), *published->master.master_id);
  if (!aligned) co_return std::unexpected(std::move(aligned).error());
  published->orphans = std::move(aligned->orphans);
  auto planned = co_await PlanGrowth(work.nexus(), work.session().caller(), published->master);
  if (!planned) co_return std::unexpected(std::move(planned).error());
  if (published->split_from) {
    auto ended = co_await AlignSeries(work.nexus(), work.session().caller(), *published->split_from);
    if (!ended) co_return std::unexpected(std::move(ended).error());
    // Exceptions that have moved over want what the new series wants.
    auto settled =
        co_await SettleReminders(work.nexus(), work.session().caller(), *published->split_from, {});
    if (!settled) co_return std::unexpected(std::move(settled).error());
  }
  co_return published;
}

Task<Decision<Master>> LoadEventMaster(Work& work, std::string master_id, SeenVersion seen) {
  const data::MasterKey key{.master_id = std::move(master_id)};
  auto master = co_await work.Load<Master>(key, seen);
  if (master && master->target_type == data::SeriesTarget::kTask)
    co_return Refuse("series-of-tasks", "This series makes tasks: change its open task instead");
  co_return master;
}

// An occurrence with its series.
struct Occurrence {
  Instance instance;
  Master master;
  LocalTime original;
};
Task<Decision<Occurrence>> LoadOccurrence(Work& work, std::string instance_id, SeenVersion seen) {
  const data::InstanceKey key{.instance_id = std::move(instance_id)};
  auto instance = co_await work.Load<Instance>(key, seen);
  if (!instance) co_return std::unexpected(std::move(instance).error());
  auto master = co_await LoadEventMaster(work, instance->master_id, {});
  if (!master) co_return std::unexpected(std::move(master).error());
  const auto original = calendar::ParseLocal(instance->original_local.value_or(""));
  if (!original) co_return std::unexpected(Refusal(Error{Code::kDamaged, "an occurrence has no original"}));
  co_return Occurrence{.instance = *std::move(instance), .master = *std::move(master), .original = *original};
}

// Adds to the master that an occurrence does not take place.
Decision<void> Exclude(Master& master, const std::string& exdate) {
  if (!master.exdates) master.exdates.emplace();
  if (std::ranges::find(*master.exdates, exdate) != master.exdates->end()) return {};
  if (master.exdates->size() >= kExdatesMax)
    return Refuse("too-many-exceptions", "A series has at most 1,000 excluded dates: split it");
  master.exdates->push_back(exdate);
  std::ranges::sort(*master.exdates);
  return {};
}

Instance Cancelled(Instance instance) {
  instance.is_cancelled = true;
  instance.is_exception = false;
  return instance;
}

// Stages that the reminders of an occurrence go with it.
Task<Decision<void>> StageForgetting(Work& work, const Master& master, const Instance& instance) {
  Followed nothing{.event_id = {},
                   .instance_id = instance.instance_id,
                   .master_id = instance.master_id,
                   .task_id = {},
                   .title = {},
                   .start = {}};
  nothing.before = DistancesOf(master, instance);
  co_return co_await StageFollowing(work, nothing);
}

Task<Decision<std::optional<Instance>>> FindByOriginal(Work& work, const std::string& master_id,
                                                       const std::string& original) {
  auto all = co_await ReadAllInstances(work, master_id);
  if (!all) co_return std::unexpected(std::move(all).error());
  for (Instance& instance : *all) {
    if (instance.original_local == original) co_return std::optional(std::move(instance));
  }
  co_return std::optional<Instance>();
}

// Whether the rule itself, whatever is excluded, has an occurrence there.
Decision<bool> HasOccurrence(const Master& master, LocalTime local) {
  ASSIGN_OR_RETURN(calendar::Series series, SeriesOf(master));
  series.exdates.clear();
  const auto found = calendar::Occurrences(series, local, local + seconds(1), 1);
  if (!found) return std::unexpected(Refusal(found.error()));
  return !found->empty();
}

// The series from an occurrence on, as a series of its own; the old one ends before it.
struct Split {
  Master ended, continued;
};
Decision<Split> SplitAt(const Occurrence& occurrence, const SeriesPatch& patch) {
  ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(occurrence.master));
  Split split{.ended = occurrence.master, .continued = occurrence.master};
  const LocalTime at = occurrence.original;
  split.ended.rrule = calendar::EndingBefore(series.rule, at).text();
  const auto before = calendar::CountBefore(series.rule, series.start, at);
  if (!before) return std::unexpected(Refusal(before.error()));
  auto rest = calendar::Continuing(series.rule, *before);
  // The last ones may be extra dates, behind the end of the rule.
  if (!rest) return Refuse("nothing-left", "The rule has no occurrence from here on: change this one alone");
  Master& next = split.continued;
  next.rrule = rest->text();
  next.master_id.reset();
  next.version.reset();
  next.created_at.reset();
  next.updated_at.reset();
  next.uid.reset();
  next.materialized_from.reset();
  next.materialized_until.reset();
  next.continues_id = occurrence.master.master_id;
  next.continues_at = calendar::FormatLocal(at);
  const auto is_before = [&](const std::string& local) { return local < *next.continues_at; };
  for (auto member : {&Master::exdates, &Master::rdates}) {
    if (next.*member) std::erase_if(*(next.*member), is_before);
    if (split.ended.*member) std::erase_if(*(split.ended.*member), std::not_fn(is_before));
    if (split.ended.*member && (split.ended.*member)->empty()) (split.ended.*member).reset();
  }
  // The new one begins where the occurrence is by the rule; the patch then moves it as it would move that.
  ASSIGN_OR_RETURN(const Times begins, TimesAt(at, TimesOf(occurrence.master)));
  SetTimes(next, begins);
  RETURN_IF_ERROR(ApplySeries(next, patch));
  RETURN_IF_ERROR(SettleRule(split.ended));
  return split;
}

// Times in a patch of "all" are about the occurrence; the series moves by as much.
Decision<SeriesPatch> AboutSeries(const Occurrence& occurrence, SeriesPatch patch) {
  if (patch.times.empty()) return patch;
  const Times of_instance = TimesOf(occurrence.instance);
  ASSIGN_OR_RETURN(const Times wanted, ChangeTimes(of_instance, patch.times));
  const Times of_master = TimesOf(occurrence.master);
  const seconds shift = StartOf(wanted) - StartOf(of_instance);
  patch.times = {
      .start_utc = {},
      .end_utc = {},
      .start_local = calendar::FormatLocal(StartOf(of_master) + shift),
      .end_local = calendar::FormatLocal(StartOf(of_master) + shift + (EndOf(wanted) - StartOf(wanted))),
      .tzid = wanted.tzid,
      .all_day = wanted.all_day};
  return patch;
}

// Exceptions stand for occurrences: when the series moves, what they stand for moves along.
Task<Decision<void>> StageMovedExceptions(Work& work, const Master& master, seconds shift) {
  if (shift == seconds(0)) co_return Decision<void>();
  auto all = co_await ReadAllInstances(work, *master.master_id);
  if (!all) co_return std::unexpected(std::move(all).error());
  size_t staged = 0;
  constexpr size_t kInOneCommit = 80;
  for (Instance& instance : *all) {
    const bool is_kept = instance.is_exception.value_or(false) || instance.is_cancelled.value_or(false);
    const auto original = calendar::ParseLocal(instance.original_local.value_or(""));
    if (!is_kept || !original) continue;
    if (++staged > kInOneCommit) {
      co_return Refuse("too-many-exceptions",
                       "More than 80 occurrences were changed on their own: split the series first");
    }
    instance.original_local = calendar::FormatLocal(*original + shift);
    instance.date = instance.original_local->substr(0, 10);
    CO_RETURN_IF_ERROR(work.StageChange(std::move(instance)));
  }
  co_return Decision<void>();
}

Task<Decision<SeriesChanged>> ChangeWhole(Work& work, Master master, SeriesPatch patch,
                                          const Witness<SeriesChanged>& witness) {
  const LocalTime start_before = StartOf(TimesOf(master));
  const auto distances_before = master.reminder_minutes;
  CO_RETURN_IF_ERROR(ApplySeries(master, patch));
  const bool has_other_distances = distances_before && master.reminder_minutes != distances_before;
  auto moved = co_await StageMovedExceptions(work, master, StartOf(TimesOf(master)) - start_before);
  if (!moved) co_return std::unexpected(std::move(moved).error());
  const std::string master_id = *master.master_id;
  auto staged = co_await StageMaster(work, std::move(master));
  auto published = co_await PublishSeries(work, std::move(staged), witness);
  if (!published || !has_other_distances) co_return published;
  auto settled = co_await SettleReminders(work.nexus(), work.session().caller(), master_id, {});
  if (!settled) co_return std::unexpected(std::move(settled).error());
  co_return published;
}

}  // namespace

Task<Decision<SeriesChanged>> CreateSeries(Nexus& nexus, model::Caller caller, SeriesPatch content,
                                           Witness<SeriesChanged> witness) {
  CO_ASSIGN_OR_RETURN(const Times times, MakeTimes(content.times));
  Work work(nexus, caller);
  Master master;
  SetTimes(master, times);
  master.target_type = data::SeriesTarget::kEvent;
  content.times = {};
  CO_RETURN_IF_ERROR(ApplySeries(master, content));
  auto staged = co_await StageMaster(work, std::move(master));
  co_return co_await PublishSeries(work, std::move(staged), witness);
}

Task<Decision<SeriesChanged>> PatchSeries(Nexus& nexus, model::Caller caller, std::string master_id,
                                          SeriesPatch patch, SeenVersion seen,
                                          Witness<SeriesChanged> witness) {
  Work work(nexus, caller);
  auto master = co_await LoadEventMaster(work, std::move(master_id), seen);
  if (!master) co_return std::unexpected(std::move(master).error());
  co_return co_await ChangeWhole(work, *std::move(master), std::move(patch), witness);
}

Task<Decision<void>> DeleteSeries(Nexus& nexus, model::Caller caller, std::string master_id, SeenVersion seen,
                                  Witness<Gone> witness) {
  Work work(nexus, caller);
  auto master = co_await LoadEventMaster(work, std::move(master_id), seen);
  if (!master) co_return std::unexpected(std::move(master).error());
  CO_RETURN_IF_ERROR(work.StageDelete(*master));
  CO_RETURN_IF_ERROR(StageDeletionJob(work, *master));
  auto published = co_await work.Publish(witness);
  if (!published) co_return published;
  auto cleared = co_await ClearSeries(nexus, caller, *master->master_id);
  if (!cleared && nexus.jobs().IsStopping()) co_return Decision<void>();  // its job does the rest
  co_return cleared;
}

Task<Decision<SeriesChanged>> AddExdate(Nexus& nexus, model::Caller caller, std::string master_id,
                                        std::string exdate, SeenVersion seen,
                                        Witness<SeriesChanged> witness) {
  Work work(nexus, caller);
  auto master = co_await LoadEventMaster(work, std::move(master_id), seen);
  if (!master) co_return std::unexpected(std::move(master).error());
  const auto local = calendar::ParseLocal(exdate);
  if (!local) co_return RefuseField("local", "must be a wall time such as 2026-11-16T09:00:00");
  CO_ASSIGN_OR_RETURN(const bool happens, HasOccurrence(*master, *local));
  if (!happens)
    co_return RefuseField("local", "is no occurrence of the series: give its start by the series' own clock");
  CO_RETURN_IF_ERROR(Exclude(*master, exdate));
  auto instance = co_await FindByOriginal(work, *master->master_id, exdate);
  if (!instance) co_return std::unexpected(std::move(instance).error());
  if (*instance) {
    auto forgotten = co_await StageForgetting(work, *master, **instance);
    if (!forgotten) co_return std::unexpected(std::move(forgotten).error());
    CO_RETURN_IF_ERROR(work.StageChange(Cancelled(**std::move(instance))));
  }
  auto staged = co_await StageMaster(work, *std::move(master));
  co_return co_await PublishSeries(work, std::move(staged), witness);
}

Task<Decision<SeriesChanged>> RemoveExdate(Nexus& nexus, model::Caller caller, std::string master_id,
                                           std::string exdate, SeenVersion seen,
                                           Witness<SeriesChanged> witness) {
  Work work(nexus, caller);
  auto master = co_await LoadEventMaster(work, std::move(master_id), seen);
  if (!master) co_return std::unexpected(std::move(master).error());
  if (!master->exdates || std::erase(*master->exdates, exdate) == 0)
    co_return RefuseUnknown("The series has no such excluded date");
  if (master->exdates->empty()) master->exdates.reset();
  auto staged = co_await StageMaster(work, *std::move(master));
  co_return co_await PublishSeries(work, std::move(staged), witness);
}

Task<Decision<Instance>> PatchInstance(Nexus& nexus, model::Caller caller, std::string instance_id,
                                       EventPatch patch, SeenVersion seen, Witness<Instance> witness) {
  CO_RETURN_IF_ERROR(CheckPatch(patch));
  Work work(nexus, caller);
  auto occurrence = co_await LoadOccurrence(work, std::move(instance_id), seen);
  if (!occurrence) co_return std::unexpected(std::move(occurrence).error());
  Instance& instance = occurrence->instance;
  if (instance.is_cancelled.value_or(false))
    co_return RefuseConflict("cancelled",
                             "The occurrence does not take place: remove its excluded date first");
  const auto distances_before = DistancesOf(occurrence->master, instance);
  if (!patch.times.empty()) {
    CO_ASSIGN_OR_RETURN(const Times times, ChangeTimes(TimesOf(instance), patch.times));
    SetTimes(instance, times);
  }
  ApplyContent(instance, patch);
  // Cleared here is not the same as inherited.
  if (patch.description && !*patch.description) instance.description = "";
  instance.is_exception = true;
  auto spanned = co_await StageSpan(work, DurationOf(TimesOf(instance)));
  if (!spanned) co_return std::unexpected(std::move(spanned).error());
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  CO_ASSIGN_OR_RETURN(const Span span, SpanIn(TimesOf(instance), *settings->timezone));
  const Followed followed{.event_id = {},
                          .instance_id = instance.instance_id,
                          .master_id = instance.master_id,
                          .task_id = {},
                          .title = instance.title.value_or(occurrence->master.title),
                          .start = span.start,
                          .minutes = DistancesOf(occurrence->master, instance),
                          .before = distances_before};
  auto reminded = co_await StageFollowing(work, followed);
  if (!reminded) co_return std::unexpected(std::move(reminded).error());
  auto next = co_await StageNextBeside(work, occurrence->master, *instance.instance_id);
  if (!next) co_return std::unexpected(std::move(next).error());
  co_return co_await work.Publish(work.StageChange(std::move(instance)), witness);
}

Task<Decision<SeriesChanged>> PatchFrom(Nexus& nexus, model::Caller caller, std::string instance_id,
                                        Scope scope, SeriesPatch patch, SeenVersion seen,
                                        Witness<SeriesChanged> witness) {
  Work work(nexus, caller);
  auto occurrence = co_await LoadOccurrence(work, std::move(instance_id), seen);
  if (!occurrence) co_return std::unexpected(std::move(occurrence).error());
  CO_ASSIGN_OR_RETURN(patch, AboutSeries(*occurrence, std::move(patch)));
  const bool is_first = occurrence->original <= StartOf(TimesOf(occurrence->master));
  if (scope == Scope::kAll || is_first)
    co_return co_await ChangeWhole(work, std::move(occurrence->master), std::move(patch), witness);
  // The times are now those of a series that begins at its own start; here it begins at the occurrence.
  if (!patch.times.empty()) {
    const seconds ahead = occurrence->original - StartOf(TimesOf(occurrence->master));
    for (auto* local : {&patch.times.start_local, &patch.times.end_local})
      *local = calendar::FormatLocal(*calendar::ParseLocal(**local) + ahead);
  }
  auto split = SplitAt(*occurrence, patch);
  if (!split) co_return std::unexpected(std::move(split).error());
  const std::string old_id = *occurrence->master.master_id;
  auto ended = co_await StageMaster(work, std::move(split->ended));
  if (!ended) co_return ended;
  auto continued = co_await StageMaster(work, std::move(split->continued));
  if (continued) continued->split_from = old_id;
  co_return co_await PublishSeries(work, std::move(continued), witness);
}

Task<Decision<void>> DeleteInstance(Nexus& nexus, model::Caller caller, std::string instance_id, Scope scope,
                                    SeenVersion seen, Witness<Gone> witness) {
  Work work(nexus, caller);
  auto occurrence = co_await LoadOccurrence(work, std::move(instance_id), seen);
  if (!occurrence) co_return std::unexpected(std::move(occurrence).error());
  Master& master = occurrence->master;
  const bool is_first = occurrence->original <= StartOf(TimesOf(master));
  if (scope == Scope::kAll || (scope == Scope::kFollowing && is_first)) {
    co_return co_await DeleteSeries(nexus, caller, *master.master_id, {}, witness);
  }
  if (scope == Scope::kThis) {
    if (occurrence->instance.is_cancelled.value_or(false))
      co_return RefuseUnknown("The occurrence was deleted already");
    CO_RETURN_IF_ERROR(Exclude(master, *occurrence->instance.original_local));
    auto forgotten = co_await StageForgetting(work, master, occurrence->instance);
    if (!forgotten) co_return forgotten;
    CO_RETURN_IF_ERROR(work.StageChange(Cancelled(std::move(occurrence->instance))));
    auto changed = work.StageChange(master);
    if (!changed) co_return std::unexpected(std::move(changed).error());
    CO_RETURN_IF_ERROR(StageSeriesJob(work, *master.master_id, SoonAfter(nexus.Now())));
    auto published = co_await work.Publish(witness);
    if (!published) co_return published;
    co_return co_await RefreshSeriesReminders(nexus, caller, *std::move(changed));
  }
  CO_ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(master));
  master.rrule = calendar::EndingBefore(series.rule, occurrence->original).text();
  const std::string from = *occurrence->instance.original_local;
  const auto is_later = [&](const std::string& local) { return local >= from; };
  for (auto* dates : {&master.exdates, &master.rdates}) {
    if (*dates) std::erase_if(**dates, is_later);
    if (*dates && (*dates)->empty()) dates->reset();
  }
  CO_RETURN_IF_ERROR(SettleRule(master));
  // Exceptions behind the end go too; whoever deletes what follows does not want them back as orphans.
  auto all = co_await ReadAllInstances(work, *master.master_id);
  if (!all) co_return std::unexpected(std::move(all).error());
  constexpr size_t kInOneCommit = 80;
  size_t in_commit = 0;
  std::vector<data::InstanceKey> later;
  std::set<std::string> gone_ids;
  for (const Instance& instance : *all) {
    if (instance.original_local < from) continue;
    gone_ids.insert(*instance.instance_id);
    const bool is_exception = instance.is_exception.value_or(false);
    if (is_exception && ++in_commit <= kInOneCommit) CO_RETURN_IF_ERROR(work.StageDelete(instance));
    if (!is_exception || in_commit > kInOneCommit) later.push_back(data::KeyOf(instance));
  }
  auto staged = co_await StageMaster(work, master);
  if (!staged) co_return std::unexpected(std::move(staged).error());
  auto published = co_await work.Publish(witness);
  if (!published) co_return published;
  auto gone = co_await data::DeleteManyInstance(work.session(), later);
  if (!gone) co_return std::unexpected(Refusal(std::move(gone).error()));
  auto aligned = co_await AlignSeries(nexus, caller, *staged->master.master_id);
  if (!aligned) co_return std::unexpected(std::move(aligned).error());
  co_return co_await SettleReminders(nexus, caller, *staged->master.master_id, std::move(gone_ids));
}

}  // namespace cairn::nexus
