// The board and the list of tasks, as clients see them. For the table in task_routes.cc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/nexus/api/task_view.h"

namespace cairn::nexus {

struct BoardQuery {
  std::optional<data::TaskStatus> column;
  PageQuery page;
};
template <class Fields>
void Describe(Fields& fields, BoardQuery& query) {
  fields.Query("column", query.column, {.doc = "Only this one, page by page."});
  fields.Query("limit", query.page.limit,
               {.min = 1, .max = 100, .doc = "Cards of one column; 100 unless said."});
  fields.Query("cursor", query.page.cursor, {.min = 1, .max = 4'000, .doc = "nextCursor of that column."});
}

struct BoardColumnView {
  data::TaskStatus status{};
  std::string title;
  std::optional<int64_t> limit;
  int64_t count = 0;
  bool is_over_limit = false;
  std::vector<TaskView> cards;
  std::optional<std::string> next_cursor;
};
template <class Fields>
void Describe(Fields& fields, BoardColumnView& column) {
  fields.Name("BoardColumnCards");
  fields.Body("status", column.status);
  fields.Body("title", column.title, {.min = 1, .max = 60});
  fields.Body("limit", column.limit, {.min = 1, .max = 1'000, .doc = "Cards it should not exceed."});
  fields.Body("count", column.count, {.min = 0, .doc = "Cards in it; with nextCursor at least so many."});
  fields.Body("isOverLimit", column.is_over_limit, {.doc = "A warning: nothing is refused."});
  fields.Body("cards", column.cards, {.max = 100, .doc = "By priority, then by rank."});
  fields.Body("nextCursor", column.next_cursor, {.max = 4'000, .doc = "For ?column= and ?cursor=."});
}
struct BoardView {
  std::vector<BoardColumnView> columns;
};
template <class Fields>
void Describe(Fields& fields, BoardView& board) {
  fields.Name("Board");
  fields.Body("columns", board.columns, {.doc = "As the settings say, from left to right."});
}
Task<rest::Reply<BoardView>> GetBoard(Nexus& nexus, rest::Call& call, BoardQuery query);

struct TaskListQuery {
  std::optional<data::TaskStatus> status;
  std::optional<int64_t> priority;
  PageQuery page;
};
template <class Fields>
void Describe(Fields& fields, TaskListQuery& query) {
  fields.Query("status", query.status);
  fields.Query("priority", query.priority, kPriority);
  DescribePage(fields, query.page);
}
struct TaskListView {
  std::vector<TaskView> items;
  std::optional<std::string> next_cursor;
};
template <class Fields>
void Describe(Fields& fields, TaskListView& list) {
  fields.Name("TaskList");
  fields.Body("items", list.items);
  fields.Body("nextCursor", list.next_cursor, {.max = 4'000});
}
Task<rest::Reply<TaskListView>> GetTasks(Nexus& nexus, rest::Call& call, TaskListQuery query);

}  // namespace cairn::nexus
