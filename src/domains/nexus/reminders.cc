#include "domains/nexus/reminders.h"

#include <set>

#include "calendar/zone.h"
#include "domains/nexus/delivery.h"
#include "domains/nexus/series_reminders.h"
#include "domains/nexus/settings.h"
#include "domains/nexus/times.h"

namespace cairn::nexus {
namespace {

using data::ReminderState;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr seconds kLateAfter{30};
constexpr std::chrono::hours kTomorrowAt{9};
constexpr int64_t kSnoozeMinutesMax = 525'600;
constexpr int64_t kSnoozesMax = 1'000;

// What a new reminder is to follow. The distance joins its own, quietly: whoever has it open for editing has
// not changed it.
template <class T>
Decision<Followed> StageDistance(Work& work, T entity, const model::typed::Set<int64_t>& distances,
                                 int64_t distance) {
  Followed followed;
  followed.before = distances;
  followed.minutes = distances;
  if (std::ranges::find(distances, distance) == distances.end()) followed.minutes->push_back(distance);
  entity.reminder_minutes = followed.minutes;
  auto changed = work.StageQuietly(std::move(entity));
  if (!changed) return std::unexpected(std::move(changed).error());
  return followed;
}

template <class T>
model::typed::Set<int64_t> OwnDistancesOf(const T& entity) {
  return entity.reminder_minutes.value_or(model::typed::Set<int64_t>());
}

Task<Decision<Followed>> StageFollowedEvent(Work& work, const NewReminder& request) {
  const data::EventKey key{.event_id = *request.event_id};
  auto event = co_await work.Load<data::Event>(key);
  if (!event) co_return std::unexpected(std::move(event).error());
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  CO_ASSIGN_OR_RETURN(const Span span, SpanIn(TimesOf(*event), *settings->timezone));
  const std::string title = event->title;
  const auto distances = OwnDistancesOf(*event);
  auto followed = StageDistance(work, *std::move(event), distances, *request.minutes_before);
  if (!followed) co_return followed;
  followed->event_id = request.event_id;
  followed->title = title;
  followed->start = span.start;
  co_return followed;
}

Task<Decision<Followed>> StageFollowedOccurrence(Work& work, const NewReminder& request) {
  const data::InstanceKey key{.instance_id = *request.instance_id};
  auto instance = co_await work.Load<data::Instance>(key);
  if (!instance) co_return std::unexpected(std::move(instance).error());
  if (instance->is_cancelled.value_or(false))
    co_return RefuseConflict("cancelled", "The occurrence does not take place");
  const data::MasterKey master_key{.master_id = instance->master_id};
  auto master = co_await work.Load<data::Master>(master_key);
  if (!master) co_return std::unexpected(std::move(master).error());
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  CO_ASSIGN_OR_RETURN(const Span span, SpanIn(TimesOf(*instance), *settings->timezone));
  // Those of the series stay, and what was deleted here stays deleted.
  const auto distances = DistancesOf(*master, *instance);
  if (instance->muted_minutes) std::erase(*instance->muted_minutes, *request.minutes_before);
  const std::string title = instance->title.value_or(master->title), master_id = instance->master_id;
  auto followed = StageDistance(work, *std::move(instance), distances, *request.minutes_before);
  if (!followed) co_return followed;
  followed->instance_id = request.instance_id;
  followed->master_id = master_id;
  followed->title = title;
  followed->start = span.start;
  co_return followed;
}

Task<Decision<Followed>> StageFollowedTask(Work& work, const NewReminder& request) {
  const data::TaskKey key{.task_id = *request.task_id};
  auto task = co_await work.Load<data::Task>(key);
  if (!task) co_return std::unexpected(std::move(task).error());
  if (!task->due_utc) co_return Refuse("no-due-date", "The task has no due date to be reminded of");
  const std::string title = task->title;
  const Time due = TimeOf(*task->due_utc);
  const auto distances = OwnDistancesOf(*task);
  auto followed = StageDistance(work, *std::move(task), distances, *request.minutes_before);
  if (!followed) co_return followed;
  followed->task_id = request.task_id;
  followed->title = title;
  followed->start = due;
  co_return followed;
}

Task<Decision<Followed>> StageFollowed(Work& work, const NewReminder& request) {
  if (request.event_id) return StageFollowedEvent(work, request);
  if (request.instance_id) return StageFollowedOccurrence(work, request);
  return StageFollowedTask(work, request);
}

Decision<void> CheckNew(const NewReminder& request) {
  const int follows =
      request.event_id.has_value() + request.instance_id.has_value() + request.task_id.has_value();
  if (follows > 1) return Refuse("several-followed", "A reminder follows one event, occurrence or task");
  if (follows == 1 && request.trigger_utc)
    return RefuseField("triggerUtc", "comes from what the reminder follows: leave it out");
  if (follows == 1 && !request.minutes_before) return RefuseField("minutesBefore", "is required");
  if (follows == 0 && request.minutes_before)
    return RefuseField("minutesBefore", "needs an event, occurrence or task to be before of");
  if (follows == 0 && !request.title) return RefuseField("title", "is required");
  return {};
}

Task<Decision<Reminder>> SnoozeOnce(Nexus& nexus, const model::Caller& caller, const Snooze& request,
                                    SeenVersion seen, const Witness<Reminder>& witness) {
  Work work(nexus, caller);
  const data::ReminderKey key{.reminder_id = request.reminder_id};
  auto reminder = co_await work.Load<Reminder>(key, seen);
  if (!reminder) co_return reminder;
  if (!reminder->trigger_utc) co_return Refuse("no-trigger", "The reminder has no moment to put off");
  if (reminder->state == ReminderState::kDismissed)
    co_return RefuseConflict("dismissed", "The reminder was dismissed: give it a new moment instead");
  Time until;
  if (request.until) until = TimeOf(*request.until);
  if (request.minutes) until = nexus.Now() + minutes(*request.minutes);
  if (request.tomorrow) {
    auto settings = co_await ReadSettings(work);
    if (!settings) co_return std::unexpected(std::move(settings).error());
    const auto here = calendar::ToLocal(nexus.Now(), *settings->timezone);
    if (!here) co_return std::unexpected(Refusal(here.error()));
    const LocalTime morning =
        std::chrono::floor<std::chrono::days>(*here) + std::chrono::days(1) + kTomorrowAt;
    const auto then = calendar::ToInstant(morning, *settings->timezone);
    if (!then) co_return std::unexpected(Refusal(then.error()));
    until = *then;
  }
  if (until <= nexus.Now()) co_return RefuseField("until", "must be in the future");
  const auto snoozed = reminder->snooze_state.value_or(data::SnoozeState());
  const int64_t count = snoozed.count.value_or(0) + 1;
  if (count > kSnoozesMax) co_return Refuse("snoozed-too-often", "The reminder was put off 1,000 times");
  const std::string original = snoozed.original_trigger_utc.value_or(*reminder->trigger_utc);
  Reschedule(*reminder, TextOf(until));
  reminder->state = ReminderState::kSnoozed;
  reminder->snooze_state = {.count = count, .until = reminder->trigger_utc, .original_trigger_utc = original};
  // The occurrences in between are reminded of all the same.
  auto next = co_await StageNextOfSeries(work, *reminder);
  if (!next) co_return std::unexpected(std::move(next).error());
  co_return co_await work.Publish(StageReminder(work, *std::move(reminder)), witness);
}

Task<Decision<Reminder>> DismissOnce(Nexus& nexus, const model::Caller& caller, const std::string& id,
                                     SeenVersion seen, const Witness<Reminder>& witness) {
  Work work(nexus, caller);
  const data::ReminderKey key{.reminder_id = id};
  auto reminder = co_await work.Load<Reminder>(key, seen);
  if (!reminder) co_return reminder;
  if (IsWaiting(*reminder)) {
    auto next = co_await StageNextOfSeries(work, *reminder);
    if (!next) co_return std::unexpected(std::move(next).error());
  }
  reminder->state = ReminderState::kDismissed;
  co_return co_await work.Publish(StageReminder(work, *std::move(reminder)), witness);
}

Task<Decision<Reminder>> CreateOnce(Nexus& nexus, const model::Caller& caller, const NewReminder& request,
                                    const Witness<Reminder>& witness) {
  Work work(nexus, caller);
  Reminder reminder;
  if (request.minutes_before) {
    auto followed = co_await StageFollowed(work, request);
    if (!followed) co_return std::unexpected(std::move(followed).error());
    reminder = FollowingReminder(*followed, *request.minutes_before);
    if (request.title) reminder.title = request.title;
    reminder.trigger_utc = TextOf(*followed->start - minutes(*request.minutes_before));
    const data::ReminderKey key{.reminder_id = *reminder.reminder_id};
    auto found = co_await work.Find<Reminder>(key);
    if (!found) co_return std::unexpected(std::move(found).error());
    if (*found) co_return RefuseConflict("already-exists", "There is a reminder at this distance already");
  } else {
    reminder.title = request.title;
    reminder.trigger_utc = request.trigger_utc;
  }
  reminder.notes = request.notes;
  co_return co_await work.Publish(StageNewReminder(work, reminder), witness);
}

// Stages that what a reminder follows does not bring it back.
Task<Decision<void>> StageForgottenDistance(Work& work, const Reminder& reminder) {
  const int64_t distance = reminder.minutes_before.value_or(-1);
  const auto forget = [&](auto entity) -> Decision<void> {
    if (!entity.reminder_minutes || std::erase(*entity.reminder_minutes, distance) == 0) return {};
    if (entity.reminder_minutes->empty()) entity.reminder_minutes.reset();
    RETURN_IF_ERROR(work.StageQuietly(std::move(entity)));
    return {};
  };
  if (reminder.event_id) {
    const data::EventKey key{.event_id = *reminder.event_id};
    auto event = co_await work.Find<data::Event>(key);
    if (!event) co_return std::unexpected(std::move(event).error());
    if (*event) co_return forget(**std::move(event));
  } else if (reminder.task_id) {
    const data::TaskKey key{.task_id = *reminder.task_id};
    auto task = co_await work.Find<data::Task>(key);
    if (!task) co_return std::unexpected(std::move(task).error());
    if (*task) co_return forget(**std::move(task));
  } else if (reminder.instance_id) {
    const data::InstanceKey key{.instance_id = *reminder.instance_id};
    auto instance = co_await work.Find<data::Instance>(key);
    if (!instance) co_return std::unexpected(std::move(instance).error());
    if (!*instance) co_return Decision<void>();
    // The series goes on wanting it, of its other occurrences.
    auto& muted =
        (*instance)->muted_minutes ? *(*instance)->muted_minutes : (*instance)->muted_minutes.emplace();
    if (std::ranges::find(muted, distance) != muted.end()) co_return Decision<void>();
    muted.push_back(distance);
    CO_RETURN_IF_ERROR(work.StageQuietly(**std::move(instance)));
  }
  co_return Decision<void>();
}

Task<Decision<void>> DeleteOnce(Nexus& nexus, const model::Caller& caller, const std::string& id,
                                SeenVersion seen, const Witness<Gone>& witness) {
  Work work(nexus, caller);
  const data::ReminderKey key{.reminder_id = id};
  auto reminder = co_await work.Load<Reminder>(key, seen);
  if (!reminder) co_return std::unexpected(std::move(reminder).error());
  CO_RETURN_IF_ERROR(work.StageDelete(*reminder));
  auto forgotten = co_await StageForgottenDistance(work, *reminder);
  if (!forgotten) co_return forgotten;
  if (IsWaiting(*reminder)) {
    auto next = co_await StageNextOfSeries(work, *reminder);
    if (!next) co_return next;
  }
  co_return co_await work.Publish(witness);
}

// One attempt to fire. Nothing is committed when there is nothing to do.
Task<Decision<void>> FireOnce(Work& work, const jobs::Job& job) {
  Nexus& nexus = work.nexus();
  const data::ReminderKey key{.reminder_id = job.argument};
  auto found = co_await work.Find<Reminder>(key);
  if (!found) co_return std::unexpected(std::move(found).error());
  // Deleted, fired, dismissed, or put off since: then another job stands for it. Asked of the job, not of the
  // clock, which may have been put back since the job was due.
  if (!*found || !IsWaiting(**found) || TimeOf(*(*found)->trigger_utc) > job.due) co_return Decision<void>();
  const Time now = std::max(nexus.Now(), job.due);
  Reminder fired = **std::move(found);
  bool fires = true;
  if (fired.minutes_before) {
    auto target = co_await TargetOf(work, fired);
    if (!target) co_return std::unexpected(std::move(target).error());
    if (!*target) {
      fires = false;
      CO_RETURN_IF_ERROR(work.StageDelete(fired));
    } else {
      Follow(fired, **target, now);
      fires = IsWaiting(fired) && TimeOf(*fired.trigger_utc) <= now;
      if (!fires) CO_RETURN_IF_ERROR(StageReminder(work, fired));
    }
  }
  if (fires) {
    fired.state = ReminderState::kFired;
    fired.fired_at = TextOf(now);
    fired.late.reset();
    if (now - TimeOf(*fired.trigger_utc) > kLateAfter) fired.late = true;
    CO_RETURN_IF_ERROR(StageReminder(work, fired));
    auto told = co_await StageDeliveries(work, fired);
    if (!told) co_return told;
  }
  auto next = co_await StageNextOfSeries(work, fired);
  if (!next) co_return next;
  // With what it does: one sync for each that fires.
  if (auto removed = nexus.jobs().Remove(work.platform(), job); !removed)
    co_return std::unexpected(Refusal(std::move(removed).error()));
  co_return co_await work.Commit();
}

}  // namespace

Task<Decision<Reminder>> CreateReminder(Nexus& nexus, model::Caller caller, NewReminder request,
                                        Witness<Reminder> witness) {
  CO_RETURN_IF_ERROR(CheckNew(request));
  for (int attempt = 1;; ++attempt) {
    auto created = co_await CreateOnce(nexus, caller, request, witness);
    if (created || attempt == kAttemptsMax || !IsWorthAnotherTry(created.error(), {})) co_return created;
  }
}

Task<Decision<Reminder>> PatchReminder(Nexus& nexus, model::Caller caller, ChangeReminder request,
                                       SeenVersion seen, Witness<Reminder> witness) {
  Work work(nexus, caller);
  const data::ReminderKey key{.reminder_id = request.reminder_id};
  auto reminder = co_await work.Load<Reminder>(key, seen);
  if (!reminder) co_return reminder;
  if (request.title) reminder->title = *request.title;
  if (request.notes) reminder->notes = *request.notes;
  if (request.trigger_utc) {
    if (reminder->minutes_before)
      co_return RefuseField("triggerUtc", "comes from what the reminder follows: snooze it, or move that");
    if (*request.trigger_utc != reminder->trigger_utc) Reschedule(*reminder, *request.trigger_utc);
  }
  co_return co_await work.Publish(StageReminder(work, *std::move(reminder)), witness);
}

Task<Decision<void>> DeleteReminder(Nexus& nexus, model::Caller caller, std::string reminder_id,
                                    SeenVersion seen, Witness<Gone> witness) {
  for (int attempt = 1;; ++attempt) {
    auto done = co_await DeleteOnce(nexus, caller, reminder_id, seen, witness);
    if (done || attempt == AttemptsMax(seen) || !IsLostRace(done.error())) co_return done;
  }
}

Task<Decision<Reminder>> SnoozeReminder(Nexus& nexus, model::Caller caller, Snooze request, SeenVersion seen,
                                        Witness<Reminder> witness) {
  const int ways = request.until.has_value() + request.minutes.has_value() + (request.tomorrow ? 1 : 0);
  if (ways != 1) co_return RefuseField("minutes", "say one of minutes, until and tomorrow");
  if (request.minutes && (*request.minutes < 1 || *request.minutes > kSnoozeMinutesMax))
    co_return RefuseField("minutes", "must be from 1 to 525600");
  for (int attempt = 1;; ++attempt) {
    auto done = co_await SnoozeOnce(nexus, caller, request, seen, witness);
    if (done || attempt == AttemptsMax(seen) || !IsLostRace(done.error())) co_return done;
  }
}

Task<Decision<Reminder>> DismissReminder(Nexus& nexus, model::Caller caller, std::string reminder_id,
                                         SeenVersion seen, Witness<Reminder> witness) {
  for (int attempt = 1;; ++attempt) {
    auto done = co_await DismissOnce(nexus, caller, reminder_id, seen, witness);
    if (done || attempt == AttemptsMax(seen) || !IsLostRace(done.error())) co_return done;
  }
}

Task<Status> Fire(Nexus& nexus, jobs::Job job) {
  for (int attempt = 1;; ++attempt) {
    Work work(nexus, model::Caller::User({{"sub", job.user_id}}));
    auto done = co_await FireOnce(work, job);
    if (done) co_return Status();
    if (attempt == kAttemptsMax || !IsLostRace(done.error())) co_return StatusOf(done.error());
  }
}

}  // namespace cairn::nexus
