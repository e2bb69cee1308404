#include "domains/values/plan/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domains/values/plan/plan_for_test.h"

namespace cairn::values {
namespace {

using namespace for_test;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(PlanDiff, EqualPlansDifferInNothing) {
  const Plan plan = PlanWith({TodoOf("a"), TodoOf("b")}, {PomodoroOf("p", "a", "09:00", "09:25")});
  EXPECT_TRUE(DiffPlans(plan, plan).empty());
  EXPECT_TRUE(DiffPlans({}, {}).empty());
}

TEST(PlanDiff, TodosComeAndGoWithTheirPlaces) {
  const PlanDiff diff = DiffPlans(PlanWith({TodoOf("a"), TodoOf("b"), TodoOf("c")}),
                                  PlanWith({TodoOf("x"), TodoOf("a"), TodoOf("c")}));
  EXPECT_THAT(diff.todos_added, ElementsAre(PlacedTodo{1, TodoOf("x")}));
  EXPECT_THAT(diff.todos_removed, ElementsAre(PlacedTodo{2, TodoOf("b")}));
  EXPECT_THAT(diff.todos_moved, IsEmpty());
  EXPECT_THAT(diff.todos_changed, IsEmpty());
}

TEST(PlanDiff, FieldsTellAbsentFromPresent) {
  Todo before = TodoOf("a", Classification::kOther, 2);
  Todo after = TodoOf("a", Classification::kUrgent);
  after.notes = "new";
  const PlanDiff diff = DiffPlans(PlanWith({before}), PlanWith({after}));
  EXPECT_THAT(diff.todos_changed, ElementsAre(PlanThingChange{"a",
                                                              {{"classification", "\"other\"", "\"urgent\""},
                                                               {"estimatedPomodoros", "2", std::nullopt},
                                                               {"notes", std::nullopt, "\"new\""}}}));
}

TEST(PlanDiff, OnlyWhatReallyMovedIsMoved) {
  const PlanDiff diff = DiffPlans(PlanWith({TodoOf("a"), TodoOf("b"), TodoOf("c"), TodoOf("d")}),
                                  PlanWith({TodoOf("d"), TodoOf("x"), TodoOf("a"), TodoOf("c")}));
  EXPECT_THAT(diff.todos_moved, ElementsAre(TodoMove{"d", 4, 1}));
}

TEST(PlanDiff, NothingMovesFromANumberToTheSame) {
  const PlanDiff diff =
      DiffPlans(PlanWith({TodoOf("a"), TodoOf("b"), TodoOf("c")}),
                PlanWith({TodoOf("x"), TodoOf("y"), TodoOf("c"), TodoOf("a"), TodoOf("b")}));
  EXPECT_THAT(diff.todos_moved, ElementsAre(TodoMove{"a", 1, 4}, TodoMove{"b", 2, 5}));
}

TEST(PlanDiff, BlocksAreComparedByIdInOrderOfTime) {
  const Plan from =
      PlanWith({TodoOf("a")}, {MeetingOf("m", "09:00", "10:00"), MeetingOf("z", "11:00", "12:00"),
                               PomodoroOf("p", "a", "13:00", "13:25")});
  const Plan to = PlanWith({TodoOf("a")},
                           {MeetingOf("m", "09:30", "10:00"), MeetingOf("y", "08:00", "09:00"),
                            PomodoroOf("o", "a", "12:00", "12:25"), PomodoroOf("p", "a", "13:00", "13:25")});
  const PlanDiff diff = DiffPlans(from, to);
  EXPECT_THAT(diff.blocks_added, ElementsAre(to.blocks.at("y"), to.blocks.at("o")));
  EXPECT_THAT(diff.blocks_removed, ElementsAre(from.blocks.at("z")));
  EXPECT_THAT(
      diff.blocks_changed,
      ElementsAre(
          PlanThingChange{"m",
                          {{"startTimeIso", "\"2026-11-16T09:00:00.000Z\"", "\"2026-11-16T09:30:00.000Z\""}}},
          PlanThingChange{"p", {{"pomodoroIndex", "1", "2"}}}));
}

TEST(PlanDiff, PomodoroThatBecomesAMeetingLosesItsAction) {
  const Plan from = PlanWith({TodoOf("a")}, {PomodoroOf("p", "a", "09:00", "09:25")});
  const Plan to = PlanWith({TodoOf("a")}, {MeetingOf("p", "09:00", "09:25")});
  EXPECT_THAT(DiffPlans(from, to).blocks_changed,
              ElementsAre(PlanThingChange{"p",
                                          {{"blockType", "\"POMODORO\"", "\"MEETING\""},
                                           {"actionId", "\"a\"", std::nullopt},
                                           {"pomodoroIndex", "1", std::nullopt}}}));
}

}  // namespace
}  // namespace cairn::values
