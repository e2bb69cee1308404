// Reminders that follow an event, an occurrence or a task: they keep their distance from it when it moves and
// go when it goes. Their ids are made of what they follow and the distance, so there is one of each.
//
// A reminder that waits has a job of the moment it is to fire at: whoever stages one does so here.
#pragma once

#include <optional>
#include <string>

#include "domains/nexus/work.h"

namespace cairn::nexus {

using Reminder = data::Reminder;

inline constexpr std::string_view kFireJob = "nexus-fire";

bool IsWaiting(const Reminder& reminder);

// Both with its job, if it waits.
Decision<Reminder> StageNewReminder(Work& work, const Reminder& reminder);
Decision<Reminder> StageReminder(Work& work, Reminder reminder);

// A new moment: whatever happened before is past.
void Reschedule(Reminder& reminder, std::optional<std::string> trigger_utc);

std::string FollowingId(std::string_view followed_id, int64_t minutes);

struct Followed {
  std::optional<std::string> event_id, instance_id, master_id, task_id;
  std::string title;
  std::optional<Time> start;                               // none: there is nothing to follow any more
  std::optional<model::typed::Set<int64_t>> minutes = {};  // wanted
  std::optional<model::typed::Set<int64_t>> before = {};   // those there may be so far
};
Reminder FollowingReminder(const Followed& followed, int64_t distance);

// Stages what is needed for the reminders to be as wanted: in the transaction that changes what they follow.
// What would have had to fire already is not made.
Task<Decision<void>> StageFollowing(Work& work, const Followed& followed);
// The same; returns how many reminders it has staged.
Task<Decision<size_t>> CountFollowing(Work& work, const Followed& followed);

// Stages that the reminders of a task go with it.
Task<Decision<void>> StageForgetting(Work& work, const data::Task& task);

// What a reminder follows, as it is now.
struct Target {
  Time start;
  std::optional<std::string> master_id = {};  // of an occurrence
};
// Nothing when there is nothing to remind of: it is gone, done or cancelled, or wants no reminder at this
// distance. Precondition: the reminder has a distance.
Task<Decision<std::optional<Target>>> TargetOf(Work& work, const Reminder& reminder);

// Moves a reminder along with what it follows; whether that changed anything. One whose new moment is over
// fires at once while what it reminds of is still to come; once that has begun, it is DISMISSED. One that has
// fired or was dismissed comes back only with a moment that is still to come.
bool Follow(Reminder& reminder, const Target& target, Time now);

// Does so with a reminder that waits, and removes it when there is nothing to remind of: for what has changed
// although nobody has written it (the user or the law of a zone has moved), or has changed in many steps.
Task<Decision<void>> FollowAgain(Nexus& nexus, model::Caller caller, std::string reminder_id);

// Changes that write several items lose races about any of them. Trying again tells whether it was about the
// one that the client has seen.
inline bool IsLostRace(const Refusal& refusal) {
  const bool is_about_others = refusal.code == Code::kConditionFailed && refusal.reason.empty();
  return is_about_others || refusal.reason == kNotFound || IsWorthAnotherTry(refusal, {});
}
inline int AttemptsMax(SeenVersion seen) { return seen ? 3 : kAttemptsMax; }

}  // namespace cairn::nexus
