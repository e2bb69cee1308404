#include "domains/nexus/series.h"

#include <algorithm>
#include <set>

#include "domains/nexus/reminders.h"
#include "domains/nexus/series_reminders.h"
#include "domains/nexus/series_store.h"
#include "domains/nexus/series_work.h"
#include "domains/nexus/settings.h"

namespace cairn::nexus {
namespace {

using std::chrono::seconds;

constexpr size_t kExdatesMax = 1'000;

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

bool IsExcluded(const Master& master, const Instance& instance) {
  return master.exdates && instance.original_local &&
         std::ranges::find(*master.exdates, *instance.original_local) != master.exdates->end();
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

// Whether the rule itself, whatever is excluded, has an occurrence there.
Decision<bool> HasOccurrence(const Master& master, LocalTime local) {
  ASSIGN_OR_RETURN(calendar::Series series, SeriesOf(master));
  series.exdates.clear();
  const auto found = calendar::Occurrences(series, local, local + seconds(1), 1);
  if (!found) return std::unexpected(Refusal(found.error()));
  return !found->empty();
}

// An edit of an occurrence, as it reaches further.
struct WideEdit {
  const Instance* edited = nullptr;  // none: the master itself was edited
  LocalTime at;
  std::optional<Times> wanted;  // of the occurrence
  std::optional<TimesChange> change;
  SeriesPatch patch;
};
Decision<WideEdit> WideEditOf(const Occurrence& occurrence, SeriesPatch patch) {
  WideEdit wide{.edited = &occurrence.instance,
                .at = occurrence.original,
                .wanted = {},
                .change = {},
                .patch = std::move(patch)};
  if (wide.patch.times.empty()) return wide;
  const Times now = TimesOf(occurrence.instance);
  ASSIGN_OR_RETURN(wide.wanted, ChangeTimes(now, wide.patch.times));
  wide.change = ChangeOf(TimesOf(occurrence.master), now, *wide.wanted);
  return wide;
}

// Those that were edited on their own, or taken out, go along with their series.
struct Following {
  std::vector<Instance> exceptions;  // staged
  bool is_too_many = false;          // then none is
};
Task<Decision<Following>> StageExceptions(Work& work, const std::string& from, const SeriesEdit& edit,
                                          const WideEdit& wide, std::vector<Instance> all) {
  std::vector<Instance> following;
  for (Instance& instance : all) {
    const bool is_exception = instance.is_exception.value_or(false);
    const bool is_cancelled = instance.is_cancelled.value_or(false);
    const bool is_kept = is_exception || is_cancelled;
    if (!is_kept || instance.original_local < from) continue;
    const Instance before = instance;
    CO_ASSIGN_OR_RETURN(Instance then, FollowEdit(std::move(instance), edit));
    then.master_id = *edit.after.master_id;
    // Its own record of an excluded date does not move to another series.
    if (is_cancelled && then.master_id != before.master_id) continue;
    if (wide.edited != nullptr && wide.edited->instance_id == then.instance_id && is_exception) {
      if (wide.wanted) SetTimes(then, *wide.wanted);
      ApplyContent(then, wide.patch);
      if (wide.patch.description && !*wide.patch.description) then.description = "";
    }
    // Given from scratch, the list of excluded dates is meant for what was edited on its own, too.
    if (is_exception && wide.patch.exdates && IsExcluded(edit.after, then)) then = Cancelled(std::move(then));
    if (then.ToItem() == before.ToItem()) continue;
    following.push_back(std::move(then));
  }
  if (following.size() > kExceptionsOfOneCommit) co_return Following{.exceptions = {}, .is_too_many = true};
  for (const Instance& instance : following) CO_RETURN_IF_ERROR(work.StageChange(instance));
  co_return Following{.exceptions = std::move(following)};
}

// What is kept of the series reaches as far as its exceptions.
void CoverExceptions(Master& master, const std::vector<Instance>& exceptions) {
  if (!master.materialized_from || !master.materialized_until) return;
  for (const Instance& instance : exceptions) {
    const auto original = calendar::ParseLocal(*instance.original_local);
    if (!original) continue;
    const auto moment = calendar::ToInstant(*original, master.start_tzid.value_or("UTC"));
    if (!moment) continue;
    const std::string early = TextOf(*moment - std::chrono::days(2));
    const std::string late = TextOf(*moment + std::chrono::days(2));
    if (early < *master.materialized_from) master.materialized_from = early;
    if (late > *master.materialized_until) master.materialized_until = late;
  }
}

// What reminds of exceptions fires where they are now.
Task<Decision<void>> MoveReminders(Nexus& nexus, const model::Caller& caller, const Master& master,
                                   const std::vector<Instance>& exceptions) {
  for (const Instance& instance : exceptions) {
    for (const int64_t distance : DistancesOf(master, instance)) {
      auto followed = co_await FollowAgain(nexus, caller, FollowingId(*instance.instance_id, distance));
      if (!followed) co_return followed;
    }
  }
  co_return Decision<void>();
}

Task<Decision<SeriesChanged>> ChangeWhole(Work& work, const Master& master, const WideEdit& wide,
                                          const Witness<SeriesChanged>& witness) {
  CO_ASSIGN_OR_RETURN(SeriesEdit edit, EditSeries(master, wide.at, wide.change, wide.patch));
  std::vector<Instance> all;
  const bool is_exception = wide.edited != nullptr && wide.edited->is_exception.value_or(false);
  if (edit.has_moved() || is_exception || wide.patch.exdates) {
    auto read = co_await ReadAllInstances(work, *master.master_id);
    if (!read) co_return std::unexpected(std::move(read).error());
    all = *std::move(read);
  }
  auto following = co_await StageExceptions(work, "", edit, wide, std::move(all));
  if (!following) co_return std::unexpected(std::move(following).error());
  if (following->is_too_many) co_return TooManyExceptions();
  CoverExceptions(edit.after, following->exceptions);
  const bool has_other_distances =
      master.reminder_minutes && edit.after.reminder_minutes != master.reminder_minutes;
  auto staged = co_await StageMaster(work, std::move(edit.after));
  auto published = co_await PublishSeries(work, std::move(staged), witness);
  if (!published) co_return published;
  auto moved =
      co_await MoveReminders(work.nexus(), work.session().caller(), published->master, following->exceptions);
  if (!moved) co_return std::unexpected(std::move(moved).error());
  if (!has_other_distances) co_return published;
  auto settled = co_await SettleReminders(work.nexus(), work.session().caller(), *master.master_id, {});
  if (!settled) co_return std::unexpected(std::move(settled).error());
  co_return published;
}

Task<Decision<SeriesChanged>> ChangeRest(Work& work, const Master& master, const WideEdit& wide,
                                         const Witness<SeriesChanged>& witness) {
  auto split = SplitAt(master, wide.at, wide.change, wide.patch);
  if (!split) co_return std::unexpected(std::move(split).error());
  auto all = co_await ReadAllInstances(work, *master.master_id);
  if (!all) co_return std::unexpected(std::move(all).error());
  auto ended = co_await StageMaster(work, std::move(split->ended));
  if (!ended) co_return ended;
  SeriesEdit& continued = split->continued;
  const std::string from = calendar::FormatLocal(wide.at);
  const auto is_later_exception = [&](const Instance& instance) {
    return instance.is_exception.value_or(false) && instance.original_local >= from;
  };
  // Too many for one transaction: they move over afterwards, while they stay where they are.
  const auto count = static_cast<size_t>(std::ranges::count_if(*all, is_later_exception));
  const bool is_many = count > kExceptionsOfOneCommit;
  if (is_many && continued.has_moved()) co_return TooManyExceptions();
  if (is_many) continued.after.continues_at = from;
  auto changed = co_await StageMaster(work, continued.after);
  if (!changed) co_return changed;
  changed->split_from = *master.master_id;
  continued.after.master_id = changed->master.master_id;
  Following following;
  if (!is_many) {
    auto staged = co_await StageExceptions(work, from, continued, wide, *std::move(all));
    if (!staged) co_return std::unexpected(std::move(staged).error());
    following = *std::move(staged);
  }
  auto published = co_await PublishSeries(work, std::move(changed), witness);
  if (!published) co_return published;
  auto moved =
      co_await MoveReminders(work.nexus(), work.session().caller(), published->master, following.exceptions);
  if (!moved) co_return std::unexpected(std::move(moved).error());
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
  master.rrule = content.rrule.value_or(std::nullopt).value_or("");
  CO_ASSIGN_OR_RETURN(SeriesEdit edit, EditSeries(master, StartOf(times), {}, content));
  auto staged = co_await StageMaster(work, std::move(edit.after));
  co_return co_await PublishSeries(work, std::move(staged), witness);
}

Task<Decision<SeriesChanged>> PatchSeries(Nexus& nexus, model::Caller caller, std::string master_id,
                                          SeriesPatch patch, SeenVersion seen,
                                          Witness<SeriesChanged> witness) {
  Work work(nexus, caller);
  auto master = co_await LoadEventMaster(work, std::move(master_id), seen);
  if (!master) co_return std::unexpected(std::move(master).error());
  const Times times = TimesOf(*master);
  WideEdit wide{
      .edited = nullptr, .at = StartOf(times), .wanted = {}, .change = {}, .patch = std::move(patch)};
  if (!wide.patch.times.empty()) {
    CO_ASSIGN_OR_RETURN(const Times wanted, ChangeTimes(times, wide.patch.times));
    wide.change = ChangeOf(times, times, wanted);
  }
  co_return co_await ChangeWhole(work, *master, wide, witness);
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
  CO_RETURN_IF_ERROR(CheckTakesPlace(instance));
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
  CO_RETURN_IF_ERROR(CheckTakesPlace(occurrence->instance));
  CO_ASSIGN_OR_RETURN(const WideEdit wide, WideEditOf(*occurrence, std::move(patch)));
  CO_ASSIGN_OR_RETURN(const bool is_first, IsFirst(occurrence->master, occurrence->original));
  if (scope == Scope::kAll || is_first)
    co_return co_await ChangeWhole(work, occurrence->master, wide, witness);
  co_return co_await ChangeRest(work, occurrence->master, wide, witness);
}

Task<Decision<void>> DeleteInstance(Nexus& nexus, model::Caller caller, std::string instance_id, Scope scope,
                                    SeenVersion seen, Witness<Gone> witness) {
  Work work(nexus, caller);
  auto occurrence = co_await LoadOccurrence(work, std::move(instance_id), seen);
  if (!occurrence) co_return std::unexpected(std::move(occurrence).error());
  Master& master = occurrence->master;
  CO_ASSIGN_OR_RETURN(const bool is_first, IsFirst(master, occurrence->original));
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
  CO_ASSIGN_OR_RETURN(master, EndBefore(std::move(master), occurrence->original));
  const std::string from = *occurrence->instance.original_local;
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
