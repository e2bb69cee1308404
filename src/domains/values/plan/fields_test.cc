#include "domains/values/plan/fields.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "domains/values/plan/plan_for_test.h"

namespace cairn::values {
namespace {

using namespace for_test;

template <class T>
const PlanField<T>& Field(std::span<const PlanField<T>> fields, std::string_view name) {
  return *std::ranges::find(fields, name, &PlanField<T>::name);
}

TEST(PlanFields, EveryFieldComesBackAsItWas) {
  Todo todo = TodoOf("a", Classification::kUrgent, 3);
  todo.notes = "n";
  todo.rolled_from = "2026-11-15";
  Todo todo_copy = TodoOf("a");
  for (const auto& field : TodoFields()) EXPECT_TRUE(field.set(todo_copy, field.get(todo))) << field.name;
  EXPECT_EQ(todo_copy, todo);

  Block block = PomodoroOf("p", "a", "09:00", "09:25");
  block.pomodoro_index = 2;
  Block block_copy;
  block_copy.id = "p";
  for (const auto& field : BlockFields()) EXPECT_TRUE(field.set(block_copy, field.get(block))) << field.name;
  EXPECT_EQ(block_copy, block);
}

TEST(PlanFields, ValuesOfAnotherKindAreRefused) {
  Todo todo = TodoOf("a", Classification::kUrgent, 3);
  const Todo before = todo;
  EXPECT_FALSE(Field(TodoFields(), "classification").set(todo, "pressing"));
  EXPECT_FALSE(Field(TodoFields(), "classification").set(todo, {}));
  EXPECT_FALSE(Field(TodoFields(), "estimatedPomodoros").set(todo, "3"));
  EXPECT_FALSE(Field(TodoFields(), "notes").set(todo, int64_t{3}));
  EXPECT_FALSE(Field(TodoFields(), "notes").set(todo, std::vector<std::string>{"x"}));
  EXPECT_EQ(todo, before);
  Block block = MeetingOf("m", "09:00", "10:00");
  EXPECT_FALSE(Field(BlockFields(), "startTimeIso").set(block, "noon"));
  EXPECT_FALSE(Field(BlockFields(), "endTimeIso").set(block, {}));
  EXPECT_EQ(block, MeetingOf("m", "09:00", "10:00"));
}

TEST(PlanFields, TimesAreNormalised) {
  Block block = MeetingOf("m", "09:00", "10:00");
  EXPECT_TRUE(Field(BlockFields(), "endTimeIso").set(block, "2026-11-16T12:00:00+01:00"));
  EXPECT_EQ(block.end, Clock("11:00"));
}

TEST(PlanFields, JsonTellsNothingNumberTextAndList) {
  EXPECT_EQ(PlanJson(PlanValue()), "null");
  EXPECT_EQ(PlanJson(PlanValue(int64_t{7})), "7");
  EXPECT_EQ(PlanJson(PlanValue("say \"hi\"")), R"("say \"hi\"")");
  EXPECT_EQ(PlanJson(PlanValue(std::vector<std::string>{"a", "b"})), R"(["a","b"])");
  EXPECT_EQ(PlanJson(TodoOf("a", Classification::kOther, 2)),
            R"({"actionId":"a","classification":"other","estimatedPomodoros":2})");
  EXPECT_EQ(PlanJson(MeetingOf("m", "09:00", "10:00")),
            R"({"blockId":"m","blockType":"MEETING","startTimeIso":"2026-11-16T09:00:00.000Z",)"
            R"("endTimeIso":"2026-11-16T10:00:00.000Z"})");
}

}  // namespace
}  // namespace cairn::values
