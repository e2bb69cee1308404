#include "domains/values/plan/autoschedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/time_text.h"
#include "domains/values/plan/operations.h"
#include "domains/values/plan/plan_for_test.h"

namespace cairn::values {
namespace {

using namespace for_test;
using std::chrono::minutes;
using testing::ElementsAre;
using testing::IsEmpty;

PomodoroRequest From(std::string_view from, PomodoroOptions options = {}) {
  return {.bounds = Bounds(),
          .from = Moment(from),
          .options = options,
          .new_id = [next = 0]() mutable { return "new" + std::to_string(++next); },
          .is_living_action = [](const std::string& id) { return id != "gone"; }};
}

// "09:00-09:25 POMODORO a1"
std::vector<std::string> Lines(const PomodoroSchedule& schedule) {
  std::vector<std::string> lines;
  for (const Block& block : schedule.blocks) {
    std::string line = block.start.substr(11, 5) + "-" + block.end.substr(11, 5) + " ";
    line += ToText(block.type);
    if (block.action_id) line += " " + *block.action_id + std::to_string(*block.pomodoro_index);
    lines.push_back(std::move(line));
  }
  return lines;
}

Plan WithBlocks(const Plan& plan, const std::vector<Block>& blocks) { return PlanWith(plan.todos, blocks); }

TEST(Autoschedule, BreaksLieBetweenPomodorosALongOneAfterFour) {
  const auto schedule =
      SchedulePomodoros(PlanWith({TodoOf("a", Classification::kOther, 6)}), From("09:00")).value();
  EXPECT_THAT(Lines(schedule),
              ElementsAre("09:00-09:25 POMODORO a1", "09:25-09:30 BREAK", "09:30-09:55 POMODORO a2",
                          "09:55-10:00 BREAK", "10:00-10:25 POMODORO a3", "10:25-10:30 BREAK",
                          "10:30-10:55 POMODORO a4", "10:55-11:10 BREAK", "11:10-11:35 POMODORO a5",
                          "11:35-11:40 BREAK", "11:40-12:05 POMODORO a6"));
  EXPECT_THAT(schedule.unscheduled, IsEmpty());
}

TEST(Autoschedule, UrgentThenImportantThenOthersInTheirOrder) {
  const auto schedule =
      SchedulePomodoros(PlanWith({TodoOf("o"), TodoOf("i", Classification::kImportant),
                                  TodoOf("u", Classification::kUrgent), TodoOf("p"),
                                  TodoOf("v", Classification::kUrgent, 2)}),
                        From("09:00", {.short_break = minutes(0), .long_break = minutes(0)}))
          .value();
  EXPECT_THAT(Lines(schedule),
              ElementsAre("09:00-09:25 POMODORO u1", "09:25-09:50 POMODORO v1", "09:50-10:15 POMODORO v2",
                          "10:15-10:40 POMODORO i1", "10:40-11:05 POMODORO o1", "11:05-11:30 POMODORO p1"));
}

TEST(Autoschedule, GapsAroundMeetingsAndBuffersAreFilled) {
  const Plan plan =
      PlanWith({TodoOf("a", Classification::kOther, 5)},
               {MeetingOf("m1", "09:40", "10:30"), BlockOf("b", BlockType::kBuffer, "10:50", "11:00"),
                MeetingOf("m2", "12:00", "13:00")});
  const auto schedule = SchedulePomodoros(plan, From("09:00")).value();
  // After 09:25 a break and a pomodoro do not fit, and between 10:30 and 10:50 nothing does.
  EXPECT_THAT(Lines(schedule),
              ElementsAre("09:00-09:25 POMODORO a1", "09:40-10:30 MEETING", "10:50-11:00 BUFFER",
                          "11:00-11:25 POMODORO a2", "11:25-11:30 BREAK", "11:30-11:55 POMODORO a3",
                          "12:00-13:00 MEETING", "13:00-13:25 POMODORO a4", "13:25-13:40 BREAK",
                          "13:40-14:05 POMODORO a5"));
}

TEST(Autoschedule, WhatDoesNotFitIsTold) {
  const auto schedule = SchedulePomodoros(PlanWith({TodoOf("a", Classification::kOther, 3),
                                                    TodoOf("b", Classification::kUrgent, 2), TodoOf("c")}),
                                          From("09:00", {.latest_end = Moment("10:25")}))
                            .value();
  EXPECT_THAT(Lines(schedule),
              ElementsAre("09:00-09:25 POMODORO b1", "09:25-09:30 BREAK", "09:30-09:55 POMODORO b2",
                          "09:55-10:00 BREAK", "10:00-10:25 POMODORO a1"));
  EXPECT_THAT(schedule.unscheduled, ElementsAre(Unscheduled{"a", 2}, Unscheduled{"c", 1}));
}

TEST(Autoschedule, DayEndsWhereItEnds) {
  const auto schedule =
      SchedulePomodoros(PlanWith({TodoOf("a", Classification::kOther, 3)}), From("23:00")).value();
  EXPECT_THAT(Lines(schedule),
              ElementsAre("23:00-23:25 POMODORO a1", "23:25-23:30 BREAK", "23:30-23:55 POMODORO a2"));
  EXPECT_THAT(schedule.unscheduled, ElementsAre(Unscheduled{"a", 1}));
}

TEST(Autoschedule, NothingStartsOnTheNextDay) {
  const auto schedule = SchedulePomodoros(PlanWith({TodoOf("a", Classification::kOther, 4)}),
                                          From("23:00", {.latest_end = Moment("26:00")}))
                            .value();
  EXPECT_THAT(Lines(schedule),
              ElementsAre("23:00-23:25 POMODORO a1", "23:25-23:30 BREAK", "23:30-23:55 POMODORO a2"));
  EXPECT_THAT(schedule.unscheduled, ElementsAre(Unscheduled{"a", 2}));
}

TEST(Autoschedule, EstimateZeroAndClosedActionsGetNoTime) {
  const auto schedule =
      SchedulePomodoros(PlanWith({TodoOf("a", Classification::kOther, 0), TodoOf("gone")}), From("09:00"))
          .value();
  EXPECT_THAT(schedule.blocks, IsEmpty());
  EXPECT_THAT(schedule.unscheduled, IsEmpty());
}

TEST(Autoschedule, PastPomodorosStayAndCount) {
  const Plan plan =
      PlanWith({TodoOf("a", Classification::kOther, 3)},
               {PomodoroOf("p1", "a", "08:00", "08:25"), PomodoroOf("p2", "a", "15:00", "15:25"),
                BlockOf("r", BlockType::kBreak, "16:00", "16:05")});
  const auto schedule = SchedulePomodoros(plan, From("09:00")).value();
  EXPECT_THAT(Lines(schedule), ElementsAre("08:00-08:25 POMODORO a1", "09:00-09:25 POMODORO a2",
                                           "09:25-09:30 BREAK", "09:30-09:55 POMODORO a3"));
  EXPECT_EQ(schedule.blocks[0].id, "p1");
}

TEST(Autoschedule, RunningPomodoroIsFinishedAndRestedFrom) {
  const Plan plan =
      PlanWith({TodoOf("a", Classification::kOther, 2)}, {PomodoroOf("p1", "a", "08:50", "09:15")});
  EXPECT_THAT(Lines(SchedulePomodoros(plan, From("09:00")).value()),
              ElementsAre("08:50-09:15 POMODORO a1", "09:15-09:20 BREAK", "09:20-09:45 POMODORO a2"));
  // Three minutes of the break are over.
  EXPECT_THAT(Lines(SchedulePomodoros(plan, From("09:18")).value()),
              ElementsAre("08:50-09:15 POMODORO a1", "09:18-09:20 BREAK", "09:20-09:45 POMODORO a2"));
  EXPECT_THAT(Lines(SchedulePomodoros(plan, From("09:20")).value()),
              ElementsAre("08:50-09:15 POMODORO a1", "09:20-09:45 POMODORO a2"));
}

TEST(Autoschedule, BreakThatIsUnderWayIsEnough) {
  const Plan plan =
      PlanWith({TodoOf("a", Classification::kOther, 2)},
               {PomodoroOf("p1", "a", "08:50", "09:15"), BlockOf("r", BlockType::kBreak, "09:15", "09:19")});
  EXPECT_THAT(Lines(SchedulePomodoros(plan, From("09:17")).value()),
              ElementsAre("08:50-09:15 POMODORO a1", "09:15-09:19 BREAK", "09:19-09:44 POMODORO a2"));
}

TEST(Autoschedule, BufferOverARunningPomodoroIsNoBreak) {
  const Plan plan =
      PlanWith({TodoOf("a", Classification::kOther, 2)},
               {PomodoroOf("p1", "a", "08:50", "09:15"), BlockOf("b", BlockType::kBuffer, "08:55", "09:10")});
  EXPECT_THAT(Lines(SchedulePomodoros(plan, From("09:00")).value()),
              ElementsAre("08:50-09:15 POMODORO a1", "08:55-09:10 BUFFER", "09:15-09:20 BREAK",
                          "09:20-09:45 POMODORO a2"));
}

TEST(Autoschedule, StartIsMadeAFullMinuteOfTheDay) {
  PomodoroRequest request = From("09:00");
  request.from += std::chrono::milliseconds(1);
  EXPECT_THAT(Lines(SchedulePomodoros(PlanWith({TodoOf("a")}), request).value()),
              ElementsAre("09:01-09:26 POMODORO a1"));
  request.from = request.bounds.start - std::chrono::hours(3);
  EXPECT_THAT(Lines(SchedulePomodoros(PlanWith({TodoOf("a")}), request).value()),
              ElementsAre("00:00-00:25 POMODORO a1"));
}

TEST(Autoschedule, AgainKeepsTheIds) {
  const Plan plan =
      PlanWith({TodoOf("a", Classification::kOther, 5), TodoOf("b")}, {MeetingOf("m", "10:00", "11:00")});
  const Plan first = WithBlocks(plan, SchedulePomodoros(plan, From("09:00")).value().blocks);
  PomodoroRequest again = From("09:00");
  again.new_id = [] { return std::string("unexpected"); };
  EXPECT_EQ(WithBlocks(first, SchedulePomodoros(first, again).value().blocks), first);
}

TEST(Autoschedule, FullListOfBlocksEndsTheSchedule) {
  Plan plan;
  for (size_t i = 0; i < 300; ++i) plan.todos.push_back(TodoOf("a" + std::to_string(i)));
  const auto schedule =
      SchedulePomodoros(
          plan, From("00:00", {.pomodoro = minutes(1), .short_break = minutes(1), .long_break = minutes(1)}))
          .value();
  EXPECT_LE(schedule.blocks.size(), kBlocksMax);
  EXPECT_GE(schedule.blocks.size(), kBlocksMax - 2);
  EXPECT_EQ(schedule.unscheduled.size(), 300 - (schedule.blocks.size() + 1) / 2);
}

TEST(Autoschedule, OptionsOutsideTheirLimitsAreRefused) {
  const auto field = [](const PomodoroOptions& options) {
    const auto schedule = SchedulePomodoros({}, From("09:00", options));
    return schedule ? "" : schedule.error().fields.at(0).field;
  };
  EXPECT_EQ(field({.pomodoro = minutes(0)}), "options.pomodoroMinutes");
  EXPECT_EQ(field({.pomodoro = minutes(241)}), "options.pomodoroMinutes");
  EXPECT_EQ(field({.short_break = minutes(-1)}), "options.shortBreakMinutes");
  EXPECT_EQ(field({.long_break = minutes(241)}), "options.longBreakMinutes");
  EXPECT_EQ(field({.long_break_after = 0}), "options.longBreakAfter");
  EXPECT_EQ(field({.latest_end = Moment("30:01")}), "options.latestEnd");
  EXPECT_EQ(field({.latest_end = Moment("30:00")}), "");
}

// Random meetings, buffers, todos and earlier blocks: the result keeps the rules, what is fixed stays,
// nothing is lost, and scheduling again changes nothing.
class AutoscheduleProperty : public testing::Test {
 protected:
  Plan RandomPlan() {
    Plan plan;
    const size_t todos = random_() % 8;
    for (size_t i = 0; i < todos; ++i) {
      Todo todo = TodoOf("a" + std::to_string(i), Classification(random_() % 3));
      if (random_() % 3 != 0) todo.estimated_pomodoros = random_() % 9;
      plan.todos.push_back(std::move(todo));
    }
    for (size_t i = random_() % 20; i-- > 0;) TryAdd(plan, "b" + std::to_string(i));
    NumberPomodoros(plan);
    return plan;
  }

