#include "domains/values/plan/operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "domains/values/plan/plan_for_test.h"

namespace cairn::values {
namespace {

using namespace for_test;
using testing::ElementsAre;

Decision<PlanApplied> Apply(const Plan& plan, const std::vector<PlanOperation>& operations) {
  int next = 0;
  const PlanContext context{.bounds = Bounds(),
                            .new_id = [&next] { return "new" + std::to_string(++next); },
                            .is_living_action = [](const std::string& id) { return id != "gone"; }};
  return ApplyPlan(plan, operations, context);
}

// "reason at field"
std::string RefusedBecause(const Plan& plan, const std::vector<PlanOperation>& operations) {
  const auto applied = Apply(plan, operations);
  if (applied) return "applied";
  return applied.error().reason + " at " + applied.error().fields.at(0).field;
}

std::vector<std::string> OrderAfter(const Plan& plan, const std::vector<PlanOperation>& operations) {
  const auto applied = Apply(plan, operations);
  return applied ? OrderOf(applied->plan) : std::vector{applied.error().message};
}

const Plan kThree = PlanWith({TodoOf("a"), TodoOf("b"), TodoOf("c")});
const Plan kWithPomodoros =
    PlanWith({TodoOf("a"), TodoOf("b")},
             {PomodoroOf("a1", "a", "09:00", "09:25"), PomodoroOf("b1", "b", "09:30", "09:55"),
              PomodoroOf("a2", "a", "10:00", "10:25"), PomodoroOf("a3", "a", "10:30", "10:55"),
              MeetingOf("m", "12:00", "13:00")});

TEST(PlanOperations, NothingToDoChangesNothing) {
  const auto applied = Apply(kWithPomodoros, {});
  ASSERT_TRUE(applied);
  EXPECT_FALSE(applied->changed);
  EXPECT_EQ(applied->plan, kWithPomodoros);
}

TEST(PlanOperations, AddTodoGoesToItsPlace) {
  EXPECT_THAT(OrderAfter(kThree, {AddTodo{.action_id = "x"}}), ElementsAre("a", "b", "c", "x"));
  EXPECT_THAT(OrderAfter(kThree, {AddTodo{.action_id = "x", .first = true}}),
              ElementsAre("x", "a", "b", "c"));
  EXPECT_THAT(OrderAfter(kThree, {AddTodo{.action_id = "x", .after_action_id = "a"}}),
              ElementsAre("a", "x", "b", "c"));
}

TEST(PlanOperations, AddTodoKeepsItsFields) {
  const auto applied = Apply({}, {AddTodo{.action_id = "x",
                                          .classification = Classification::kUrgent,
                                          .estimated_pomodoros = 3,
                                          .notes = "call first"}});
  ASSERT_TRUE(applied);
  EXPECT_TRUE(applied->changed);
  Todo expected = TodoOf("x", Classification::kUrgent, 3);
  expected.notes = "call first";
  EXPECT_THAT(applied->plan.todos, ElementsAre(expected));
}

TEST(PlanOperations, AddTodoIsRefusedForDoubtfulActions) {
  EXPECT_EQ(RefusedBecause(kThree, {AddTodo{.action_id = "x"}, AddTodo{.action_id = "gone"}}),
            "unknown-action at operations[1].actionId");
  EXPECT_EQ(RefusedBecause(kThree, {AddTodo{.action_id = "b"}}), "duplicate-todo at operations[0].actionId");
  EXPECT_EQ(RefusedBecause(kThree, {AddTodo{.action_id = "x#y"}}), "bad-id at operations[0].actionId");
}

TEST(PlanOperations, AddTodoIsRefusedForDoubtfulPlaces) {
  EXPECT_EQ(RefusedBecause(kThree, {AddTodo{.action_id = "x", .after_action_id = "y"}}),
            "unknown-todo at operations[0].afterActionId");
  EXPECT_EQ(RefusedBecause(kThree, {AddTodo{.action_id = "x", .first = true, .after_action_id = "a"}}),
            "two-places at operations[0].afterActionId");
}

TEST(PlanOperations, RulesNameTheOperation) {
  EXPECT_EQ(RefusedBecause(
                kThree, {AddTodo{.action_id = "x"}, EditTodo{.action_id = "a", .estimated_pomodoros = 101}}),
            "bad-estimate at operations[1].estimatedPomodoros");
}

TEST(PlanOperations, AddTodoBeyondTheLimitIsRefused) {
  std::vector<PlanOperation> operations;
  for (size_t i = 0; i <= kTodosMax; ++i) operations.push_back(AddTodo{.action_id = "x" + std::to_string(i)});
  const auto applied = Apply({}, operations);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, Code::kLimitExceeded);
  EXPECT_EQ(applied.error().fields.at(0).field, "operations[500]");
  operations.pop_back();
  EXPECT_TRUE(Apply({}, operations));
}

TEST(PlanOperations, EditTodoTellsAbsentFromEmpty) {
  Todo todo = TodoOf("a", Classification::kUrgent, 5);
  todo.notes = "old";
  todo.rolled_from = "2026-11-15";
  const Plan plan = PlanWith({todo});
  const auto kept = Apply(plan, {EditTodo{.action_id = "a"}});
  ASSERT_TRUE(kept);
  EXPECT_FALSE(kept->changed);

  const auto edited = Apply(plan, {EditTodo{.action_id = "a",
                                            .classification = Classification::kOther,
                                            .estimated_pomodoros = std::optional<int64_t>(),
                                            .notes = std::optional<std::string>("new")}});
  ASSERT_TRUE(edited);
  Todo expected = TodoOf("a", Classification::kOther);
  expected.notes = "new";
  expected.rolled_from = "2026-11-15";
  EXPECT_THAT(edited->plan.todos, ElementsAre(expected));
}

TEST(PlanOperations, UnknownTodoOrBlockIsNotFound) {
  for (const PlanOperation& operation :
       {PlanOperation(EditTodo{.action_id = "x"}), PlanOperation(RemoveTodo{.action_id = "x"}),
        PlanOperation(EditBlock{.block_id = "x"}), PlanOperation(RemoveBlock{.block_id = "x"})}) {
    const auto applied = Apply(kWithPomodoros, {operation});
    ASSERT_FALSE(applied) << operation.index();
    EXPECT_EQ(applied.error().code, Code::kResourceNotFound);
  }
  EXPECT_EQ(RefusedBecause(kThree, {RemoveTodo{.action_id = "x"}}), "unknown-todo at operations[0].actionId");
  EXPECT_EQ(RefusedBecause(kThree, {RemoveBlock{.block_id = "x"}}), "unknown-block at operations[0].blockId");
}

TEST(PlanOperations, RemoveTodoTakesItsPomodorosAndNothingElse) {
  const auto applied = Apply(kWithPomodoros, {RemoveTodo{.action_id = "a"}});
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->plan,
            PlanWith({TodoOf("b")}, {kWithPomodoros.blocks.at("b1"), kWithPomodoros.blocks.at("m")}));
}

