// What differs between two plans of a day: for the history and for people who compare.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domains/values/plan/plan.h"

namespace cairn::values {

struct PlanFieldChange {
  std::string field;                    // as stored: "estimatedPomodoros"
  std::optional<std::string> from, to;  // JSON texts; none where the field is absent
  friend bool operator==(const PlanFieldChange&, const PlanFieldChange&) = default;
};

struct PlanThingChange {
  std::string id;  // of the todo's action or the block
  std::vector<PlanFieldChange> fields;
  friend bool operator==(const PlanThingChange&, const PlanThingChange&) = default;
};

// Places count from 1.
struct PlacedTodo {
  int64_t order = 0;
  Todo todo;
  friend bool operator==(const PlacedTodo&, const PlacedTodo&) = default;
};
struct TodoMove {
  std::string action_id;
  int64_t from = 0, to = 0;
  friend bool operator==(const TodoMove&, const TodoMove&) = default;
};

// Todos in their order, blocks in order of time.
struct PlanDiff {
  std::vector<PlacedTodo> todos_added, todos_removed;
  std::vector<PlanThingChange> todos_changed;
  // Only what moved against the others: todos that make room for one that is added or moved are not here.
  std::vector<TodoMove> todos_moved;
  std::vector<Block> blocks_added, blocks_removed;
  std::vector<PlanThingChange> blocks_changed;

  bool empty() const;
  friend bool operator==(const PlanDiff&, const PlanDiff&) = default;
};

PlanDiff DiffPlans(const Plan& from, const Plan& to);

}  // namespace cairn::values
