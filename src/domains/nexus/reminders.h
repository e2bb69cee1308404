// Use cases: reminders: on their own, or following an event, an occurrence or a task at a distance; firing,
// snoozing, dismissing.
//
// A reminder that waits has a job of the moment it is to fire at (jobs/job_queue.h). The job looks at the
// reminder and does nothing when that moment is not the reminder's any more, so moving one is one write and a
// further job. Firing is one transaction: it happens once for each moment, late if the server was away.
#pragma once

#include <optional>
#include <string>

#include "domains/nexus/work.h"

namespace cairn::nexus {

using Reminder = data::Reminder;

inline constexpr std::string_view kFireJob = "nexus-fire";

struct NewReminder {
  std::optional<std::string> title, notes, trigger_utc;
  // Instead of a moment: what it follows, and how far before.
  std::optional<std::string> event_id, instance_id, task_id;
  std::optional<int64_t> minutes_before;
};
Task<Decision<Reminder>> CreateReminder(Nexus& nexus, model::Caller caller, NewReminder request,
                                        Witness<Reminder> witness);

struct ChangeReminder {
  std::string reminder_id;
  std::optional<std::optional<std::string>> title, notes, trigger_utc;
};
Task<Decision<Reminder>> PatchReminder(Nexus& nexus, model::Caller caller, ChangeReminder request,
                                       SeenVersion seen, Witness<Reminder> witness);
Task<Decision<void>> DeleteReminder(Nexus& nexus, model::Caller caller, std::string reminder_id,
                                    SeenVersion seen, Witness<Gone> witness);

// Until a moment, or for so many minutes, or until nine o'clock tomorrow where the user is.
struct Snooze {
  std::string reminder_id;
  std::optional<std::string> until;
  std::optional<int64_t> minutes;
  bool tomorrow = false;
};
Task<Decision<Reminder>> SnoozeReminder(Nexus& nexus, model::Caller caller, Snooze request, SeenVersion seen,
                                        Witness<Reminder> witness);
Task<Decision<Reminder>> DismissReminder(Nexus& nexus, model::Caller caller, std::string reminder_id,
                                         SeenVersion seen, Witness<Reminder> witness);

// The worker of kFireJob.
Task<Status> Fire(Nexus& nexus, jobs::Job job);

// ---- Reminders that follow something. Their ids are made of what they follow and the distance.

struct Followed {
  std::optional<std::string> event_id, instance_id, master_id, task_id;
  std::string title;
  std::optional<Time> start;                               // none: there is nothing to follow any more
  std::optional<model::typed::Set<int64_t>> minutes = {};  // wanted
  std::optional<model::typed::Set<int64_t>> before = {};   // those there may be so far
};
// Stages what is needed for the reminders to be as wanted: in the transaction that changes what they follow.
// What would have had to fire already is not made anew.
Task<Decision<void>> StageFollowing(Work& work, const Followed& followed);

// Works out anew when a reminder that waits is to fire: what it follows lies elsewhere in time although
// nobody has changed it, because the user or the law of a zone has moved. One that has fired has fired.
Task<Decision<void>> FollowAgain(Nexus& nexus, model::Caller caller, std::string reminder_id);

std::string FollowingId(std::string_view followed_id, int64_t minutes);

}  // namespace cairn::nexus
