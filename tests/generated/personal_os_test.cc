#include "models/personal_os.h"

#include "generated_fixture.h"

namespace cairn::models::personal_os {
namespace {

using testing::ElementsAre;

class PersonalOsTest : public ModelTest<&LoadModel> {
 protected:
  Task NewTask(std::string title) {
    auto session = SessionOf("ada");
    Task task{.title = std::move(title)};
    task = Value(CreateTask(session, task));
    Commit(session);
    return task;
  }
  std::optional<Task> Find(const TaskKey& key, std::string user = "ada") {
    auto session = SessionOf(std::move(user));
    return Value(GetTask(session, key));
  }
};

TEST_F(PersonalOsTest, CreatedTaskIsCompletedAndRead) {
  auto session = SessionOf("ada");
  Task task{.title = "Write"};
  task.area = Area::kHealth;
  task.size = 30;
  task.recurrence_rule = RecurrenceRule{.frequency = "Weekly", .interval = 2};
  task.due_date = "2027-02-01";
  const Task created = Value(CreateTask(session, task));
  EXPECT_EQ(created.user_id, "ada");
  EXPECT_EQ(created.status, TaskStatus::kNotStarted);
  EXPECT_EQ(created.created_at, "2027-01-15T08:00:00.000Z");
  EXPECT_EQ(created.is_recurring, false);
  ASSERT_TRUE(created.id);
  EXPECT_EQ(Find(KeyOf(created)), std::nullopt) << "nothing is written before the commit";
  Commit(session);
  EXPECT_EQ(Find(KeyOf(created)), created);
  EXPECT_EQ(Find(KeyOf(created), "eve"), std::nullopt);
}

TEST_F(PersonalOsTest, RequiredAttributesAreRefusedByTheirNames) {
  auto session = SessionOf("ada");
  const auto created = CreateTask(session, Task{.title = ""});
  ASSERT_FALSE(created);
  ASSERT_EQ(created.error().fields.size(), 1u);
  EXPECT_EQ(created.error().fields.front().attribute, "title");
}

TEST_F(PersonalOsTest, UpdateSetsAndClears) {
  const Task task = NewTask("Write");
  auto session = SessionOf("ada");
  Staged(UpdateTask(
      session, KeyOf(task),
      TaskChanges().SetTitle("Rewrite").SetDueDate("2027-02-01").SetStatus(TaskStatus::kInProgress)));
  Commit(session);
  std::optional<Task> found = Find(KeyOf(task));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->title, "Rewrite");
  EXPECT_EQ(found->due_date, "2027-02-01");
  EXPECT_EQ(found->status, TaskStatus::kInProgress);
  Staged(UpdateTask(session, KeyOf(task), TaskChanges().ClearDueDate().AddSize(15)));
  Commit(session);
  found = Find(KeyOf(task));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->due_date, std::nullopt);
  EXPECT_EQ(found->size, 15);
}

TEST_F(PersonalOsTest, ReplaceRemovesWhatIsNotGiven) {
  Task task = NewTask("Write");
  auto session = SessionOf("ada");
  task.notes = "soon";
  Staged(ReplaceTask(session, task));
  Commit(session);
  EXPECT_EQ(Find(KeyOf(task))->notes, "soon");
  task.notes.reset();
  Staged(ReplaceTask(session, task));
  Commit(session);
  EXPECT_EQ(Find(KeyOf(task))->notes, std::nullopt);
}

TEST_F(PersonalOsTest, DeletedTaskIsGoneAndCheckNotices) {
  const Task task = NewTask("Write");
  auto session = SessionOf("ada");
  Staged(CheckTask(session, KeyOf(task)));
  Commit(session);
  Staged(DeleteTask(session, KeyOf(task)));
  Commit(session);
  EXPECT_EQ(Find(KeyOf(task)), std::nullopt);
  Staged(CheckTask(session, KeyOf(task)));
  const auto committed = SyncWait(session.Commit());
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().error.code, Code::kResourceNotFound);
}

TEST_F(PersonalOsTest, GoalHasListsOfShapes) {
  auto session = SessionOf("ada");
  Goal goal{.title = "Run"};
  goal.success_criteria = {SuccessCriterion{.id = "c1", .text = "5 km"},
                           SuccessCriterion{.id = "c2", .text = "10 km"}};
  goal.progress_config = ProgressConfig{.manual_override = *item::Number::Parse("12.5")};
  const Goal created = Value(CreateGoal(session, goal));
  ASSERT_TRUE(created.success_criteria);
  EXPECT_EQ(created.success_criteria->at(1).is_completed, false) << "defaults of members are filled in";
  EXPECT_EQ(created.progress_config->criteria_weight, item::Number(40));
  Commit(session);
  EXPECT_EQ(Value(GetGoal(session, KeyOf(created))), created);
}

TEST_F(PersonalOsTest, CountersOfTheWalletAddUp) {
  auto session = SessionOf("ada");
  Value(CreateWallet(session, Wallet{}));
  Commit(session);
  Staged(UpdateWallet(session, WalletChanges().AddBalance(20).AddLifetimeEarned(20)));
  Commit(session);
  Staged(UpdateWallet(session, WalletChanges().AddBalance(-5).AddBalance(-3).AddLifetimeSpent(8)));
  Commit(session);
  const std::optional<Wallet> wallet = Value(GetWallet(session));
  ASSERT_TRUE(wallet);
  EXPECT_EQ(wallet->balance, 12);
  EXPECT_EQ(wallet->lifetime_spent, 8);
  Staged(UpdateWallet(session, WalletChanges().AddBalance(-13)));
  EXPECT_FALSE(SyncWait(session.Commit())) << "never below zero";
}

