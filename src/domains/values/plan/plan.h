// Plan: the todos and blocks of one day, as of one revision. Plain data: what may be is in plan/rules.h, how
// it changes in plan/operations.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/values.h"

namespace cairn::values {

using BlockType = models::values::BlockType;
using Classification = models::values::Classification;

inline constexpr size_t kTodosMax = 500;
inline constexpr size_t kBlocksMax = 500;

struct Todo {
  std::string action_id;  // a day has an action at most once
  Classification classification = Classification::kOther;
  std::optional<int64_t> estimated_pomodoros;
  std::optional<std::string> notes;
  std::optional<std::string> rolled_from;  // a day
  friend bool operator==(const Todo&, const Todo&) = default;
};

// Times are texts as stored: 2026-11-15T19:42:30.000Z.
struct Block {
  std::string id;
  BlockType type = BlockType::kMeeting;
  std::string start, end;
  std::optional<std::string> action_id;   // of pomodoros
  std::optional<int64_t> pomodoro_index;  // of pomodoros: 1..n for each action
  friend bool operator==(const Block&, const Block&) = default;
};

struct Plan {
  std::vector<Todo> todos;              // in order
  std::map<std::string, Block> blocks;  // by id
  friend bool operator==(const Plan&, const Plan&) = default;
};

}  // namespace cairn::values
