#include "domains/nexus/repeating.h"

#include <set>

#include "domains/nexus/calendar_entries.h"
#include "domains/nexus/events.h"
#include "domains/nexus/reminders.h"
#include "domains/nexus/series_reminders.h"
#include "domains/nexus/series_store.h"
#include "domains/nexus/series_work.h"

namespace cairn::nexus {
namespace {

// The id that what has this UID has as another kind of item: the one that an import gives it, too.
std::string IdOf(std::string_view prefix, const Work& work, const std::string& uid) {
  return OwnIdIn(uid, prefix).value_or(ImportedId(prefix, work.user_id(), uid));
}

// The occurrence as an event, with what it has from its series.
Event EventOf(const Master& master, const Instance& instance) {
  Event event;
  event.title = instance.title.value_or(master.title);
  event.description = instance.description ? instance.description : master.description;
  if (event.description == "") event.description.reset();
  event.location = instance.location;
  event.tags = instance.tags;
  event.reminder_minutes = instance.reminder_minutes ? instance.reminder_minutes : master.reminder_minutes;
  SetTimes(event, TimesOf(instance));
  return event;
}

Task<Decision<Event>> StageEvent(Work& work, Event event, const SeriesPatch& patch) {
  CO_RETURN_IF_ERROR(CheckPatch(patch));
  if (!patch.times.empty()) {
    CO_ASSIGN_OR_RETURN(const Times times, ChangeTimes(TimesOf(event), patch.times));
    SetTimes(event, times);
  }
  ApplyContent(event, patch);
  auto created = work.StageNew(event);
  if (!created) co_return created;
  auto finished = co_await StageAround(work, *created, {});
  if (!finished) co_return std::unexpected(std::move(finished).error());
  co_return created;
}

Decision<void> CheckEnding(const SeriesPatch& patch) {
  if (patch.exdates || patch.rdates)
    return RefuseField("exdates", "are of a series: leave exdates and rdates out");
  return {};
}

// The series goes, and what was one of its occurrences stays.
Task<Decision<SeriesChanged>> ReplaceSeries(Nexus& nexus, Work& work, const Master& master,
                                            const Instance& instance, const SeriesPatch& patch,
                                            const Witness<SeriesChanged>& witness) {
  Event event = EventOf(master, instance);
  event.uid = UidOf(master);
  event.event_id = IdOf("evt_", work, *event.uid);
  auto staged = co_await StageEvent(work, std::move(event), patch);
  if (!staged) co_return std::unexpected(std::move(staged).error());
  CO_RETURN_IF_ERROR(work.StageDelete(master));
  CO_RETURN_IF_ERROR(StageDeletionJob(work, master));
  Decision<SeriesChanged> changed = SeriesChanged{.master = master, .split_from = {}};
  changed->single = *std::move(staged);
  auto published = co_await work.Publish(std::move(changed), witness);
  if (!published) co_return published;
  auto cleared = co_await ClearSeries(nexus, work.session().caller(), *master.master_id);
  if (!cleared && !nexus.jobs().IsStopping()) co_return std::unexpected(std::move(cleared).error());
  co_return published;
}

// The series ends before an occurrence, which becomes an event of its own.
Task<Decision<SeriesChanged>> EndSeries(Nexus& nexus, Work& work, const Occurrence& occurrence,
                                        const SeriesPatch& patch, const Witness<SeriesChanged>& witness) {
  const Master& master = occurrence.master;
  CO_ASSIGN_OR_RETURN(Master ended, EndBefore(master, occurrence.original));
  auto all = co_await ReadAllInstances(work, *master.master_id);
  if (!all) co_return std::unexpected(std::move(all).error());
  std::vector<Instance> gone;
  for (const Instance& instance : *all) {
    const bool is_later = instance.original_local >= occurrence.instance.original_local;
    if (is_later && instance.is_exception.value_or(false)) gone.push_back(instance);
  }
  if (gone.size() > kExceptionsOfOneCommit) co_return TooManyExceptions();
  for (const Instance& instance : gone) CO_RETURN_IF_ERROR(work.StageDelete(instance));
  auto single = co_await StageEvent(work, EventOf(master, occurrence.instance), patch);
  if (!single) co_return std::unexpected(std::move(single).error());
  auto staged = co_await StageMaster(work, std::move(ended));
  if (!staged) co_return staged;
  staged->single = *std::move(single);
  auto published = co_await PublishSeries(work, std::move(staged), witness);
  if (!published) co_return published;
  std::set<std::string> gone_ids;
  for (const Instance& instance : gone) gone_ids.insert(*instance.instance_id);
  auto forgotten =
      co_await SettleReminders(nexus, work.session().caller(), *master.master_id, std::move(gone_ids));
  if (!forgotten) co_return std::unexpected(std::move(forgotten).error());
  co_return published;
}

}  // namespace

Task<Decision<SeriesChanged>> EndRepeating(Nexus& nexus, model::Caller caller, std::string master_id,
                                           SeriesPatch patch, SeenVersion seen,
                                           Witness<SeriesChanged> witness) {
  CO_RETURN_IF_ERROR(CheckEnding(patch));
  Work work(nexus, caller);
  auto master = co_await LoadEventMaster(work, std::move(master_id), seen);
  if (!master) co_return std::unexpected(std::move(master).error());
  CO_ASSIGN_OR_RETURN(const calendar::Series series, SeriesOf(*master));
  const auto first = calendar::NextOccurrence(series, calendar::kLocalMin);
  if (!first) co_return std::unexpected(Refusal(first.error()));
  if (!*first)
    co_return Refuse(
        "nothing-takes-place",
        "No occurrence of the series takes place any more: there is nothing that could stay as an event");
  const LocalTime original = **first;
  const std::string text = calendar::FormatLocal(original);
  auto found = co_await FindByOriginal(work, *master->master_id, text);
  if (!found) co_return std::unexpected(std::move(found).error());
  if (!*found) {
    CO_ASSIGN_OR_RETURN(*found, InstanceAt(*master, original, text.substr(0, 10)));
  }
  co_return co_await ReplaceSeries(nexus, work, *master, **found, patch, witness);
}

Task<Decision<SeriesChanged>> EndRepeatingAt(Nexus& nexus, model::Caller caller, std::string instance_id,
                                             Scope scope, SeriesPatch patch, SeenVersion seen,
                                             Witness<SeriesChanged> witness) {
  CO_RETURN_IF_ERROR(CheckEnding(patch));
  Work work(nexus, caller);
  auto occurrence = co_await LoadOccurrence(work, std::move(instance_id), seen);
  if (!occurrence) co_return std::unexpected(std::move(occurrence).error());
  CO_RETURN_IF_ERROR(CheckTakesPlace(occurrence->instance));
  CO_ASSIGN_OR_RETURN(const bool is_first, IsFirst(occurrence->master, occurrence->original));
  if (scope == Scope::kFollowing && !is_first)
    co_return co_await EndSeries(nexus, work, *occurrence, patch, witness);
  co_return co_await ReplaceSeries(nexus, work, occurrence->master, occurrence->instance, patch, witness);
}

Task<Decision<SeriesChanged>> BeginRepeating(Nexus& nexus, model::Caller caller, std::string event_id,
                                             SeriesPatch patch, SeenVersion seen,
                                             Witness<SeriesChanged> witness) {
  Work work(nexus, caller);
  const data::EventKey key{.event_id = std::move(event_id)};
  auto event = co_await work.Load<Event>(key, seen);
  if (!event) co_return std::unexpected(std::move(event).error());
  Times times = TimesOf(*event);
  if (!patch.times.empty()) {
    CO_ASSIGN_OR_RETURN(times, ChangeTimes(times, patch.times));
    patch.times = {};
  }
  Master master;
  master.title = event->title;
  master.description = event->description;
  master.location = event->location;
  master.tags = event->tags;
  master.reminder_minutes = event->reminder_minutes;
  master.target_type = data::SeriesTarget::kEvent;
  master.uid = UidOf(*event);
  master.master_id = IdOf("mst_", work, *master.uid);
  master.rrule = patch.rrule.value_or(std::nullopt).value_or("");
  SetTimes(master, times);
  CO_ASSIGN_OR_RETURN(SeriesEdit edit, EditSeries(master, StartOf(times), {}, patch));
  CO_RETURN_IF_ERROR(work.StageDelete(*event));
  Followed nothing{.event_id = event->event_id,
                   .instance_id = {},
                   .master_id = {},
                   .task_id = {},
                   .title = {},
                   .start = {}};
  nothing.before = event->reminder_minutes;
  auto forgotten = co_await StageFollowing(work, nothing);
  if (!forgotten) co_return std::unexpected(std::move(forgotten).error());
  auto staged = co_await StageMaster(work, std::move(edit.after));
  co_return co_await PublishSeries(work, std::move(staged), witness);
}

}  // namespace cairn::nexus
