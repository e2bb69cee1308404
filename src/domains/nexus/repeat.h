// Recurring tasks: a MASTER with targetType TASK holds the rule, and one copy at a time is open. A copy that
// is done stays, and the next one is made in the same transaction (OPEN-001-u). Used by the use cases of
// tasks.
//
// The next copy is never overdue when it is made: days of the rule that are over by then are skipped, and the
// copy says how many (skippedBefore). Whoever waters the plants after a week waters them once.
//
// A copy's `date` is the day of the rule that it stands for, whatever its due time was changed to; the newest
// copy is the one whose date is the last. Only that one makes another.
#pragma once

#include "domains/nexus/tasks.h"

namespace cairn::nexus {

inline bool IsOpen(TaskStatus status) {
  return status != TaskStatus::kDone && status != TaskStatus::kArchived;
}

// Stages the series of a new task and makes `task` its first copy; its rank and the rest are the caller's.
Task<Decision<void>> BeginSeries(Work& work, const NewTask& request, data::Task& task);

// How an open task repeats from now on: stages the end of the series it is of, and the beginning of one with
// `after` as its first copy. Without a rule it is a single task then. What was done before stays.
Task<Decision<void>> ChangeSeries(Work& work, const data::Task& before,
                                  const std::optional<std::string>& rrule, data::Task& after);

// What follows in its series from a copy that changes from one state to another, staged: done makes the next
// copy, open again takes it back, which is refused ("next-copy-changed") when it was touched meanwhile.
Task<Decision<void>> FollowStatus(Work& work, const data::Task& before, const data::Task& after);

// What follows from deleting a copy.
Task<Decision<void>> FollowDelete(Work& work, const data::Task& task, DeleteScope scope);

}  // namespace cairn::nexus