TEST(PlanOperations, ReorderTodosNeedsAllOfThemOnce) {
  EXPECT_THAT(OrderAfter(kThree, {ReorderTodos{{"c", "a", "b"}}}), ElementsAre("c", "a", "b"));
  const std::string refused = "not-a-permutation at operations[0].actionIds";
  EXPECT_EQ(RefusedBecause(kThree, {ReorderTodos{{"c", "a"}}}), refused);
  EXPECT_EQ(RefusedBecause(kThree, {ReorderTodos{{"c", "a", "a"}}}), refused);
  EXPECT_EQ(RefusedBecause(kThree, {ReorderTodos{{"c", "a", "b", "b"}}}), refused);
  EXPECT_EQ(RefusedBecause(kThree, {ReorderTodos{{"c", "a", "x"}}}), refused);
}

TEST(PlanOperations, ReorderToTheSameOrderChangesNothing) {
  const auto applied = Apply(kThree, {ReorderTodos{{"a", "b", "c"}}});
  ASSERT_TRUE(applied);
  EXPECT_FALSE(applied->changed);
}

TEST(PlanOperations, AddBlockNormalisesTimesAndTellsItsId) {
  const auto applied = Apply(
      {},
      {AddBlock{
           .type = BlockType::kMeeting, .start = "2026-11-16T10:00:00+01:00", .end = "2026-11-16T10:00:00Z"},
       AddBlock{
           .block_id = "mine", .type = BlockType::kBreak, .start = Clock("10:00"), .end = Clock("10:05")}});
  ASSERT_TRUE(applied);
  EXPECT_THAT(applied->added_blocks, ElementsAre("new1", "mine"));
  EXPECT_EQ(applied->plan, PlanWith({}, {MeetingOf("new1", "09:00", "10:00"),
                                         BlockOf("mine", BlockType::kBreak, "10:00", "10:05")}));
}

