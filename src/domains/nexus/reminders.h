// Use cases: reminders: on their own, or following an event, an occurrence or a task at a distance
// (following.h); firing, snoozing, dismissing.
//
// A reminder that waits has a job of the moment it is to fire at (jobs/job_queue.h). The job looks at the
// reminder and does nothing when that moment is not the reminder's any more, so moving one is one write and a
// further job. It also looks at what the reminder follows: of what is gone, done or elsewhere nobody is
// reminded. Firing is one transaction: it happens once for each moment, late if the server was away.
#pragma once

#include <optional>
#include <string>

#include "domains/nexus/following.h"

namespace cairn::nexus {

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

}  // namespace cairn::nexus
