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

bool IsWaiting(const Reminder& reminder) {
  return reminder.trigger_utc &&
         (reminder.state == ReminderState::kScheduled || reminder.state == ReminderState::kSnoozed);
}

jobs::Job FireJob(const Work& work, const Reminder& reminder) {
  return {.kind = std::string(kFireJob),
          .id = *reminder.reminder_id,
          .due = TimeOf(*reminder.trigger_utc),
          .user_id = work.user_id(),
          .argument = *reminder.reminder_id};
}

Decision<Reminder> StageWithJob(Work& work, Decision<Reminder> staged) {
  if (!staged) return staged;
  if (IsWaiting(*staged)) RETURN_IF_ERROR(work.StageJob(FireJob(work, *staged)));
  return staged;
}
Decision<Reminder> StageNew(Work& work, const Reminder& reminder) {
  return StageWithJob(work, work.StageNew(reminder));
}
Decision<Reminder> StageChange(Work& work, Reminder reminder) {
  return StageWithJob(work, work.StageChange(std::move(reminder)));
}

// A new moment: whatever happened before is past.
void Reschedule(Reminder& reminder, std::optional<std::string> trigger_utc) {
  reminder.trigger_utc = std::move(trigger_utc);
  reminder.state = ReminderState::kScheduled;
  reminder.snooze_state.reset();
  reminder.fired_at.reset();
  reminder.late.reset();
}

// The event, occurrence or task that a new reminder is to follow, with the distance among its own.
Task<Decision<Followed>> StageFollowed(Work& work, const NewReminder& request) {
  const int64_t distance = *request.minutes_before;
  Followed followed;
  model::typed::Set<int64_t> wanted;
  const auto add = [&](auto& entity) {
    followed.before = entity.reminder_minutes;
    if (entity.reminder_minutes) wanted = *entity.reminder_minutes;
    if (std::ranges::find(wanted, distance) == wanted.end()) wanted.push_back(distance);
    entity.reminder_minutes = wanted;
    followed.minutes = wanted;
  };
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  if (request.event_id) {
    const data::EventKey key{.event_id = *request.event_id};
    auto event = co_await work.Load<data::Event>(key);
    if (!event) co_return std::unexpected(std::move(event).error());
    CO_ASSIGN_OR_RETURN(const Span span, SpanIn(TimesOf(*event), *settings->timezone));
    followed.event_id = request.event_id;
    followed.title = event->title;
    followed.start = span.start;
    add(*event);
    auto changed = work.StageChange(*std::move(event));
    if (!changed) co_return std::unexpected(std::move(changed).error());
  } else if (request.instance_id) {
    const data::InstanceKey key{.instance_id = *request.instance_id};
    auto instance = co_await work.Load<data::Instance>(key);
    if (!instance) co_return std::unexpected(std::move(instance).error());
    CO_ASSIGN_OR_RETURN(const Span span, SpanIn(TimesOf(*instance), *settings->timezone));
    followed.instance_id = request.instance_id;
    followed.master_id = instance->master_id;
    followed.title = instance->title.value_or("");
    followed.start = span.start;
    add(*instance);
    auto changed = work.StageChange(*std::move(instance));
    if (!changed) co_return std::unexpected(std::move(changed).error());
  } else {
    const data::TaskKey key{.task_id = *request.task_id};
    auto task = co_await work.Load<data::Task>(key);
    if (!task) co_return std::unexpected(std::move(task).error());
    if (!task->due_utc) co_return Refuse("no-due-date", "The task has no due date to be reminded of");
    followed.task_id = request.task_id;
    followed.title = task->title;
    followed.start = TimeOf(*task->due_utc);
    add(*task);
    auto changed = work.StageChange(*std::move(task));
    if (!changed) co_return std::unexpected(std::move(changed).error());
  }
  co_return followed;
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

Reminder FollowingReminder(const Followed& followed, int64_t distance) {
  Reminder reminder;
  const std::string* id = nullptr;
  for (const auto* candidate : {&followed.event_id, &followed.instance_id, &followed.task_id}) {
    if (*candidate) id = &**candidate;
  }
  reminder.reminder_id = FollowingId(*id, distance);
  reminder.title = followed.title;
  reminder.event_id = followed.event_id;
  reminder.instance_id = followed.instance_id;
  reminder.master_id = followed.master_id;
  reminder.task_id = followed.task_id;
  reminder.minutes_before = distance;
  return reminder;
}

// When the event or occurrence is that a reminder follows; nothing when it follows none that takes place.
Task<Decision<std::optional<Times>>> TimesFollowed(Work& work, const Reminder& reminder) {
  if (reminder.event_id) {
    const data::EventKey key{.event_id = *reminder.event_id};
    auto event = co_await work.Find<data::Event>(key);
    if (!event) co_return std::unexpected(std::move(event).error());
    if (*event) co_return std::optional(TimesOf(**event));
  } else if (reminder.instance_id) {
    const data::InstanceKey key{.instance_id = *reminder.instance_id};
    auto instance = co_await work.Find<data::Instance>(key);
    if (!instance) co_return std::unexpected(std::move(instance).error());
    if (*instance && !(*instance)->is_cancelled.value_or(false)) co_return std::optional(TimesOf(**instance));
  }
  co_return std::optional<Times>();
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
  co_return co_await work.Publish(StageChange(work, *std::move(reminder)), witness);
}

Task<Decision<Reminder>> DismissOnce(Nexus& nexus, const model::Caller& caller, const std::string& id,
                                     SeenVersion seen, const Witness<Reminder>& witness) {
  Work work(nexus, caller);
  const data::ReminderKey key{.reminder_id = id};
  auto reminder = co_await work.Load<Reminder>(key, seen);
  if (!reminder) co_return reminder;
  reminder->state = ReminderState::kDismissed;
  co_return co_await work.Publish(StageChange(work, *std::move(reminder)), witness);
}

}  // namespace

