#include "models/nexus.h"

#include "generated_fixture.h"
#include "models/values.h"

namespace cairn::models::nexus {
namespace {

using testing::ElementsAre;

class NexusTest : public ModelTest<&LoadModel> {
 protected:
  Task NewTask(Task task) {
    auto session = SessionOf("ada");
    task = Value(CreateTask(session, task));
    Commit(session);
    return task;
  }
};

TEST_F(NexusTest, VersionGuardsUpdatesReplacesAndDeletes) {
  const Task task = NewTask({.title = "Write"});
  EXPECT_EQ(task.version, 1);
  auto session = SessionOf("ada");
  Staged(UpdateTask(session, KeyOf(task), TaskChanges().SetTitle("Rewrite"), 1));
  Commit(session);
  Staged(UpdateTask(session, KeyOf(task), TaskChanges().SetTitle("Too late"), 1));
  const auto late = SyncWait(session.Commit());
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().conflicts.front().kind, model::ConflictKind::kVersion);
  std::optional<Task> found = Value(GetTask(session, KeyOf(task)));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->version, 2);
  found->title = "Again";
  Staged(ReplaceTask(session, *found, found->version));
  Commit(session);
  Staged(CheckTask(session, KeyOf(task), 3));
  Commit(session);
  Staged(DeleteTask(session, KeyOf(task), 2));
  EXPECT_FALSE(SyncWait(session.Commit()));
  Staged(DeleteTask(session, KeyOf(task), 3));
  Commit(session);
  EXPECT_EQ(Value(GetTask(session, KeyOf(task))), std::nullopt);
}

TEST_F(NexusTest, AgendaMixesEntitiesInOrderOfTime) {
  auto session = SessionOf("ada");
  Value(CreateEvent(
      session,
      Event{.title = "Long", .start_utc = "2026-12-20T09:00:00Z", .end_utc = "2027-01-10T09:00:00Z"}));
  Value(CreateEvent(
      session,
      Event{.title = "Past", .start_utc = "2026-12-21T09:00:00Z", .end_utc = "2026-12-21T10:00:00Z"}));
  Value(CreateTask(session,
                   Task{.title = "Due", .status = TaskStatus::kTodo, .due_utc = "2027-01-05T12:00:00Z"}));
  Value(CreateTask(session, Task{.title = "Backlog", .due_utc = "2027-01-05T12:00:00Z"}));
  Value(CreateReminder(session, Reminder{.title = "Call", .trigger_utc = "2027-01-04T08:00:00Z"}));
  Commit(session);
  std::vector<std::string> titles;
  for (const AgendaItem& item :
       Value(ReadAgenda(session, {.from = "2027-01-01", .to = "2027-01-31"})).items) {
    titles.push_back(std::visit(
        [](const auto& entity) {
          if constexpr (std::is_convertible_v<decltype(entity.title), std::string>) {
            return entity.title;
          } else {
            return entity.title.value_or("");
          }
        },
        item));
  }
  EXPECT_THAT(titles, ElementsAre("Long", "Call", "Due"));
}

TEST_F(NexusTest, TagsAreASet) {
  const Task task = NewTask({.tags = typed::Set<std::string>{"b", "a", "b"}, .title = "Write"});
  auto session = SessionOf("ada");
  EXPECT_THAT(Value(GetTask(session, KeyOf(task)))->tags, testing::Optional(ElementsAre("a", "b")));
  Staged(UpdateTask(session, KeyOf(task), TaskChanges().SetTags({})));
  Commit(session);
  EXPECT_EQ(Value(GetTask(session, KeyOf(task)))->tags, std::nullopt) << "there are no empty sets";
}

TEST_F(NexusTest, ColumnsByTypedStatus) {
  NewTask({.title = "low", .status = TaskStatus::kTodo, .priority = 3});
  NewTask({.title = "high", .status = TaskStatus::kTodo, .priority = 1});
  NewTask({.title = "other", .status = TaskStatus::kDone});
  auto session = SessionOf("ada");
  std::vector<std::string> titles;
  for (const Task& task : Value(ReadKanbanColumn(session, {.status = TaskStatus::kTodo})).items)
    titles.push_back(task.title);
  EXPECT_THAT(titles, ElementsAre("high", "low"));
  EXPECT_EQ(
      Value(ReadKanbanColumnOfPriority(session, {.status = TaskStatus::kTodo, .priority = 1})).items.size(),
      1u);
}

TEST_F(NexusTest, ShapesInsideEntities) {
  auto session = SessionOf("ada");
  const Reminder reminder =
      Value(CreateReminder(session, Reminder{.snooze_state = SnoozeState{.until = "2027-01-16T08:00:00Z"}}));
  EXPECT_EQ(reminder.snooze_state->count, 0);
  Commit(session);
  Staged(UpdateReminder(session, KeyOf(reminder), ReminderChanges().SetSnoozeState({.count = 2})));
  Commit(session);
  EXPECT_EQ(Value(GetReminder(session, KeyOf(reminder)))->snooze_state, SnoozeState{.count = 2});
}

TEST_F(NexusTest, AnotherModelIsRefused) {
  EXPECT_TRUE(CheckSameModel(database_->model()));
  const Status other = values::CheckSameModel(database_->model());
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("generated from the model values"), std::string::npos);
  auto session = SessionOf("ada");
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // the engine has threads
  EXPECT_DEATH(values::GetValuesHead(session), "generated from the model values .* cannot work with nexus");
}

}  // namespace
}  // namespace cairn::models::nexus