TEST(PlanOperations, AddedPomodoroIsNumberedByItsStart) {
  const auto applied = Apply(kWithPomodoros, {AddBlock{.block_id = "a0",
                                                       .type = BlockType::kPomodoro,
                                                       .start = Clock("08:00"),
                                                       .end = Clock("08:25"),
                                                       .action_id = "a",
                                                       .pomodoro_index = 77}});
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->plan.blocks.at("a0").pomodoro_index, 1);
  EXPECT_EQ(applied->plan.blocks.at("a1").pomodoro_index, 2);
  EXPECT_EQ(applied->plan.blocks.at("a3").pomodoro_index, 4);
  EXPECT_EQ(applied->plan.blocks.at("b1").pomodoro_index, 1);
}

TEST(PlanOperations, AddBlockIsRefusedWithItsField) {
  const auto meeting = [](std::string start, std::string end) {
    return AddBlock{.type = BlockType::kMeeting, .start = std::move(start), .end = std::move(end)};
  };
  EXPECT_EQ(RefusedBecause(kWithPomodoros, {meeting("noon", Clock("12:00"))}),
            "bad-time at operations[0].start");
  EXPECT_EQ(RefusedBecause(kWithPomodoros, {meeting(Clock("11:00"), "noon")}),
            "bad-time at operations[0].end");
  EXPECT_EQ(RefusedBecause(kWithPomodoros, {meeting(Clock("11:00"), Clock("11:00"))}),
            "end-before-start at operations[0].end");
  EXPECT_EQ(RefusedBecause(kWithPomodoros, {meeting(Clock("25:00"), Clock("26:00"))}),
            "outside-day at operations[0].start");
  EXPECT_EQ(RefusedBecause(kWithPomodoros, {meeting(Clock("12:59"), Clock("14:00"))}),
            "overlap at operations[0].start");
  // The existing block starts later, yet it is the new one that is too long.
  EXPECT_EQ(RefusedBecause(kWithPomodoros, {meeting(Clock("11:00"), Clock("12:01"))}),
            "overlap at operations[0].end");
  EXPECT_EQ(RefusedBecause(kWithPomodoros,
                           {AddBlock{.block_id = "m", .start = Clock("14:00"), .end = Clock("15:00")}}),
            "duplicate-block at operations[0].blockId");
  EXPECT_EQ(RefusedBecause(kWithPomodoros,
                           {AddBlock{.block_id = "x#", .start = Clock("14:00"), .end = Clock("15:00")}}),
            "bad-id at operations[0].blockId");
}

TEST(PlanOperations, PomodoroWithoutTodoIsRefused) {
  EXPECT_EQ(RefusedBecause(kWithPomodoros, {AddBlock{.type = BlockType::kPomodoro,
                                                     .start = Clock("14:00"),
                                                     .end = Clock("14:25"),
                                                     .action_id = "z"}}),
            "not-in-todos at operations[0].actionId");
  EXPECT_EQ(RefusedBecause(
                kWithPomodoros,
                {AddBlock{.type = BlockType::kPomodoro, .start = Clock("14:00"), .end = Clock("14:25")}}),
            "missing-action at operations[0].actionId");
  EXPECT_EQ(RefusedBecause(kWithPomodoros,
                           {AddBlock{.start = Clock("14:00"), .end = Clock("14:25"), .pomodoro_index = 1}}),
            "unexpected-index at operations[0].pomodoroIndex");
}

