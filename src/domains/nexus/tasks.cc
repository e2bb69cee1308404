#include "domains/nexus/tasks.h"

#include "domains/nexus/reminders.h"
#include "domains/nexus/repeat.h"

namespace cairn::nexus {
namespace {

constexpr int64_t kPriorityDefault = 3;  // as the model has it

// Others were faster: with the task or a card beside it, or with the next copy of a recurring one.
bool LostRace(const Refusal& refusal) {
  const bool exists_already = refusal.code == Code::kConditionFailed && refusal.reason.empty();
  return exists_already || IsWorthAnotherTry(refusal, {});
}

// Tries a change again after a lost race. One that insists on a version is tried again too: the race may have
// been about a neighbour's rank, and if it was not, reading again says so.
template <class Attempt>
Task<Decision<data::Task>> TryAgain(SeenVersion seen, Attempt attempt) {
  const int attempts_max = seen ? 3 : kAttemptsMax;
  for (int number = 1;; ++number) {
    auto done = co_await attempt();
    if (done || number == attempts_max || !LostRace(done.error())) co_return done;
  }
}

Task<Decision<data::Task>> Finish(Work& work, data::Task result, const Witness<data::Task>& witness) {
  return work.Publish(Decision<data::Task>(std::move(result)), witness);
}

void FollowDone(const data::Task& before, data::Task& after, const std::string& now) {
  const bool was_done = before.status == TaskStatus::kDone;
  const bool is_done = after.status == TaskStatus::kDone;
  if (is_done && !was_done) after.completed_at = now;
  if (was_done && !is_done) after.completed_at.reset();
}

// Reminders follow the due date as long as there is something to do by then. `after` is null when the task
// goes.
Task<Decision<void>> FollowDue(Work& work, const data::Task& before, const data::Task* after) {
  if (!before.reminder_minutes) co_return Decision<void>();
  Followed followed{.event_id = {},
                    .instance_id = {},
                    .master_id = {},
                    .task_id = before.task_id,
                    .title = after == nullptr ? "" : after->title,
                    .start = {},
                    .minutes = before.reminder_minutes,
                    .before = before.reminder_minutes};
  const bool is_open =
      after != nullptr && after->status != TaskStatus::kDone && after->status != TaskStatus::kArchived;
  if (is_open && after->due_utc) followed.start = TimeOf(*after->due_utc);
  co_return co_await StageFollowing(work, followed);
}

// Writes what has become of a task, with all that follows from it. With a spot it gets a new place.
Task<Decision<data::Task>> Change(Work& work, const data::Task& before, data::Task after,
                                  const std::optional<Spot>& spot, const Witness<data::Task>& witness) {
  const bool changes_group = before.status != after.status || before.priority != after.priority;
  if (spot || changes_group) {
    auto placed = co_await PlaceCard(work, after, spot.value_or(Spot()));
    if (!placed) co_return std::unexpected(std::move(placed).error());
  }
  if (after == before) co_return co_await Finish(work, std::move(after), witness);
  FollowDone(before, after, work.nexus().NowText());
  auto followed = co_await FollowStatus(work, before, after);
  if (!followed) co_return std::unexpected(std::move(followed).error());
  auto reminded = co_await FollowDue(work, before, &after);
  if (!reminded) co_return std::unexpected(std::move(reminded).error());
  auto staged = work.StageChange(std::move(after));
  if (!staged) co_return staged;
  co_return co_await Finish(work, *std::move(staged), witness);
}

Task<Decision<data::Task>> CreateOnce(Nexus& nexus, const model::Caller& caller, const NewTask& request,
                                      const Witness<data::Task>& witness) {
  Work work(nexus, caller);
  data::Task task;
  task.title = request.title;
  task.description = request.description;
  task.status = request.status.value_or(request.rrule ? TaskStatus::kTodo : TaskStatus::kBacklog);
  task.priority = request.priority.value_or(kPriorityDefault);
  task.due_utc = request.due_utc;
  task.tags = request.tags;
  FollowDone({}, task, nexus.NowText());
  if (request.rrule) {
    auto begun = co_await BeginSeries(work, request, task);
    if (!begun) co_return std::unexpected(std::move(begun).error());
  } else if (request.start_tzid) {
    co_return RefuseField("startTzid",
                          "means something with rrule only: leave it out, or say how it repeats");
  }
  auto placed = co_await PlaceCard(work, task, {});
  if (!placed) co_return std::unexpected(std::move(placed).error());
  auto created = work.StageNew(task);
  if (!created) co_return created;
  co_return co_await Finish(work, *std::move(created), witness);
}

Task<Decision<data::Task>> ApplyOnce(Nexus& nexus, const model::Caller& caller, const std::string& task_id,
                                     const ChangeTask& changes, SeenVersion seen,
                                     const Witness<data::Task>& witness) {
  Work work(nexus, caller);
  const auto before = co_await LoadTask(work, task_id, seen);
  if (!before) co_return before;
  data::Task after = *before;
  if (changes.title) after.title = *changes.title;
  if (changes.description) after.description = *changes.description;
  if (changes.status) after.status = changes.status;
  if (changes.priority) after.priority = changes.priority;
  if (changes.due_utc) after.due_utc = *changes.due_utc;
  if (changes.tags) after.tags = *changes.tags;
  if (changes.rrule) {
    auto repeated = co_await ChangeSeries(work, *before, *changes.rrule, after);
    if (!repeated) co_return std::unexpected(std::move(repeated).error());
  }
  co_return co_await Change(work, *before, std::move(after), std::nullopt, witness);
}

Task<Decision<data::Task>> MoveOnce(Nexus& nexus, const model::Caller& caller, const std::string& task_id,
                                    const MoveTask& move, SeenVersion seen,
                                    const Witness<data::Task>& witness) {
  Work work(nexus, caller);
  const auto before = co_await LoadTask(work, task_id, seen);
  if (!before) co_return before;
  data::Task after = *before;
  after.status = move.status;
  if (move.priority) after.priority = move.priority;
  co_return co_await Change(work, *before, std::move(after), move.spot, witness);
}

Task<Decision<data::Task>> CompleteOnce(Nexus& nexus, const model::Caller& caller, const std::string& task_id,
                                        SeenVersion seen, const Witness<data::Task>& witness) {
  Work work(nexus, caller);
  const auto before = co_await LoadTask(work, task_id, seen);
  if (!before) co_return before;
  data::Task after = *before;
  after.status = TaskStatus::kDone;
  co_return co_await Change(work, *before, std::move(after), std::nullopt, witness);
}

Task<Decision<data::Task>> ReopenOnce(Nexus& nexus, const model::Caller& caller, const std::string& task_id,
                                      SeenVersion seen, const Witness<data::Task>& witness) {
  Work work(nexus, caller);
  const auto before = co_await LoadTask(work, task_id, seen);
  if (!before) co_return before;
  if (before->status == TaskStatus::kArchived)
    co_return RefuseConflict("archived", "It is archived, not done: move it to the column where it belongs");
  data::Task after = *before;
  if (before->status == TaskStatus::kDone) after.status = TaskStatus::kTodo;
  co_return co_await Change(work, *before, std::move(after), std::nullopt, witness);
}

Task<Decision<data::Task>> DeleteOnce(Nexus& nexus, const model::Caller& caller, const std::string& task_id,
                                      DeleteScope scope, SeenVersion seen,
                                      const Witness<data::Task>& witness) {
  Work work(nexus, caller);
  auto task = co_await LoadTask(work, task_id, seen);
  if (!task) co_return task;
  auto followed = co_await FollowDelete(work, *task, scope);
  if (!followed) co_return std::unexpected(std::move(followed).error());
  auto forgotten = co_await FollowDue(work, *task, nullptr);
  if (!forgotten) co_return std::unexpected(std::move(forgotten).error());
  auto staged = work.StageDelete(*task);
  if (!staged) co_return std::unexpected(std::move(staged).error());
  co_return co_await Finish(work, *std::move(task), witness);
}

}  // namespace

std::span<const std::string_view> TextsOf(DeleteScope) {
  static constexpr std::string_view kTexts[] = {"this", "all"};
  return kTexts;
}

Task<Decision<data::Task>> LoadTask(Work& work, std::string task_id, SeenVersion seen) {
  const data::TaskKey key{.task_id = std::move(task_id)};
  auto task = co_await work.Load<data::Task>(key, seen);
  if (!task && task.error().code == Code::kInvalidArgument) co_return RefuseUnknown("There is no such Task");
  co_return task;
}

Task<Decision<data::Task>> CreateTask(Nexus& nexus, model::Caller caller, NewTask request,
                                      Witness<data::Task> witness) {
  co_return co_await TryAgain({}, [&] { return CreateOnce(nexus, caller, request, witness); });
}

Task<Decision<data::Task>> ApplyTask(Nexus& nexus, model::Caller caller, std::string task_id,
                                     ChangeTask changes, SeenVersion seen, Witness<data::Task> witness) {
  co_return co_await TryAgain(seen,
                              [&] { return ApplyOnce(nexus, caller, task_id, changes, seen, witness); });
}

Task<Decision<data::Task>> MoveCard(Nexus& nexus, model::Caller caller, std::string task_id, MoveTask move,
                                    SeenVersion seen, Witness<data::Task> witness) {
  const int spots = move.spot.after_id.has_value() + move.spot.before_id.has_value() + move.spot.first;
  if (spots > 1)
    co_return Refuse("two-places", "Say one of afterId, beforeId and first; without one it goes to the end");
  co_return co_await TryAgain(seen, [&] { return MoveOnce(nexus, caller, task_id, move, seen, witness); });
}

Task<Decision<data::Task>> CompleteTask(Nexus& nexus, model::Caller caller, std::string task_id,
                                        SeenVersion seen, Witness<data::Task> witness) {
  co_return co_await TryAgain(seen, [&] { return CompleteOnce(nexus, caller, task_id, seen, witness); });
}

Task<Decision<data::Task>> ReopenTask(Nexus& nexus, model::Caller caller, std::string task_id,
                                      SeenVersion seen, Witness<data::Task> witness) {
  co_return co_await TryAgain(seen, [&] { return ReopenOnce(nexus, caller, task_id, seen, witness); });
}

Task<Decision<data::Task>> DeleteTask(Nexus& nexus, model::Caller caller, std::string task_id,
                                      DeleteScope scope, SeenVersion seen, Witness<data::Task> witness) {
  co_return co_await TryAgain(seen, [&] { return DeleteOnce(nexus, caller, task_id, scope, seen, witness); });
}

}  // namespace cairn::nexus
