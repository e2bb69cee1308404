// Use cases: the board, column by column, and lists of tasks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/nexus/cards.h"

namespace cairn::nexus {

struct BoardColumn {
  data::Column column;
  std::vector<data::Task> cards;  // by priority, and inside one by their ranks
  std::string next_cursor;        // "": that was all
  // All of them, or as many as had to be counted to know whether they are too many.
  int64_t count = 0;
  bool is_over_limit = false;
};

// The columns of the settings, each from its beginning.
Task<Decision<std::vector<BoardColumn>>> ReadBoard(Work& work);
// One column, also one that the settings do not show.
Task<Decision<BoardColumn>> ReadColumn(Work& work, TaskStatus status, model::typed::PageOptions page);

struct TaskFilter {
  std::optional<TaskStatus> status;
  std::optional<int64_t> priority;
};
// Without a status in no order of meaning, but one that moving cards does not change.
Task<Decision<model::typed::Page<data::Task>>> ListTasks(Work& work, TaskFilter filter,
                                                         model::typed::PageOptions page);

}  // namespace cairn::nexus
