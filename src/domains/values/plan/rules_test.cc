#include "domains/values/plan/rules.h"

#include <gtest/gtest.h>

#include "base/time_text.h"
#include "domains/values/plan/plan_for_test.h"

namespace cairn::values {
namespace {

using namespace for_test;

// "reason at field", or "" for a plan that is right.
std::string Verdict(const Plan& plan, const Plan& settled = {}) {
  const auto checked = CheckPlan(plan, Bounds(), settled);
  if (checked) return "";
  EXPECT_EQ(checked.error().fields.size(), 1u);
  EXPECT_EQ(checked.error().fields.at(0).message, checked.error().message);
  return checked.error().reason + " at " + checked.error().fields.at(0).field;
}

TEST(PlanRules, EmptyAndFullDaysAreRight) {
  EXPECT_EQ(Verdict({}), "");
  Todo todo = TodoOf("a", Classification::kUrgent, 100);
  todo.notes = std::string(kTodoNotesBytesMax, 'x');
  todo.rolled_from = "2026-11-15";
  EXPECT_EQ(
      Verdict(PlanWith({todo, TodoOf("b")},
                       {MeetingOf("m", "09:00", "10:00"), PomodoroOf("p1", "a", "10:00", "10:25"),
                        BlockOf("r", BlockType::kBreak, "10:25", "10:30"),
                        PomodoroOf("p2", "a", "10:30", "10:55"), PomodoroOf("p3", "b", "11:00", "11:25")})),
      "");
}

TEST(PlanRules, IdsMustFitKeys) {
  EXPECT_EQ(Verdict(PlanWith({TodoOf("a#b")})), "bad-id at todos[a#b].actionId");
  EXPECT_EQ(Verdict(PlanWith({TodoOf("a b")})), "bad-id at todos[a b].actionId");
  EXPECT_EQ(Verdict(PlanWith({TodoOf("")})), "bad-id at todos.actionId");
  EXPECT_EQ(Verdict(PlanWith({TodoOf(std::string(256, 'a'))})), "");
  EXPECT_EQ(Verdict(PlanWith({}, {MeetingOf("m#1", "09:00", "10:00")})), "bad-id at blocks[m#1].blockId");
  EXPECT_EQ(Verdict(PlanWith({TodoOf(std::string(257, 'a'))})),
            "bad-id at todos[" + std::string(257, 'a') + "].actionId");
}

TEST(PlanRules, ActionTwiceIsRefused) {
  EXPECT_EQ(Verdict(PlanWith({TodoOf("a"), TodoOf("b"), TodoOf("a")})),
            "duplicate-todo at todos[a].actionId");
}

TEST(PlanRules, EstimateAndNotesHaveLimits) {
  EXPECT_EQ(Verdict(PlanWith({TodoOf("a", Classification::kOther, 101)})),
            "bad-estimate at todos[a].estimatedPomodoros");
  EXPECT_EQ(Verdict(PlanWith({TodoOf("a", Classification::kOther, -1)})),
            "bad-estimate at todos[a].estimatedPomodoros");
  EXPECT_EQ(Verdict(PlanWith({TodoOf("a", Classification::kOther, 0)})), "");
  Todo todo = TodoOf("a");
  todo.notes = std::string(kTodoNotesBytesMax + 1, 'x');
  EXPECT_EQ(Verdict(PlanWith({todo})), "bad-notes at todos[a].notes");
  todo.notes = "\xff";
  EXPECT_EQ(Verdict(PlanWith({todo})), "bad-notes at todos[a].notes");
}

TEST(PlanRules, RolledFromIsADay) {
  Todo todo = TodoOf("a");
  todo.rolled_from = "yesterday";
  EXPECT_EQ(Verdict(PlanWith({todo})), "bad-day at todos[a].rolledFrom");
}

TEST(PlanRules, ListsHaveLimits) {
  Plan plan;
  for (size_t i = 0; i <= kTodosMax; ++i) plan.todos.push_back(TodoOf("a" + std::to_string(i)));
  EXPECT_EQ(Verdict(plan), "too-many-todos at todos");
  EXPECT_EQ(CheckPlan(plan, Bounds()).error().code, Code::kLimitExceeded);
  plan.todos.pop_back();
  EXPECT_EQ(Verdict(plan), "");
  for (size_t i = 0; i <= kBlocksMax; ++i) {
    const std::string id = "b" + std::to_string(i);
    plan.blocks.emplace(id, BlockOf(id, BlockType::kBuffer, "09:00", "10:00"));
  }
  EXPECT_EQ(Verdict(plan), "too-many-blocks at blocks");
}

TEST(PlanRules, BlockEndsAfterItStarts) {
  EXPECT_EQ(Verdict(PlanWith({}, {MeetingOf("m", "10:00", "10:00")})), "end-before-start at blocks[m].end");
  EXPECT_EQ(Verdict(PlanWith({}, {MeetingOf("m", "10:00", "09:00")})), "end-before-start at blocks[m].end");
}

TEST(PlanRules, TimesStandInTheStoredForm) {
  Plan plan = PlanWith({}, {MeetingOf("m", "09:00", "10:00")});
  plan.blocks.at("m").end = "2026-11-16T10:00:00Z";
  EXPECT_EQ(Verdict(plan), "bad-time at blocks[m].end");
  plan.blocks.at("m").start = "2026-11-16T09:00:00.000+00:00";
  EXPECT_EQ(Verdict(plan), "bad-time at blocks[m].start");
}

TEST(PlanRules, BlockStartsWithinTheDay) {
  EXPECT_EQ(Verdict(PlanWith({}, {MeetingOf("m", "00:00", "01:00")})), "");
  EXPECT_EQ(Verdict(PlanWith({}, {MeetingOf("m", "23:59", "24:30")})), "");
  EXPECT_EQ(Verdict(PlanWith({}, {MeetingOf("m", "24:00", "24:30")})), "outside-day at blocks[m].start");
  Plan before = PlanWith({}, {MeetingOf("m", "00:00", "01:00")});
  before.blocks.at("m").start = "2026-11-15T23:59:59.999Z";
  EXPECT_EQ(Verdict(before), "outside-day at blocks[m].start");
}

TEST(PlanRules, BlockRunsSixHoursIntoTheNextDayAtMost) {
  EXPECT_EQ(Verdict(PlanWith({}, {MeetingOf("m", "23:00", "30:00")})), "");
  EXPECT_EQ(Verdict(PlanWith({}, {MeetingOf("m", "23:00", "30:01")})), "outside-day at blocks[m].end");
}

TEST(PlanRules, SettledBlockMayLieOutsideTheDay) {
  const Plan plan = PlanWith({}, {MeetingOf("m", "25:00", "26:00")});
  EXPECT_EQ(Verdict(plan), "outside-day at blocks[m].start");
  EXPECT_EQ(Verdict(plan, plan), "");
  // Once it moves, it has to move into the day.
  Plan moved = plan;
  moved.blocks.at("m").start = Clock("25:30");
  EXPECT_EQ(Verdict(moved, plan), "outside-day at blocks[m].start");
}

TEST(PlanRules, OverlapsAreRefusedAndNameBothBlocks) {
  const Plan plan = PlanWith({}, {MeetingOf("m1", "09:00", "10:00"), MeetingOf("m2", "09:59", "11:00")});
  EXPECT_EQ(Verdict(plan), "overlap at blocks[m2].start");
  const auto fault = FindPlanFault(plan, Bounds());
  ASSERT_TRUE(fault && fault->other);
  EXPECT_EQ(fault->other->id, "m1");
  EXPECT_EQ(fault->other->field, "end");
  EXPECT_EQ(Verdict(PlanWith({}, {MeetingOf("m1", "09:00", "10:00"), MeetingOf("m2", "09:00", "10:00")})),
            "overlap at blocks[m2].start");
}

TEST(PlanRules, LongBlockOverlapsOneBehindAContainedBuffer) {
  EXPECT_EQ(Verdict(PlanWith(
                {}, {MeetingOf("m1", "09:00", "12:00"), BlockOf("b", BlockType::kBuffer, "09:30", "10:00"),
                     MeetingOf("m2", "11:00", "11:30")})),
            "overlap at blocks[m2].start");
}

TEST(PlanRules, TouchingBlocksAndBuffersAreRight) {
  EXPECT_EQ(Verdict(PlanWith({}, {MeetingOf("m1", "09:00", "10:00"), MeetingOf("m2", "10:00", "11:00"),
                                  BlockOf("b1", BlockType::kBuffer, "08:00", "12:00"),
                                  BlockOf("b2", BlockType::kBuffer, "08:00", "12:00")})),
            "");
}

TEST(PlanRules, PomodoroNeedsATodo) {
  EXPECT_EQ(Verdict(PlanWith({TodoOf("b")}, {PomodoroOf("p", "a", "09:00", "09:25")})),
            "not-in-todos at blocks[p].actionId");
  EXPECT_EQ(Verdict(PlanWith({}, {BlockOf("p", BlockType::kPomodoro, "09:00", "09:25")})),
            "missing-action at blocks[p].actionId");
}

TEST(PlanRules, OnlyPomodorosHaveActionAndNumber) {
  Plan plan = PlanWith({TodoOf("a")}, {MeetingOf("m", "09:00", "10:00")});
  plan.blocks.at("m").pomodoro_index = 1;
  EXPECT_EQ(Verdict(plan), "unexpected-index at blocks[m].pomodoroIndex");
  plan.blocks.at("m").action_id = "a";
  EXPECT_EQ(Verdict(plan), "unexpected-action at blocks[m].actionId");
}

TEST(PlanRules, PomodorosAreNumberedByTimeForEachAction) {
  Plan plan = PlanWith({TodoOf("a"), TodoOf("b")},
                       {PomodoroOf("z", "a", "09:00", "09:25"), PomodoroOf("y", "b", "09:30", "09:55"),
                        PomodoroOf("x", "a", "10:00", "10:25")});
  EXPECT_EQ(plan.blocks.at("z").pomodoro_index, 1);
  EXPECT_EQ(plan.blocks.at("y").pomodoro_index, 1);
  EXPECT_EQ(plan.blocks.at("x").pomodoro_index, 2);
  std::swap(plan.blocks.at("z").pomodoro_index, plan.blocks.at("x").pomodoro_index);
  EXPECT_EQ(Verdict(plan), "index-gap at blocks[z].pomodoroIndex");
  plan.blocks.at("z").pomodoro_index = 1;
  plan.blocks.at("x").pomodoro_index = 3;
  EXPECT_EQ(Verdict(plan), "index-gap at blocks[x].pomodoroIndex");
  plan.blocks.at("x").pomodoro_index.reset();
  EXPECT_EQ(Verdict(plan), "missing-index at blocks[x].pomodoroIndex");
}

TEST(PlanRules, PomodorosOfAnActionHaveALimit) {
  Plan plan = PlanWith({TodoOf("a")});
  for (int i = 0; i <= kPomodorosMax; ++i) {
    const std::string id = "p" + std::to_string(1000 + i);
    Block block = PomodoroOf(id, "a", "00:00", "00:05");
    const Time start = Moment("00:00") + std::chrono::minutes(5 * i);
    block.start = FormatIsoMilliseconds(start);
    block.end = FormatIsoMilliseconds(start + std::chrono::minutes(5));
    plan.blocks.emplace(id, std::move(block));
  }
  NumberPomodoros(plan);
  EXPECT_EQ(Verdict(plan), "too-many-pomodoros at blocks[p1100].pomodoroIndex");
  plan.blocks.erase("p1100");
  EXPECT_EQ(Verdict(plan), "");
}

}  // namespace
}  // namespace cairn::values
