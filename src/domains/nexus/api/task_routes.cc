// The routes of /api/nexus/tasks and /api/nexus/board.
#include "domains/nexus/api/board_routes.h"
#include "domains/nexus/api/endpoints.h"
#include "domains/nexus/tasks.h"

namespace cairn::nexus {
namespace {

constexpr rest::Rule kTaskId{.kind = Kind::kId};
constexpr TaskView (*kView)(const data::Task&) = &ViewOf;

struct TaskPath {
  std::string task_id;
};
template <class Fields>
void Describe(Fields& fields, TaskPath& path) {
  fields.Path("taskId", path.task_id, kTaskId);
}

struct NewTaskRequest {
  std::string title;
  std::optional<std::string> description;
  std::optional<data::TaskStatus> status;
  std::optional<int64_t> priority;
  std::optional<std::string> due_utc;
  std::optional<std::vector<std::string>> tags;
  std::optional<std::string> rrule;
  std::optional<std::optional<std::string>> start_tzid;
};
template <class Fields>
void Describe(Fields& fields, NewTaskRequest& request) {
  fields.Body("title", request.title, kNewTitle);
  fields.Body("description", request.description, kLongText);
  fields.Body("status", request.status, {.doc = "BACKLOG unless said; TODO for a recurring one."});
  fields.Body("priority", request.priority, {.min = 1, .max = 4, .doc = "1 is the highest; 3 unless said."});
  fields.Body("dueUtc", request.due_utc, kInstant);
  fields.Body("tags", request.tags, kNewTagList);
  fields.Body("rrule", request.rrule,
              {.min = 1,
               .max = 2'000,
               .doc = "How it repeats (RFC 5545), from dueUtc on. Done copies stay, the next one is made."});
  fields.Body(
      "startTzid", request.start_tzid,
      {.kind = Kind::kTimeZone, .doc = "Zone of a recurring one; the settings' unless said. null floats."});
}

struct ChangeTaskRequest {
  std::string task_id;
  std::optional<std::optional<std::string>> title, description, due_utc, rrule;
  std::optional<std::optional<data::TaskStatus>> status;
  std::optional<std::optional<int64_t>> priority;
  std::optional<std::optional<std::vector<std::string>>> tags;
};
template <class Fields>
void Describe(Fields& fields, ChangeTaskRequest& request) {
  fields.Path("taskId", request.task_id, kTaskId);
  fields.Body("title", request.title, kNewTitle);
  fields.Body("description", request.description, kLongText);
  fields.Body("status", request.status, {.doc = "Another one puts it at the end of that column."});
  fields.Body("priority", request.priority, kPriority);
  fields.Body("dueUtc", request.due_utc, {.kind = Kind::kInstant, .doc = "null takes it off the agenda."});
  fields.Body("tags", request.tags, kNewTagList);
  fields.Body(
      "rrule", request.rrule,
      {.min = 1,
       .max = 2'000,
       .doc = "How it repeats from now on: its series ends, and another begins with it. null: no more."});
}

struct MoveRequest {
  std::string task_id;
  data::TaskStatus status{};
  std::optional<int64_t> priority;
  std::optional<std::string> after_id, before_id;
  std::optional<bool> first;
};
template <class Fields>
void Describe(Fields& fields, MoveRequest& request) {
  fields.Path("taskId", request.task_id, kTaskId);
  fields.Body("status", request.status);
  fields.Body("priority", request.priority, {.min = 1, .max = 4, .doc = "The one it has unless said."});
  fields.Body("afterId", request.after_id,
              {.kind = Kind::kId, .doc = "Behind this card of the same status and priority."});
  fields.Body("beforeId", request.before_id, {.kind = Kind::kId, .doc = "Before this one."});
  fields.Body("first", request.first,
              {.doc = "Before all others. Without any of the three: behind all others."});
}

struct DeleteRequest {
  std::string task_id;
  std::optional<DeleteScope> scope;
};
template <class Fields>
void Describe(Fields& fields, DeleteRequest& request) {
  fields.Path("taskId", request.task_id, kTaskId);
  fields.Query(
      "scope", request.scope,
      {.doc =
           "Of a recurring task. this, unless said: the next copy takes its place. all: the series ends."});
}

// A field that may be changed but not cleared.
template <class T>
Decision<std::optional<T>> Kept(const char* field, std::optional<std::optional<T>> given) {
  if (given && !*given) return RefuseField(field, "cannot be cleared: leave it out, or give a value");
  return given ? std::move(*given) : std::nullopt;
}

Decision<ChangeTask> ChangesOf(ChangeTaskRequest& request) {
  ChangeTask changes;
  ASSIGN_OR_RETURN(changes.title, Kept("title", std::move(request.title)));
  ASSIGN_OR_RETURN(changes.status, Kept("status", request.status));
  ASSIGN_OR_RETURN(changes.priority, Kept("priority", request.priority));
  changes.description = std::move(request.description);
  changes.due_utc = std::move(request.due_utc);
  changes.rrule = std::move(request.rrule);
  if (request.tags) {
    ASSIGN_OR_RETURN(changes.tags, TagsOf(request.tags->value_or(std::vector<std::string>())));
  }
  return changes;
}

Task<rest::Reply<TaskView>> PostTask(Nexus& nexus, rest::Call& call, NewTaskRequest request) {
  auto tags = TagsOf(std::move(request.tags).value_or(std::vector<std::string>()));
  if (!tags) co_return Refused(tags.error(), call);
  NewTask wanted{.title = std::move(request.title),
                 .description = std::move(request.description),
                 .status = request.status,
                 .priority = request.priority,
                 .due_utc = std::move(request.due_utc),
                 .tags = *std::move(tags),
                 .rrule = std::move(request.rrule),
                 .start_tzid = std::move(request.start_tzid)};
  co_return co_await Finish(CreateTask(nexus, call.caller(), std::move(wanted), WitnessOf(call, kView, 201)),
                            call, kView);
}

Task<rest::Reply<TaskView>> GetTask(Nexus& nexus, rest::Call& call, TaskPath path) {
  Work work(nexus, call.caller());
  auto task = co_await LoadTask(work, std::move(path.task_id));
  if (!task) co_return Refused(task.error(), call);
  co_return AnswerOf(*task, kView);
}

Task<rest::Reply<TaskView>> PatchTask(Nexus& nexus, rest::Call& call, ChangeTaskRequest request) {
  auto changes = ChangesOf(request);
  if (!changes) co_return Refused(changes.error(), call);
  co_return co_await Finish(ApplyTask(nexus, call.caller(), std::move(request.task_id), *std::move(changes),
                                      SeenOf(call), WitnessOf(call, kView)),
                            call, kView);
}

Task<rest::Reply<TaskView>> PostMove(Nexus& nexus, rest::Call& call, MoveRequest request) {
  MoveTask move{.status = request.status,
                .priority = request.priority,
                .spot = {.after_id = std::move(request.after_id),
                         .before_id = std::move(request.before_id),
                         .first = request.first.value_or(false)}};
  co_return co_await Finish(MoveCard(nexus, call.caller(), std::move(request.task_id), std::move(move),
                                     SeenOf(call), WitnessOf(call, kView)),
                            call, kView);
}

Task<rest::Reply<TaskView>> PostComplete(Nexus& nexus, rest::Call& call, TaskPath path) {
  co_return co_await Finish(
      CompleteTask(nexus, call.caller(), std::move(path.task_id), SeenOf(call), WitnessOf(call, kView)), call,
      kView);
}

Task<rest::Reply<TaskView>> PostReopen(Nexus& nexus, rest::Call& call, TaskPath path) {
  co_return co_await Finish(
      ReopenTask(nexus, call.caller(), std::move(path.task_id), SeenOf(call), WitnessOf(call, kView)), call,
      kView);
}

Task<rest::Reply<rest::Nothing>> RemoveTask(Nexus& nexus, rest::Call& call, DeleteRequest request) {
  auto deleted = co_await DeleteTask(nexus, call.caller(), std::move(request.task_id),
                                     request.scope.value_or(DeleteScope::kThis), SeenOf(call),
                                     SilentWitnessOf<data::Task>(call));
  if (!deleted) co_return Refused(deleted.error(), call);
  co_return rest::Answer(rest::Nothing());
}

}  // namespace

// clang-format off
std::vector<rest::Endpoint> TaskEndpoints(Nexus& nexus) {
  return {
    Route(nexus, Creating("/api/nexus/tasks", "createTask", "A new task, at the end of its column; with rrule a series"), &PostTask),
    Route(nexus, Reading("/api/nexus/tasks", "listTasks", "Tasks, of one status, of one priority, or all"), &GetTasks),
    Route(nexus, ReadingOne("/api/nexus/tasks/{taskId}", "readTask", "One task"), &GetTask),
    Route(nexus, Changing("PATCH", "/api/nexus/tasks/{taskId}", "changeTask", "Change some of its fields; null clears"), &PatchTask),
    Route(nexus, Deleting("/api/nexus/tasks/{taskId}", "deleteTask", "Delete a task, or a series of them"), &RemoveTask),
    Route(nexus, Doing("/api/nexus/tasks/{taskId}/move", "moveTask", "Move its card on the board"), &PostMove),
    Route(nexus, Doing("/api/nexus/tasks/{taskId}/complete", "completeTask", "To DONE; a recurring one gets its next copy"), &PostComplete),
    Route(nexus, Doing("/api/nexus/tasks/{taskId}/reopen", "reopenTask", "From DONE back to TODO"), &PostReopen),
    Route(nexus, Reading("/api/nexus/board", "readBoard", "The columns with their first cards, or one column page by page"), &GetBoard),
  };
}
// clang-format on

}  // namespace cairn::nexus
