// Short ways to write plans in tests: one day, 2026-11-16 in UTC, times as "09:30".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domains/values/plan/day.h"
#include "domains/values/plan/plan.h"
#include "domains/values/plan/rules.h"

namespace cairn::values::for_test {

inline constexpr std::string_view kDay = "2026-11-16";

// "09:30" of the day as stored; "24:00" and above is the next day.
inline std::string Clock(std::string_view text) {
  const int hour = std::stoi(std::string(text.substr(0, 2)));
  const std::string rest(text.substr(2));
  const std::string padded = (hour % 24 < 10 ? "0" : "") + std::to_string(hour % 24);
  return AddDays(kDay, hour / 24).value() + "T" + padded + rest + ":00.000Z";
}
inline Time Moment(std::string_view text) { return ParseInstant(Clock(text)).value(); }
inline DayBounds Bounds() { return BoundsOf(kDay, {}).value(); }

inline Todo TodoOf(std::string action_id, Classification classification = Classification::kOther,
                   std::optional<int64_t> estimate = {}) {
  return {.action_id = std::move(action_id),
          .classification = classification,
          .estimated_pomodoros = estimate,
          .notes = {},
          .rolled_from = {}};
}
inline Block BlockOf(std::string id, BlockType type, std::string_view start, std::string_view end) {
  return {.id = std::move(id),
          .type = type,
          .start = Clock(start),
          .end = Clock(end),
          .action_id = {},
          .pomodoro_index = {}};
}
inline Block MeetingOf(std::string id, std::string_view start, std::string_view end) {
  return BlockOf(std::move(id), BlockType::kMeeting, start, end);
}
inline Block PomodoroOf(std::string id, std::string action_id, std::string_view start, std::string_view end) {
  Block block = BlockOf(std::move(id), BlockType::kPomodoro, start, end);
  block.action_id = std::move(action_id);
  return block;
}

// Pomodoros are numbered here.
inline Plan PlanWith(std::vector<Todo> todos, std::vector<Block> blocks = {}) {
  Plan plan{.todos = std::move(todos), .blocks = {}};
  for (Block& block : blocks) {
    std::string id = block.id;
    plan.blocks.emplace(std::move(id), std::move(block));
  }
  NumberPomodoros(plan);
  return plan;
}

inline std::vector<std::string> OrderOf(const Plan& plan) {
  std::vector<std::string> order;
  for (const Todo& todo : plan.todos) order.push_back(todo.action_id);
  return order;
}

}  // namespace cairn::values::for_test
