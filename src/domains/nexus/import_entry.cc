#include "domains/nexus/import_entry.h"

#include <algorithm>

#include "base/aside.h"
#include "domains/nexus/calendar_entries.h"
#include "domains/nexus/cards.h"
#include "domains/nexus/events.h"
#include "domains/nexus/ics/read_calendar.h"
#include "domains/nexus/import_series.h"
#include "domains/nexus/reminders.h"
#include "domains/nexus/series.h"
#include "domains/nexus/settings.h"
#include "domains/nexus/tasks.h"

namespace cairn::nexus {
namespace {

Task<Decision<void>> StageReminders(Work& work, const Event& event,
                                    std::optional<model::typed::Set<int64_t>> before) {
  if (!event.reminder_minutes && !before) co_return Decision<void>();
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  CO_ASSIGN_OR_RETURN(const Span span, SpanIn(TimesOf(event), *settings->timezone));
  const Followed followed{.event_id = event.event_id,
                          .instance_id = {},
                          .master_id = {},
                          .task_id = {},
                          .title = event.title,
                          .start = span.start,
                          .minutes = event.reminder_minutes,
                          .before = std::move(before)};
  co_return co_await StageFollowing(work, followed);
}

Task<Decision<EntryFate>> ImportEventOnce(Nexus& nexus, const model::Caller& caller,
                                          const ics::Event& entry) {
  Work work(nexus, caller);
  auto known = co_await FindKnown<Event, data::EventKey>(work, "evt_", entry.uid);
  if (!known) co_return std::unexpected(std::move(known).error());
  const std::optional<Event>& before = known->entity;
  Event event = before.value_or(Event());
  CO_RETURN_IF_ERROR(SetContent(event, entry.content));
  if (before && IsSame(event, *before)) co_return EntryFate::kUnchanged;
  if (!before) {
    event.event_id = known->id;
    event.uid = entry.uid;
  }
  auto staged = before ? work.StageChange(event) : work.StageNew(event);
  if (!staged) co_return std::unexpected(std::move(staged).error());
  auto spanned = co_await StageSpan(work, DurationOf(TimesOf(event)));
  if (!spanned) co_return std::unexpected(std::move(spanned).error());
  std::optional<model::typed::Set<int64_t>> distances_before;
  if (before) distances_before = before->reminder_minutes;
  auto reminded = co_await StageReminders(work, *staged, std::move(distances_before));
  if (!reminded) co_return std::unexpected(std::move(reminded).error());
  auto committed = co_await work.Commit();
  if (!committed) co_return std::unexpected(std::move(committed).error());
  co_return before ? EntryFate::kUpdated : EntryFate::kCreated;
}

template <class T>
Witness<T> NoWitness() {
  return [](model::Session&, const T&) { return model::Outcome<void>(); };
}

// As its user would change it: with its place on the board, its reminders, and what repeats.
Task<Decision<EntryFate>> ChangeImportedTask(Nexus& nexus, const model::Caller& caller,
                                             const data::Task& before, data::Task after) {
  after.completed_at = before.completed_at;
  if (IsSame(after, before)) co_return EntryFate::kUnchanged;
  ChangeTask changes{.title = after.title,
                     .description = after.description,
                     .status = after.status,
                     .priority = after.priority,
                     .due_utc = after.due_utc,
                     .tags = after.tags};
  auto changed = co_await ApplyTask(nexus, caller, *before.task_id, std::move(changes), before.version,
                                    NoWitness<data::Task>());
  if (!changed) co_return std::unexpected(std::move(changed).error());
  co_return EntryFate::kUpdated;
}

Task<Decision<EntryFate>> ImportTaskOnce(Nexus& nexus, const model::Caller& caller, const ics::Todo& todo,
                                         const std::string& zone) {
  Work work(nexus, caller);
  auto known = co_await FindKnown<data::Task, data::TaskKey>(work, "task_", todo.uid);
  if (!known) co_return std::unexpected(std::move(known).error());
  const std::optional<data::Task>& before = known->entity;
  data::Task task = before.value_or(data::Task());
  CO_RETURN_IF_ERROR(SetContent(task, todo, zone, nexus.NowText()));
  if (before) co_return co_await ChangeImportedTask(nexus, caller, *before, std::move(task));
  task.task_id = known->id;
  task.uid = todo.uid;
  auto placed = co_await PlaceCard(work, task, Spot());
  if (!placed) co_return std::unexpected(std::move(placed).error());
  auto staged = work.StageNew(task);
  if (!staged) co_return std::unexpected(std::move(staged).error());
  auto committed = co_await work.Commit();
  if (!committed) co_return std::unexpected(std::move(committed).error());
  co_return EntryFate::kCreated;
}

bool IsWorthTrying(const Refusal& refusal, int attempt) {
  if (attempt >= kAttemptsMax) return false;
  return IsWorthAnotherTry(refusal, {}) || refusal.code == Code::kConditionFailed ||
         refusal.code == Code::kTransactionCanceled;
}

// It was a series before, or the other way round.
Task<Decision<void>> DropSeries(Nexus& nexus, const model::Caller& caller, const std::string& uid) {
  Work work(nexus, caller);
  const data::MasterKey key{.master_id = ImportedId("mst_", work.user_id(), uid)};
  auto found = co_await work.Find<Master>(key);
  if (!found) co_return std::unexpected(std::move(found).error());
  if (!*found) co_return Decision<void>();
  co_return co_await DeleteSeries(nexus, caller, key.master_id, {}, NoWitness<Gone>());
}
Task<Decision<void>> DropEvent(Nexus& nexus, const model::Caller& caller, const std::string& uid) {
  Work work(nexus, caller);
  const data::EventKey key{.event_id = ImportedId("evt_", work.user_id(), uid)};
  auto found = co_await work.Find<Event>(key);
  if (!found) co_return std::unexpected(std::move(found).error());
  if (!*found) co_return Decision<void>();
  co_return co_await DeleteEvent(nexus, caller, key.event_id, {}, NoWitness<Gone>());
}

}  // namespace

Task<Decision<EntryFate>> ImportEvent(Nexus& nexus, model::Caller caller, const ics::Event& entry) {
  for (int attempt = 1;; ++attempt) {
    auto done = co_await ImportEventOnce(nexus, caller, entry);
    if (done && *done == EntryFate::kCreated) {
      auto dropped = co_await DropSeries(nexus, caller, entry.uid);
      if (!dropped) co_return std::unexpected(std::move(dropped).error());
    }
    if (done || !IsWorthTrying(done.error(), attempt)) co_return done;
  }
}

Task<Decision<EntryFate>> ImportSeries(Nexus& nexus, model::Caller caller, const ics::Event& entry,
                                       std::optional<int64_t> kept_ahead, Time until) {
  ics::Event complete = entry;
  auto complete_series = [&] { return ics::CompleteSeries(complete); };
  if (auto happens = co_await Aside(complete_series); !happens)
    co_return RefuseField("rrule", happens.error().message);
  for (int attempt = 1;; ++attempt) {
    auto done = co_await ImportMaster(nexus, caller, complete, kept_ahead, until);
    if (!done && IsWorthTrying(done.error(), attempt)) continue;
    if (!done) co_return std::unexpected(std::move(done).error());
    if (done->fate == EntryFate::kCreated) {
      auto dropped = co_await DropEvent(nexus, caller, entry.uid);
      if (!dropped) co_return std::unexpected(std::move(dropped).error());
    }
    // What is unfinished is aligned by the job of the series.
    if (done->fate == EntryFate::kCreated || done->fate == EntryFate::kUpdated) {
      auto aligned = co_await AlignImported(nexus, caller, done->master_id);
      if (!aligned) co_return std::unexpected(std::move(aligned).error());
    }
    co_return done->fate;
  }
}

Task<Decision<EntryFate>> ImportTask(Nexus& nexus, model::Caller caller, const ics::Todo& todo,
                                     std::string zone) {
  for (int attempt = 1;; ++attempt) {
    auto done = co_await ImportTaskOnce(nexus, caller, todo, zone);
    if (done || !IsWorthTrying(done.error(), attempt)) co_return done;
  }
}

}  // namespace cairn::nexus
