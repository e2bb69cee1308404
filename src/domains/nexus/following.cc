#include "domains/nexus/following.h"

#include <algorithm>
#include <set>

#include "domains/nexus/repeat.h"
#include "domains/nexus/series_reminders.h"
#include "domains/nexus/settings.h"
#include "domains/nexus/times.h"

namespace cairn::nexus {
namespace {

using data::ReminderState;
using std::chrono::minutes;

jobs::Job FireJob(const Work& work, const Reminder& reminder) {
  return {.kind = std::string(kFireJob),
          .id = *reminder.reminder_id,
          .due = TimeOf(*reminder.trigger_utc),
          .user_id = work.user_id(),
          .argument = *reminder.reminder_id};
}

Decision<Reminder> WithJob(Work& work, Decision<Reminder> staged) {
  if (!staged) return staged;
  if (IsWaiting(*staged)) RETURN_IF_ERROR(work.StageJob(FireJob(work, *staged)));
  return staged;
}

template <class Distances>
bool Wants(const Distances& distances, const Reminder& reminder) {
  return std::ranges::find(distances, *reminder.minutes_before) != distances.end();
}

Task<Decision<Time>> StartWhereUserIs(Work& work, Times times) {
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  CO_ASSIGN_OR_RETURN(const Span span, SpanIn(times, *settings->timezone));
  co_return span.start;
}

Task<Decision<std::optional<Target>>> EventOf(Work& work, const Reminder& reminder) {
  const data::EventKey key{.event_id = *reminder.event_id};
  auto event = co_await work.Find<data::Event>(key);
  if (!event) co_return std::unexpected(std::move(event).error());
  if (!*event || !(*event)->reminder_minutes || !Wants(*(*event)->reminder_minutes, reminder))
    co_return std::optional<Target>();
  auto start = co_await StartWhereUserIs(work, TimesOf(**event));
  if (!start) co_return std::unexpected(std::move(start).error());
  co_return std::optional(Target{.start = *start});
}

Task<Decision<std::optional<Target>>> OccurrenceOf(Work& work, const Reminder& reminder) {
  const data::InstanceKey key{.instance_id = *reminder.instance_id};
  auto instance = co_await work.Find<data::Instance>(key);
  if (!instance) co_return std::unexpected(std::move(instance).error());
  if (!*instance || (*instance)->is_cancelled.value_or(false)) co_return std::optional<Target>();
  const data::MasterKey master_key{.master_id = (*instance)->master_id};
  auto master = co_await work.Find<data::Master>(master_key);
  if (!master) co_return std::unexpected(std::move(master).error());
  if (!*master || !Wants(DistancesOf(**master, **instance), reminder)) co_return std::optional<Target>();
  auto start = co_await StartWhereUserIs(work, TimesOf(**instance));
  if (!start) co_return std::unexpected(std::move(start).error());
  co_return std::optional(Target{.start = *start, .master_id = (*instance)->master_id});
}

Task<Decision<std::optional<Target>>> TaskOf(Work& work, const Reminder& reminder) {
  const data::TaskKey key{.task_id = *reminder.task_id};
  auto task = co_await work.Find<data::Task>(key);
  if (!task) co_return std::unexpected(std::move(task).error());
  const bool is_to_do = *task && IsOpen(*(*task)->status) && (*task)->due_utc;
  if (!is_to_do || !(*task)->reminder_minutes || !Wants(*(*task)->reminder_minutes, reminder))
    co_return std::optional<Target>();
  co_return std::optional(Target{.start = TimeOf(*(*task)->due_utc)});
}

Task<Decision<void>> FollowOnce(Work& work, const std::string& reminder_id) {
  const data::ReminderKey key{.reminder_id = reminder_id};
  auto found = co_await work.Find<Reminder>(key);
  if (!found) co_return std::unexpected(std::move(found).error());
  if (!*found || !IsWaiting(**found) || !(*found)->minutes_before) co_return Decision<void>();
  Reminder reminder = **std::move(found);
  auto target = co_await TargetOf(work, reminder);
  if (!target) co_return std::unexpected(std::move(target).error());
  if (!*target) {
    CO_RETURN_IF_ERROR(work.StageDelete(reminder));
  } else {
    if (!Follow(reminder, **target, work.nexus().Now())) co_return Decision<void>();
    CO_RETURN_IF_ERROR(StageReminder(work, reminder));
  }
  if (!*target || !IsWaiting(reminder)) {
    auto next = co_await StageNextOfSeries(work, reminder);
    if (!next) co_return next;
  }
  co_return co_await work.Commit();
}

}  // namespace

bool IsWaiting(const Reminder& reminder) {
  return reminder.trigger_utc &&
         (reminder.state == ReminderState::kScheduled || reminder.state == ReminderState::kSnoozed);
}

Decision<Reminder> StageNewReminder(Work& work, const Reminder& reminder) {
  return WithJob(work, work.StageNew(reminder));
}
Decision<Reminder> StageReminder(Work& work, Reminder reminder) {
  return WithJob(work, work.StageChange(std::move(reminder)));
}

void Reschedule(Reminder& reminder, std::optional<std::string> trigger_utc) {
  reminder.trigger_utc = std::move(trigger_utc);
  reminder.state = ReminderState::kScheduled;
  reminder.snooze_state.reset();
  reminder.fired_at.reset();
  reminder.late.reset();
}

std::string FollowingId(std::string_view followed_id, int64_t distance) {
  return PrefixedId("rem_", std::string(followed_id) + " " + std::to_string(distance), "reminder");
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

bool Follow(Reminder& reminder, const Target& target, Time now) {
  const Time trigger = target.start - minutes(*reminder.minutes_before);
  const std::string text = TextOf(trigger);
  // One that was put off keeps its moment as long as what it follows stays where it is.
  const auto& snoozed = reminder.snooze_state;
  const bool is_put_off = snoozed && snoozed->original_trigger_utc == text;
  const bool is_there = reminder.trigger_utc == text || is_put_off;
  const bool is_of_other_series = target.master_id && reminder.master_id != target.master_id;
  if (is_of_other_series) reminder.master_id = target.master_id;
  if (is_there) return is_of_other_series;
  const bool waits = IsWaiting(reminder);
  if (trigger > now || (waits && target.start > now)) {
    Reschedule(reminder, text);
  } else {
    reminder.trigger_utc = text;
    if (waits) {
      reminder.state = ReminderState::kDismissed;
      reminder.snooze_state.reset();
    }
  }
  return true;
}

Task<Decision<size_t>> CountFollowing(Work& work, const Followed& followed) {
  std::set<int64_t> wanted, all;
  if (followed.start && followed.minutes) wanted.insert(followed.minutes->begin(), followed.minutes->end());
  all = wanted;
  if (followed.before) all.insert(followed.before->begin(), followed.before->end());
  const Time now = work.nexus().Now();
  size_t staged = 0;
  for (const int64_t distance : all) {
    Reminder reminder = FollowingReminder(followed, distance);
    const data::ReminderKey key{.reminder_id = *reminder.reminder_id};
    auto found = co_await work.Find<Reminder>(key);
    if (!found) co_return std::unexpected(std::move(found).error());
    if (!wanted.contains(distance)) {
      if (!*found) continue;
      CO_RETURN_IF_ERROR(work.StageDelete(**found));
      ++staged;
      continue;
    }
    const Target target{.start = *followed.start, .master_id = followed.master_id};
    const Time trigger = target.start - minutes(distance);
    if (*found) {
      const bool is_moved = Follow(**found, target, now);
      if (!is_moved && (*found)->title == followed.title) continue;
      (*found)->title = followed.title;
      CO_RETURN_IF_ERROR(StageReminder(work, **found));
    } else {
      if (trigger <= now) continue;
      reminder.trigger_utc = TextOf(trigger);
      CO_RETURN_IF_ERROR(StageNewReminder(work, reminder));
    }
    ++staged;
  }
  co_return staged;
}

Task<Decision<void>> StageFollowing(Work& work, const Followed& followed) {
  auto staged = co_await CountFollowing(work, followed);
  if (!staged) co_return std::unexpected(std::move(staged).error());
  co_return Decision<void>();
}

Task<Decision<void>> StageForgetting(Work& work, const data::Task& task) {
  const Followed nothing{.event_id = {},
                         .instance_id = {},
                         .master_id = {},
                         .task_id = task.task_id,
                         .title = {},
                         .start = {},
                         .minutes = {},
                         .before = task.reminder_minutes};
  co_return co_await StageFollowing(work, nothing);
}

Task<Decision<std::optional<Target>>> TargetOf(Work& work, const Reminder& reminder) {
  if (reminder.event_id) return EventOf(work, reminder);
  if (reminder.instance_id) return OccurrenceOf(work, reminder);
  return TaskOf(work, reminder);
}

Task<Decision<void>> FollowAgain(Nexus& nexus, model::Caller caller, std::string reminder_id) {
  for (int attempt = 1;; ++attempt) {
    Work work(nexus, caller);
    auto followed = co_await FollowOnce(work, reminder_id);
    if (followed || attempt == kAttemptsMax || !IsLostRace(followed.error())) co_return followed;
  }
}

}  // namespace cairn::nexus