  void TryAdd(Plan& plan, const std::string& id) {
    const Time start = Bounds().start + minutes(random_() % (24 * 60));
    Block block{.id = id,
                .type = BlockType(random_() % 4),
                .start = FormatIsoMilliseconds(start),
                .end = FormatIsoMilliseconds(start + minutes(1 + random_() % 120)),
                .action_id = {},
                .pomodoro_index = {}};
    if (block.type == BlockType::kPomodoro) {
      if (plan.todos.empty()) return;
      block.action_id = plan.todos[random_() % plan.todos.size()].action_id;
    }
    Plan tried = plan;
    tried.blocks.emplace(id, std::move(block));
    NumberPomodoros(tried);
    if (CheckPlan(tried, Bounds())) plan = std::move(tried);
  }

  PomodoroRequest RandomRequest() {
    PomodoroRequest request = From("00:00", {.pomodoro = minutes(1 + random_() % 60),
                                             .short_break = minutes(random_() % 20),
                                             .long_break = minutes(random_() % 40),
                                             .long_break_after = static_cast<int64_t>(1 + random_() % 6)});
    request.from += std::chrono::seconds(random_() % (25 * 3600));
    if (random_() % 2 == 0) request.options.latest_end = Bounds().start + minutes(random_() % (30 * 60));
    return request;
  }