// As domains use it: load, decide, commit, in one coroutine.
::cairn::Task<model::Outcome<bool>> Finish(model::Session& session, std::string id) {
  const TaskKey key{.id = std::move(id)};
  const auto found = co_await GetTask(session, key);
  if (!found) co_return std::unexpected(found.error());
  if (!*found || (*found)->status == TaskStatus::kDone) co_return false;
  TaskChanges changes;
  changes.SetStatus(TaskStatus::kDone).SetPointsAwarded(true);
  CO_RETURN_IF_ERROR(UpdateTask(session, key, changes));
  WalletChanges earned;
  earned.AddBalance((*found)->point_value.value_or(0));
  CO_RETURN_IF_ERROR(UpdateWallet(session, earned));
  const auto committed = co_await session.Commit();
  if (!committed) co_return std::unexpected(committed.error());
  co_return true;
}

TEST_F(PersonalOsTest, UseCaseIsOneCoroutine) {
  auto session = SessionOf("ada");
  const Task task = Value(CreateTask(session, Task{.title = "Write", .point_value = 5}));
  Value(CreateWallet(session, Wallet{}));
  Commit(session);
  EXPECT_TRUE(Value(Finish(session, *task.id)));
  EXPECT_FALSE(Value(Finish(session, *task.id)));
  EXPECT_FALSE(Value(Finish(session, "nothing")));
  EXPECT_EQ(Value(GetWallet(session))->balance, 5);
  EXPECT_EQ(Value(GetTask(session, KeyOf(task)))->status, TaskStatus::kDone);
}

TEST_F(PersonalOsTest, PagesOfOneEntity) {
  for (const char* title : {"a", "b", "c"}) NewTask(title);
  auto session = SessionOf("ada");
  const typed::Page<Task> first = Value(ReadTasks(session, {.limit = 2}));
  EXPECT_EQ(first.items.size(), 2u);
  ASSERT_NE(first.next_cursor, "");
  const typed::Page<Task> second = Value(ReadTasks(session, {.limit = 2, .cursor = first.next_cursor}));
  EXPECT_EQ(second.items.size(), 1u);
  EXPECT_EQ(second.next_cursor, "");
  const typed::Page<Task> open = Value(ReadTasksByStatus(session, {.status = TaskStatus::kNotStarted}));
  EXPECT_EQ(open.items.size(), 3u);
  EXPECT_TRUE(Value(ReadTasksByStatus(session, {.status = TaskStatus::kDone})).items.empty());
}

TEST_F(PersonalOsTest, OneGetIsOneOptional) {
  const Task task = NewTask("Write");
  auto session = SessionOf("ada");
  EXPECT_EQ(Value(ReadTask(session, {.id = *task.id})), task);
  EXPECT_EQ(Value(ReadTask(session, {.id = "nothing"})), std::nullopt);
  EXPECT_EQ(Value(ReadWallet(session)), std::nullopt);
}

TEST_F(PersonalOsTest, MixedEntitiesAreVariants) {
  auto session = SessionOf("ada");
  Value(CreateTask(session, Task{.title = "Walk", .area = Area::kHealth}));
  Value(CreateGoal(session, Goal{.title = "Move", .area = Area::kHealth}));
  Value(CreateHabit(session, Habit{.name = "Stretch", .area = Area::kHealth}));
  Value(CreateTask(session, Task{.title = "Save", .area = Area::kWealth}));
  Commit(session);
  std::vector<std::string> names;
  for (const ByAreaItem& item : Value(ReadByArea(session, {.area = Area::kHealth})).items) {
    if (const Task* task = std::get_if<Task>(&item)) names.push_back("task " + task->title);
    if (const Goal* goal = std::get_if<Goal>(&item)) names.push_back("goal " + goal->title);
    if (const Habit* habit = std::get_if<Habit>(&item)) names.push_back("habit " + habit->name);
  }
  EXPECT_THAT(names, ElementsAre("goal Move", "habit Stretch", "task Walk"));
}

TEST_F(PersonalOsTest, StoredValueOfTheWrongTypeIsDamaged) {
  const Task task = NewTask("Write");
  auto raw = Raw({{"pk", "USER#ada"}, {"sk", "TASK#" + *task.id}});
  ASSERT_TRUE(raw);
  raw->Set("status", "Sleeping");
  RawPut(*raw);
  auto session = SessionOf("ada");
  const auto found = SyncWait(GetTask(session, KeyOf(task)));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().error.code, Code::kDamaged);
  EXPECT_EQ(found.error().error.message,
            "Task.status must be one of NotStarted, InProgress, Blocked, OnHold, Done, Cancelled, but is "
            "'Sleeping'");
}

TEST_F(PersonalOsTest, NullIsReadAsAbsent) {
  const Task task = NewTask("Write");
  auto raw = Raw({{"pk", "USER#ada"}, {"sk", "TASK#" + *task.id}});
  ASSERT_TRUE(raw);
  raw->Set("dueDate", item::Null{});
  RawPut(*raw);
  EXPECT_EQ(Find(KeyOf(task)), task);
}

TEST(PersonalOsEnums, TextsAndEnumerators) {
  EXPECT_EQ(ToText(TaskStatus::kOnHold), "OnHold");
  EXPECT_EQ(ParseTaskStatus("OnHold"), TaskStatus::kOnHold);
  EXPECT_EQ(ParseTaskStatus("onhold"), std::nullopt);
  EXPECT_EQ(TextsOf(Priority{}).size(), 4u);
  EXPECT_STREQ(RewardCategory::kQuickTreat, "Quick Treat");
}

}  // namespace
}  // namespace cairn::models::personal_os
