#include "domains/values/plan/items.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "domains/values/plan/plan_for_test.h"

namespace cairn::values {
namespace {

using namespace for_test;

constexpr std::string_view kRev = "01JCRZ6P4V8Q3W5X7Y9Z2A4B6C";

Plan SomePlan() {
  Todo rich = TodoOf("a", Classification::kUrgent, 3);
  rich.notes = "n";
  rich.rolled_from = "2026-11-15";
  return PlanWith({TodoOf("b"), rich},
                  {PomodoroOf("p", "a", "10:00", "10:25"), MeetingOf("z", "09:00", "10:00")});
}

TEST(PlanItems, PlanComesBackAsItWas) {
  const Plan plan = SomePlan();
  auto todos = TodoItems(plan, std::string(kDay), std::string(kRev));
  auto blocks = BlockItems(plan, std::string(kDay), std::string(kRev));
  EXPECT_EQ(PlanOf(todos, blocks).value(), plan);
  std::ranges::reverse(todos);
  std::ranges::reverse(blocks);
  EXPECT_EQ(PlanOf(todos, blocks).value(), plan);
  EXPECT_EQ(PlanOf({}, {}).value(), Plan());
}

TEST(PlanItems, TodosAreNumberedFromOne) {
  const auto items = TodoItems(SomePlan(), std::string(kDay), std::string(kRev));
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].order, 1);
  EXPECT_EQ(items[0].action_id, "b");
  EXPECT_EQ(items[1].order, 2);
  EXPECT_EQ(items[1].day, kDay);
  EXPECT_EQ(items[1].rev_id, kRev);
}

TEST(PlanItems, BlocksComeInOrderOfTime) {
  const auto items = BlockItems(SomePlan(), std::string(kDay), std::string(kRev));
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0].block_id, "z");
  EXPECT_EQ(items[1].block_id, "p");
  EXPECT_EQ(items[1].pomodoro_index, 1);
}

TEST(PlanItems, StoredFormPassesThroughItems) {
  const auto todo = TodoItems(SomePlan(), std::string(kDay), std::string(kRev)).back();
  models::values::PlanTodo read;
  ASSERT_TRUE(read.TakeFrom(todo.ToItem(), models::values::typed::Reading::kWhole));
  EXPECT_EQ(read, todo);
}

TEST(PlanItems, AbsentClassificationIsOther) {
  models::values::PlanTodo item;
  item.action_id = "a";
  EXPECT_EQ(PlanOf(std::vector{item}, {}).value(), PlanWith({TodoOf("a")}));
}

TEST(PlanItems, DoubledItemsAreDamage) {
  auto todos = TodoItems(SomePlan(), std::string(kDay), std::string(kRev));
  todos.push_back(todos[0]);
  todos.back().order = 9;
  EXPECT_EQ(PlanOf(todos, {}).error().code, Code::kDamaged);
  auto blocks = BlockItems(SomePlan(), std::string(kDay), std::string(kRev));
  blocks.push_back(blocks[0]);
  blocks.back().start_time_iso = Clock("20:00");
  EXPECT_EQ(PlanOf({}, blocks).error().code, Code::kDamaged);
  blocks.back().block_id.reset();
  EXPECT_EQ(PlanOf({}, blocks).error().code, Code::kDamaged);
}

TEST(PlanItems, BlocksNobodyCanReadAreDamage) {
  const auto verdict = [](auto spoil) {
    auto blocks = BlockItems(SomePlan(), std::string(kDay), std::string(kRev));
    spoil(blocks[1]);  // the pomodoro
    return PlanOf({}, blocks).error().code;
  };
  EXPECT_EQ(verdict([](auto& block) { block.end_time_iso = "later"; }), Code::kDamaged);
  EXPECT_EQ(verdict([](auto& block) { block.start_time_iso = "2026-11-16T09:00:00Z"; }), Code::kDamaged);
  EXPECT_EQ(verdict([](auto& block) { block.action_id.reset(); }), Code::kDamaged);
}

}  // namespace
}  // namespace cairn::values
