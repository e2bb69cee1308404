#include "domains/values/plan/rollover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "domains/values/plan/plan_for_test.h"

namespace cairn::values {
namespace {

using namespace for_test;
using testing::ElementsAre;
using testing::IsEmpty;

ActionState AllLiving(const std::string&) { return ActionState::kLiving; }

RolloverResult Roll(const Plan& target, const Plan& source, const ActionStates& states = AllLiving,
                    std::string_view now = "30:00") {
  return RollOver(target, source, std::string(kDay), states, Moment(now));
}

TEST(Rollover, UnfinishedTodosComeBehindWithTheirFields) {
  Todo urgent = TodoOf("a", Classification::kUrgent);
  urgent.notes = "ring twice";
  const auto result = Roll(PlanWith({TodoOf("x")}), PlanWith({urgent, TodoOf("b")}));
  EXPECT_TRUE(result.changed);
  EXPECT_THAT(result.rolled, ElementsAre("a", "b"));
  urgent.rolled_from = "2026-11-16";
  Todo other = TodoOf("b");
  other.rolled_from = "2026-11-16";
  EXPECT_EQ(result.plan, PlanWith({TodoOf("x"), urgent, other}));
}

TEST(Rollover, CompletedGoneAndPresentOnesStayBehind) {
  const std::map<std::string, ActionState> states{{"done", ActionState::kCompleted},
                                                  {"gone", ActionState::kGone}};
  const auto result = Roll(PlanWith({TodoOf("here")}),
                           PlanWith({TodoOf("done"), TodoOf("here"), TodoOf("gone"), TodoOf("open")}),
                           [&](const std::string& id) {
                             const auto found = states.find(id);
                             return found == states.end() ? ActionState::kLiving : found->second;
                           });
  EXPECT_THAT(OrderOf(result.plan), ElementsAre("here", "open"));
}

TEST(Rollover, NothingToDoChangesNothing) {
  const Plan target = PlanWith({TodoOf("a")}, {MeetingOf("m", "09:00", "10:00")});
  for (const Plan& source : {Plan(), PlanWith({TodoOf("a", Classification::kUrgent, 3)})}) {
    const auto result = Roll(target, source);
    EXPECT_FALSE(result.changed);
    EXPECT_EQ(result.plan, target);
    EXPECT_THAT(result.rolled, IsEmpty());
  }
}

TEST(Rollover, BlocksStayWhereTheyAre) {
  const Plan target = PlanWith({}, {MeetingOf("m", "09:00", "10:00")});
  const auto result = Roll(target, PlanWith({TodoOf("a")}, {PomodoroOf("p", "a", "09:00", "09:25")}));
  EXPECT_EQ(result.plan.blocks, target.blocks);
}

TEST(Rollover, EstimateShrinksByFinishedPomodorosToOneAtLeast) {
  const std::vector<Block> blocks{
      PomodoroOf("a1", "a", "09:00", "09:25"), PomodoroOf("a2", "a", "09:30", "09:55"),
      PomodoroOf("b1", "b", "10:00", "10:25"), BlockOf("r", BlockType::kBreak, "10:25", "10:30")};
  const auto estimates = [&](std::optional<int64_t> estimate, std::string_view now) {
    return Roll({}, PlanWith({TodoOf("a", Classification::kOther, estimate), TodoOf("b")}, blocks), AllLiving,
                now)
        .plan.todos[0]
        .estimated_pomodoros;
  };
  EXPECT_EQ(estimates(5, "09:00"), 5);
  EXPECT_EQ(estimates(5, "09:24"), 5);
  EXPECT_EQ(estimates(5, "09:25"), 4);  // ended at this very moment
  EXPECT_EQ(estimates(5, "09:54"), 4);
  EXPECT_EQ(estimates(5, "12:00"), 3);
  EXPECT_EQ(estimates(2, "12:00"), 1);
  EXPECT_EQ(estimates(1, "12:00"), 1);
  EXPECT_EQ(estimates(std::nullopt, "12:00"), std::nullopt);
}

TEST(Rollover, FullDayTakesNoMore) {
  Plan target;
  for (size_t i = 1; i < kTodosMax; ++i) target.todos.push_back(TodoOf("t" + std::to_string(i)));
  const auto result = Roll(target, PlanWith({TodoOf("a"), TodoOf("b")}));
  EXPECT_EQ(result.plan.todos.size(), kTodosMax);
  EXPECT_THAT(result.rolled, ElementsAre("a"));
  EXPECT_THAT(result.no_room, ElementsAre("b"));
}

TEST(Rollover, AgainChangesNothingProperty) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto random_plan = [&] {
    Plan plan;
    for (char action = 'a'; action < 'k'; ++action) {
      if (random() % 2 == 0) continue;
      plan.todos.push_back(TodoOf(std::string(1, action), Classification(random() % 3), random() % 6));
    }
    std::ranges::shuffle(plan.todos, random);
    return plan;
  };
  for (int round = 0; round < 500; ++round) {
    const Plan target = random_plan();
    const Plan source = random_plan();
    const uint64_t salt = random();
    const ActionStates states = [salt](const std::string& id) {
      return ActionState((salt >> (id[0] - 'a')) % 3);
    };
    const auto first = Roll(target, source, states);
    const auto second = Roll(first.plan, source, states);
    ASSERT_FALSE(second.changed);
    ASSERT_EQ(second.plan, first.plan);
    ASSERT_TRUE(CheckPlan(first.plan, Bounds()));
    ASSERT_EQ(first.changed, first.plan != target);
    ASSERT_TRUE(std::equal(target.todos.begin(), target.todos.end(), first.plan.todos.begin()));
  }
}

}  // namespace
}  // namespace cairn::values
