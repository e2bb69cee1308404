#include "domains/values/plan/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "domains/values/plan/operations.h"
#include "domains/values/plan/order.h"
#include "domains/values/plan/plan_for_test.h"

namespace cairn::values {
namespace {

using namespace for_test;
using testing::ElementsAre;
using testing::IsEmpty;
using Take = PlanResolution::Take;

const Plan kBase = PlanWith({TodoOf("a"), TodoOf("b"), TodoOf("c")},
                            {MeetingOf("m", "12:00", "13:00"), PomodoroOf("a1", "a", "09:00", "09:25")});

Plan After(const Plan& plan, const std::vector<PlanOperation>& operations) {
  int next = 0;
  const PlanContext context{.bounds = Bounds(),
                            .new_id = [&next] { return "new" + std::to_string(++next); },
                            .is_living_action = [](const std::string&) { return true; }};
  auto applied = ApplyPlan(plan, operations, context);
  if (!applied) throw std::logic_error(applied.error().message);
  return std::move(applied->plan);
}

Decision<Plan> Merge(const Plan& theirs, const Plan& mine,
                     const std::vector<PlanResolution>& resolutions = {}) {
  return MergePlans(
      {.base = kBase, .theirs = theirs, .mine = mine, .bounds = Bounds(), .resolutions = resolutions});
}

std::vector<MergeConflict> Conflicts(const Decision<Plan>& merged) {
  if (merged) return {};
  EXPECT_EQ(merged.error().code, Code::kConditionFailed);
  EXPECT_EQ(merged.error().reason, "merge-conflict");
  return merged.error().conflicts;
}

AddBlock Pomodoro(std::string id, std::string action, std::string_view start, std::string_view end) {
  return {.block_id = std::move(id),
          .type = BlockType::kPomodoro,
          .start = Clock(start),
          .end = Clock(end),
          .action_id = std::move(action)};
}

TEST(PlanMerge, OneSideOnlyIsThatSide) {
  const Plan changed = After(kBase, {EditTodo{.action_id = "a", .notes = "x"}, RemoveTodo{.action_id = "b"},
                                     AddTodo{.action_id = "d", .first = true}, RemoveBlock{.block_id = "m"}});
  EXPECT_EQ(Merge(changed, kBase).value(), changed);
  EXPECT_EQ(Merge(kBase, changed).value(), changed);
  EXPECT_EQ(Merge(changed, changed).value(), changed);
}

TEST(PlanMerge, DifferentFieldsOfATodoMerge) {
  const Plan theirs = After(kBase, {EditTodo{.action_id = "a", .classification = Classification::kUrgent}});
  const Plan mine = After(kBase, {EditTodo{.action_id = "a", .estimated_pomodoros = 4, .notes = "mine"}});
  const auto merged = Merge(theirs, mine);
  ASSERT_TRUE(merged);
  Todo expected = TodoOf("a", Classification::kUrgent, 4);
  expected.notes = "mine";
  EXPECT_EQ(merged->todos[0], expected);
}

TEST(PlanMerge, SameFieldDifferentlyIsAConflict) {
  const Plan theirs = After(kBase, {EditTodo{.action_id = "a", .notes = "theirs"}});
  const Plan mine = After(kBase, {EditTodo{.action_id = "a", .notes = "mine"}});
  EXPECT_THAT(Conflicts(Merge(theirs, mine)),
              ElementsAre(MergeConflict{"a", "notes", "null", "\"theirs\"", "\"mine\""}));
  EXPECT_EQ(Merge(theirs, mine, {{"a", "notes", Take::kTheirs}}).value(), theirs);
  EXPECT_EQ(Merge(theirs, mine, {{"a", "notes", Take::kMine}}).value(), mine);
  EXPECT_EQ(Merge(theirs, mine, {{"a", "notes", Take::kValue, "both"}}).value().todos[0].notes, "both");
  EXPECT_EQ(Merge(theirs, mine, {{"a", "notes", Take::kValue, {}}}).value(), kBase);
}

TEST(PlanMerge, ResolutionDecidesWhereThereIsNoConflict) {
  const Plan mine = After(kBase, {EditTodo{.action_id = "a", .notes = "mine"}});
  EXPECT_EQ(Merge(kBase, mine, {{"a", "notes", Take::kTheirs}}).value(), kBase);
  EXPECT_EQ(Merge(kBase, mine, {{"nobody", "notes", Take::kTheirs}}).value(), mine);
}

TEST(PlanMerge, ResolutionThatMakesNoSenseIsRefused) {
  const Plan theirs = After(kBase, {EditTodo{.action_id = "a", .classification = Classification::kUrgent}});
  const Plan mine = After(kBase, {EditTodo{.action_id = "a", .classification = Classification::kImportant}});
  const auto wrong = Merge(theirs, mine, {{"a", "classification", Take::kValue, "pressing"}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().fields.at(0).field, "resolutions[0].value");
  EXPECT_EQ(wrong.error().reason, "bad-value");
  EXPECT_EQ(Merge(theirs, mine, {{"a", "", Take::kValue, "x"}}).error().reason, "bad-resolution");
  EXPECT_EQ(Merge(theirs, mine, {{"a", "notes", Take::kMine}, {"a", "notes", Take::kTheirs}}).error().reason,
            "bad-resolution");
}

TEST(PlanMerge, BothRemovedIsRemoved) {
  const Plan gone = After(kBase, {RemoveTodo{.action_id = "b"}, RemoveBlock{.block_id = "m"}});
  const Plan more = After(gone, {RemoveTodo{.action_id = "c"}});
  EXPECT_EQ(Merge(gone, more).value(), more);
}

TEST(PlanMerge, RemovedHereChangedThereIsAConflict) {
  const Plan theirs = After(kBase, {RemoveTodo{.action_id = "b"}});
  const Plan mine = After(kBase, {EditTodo{.action_id = "b", .notes = "keep me"}});
  EXPECT_THAT(Conflicts(Merge(theirs, mine)),
              ElementsAre(MergeConflict{"b", "", R"({"actionId":"b","classification":"other"})", "null",
                                        R"({"actionId":"b","classification":"other","notes":"keep me"})"}));
  EXPECT_EQ(Merge(theirs, mine, {{"b", "", Take::kTheirs}}).value(), theirs);
  EXPECT_EQ(Merge(theirs, mine, {{"b", "", Take::kMine}}).value(), mine);
}

TEST(PlanMerge, RemovedTodoWithNewPomodorosIsOneConflict) {
  const Plan theirs = After(kBase, {RemoveTodo{.action_id = "a"}});
  const Plan mine = After(
      kBase, {Pomodoro("a2", "a", "10:00", "10:25"), EditBlock{.block_id = "a1", .start = Clock("08:30")}});
  const auto conflicts = Conflicts(Merge(theirs, mine));
  ASSERT_EQ(conflicts.size(), 1u);
  EXPECT_EQ(conflicts[0].id, "a");
  EXPECT_EQ(conflicts[0].field, "");
  EXPECT_EQ(conflicts[0].theirs, "null");
  EXPECT_EQ(Merge(theirs, mine, {{"a", "", Take::kTheirs}}).value(), theirs);
  EXPECT_EQ(Merge(theirs, mine, {{"a", "", Take::kMine}}).value(), mine);
  EXPECT_EQ(Merge(mine, theirs, {{"a", "", Take::kTheirs}}).value(), mine);
}

TEST(PlanMerge, RemovedBlockThatMovedIsAConflict) {
  const Plan theirs = After(kBase, {RemoveBlock{.block_id = "m"}});
  const Plan mine = After(kBase, {EditBlock{.block_id = "m", .end = Clock("14:00")}});
  const auto conflicts = Conflicts(Merge(theirs, mine));
  ASSERT_EQ(conflicts.size(), 1u);
  EXPECT_EQ(conflicts[0].id, "m");
  EXPECT_EQ(conflicts[0].theirs, "null");
  EXPECT_EQ(Merge(theirs, mine, {{"m", "", Take::kMine}}).value(), mine);
}

TEST(PlanMerge, PomodoroGivenToANewTodoHereRemovedThereIsAConflict) {
  const Plan theirs =
      After(kBase, {AddTodo{.action_id = "d"}, EditBlock{.block_id = "a1", .action_id = "d"}});
  const Plan mine = After(kBase, {RemoveBlock{.block_id = "a1"}});
  const auto conflicts = Conflicts(Merge(theirs, mine));
  ASSERT_EQ(conflicts.size(), 1u);
  EXPECT_EQ(conflicts[0].id, "a1");
}

TEST(PlanMerge, NewTodoThatIsResolvedAwayTakesItsPomodoros) {
  const Plan mine = After(kBase, {AddTodo{.action_id = "d"}, Pomodoro("d1", "d", "10:00", "10:25")});
  EXPECT_EQ(Merge(kBase, mine, {{"d", "", Take::kTheirs}}).value(), kBase);
}

TEST(PlanMerge, StartHereAndEndThereMerge) {
  const Plan theirs = After(kBase, {EditBlock{.block_id = "m", .start = Clock("11:30")}});
  const Plan mine = After(kBase, {EditBlock{.block_id = "m", .end = Clock("13:30")}});
  EXPECT_EQ(Merge(theirs, mine).value().blocks.at("m"), MeetingOf("m", "11:30", "13:30"));
}

TEST(PlanMerge, BothAddedTheSameActionMerges) {
  const Plan theirs = After(kBase, {AddTodo{.action_id = "d", .classification = Classification::kUrgent}});
  const Plan mine = After(kBase, {AddTodo{.action_id = "d", .notes = "mine"}});
  Todo expected = TodoOf("d", Classification::kUrgent);
  expected.notes = "mine";
  EXPECT_EQ(Merge(theirs, mine).value().todos[3], expected);
}

TEST(PlanMerge, BothAddedTheSameBlockIdDifferentlyConflicts) {
  const Plan theirs =
      After(kBase, {AddBlock{.block_id = "n", .start = Clock("14:00"), .end = Clock("15:00")}});
  const Plan mine = After(kBase, {AddBlock{.block_id = "n", .start = Clock("14:00"), .end = Clock("16:00")}});
  EXPECT_THAT(Conflicts(Merge(theirs, mine)),
              ElementsAre(MergeConflict{"n", "endTimeIso", "null", "\"2026-11-16T15:00:00.000Z\"",
                                        "\"2026-11-16T16:00:00.000Z\""}));
}

TEST(PlanMerge, NumbersOfPomodorosNeverConflict) {
  const Plan theirs = After(kBase, {Pomodoro("a0", "a", "08:00", "08:25")});
  const Plan mine =
      After(kBase, {Pomodoro("x", "a", "06:00", "06:25"), Pomodoro("y", "a", "07:00", "07:25")});
  const auto merged = Merge(theirs, mine);
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->blocks.at("x").pomodoro_index, 1);
  EXPECT_EQ(merged->blocks.at("y").pomodoro_index, 2);
  EXPECT_EQ(merged->blocks.at("a0").pomodoro_index, 3);
  EXPECT_EQ(merged->blocks.at("a1").pomodoro_index, 4);
}

TEST(PlanMerge, OrderOfOneSideAndAdditionsOfTheOther) {
  const Plan theirs = After(kBase, {ReorderTodos{{"c", "b", "a"}}});
  const Plan mine = After(kBase, {AddTodo{.action_id = "d", .after_action_id = "b"}});
  EXPECT_THAT(OrderOf(Merge(theirs, mine).value()), ElementsAre("c", "b", "d", "a"));
  EXPECT_THAT(OrderOf(Merge(mine, theirs).value()), ElementsAre("c", "b", "d", "a"));
}

TEST(PlanMerge, TwoOrdersAreAConflict) {
  const Plan theirs = After(kBase, {ReorderTodos{{"c", "b", "a"}}});
  const Plan mine = After(kBase, {ReorderTodos{{"b", "a", "c"}}});
  EXPECT_THAT(Conflicts(Merge(theirs, mine)),
              ElementsAre(MergeConflict{"todos", "order", R"(["a","b","c"])", R"(["c","b","a"])",
                                        R"(["b","a","c"])"}));
  EXPECT_EQ(Merge(theirs, mine, {{"todos", "order", Take::kTheirs}}).value(), theirs);
  EXPECT_EQ(Merge(theirs, mine, {{"todos", "order", Take::kMine}}).value(), mine);
  const ActionOrder order{"b", "c", "a"};
  EXPECT_EQ(OrderOf(Merge(theirs, mine, {{"todos", "order", Take::kValue, order}}).value()), order);
  for (const PlanValue& value :
       {PlanValue(ActionOrder{"b", "c"}), PlanValue(ActionOrder{"b", "c", "c"}), PlanValue("b")}) {
    EXPECT_EQ(Merge(theirs, mine, {{"todos", "order", Take::kValue, value}}).error().reason, "bad-value");
  }
}

TEST(PlanMerge, MergedPlanMustKeepTheRules) {
  const Plan theirs =
      After(kBase, {AddBlock{.block_id = "t", .start = Clock("15:00"), .end = Clock("16:00")}});
  const Plan mine = After(kBase, {AddBlock{.block_id = "u", .start = Clock("15:30"), .end = Clock("16:30")}});
  const auto merged = Merge(theirs, mine);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, Code::kInvalidArgument);
  EXPECT_EQ(merged.error().reason, "overlap");
}

// ---- Random changes of both sides.

PlanOperation RandomOperation(std::mt19937_64& random) {
  const std::string action(1, static_cast<char>('a' + random() % 5));
  const std::string block = "b" + std::to_string(random() % 4);
  const int hour = 6 + static_cast<int>(random() % 12);
  const std::string start = Clock((hour < 10 ? "0" : "") + std::to_string(hour) + ":00");
  const std::string end = Clock((hour < 10 ? "0" : "") + std::to_string(hour) + ":30");
  switch (random() % 7) {
    case 0:
      return AddTodo{.action_id = action, .first = random() % 2 == 0};
    case 1:
      return EditTodo{.action_id = action, .notes = std::to_string(random() % 3)};
    case 2:
      return RemoveTodo{.action_id = action};
    case 3:
      return Pomodoro(block, action, start.substr(11, 5), end.substr(11, 5));
    case 4:
      return EditBlock{.block_id = block, .start = start, .end = end};
    case 5:
      return RemoveBlock{.block_id = block};
    default:
      return EditTodo{.action_id = action, .classification = Classification(random() % 3)};
  }
}

// What of several random operations is allowed.
Plan Wander(Plan plan, std::mt19937_64& random) {
  const PlanContext context{.bounds = Bounds(),
                            .new_id = [] { return std::string("unused"); },
                            .is_living_action = [](const std::string&) { return true; }};
  for (int i = 0; i < 5; ++i) {
    const std::vector<PlanOperation> operations{RandomOperation(random)};
    if (auto applied = ApplyPlan(plan, operations, context)) plan = std::move(applied->plan);
  }
  return plan;
}

TEST(PlanMerge, MergesKeepTheRulesAndResolutionsEndConflictsProperty) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  int merges = 0, conflicts = 0;
  for (int round = 0; round < 2000; ++round) {
    const Plan base = Wander({}, random);
    const Plan theirs = Wander(base, random);
    const Plan mine = Wander(base, random);
    const auto merge = [&](const Plan& a, const Plan& b,
                           const std::vector<PlanResolution>& resolutions = {}) {
      return MergePlans(
          {.base = base, .theirs = a, .mine = b, .bounds = Bounds(), .resolutions = resolutions});
    };
    ASSERT_EQ(merge(theirs, base).value(), theirs);
    ASSERT_EQ(merge(base, mine).value(), mine);
    const auto merged = merge(theirs, mine);
    if (merged) {
      ++merges;
      ASSERT_TRUE(CheckPlan(*merged, Bounds()));
      // The other way round is the same but for the order of additions.
      const auto mirrored = merge(mine, theirs);
      ASSERT_TRUE(mirrored);
      ASSERT_EQ(mirrored->blocks, merged->blocks);
      ASSERT_EQ(mirrored->todos.size(), merged->todos.size());
      continue;
    }
    if (merged.error().reason != "merge-conflict") continue;  // a rule
    ++conflicts;
    std::vector<PlanResolution> resolutions;
    for (const MergeConflict& conflict : merged.error().conflicts) {
      resolutions.push_back({conflict.id, conflict.field, random() % 2 == 0 ? Take::kTheirs : Take::kMine});
    }
    const auto resolved = merge(theirs, mine, resolutions);
    if (!resolved) {
      // The order may come to light only once it is known which todos stay.
      ASSERT_TRUE(resolved.error().reason != "merge-conflict" ||
                  resolved.error().conflicts.at(0).field == "order")
          << resolved.error().conflicts.at(0).id << " " << resolved.error().conflicts.at(0).field;
    }
  }
  EXPECT_GT(merges, 20);
  EXPECT_GT(conflicts, 20);
}

}  // namespace
}  // namespace cairn::values
