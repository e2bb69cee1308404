#include "domains/nexus/api/board_routes.h"

#include "domains/nexus/board.h"

namespace cairn::nexus {
namespace {

BoardColumnView ColumnViewOf(BoardColumn& column) {
  BoardColumnView view{.status = column.column.status,
                       .title = column.column.title,
                       .limit = column.column.limit,
                       .count = column.count,
                       .is_over_limit = column.is_over_limit,
                       .cards = {},
                       .next_cursor = IfAny(std::move(column.next_cursor))};
  for (const data::Task& card : column.cards) view.cards.push_back(ViewOf(card));
  return view;
}

}  // namespace

Task<rest::Reply<BoardView>> GetBoard(Nexus& nexus, rest::Call& call, BoardQuery query) {
  Work work(nexus, call.caller());
  BoardView view;
  if (!query.column) {
    if (query.page.cursor || query.page.limit) {
      const auto refused = RefuseField(query.page.cursor ? "cursor" : "limit",
                                       "goes with ?column=: pages are those of one column");
      co_return Refused(refused.error(), call);
    }
    auto board = co_await ReadBoard(work);
    if (!board) co_return Refused(board.error(), call);
    for (BoardColumn& column : *board) view.columns.push_back(ColumnViewOf(column));
    co_return rest::Answer(std::move(view));
  }
  const model::typed::PageOptions options{.limit = query.page.limit.value_or(100),
                                          .cursor = query.page.cursor.value_or("")};
  auto column = co_await ReadColumn(work, *query.column, options);
  if (!column) co_return Refused(column.error(), call);
  view.columns.push_back(ColumnViewOf(*column));
  co_return rest::Answer(std::move(view));
}

Task<rest::Reply<TaskListView>> GetTasks(Nexus& nexus, rest::Call& call, TaskListQuery query) {
  Work work(nexus, call.caller());
  const TaskFilter filter{.status = query.status, .priority = query.priority};
  auto page = co_await ListTasks(work, filter, OptionsOf(query.page));
  if (!page) co_return Refused(page.error(), call);
  TaskListView view{.items = {}, .next_cursor = IfAny(std::move(page->next_cursor))};
  for (const data::Task& task : page->items) view.items.push_back(ViewOf(task));
  co_return rest::Answer(std::move(view));
}

}  // namespace cairn::nexus
