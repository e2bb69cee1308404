// Use cases: tasks and the places of their cards on the board.
//
// Whatever way a task comes to DONE sets completedAt, whatever way it leaves DONE clears it; and for the copy
// of a recurring task it makes the next copy, or takes it back (repeat.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/nexus/cards.h"
#include "domains/nexus/tags.h"

namespace cairn::nexus {

struct NewTask {
  std::string title;
  std::optional<std::string> description;
  std::optional<TaskStatus> status;
  std::optional<int64_t> priority;
  std::optional<std::string> due_utc;
  Tags tags;
  // A series of tasks: needs due_utc, the moment of the first one.
  std::optional<std::string> rrule;
  // Absent: the zone of the settings. Null: whatever zone that is when a copy is made.
  std::optional<std::optional<std::string>> start_tzid;
};
Task<Decision<data::Task>> CreateTask(Nexus& nexus, model::Caller caller, NewTask request,
                                      Witness<data::Task> witness);

// What is not a possible id is not there either.
Task<Decision<data::Task>> LoadTask(Work& work, std::string task_id, SeenVersion seen = {});

// Absent: stays. A task that gets another status or priority goes to the end of its new group.
struct ChangeTask {
  std::optional<std::string> title;
  std::optional<std::optional<std::string>> description;
  std::optional<TaskStatus> status;
  std::optional<int64_t> priority;
  std::optional<std::optional<std::string>> due_utc;
  std::optional<Tags> tags;
  std::optional<std::optional<std::string>> rrule;  // from this one on; null: no more
};
Task<Decision<data::Task>> ApplyTask(Nexus& nexus, model::Caller caller, std::string task_id,
                                     ChangeTask changes, SeenVersion seen, Witness<data::Task> witness);

struct MoveTask {
  TaskStatus status{};
  std::optional<int64_t> priority;  // absent: the one it has
  Spot spot;
};
Task<Decision<data::Task>> MoveCard(Nexus& nexus, model::Caller caller, std::string task_id, MoveTask move,
                                    SeenVersion seen, Witness<data::Task> witness);

// To DONE; one that is done already stays as it is.
Task<Decision<data::Task>> CompleteTask(Nexus& nexus, model::Caller caller, std::string task_id,
                                        SeenVersion seen, Witness<data::Task> witness);
// From DONE to TODO; one that is open already stays as it is.
Task<Decision<data::Task>> ReopenTask(Nexus& nexus, model::Caller caller, std::string task_id,
                                      SeenVersion seen, Witness<data::Task> witness);

// Of a recurring task.
enum class DeleteScope {
  kThis,  // the next copy takes its place
  kAll,   // the series ends: its open copy and its rule go as well; done ones stay
};
std::span<const std::string_view> TextsOf(DeleteScope);
Task<Decision<data::Task>> DeleteTask(Nexus& nexus, model::Caller caller, std::string task_id,
                                      DeleteScope scope, SeenVersion seen, Witness<data::Task> witness);

}  // namespace cairn::nexus