std::string FollowingId(std::string_view followed_id, int64_t distance) {
  return PrefixedId("rem_", std::string(followed_id) + " " + std::to_string(distance), "reminder");
}

Task<Decision<void>> StageFollowing(Work& work, const Followed& followed) {
  std::set<int64_t> wanted, all;
  if (followed.start && followed.minutes) wanted.insert(followed.minutes->begin(), followed.minutes->end());
  all = wanted;
  if (followed.before) all.insert(followed.before->begin(), followed.before->end());
  for (const int64_t distance : all) {
    Reminder reminder = FollowingReminder(followed, distance);
    const data::ReminderKey key{.reminder_id = *reminder.reminder_id};
    auto found = co_await work.Find<Reminder>(key);
    if (!found) co_return std::unexpected(std::move(found).error());
    if (!wanted.contains(distance)) {
      if (*found) CO_RETURN_IF_ERROR(work.StageDelete(**found));
      continue;
    }
    const Time trigger = *followed.start - minutes(distance);
    if (*found) {
      reminder = **found;
      const bool is_same = reminder.trigger_utc == TextOf(trigger);
      // One that was put off keeps its moment as long as what it follows stays where it is.
      const auto& snoozed = reminder.snooze_state;
      const bool put_off = snoozed && snoozed->original_trigger_utc == TextOf(trigger);
      if ((is_same || put_off) && reminder.title == followed.title) continue;
      if (!is_same && !put_off) Reschedule(reminder, TextOf(trigger));
      reminder.title = followed.title;
      CO_RETURN_IF_ERROR(StageChange(work, reminder));
    } else if (trigger > work.nexus().Now()) {
      reminder.trigger_utc = TextOf(trigger);
      CO_RETURN_IF_ERROR(StageNew(work, reminder));
    }
  }
  co_return Decision<void>();
}

Task<Decision<void>> FollowAgain(Nexus& nexus, model::Caller caller, std::string reminder_id) {
  for (int attempt = 1;; ++attempt) {
    Work work(nexus, caller);
    const data::ReminderKey key{.reminder_id = reminder_id};
    auto found = co_await work.Find<Reminder>(key);
    if (!found) co_return std::unexpected(std::move(found).error());
    if (!*found || !IsWaiting(**found) || !(*found)->minutes_before) co_return Decision<void>();
    Reminder reminder = **std::move(found);
    auto times = co_await TimesFollowed(work, reminder);
    if (!times) co_return std::unexpected(std::move(times).error());
    if (!*times) co_return Decision<void>();
    auto settings = co_await ReadSettings(work);
    if (!settings) co_return std::unexpected(std::move(settings).error());
    CO_ASSIGN_OR_RETURN(const Span span, SpanIn(**times, *settings->timezone));
    const std::string trigger = TextOf(span.start - minutes(*reminder.minutes_before));
    const auto& snoozed = reminder.snooze_state;
    const bool put_off = snoozed && snoozed->original_trigger_utc == trigger;
    if (reminder.trigger_utc == trigger || put_off) co_return Decision<void>();
    Reschedule(reminder, trigger);
    if (auto staged = StageChange(work, std::move(reminder)); !staged)
      co_return std::unexpected(std::move(staged).error());
    auto committed = co_await work.Commit();
    if (committed || attempt == kAttemptsMax || !IsWorthAnotherTry(committed.error(), {}))
      co_return committed;
  }
}