  static std::map<std::string, int64_t> PomodorosOf(const Plan& plan) {
    std::map<std::string, int64_t> counts;
    for (const auto& [id, block] : plan.blocks) {
      if (block.action_id) ++counts[*block.action_id];
    }
    return counts;
  }

  void Check(const Plan& plan, const PomodoroRequest& request) {
    const PomodoroSchedule schedule = SchedulePomodoros(plan, request).value();
    const Plan result = WithBlocks(plan, schedule.blocks);
    const auto checked = CheckPlan(result, request.bounds);
    ASSERT_TRUE(checked) << checked.error().message;
    const std::string from = FormatIsoMilliseconds(request.from);
    std::map<std::string, int64_t> stayed;
    for (const auto& [id, block] : plan.blocks) {
      const bool fixed = block.type == BlockType::kMeeting || block.type == BlockType::kBuffer;
      if (!fixed && block.start >= from) continue;
      ASSERT_TRUE(result.blocks.contains(id));
      ASSERT_EQ(result.blocks.at(id).start, block.start);
      if (block.action_id) ++stayed[*block.action_id];
    }
    auto planned = PomodorosOf(result);
    for (const Unscheduled& left : schedule.unscheduled) planned[left.action_id] += left.pomodoros_left;
    for (const Todo& todo : plan.todos) {
      ASSERT_EQ(planned[todo.action_id],
                std::max(todo.estimated_pomodoros.value_or(1), stayed[todo.action_id]));
    }
    for (const Block& block : schedule.blocks) {
      if (plan.blocks.contains(block.id)) continue;
      ASSERT_GE(block.start, from);
      if (request.options.latest_end) {
        ASSERT_LE(block.end, FormatIsoMilliseconds(*request.options.latest_end));
      }
    }
    PomodoroRequest again = request;
    again.new_id = [] { return std::string("unexpected"); };
    ASSERT_EQ(WithBlocks(result, SchedulePomodoros(result, again).value().blocks), result);
  }

  const uint64_t seed_ = std::random_device{}();
  std::mt19937_64 random_{seed_};
};

TEST_F(AutoscheduleProperty, RulesHoldAndNothingIsLost) {
  SCOPED_TRACE("seed " + std::to_string(seed_));
  for (int round = 0; round < 600; ++round) ASSERT_NO_FATAL_FAILURE(Check(RandomPlan(), RandomRequest()));
}

}  // namespace
}  // namespace cairn::values