TEST(PlanOperations, MovedPomodoroChangesTheNumbers) {
  const auto applied =
      Apply(kWithPomodoros, {EditBlock{.block_id = "a1", .start = Clock("11:00"), .end = Clock("11:25")}});
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->plan.blocks.at("a2").pomodoro_index, 1);
  EXPECT_EQ(applied->plan.blocks.at("a3").pomodoro_index, 2);
  EXPECT_EQ(applied->plan.blocks.at("a1").pomodoro_index, 3);
}

TEST(PlanOperations, PomodoroGivenToAnotherActionRenumbersBoth) {
  const auto applied = Apply(kWithPomodoros, {EditBlock{.block_id = "a1", .action_id = "b"}});
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->plan.blocks.at("a1").pomodoro_index, 1);
  EXPECT_EQ(applied->plan.blocks.at("b1").pomodoro_index, 2);
  EXPECT_EQ(applied->plan.blocks.at("a2").pomodoro_index, 1);
}

TEST(PlanOperations, PomodoroThatBecomesABreakLosesItsAction) {
  const auto applied = Apply(kWithPomodoros, {EditBlock{.block_id = "a2", .type = BlockType::kBreak}});
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->plan.blocks.at("a2"), BlockOf("a2", BlockType::kBreak, "10:00", "10:25"));
  EXPECT_EQ(applied->plan.blocks.at("a3").pomodoro_index, 2);
  EXPECT_EQ(RefusedBecause(kWithPomodoros, {EditBlock{.block_id = "m", .action_id = "a"}}),
            "unexpected-action at operations[0].actionId");
  EXPECT_EQ(RefusedBecause(kWithPomodoros, {EditBlock{.block_id = "m", .type = BlockType::kPomodoro}}),
            "missing-action at operations[0].actionId");
}

TEST(PlanOperations, RemovedPomodoroClosesTheGap) {
  const auto applied = Apply(kWithPomodoros, {RemoveBlock{.block_id = "a2"}});
  ASSERT_TRUE(applied);
  EXPECT_FALSE(applied->plan.blocks.contains("a2"));
  EXPECT_EQ(applied->plan.blocks.at("a3").pomodoro_index, 2);
}

TEST(PlanOperations, TwoBlocksMayChangePlaces) {
  const Plan plan = PlanWith({}, {MeetingOf("m1", "09:00", "10:00"), MeetingOf("m2", "10:00", "11:00")});
  const auto applied =
      Apply(plan, {EditBlock{.block_id = "m1", .start = Clock("10:00"), .end = Clock("11:00")},
                   EditBlock{.block_id = "m2", .start = Clock("09:00"), .end = Clock("10:00")}});
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->plan,
            PlanWith({}, {MeetingOf("m2", "09:00", "10:00"), MeetingOf("m1", "10:00", "11:00")}));
}

TEST(PlanOperations, ReplaceBlocksTakesTheWholeList) {
  Block fresh = PomodoroOf("", "b", "09:00", "09:25");
  const auto applied = Apply(kWithPomodoros, {ReplaceBlocks{{fresh, MeetingOf("m", "12:00", "13:00")}}});
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->plan, PlanWith(kWithPomodoros.todos, {PomodoroOf("new1", "b", "09:00", "09:25"),
                                                           MeetingOf("m", "12:00", "13:00")}));
  EXPECT_EQ(RefusedBecause(kWithPomodoros, {ReplaceBlocks{{fresh, MeetingOf("m", "09:00", "13:00")}}}),
            "overlap at operations[0].blocks[0].start");
  EXPECT_EQ(
      RefusedBecause(kWithPomodoros,
                     {ReplaceBlocks{{MeetingOf("m", "08:00", "09:00"), MeetingOf("m", "12:00", "13:00")}}}),
      "duplicate-block at operations[0].blocks[1].blockId");
}

TEST(PlanOperations, BlocksOutsideAnotherZonesDayDoNotHinder) {
  const Plan plan = PlanWith({TodoOf("a")}, {MeetingOf("m", "25:00", "26:00")});
  EXPECT_TRUE(Apply(plan, {EditTodo{.action_id = "a", .classification = Classification::kUrgent}}));
  EXPECT_EQ(RefusedBecause(plan, {EditBlock{.block_id = "m", .end = Clock("27:00")}}),
            "outside-day at operations[0].start");
}

}  // namespace
}  // namespace cairn::values