Task<Decision<Reminder>> CreateReminder(Nexus& nexus, model::Caller caller, NewReminder request,
                                        Witness<Reminder> witness) {
  CO_RETURN_IF_ERROR(CheckNew(request));
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
  co_return co_await work.Publish(StageNew(work, reminder), witness);
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
  co_return co_await work.Publish(StageChange(work, *std::move(reminder)), witness);
}

Task<Decision<void>> DeleteReminder(Nexus& nexus, model::Caller caller, std::string reminder_id,
                                    SeenVersion seen, Witness<Gone> witness) {
  Work work(nexus, caller);
  const data::ReminderKey key{.reminder_id = reminder_id};
  auto reminder = co_await work.Load<Reminder>(key, seen);
  if (!reminder) co_return std::unexpected(std::move(reminder).error());
  CO_RETURN_IF_ERROR(work.StageDelete(*reminder));
  // What it follows must not bring it back.
  const auto forget = [&](auto& entity) {
    if (entity.reminder_minutes) std::erase(*entity.reminder_minutes, reminder->minutes_before.value_or(-1));
    if (entity.reminder_minutes && entity.reminder_minutes->empty()) entity.reminder_minutes.reset();
  };
  if (reminder->event_id) {
    const data::EventKey event_key{.event_id = *reminder->event_id};
    auto event = co_await work.Find<data::Event>(event_key);
    if (!event) co_return std::unexpected(std::move(event).error());
    if (*event) {
      forget(**event);
      CO_RETURN_IF_ERROR(work.StageChange(**event));
    }
  }
  if (reminder->task_id) {
    const data::TaskKey task_key{.task_id = *reminder->task_id};
    auto task = co_await work.Find<data::Task>(task_key);
    if (!task) co_return std::unexpected(std::move(task).error());
    if (*task) {
      forget(**task);
      CO_RETURN_IF_ERROR(work.StageChange(**task));
    }
  }
  co_return co_await work.Publish(witness);
}

Task<Decision<Reminder>> SnoozeReminder(Nexus& nexus, model::Caller caller, Snooze request, SeenVersion seen,
                                        Witness<Reminder> witness) {
  const int ways = request.until.has_value() + request.minutes.has_value() + (request.tomorrow ? 1 : 0);
  if (ways != 1) co_return RefuseField("minutes", "say one of minutes, until and tomorrow");
  if (request.minutes && (*request.minutes < 1 || *request.minutes > kSnoozeMinutesMax))
    co_return RefuseField("minutes", "must be from 1 to 525600");
  for (int attempt = 1;; ++attempt) {
    auto done = co_await SnoozeOnce(nexus, caller, request, seen, witness);
    if (done || attempt == kAttemptsMax || !IsWorthAnotherTry(done.error(), seen)) co_return done;
  }
}

Task<Decision<Reminder>> DismissReminder(Nexus& nexus, model::Caller caller, std::string reminder_id,
                                         SeenVersion seen, Witness<Reminder> witness) {
  for (int attempt = 1;; ++attempt) {
    auto done = co_await DismissOnce(nexus, caller, reminder_id, seen, witness);
    if (done || attempt == kAttemptsMax || !IsWorthAnotherTry(done.error(), seen)) co_return done;
  }
}

Task<Status> Fire(Nexus& nexus, jobs::Job job) {
  for (int attempt = 1;; ++attempt) {
    Work work(nexus, model::Caller::User({{"sub", job.user_id}}));
    const data::ReminderKey key{.reminder_id = job.argument};
    auto reminder = co_await work.Find<Reminder>(key);
    if (!reminder) co_return StatusOf(reminder.error());
    // Deleted, fired, dismissed, or put off since: then another job stands for it.
    if (!*reminder || !IsWaiting(**reminder) || TimeOf(*(*reminder)->trigger_utc) > nexus.Now())
      co_return Status();
    Reminder fired = **std::move(reminder);
    fired.state = ReminderState::kFired;
    fired.fired_at = nexus.NowText();
    fired.late.reset();
    if (nexus.Now() - TimeOf(*fired.trigger_utc) > kLateAfter) fired.late = true;
    if (auto staged = StageChange(work, fired); !staged) co_return StatusOf(staged.error());
    auto next = co_await StageNextOfSeries(work, fired);
    if (!next) co_return StatusOf(next.error());
    auto told = co_await StageDeliveries(work, fired);
    if (!told) co_return StatusOf(told.error());
    // With what it does: one sync for each that fires.
    if (auto removed = nexus.jobs().Remove(work.platform(), job); !removed)
      co_return Fail(removed.error().error);
    auto committed = co_await work.Commit();
    if (committed) co_return Status();
    if (attempt == kAttemptsMax || !IsWorthAnotherTry(committed.error(), {}))
      co_return StatusOf(committed.error());
  }
}

}  // namespace cairn::nexus
