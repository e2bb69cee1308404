#include "domains/nexus/board.h"

#include <algorithm>
#include <charconv>

#include "domains/nexus/settings.h"

namespace cairn::nexus {
namespace {

using model::typed::PageOptions;
using TaskPage = model::typed::Page<data::Task>;

constexpr int64_t kPageMax = 100;

Task<Decision<TaskPage>> PageOf(Work& work, TaskStatus status, PageOptions options) {
  const data::KanbanColumnParameters parameters{.status = status};
  auto page = co_await data::ReadKanbanColumn(work.session(), parameters, options);
  if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
  co_return *std::move(page);
}

// A limit may be far above what one page shows.
Task<Decision<int64_t>> CountBeyond(Work& work, TaskStatus status, const TaskPage& first, int64_t enough) {
  auto count = static_cast<int64_t>(first.items.size());
  PageOptions options{.limit = kPageMax, .cursor = first.next_cursor};
  while (count < enough && !options.cursor.empty()) {
    auto page = co_await PageOf(work, status, options);
    if (!page) co_return std::unexpected(std::move(page).error());
    count += static_cast<int64_t>(page->items.size());
    options.cursor = page->next_cursor;
  }
  co_return count;
}

Task<Decision<BoardColumn>> FillColumn(Work& work, data::Column column, PageOptions options) {
  const bool from_beginning = options.cursor.empty();
  const TaskStatus status = column.status;
  auto page = co_await PageOf(work, status, options);
  if (!page) co_return std::unexpected(std::move(page).error());
  BoardColumn filled{.column = std::move(column),
                     .cards = {},
                     .next_cursor = page->next_cursor,
                     .count = static_cast<int64_t>(page->items.size())};
  if (const auto limit = filled.column.limit) {
    if (from_beginning) {
      auto count = co_await CountBeyond(work, status, *page, *limit + 1);
      if (!count) co_return std::unexpected(std::move(count).error());
      filled.count = *count;
    }
    filled.is_over_limit = filled.count > *limit;
  }
  filled.cards = std::move(page->items);
  co_return filled;
}

// The groups of one priority, status by status: the cursor says in which one the page before ended, and how
// that one goes on.
struct GroupCursor {
  size_t status = 0;
  std::string inner;
};
std::optional<GroupCursor> ParseCursor(std::string_view text) {
  GroupCursor cursor;
  if (text.empty()) return cursor;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cursor.status);
  const bool is_one = error == std::errc() && end != text.data() + text.size() && *end == '.' &&
                      cursor.status < data::TextsOf(TaskStatus()).size();
  if (!is_one) return std::nullopt;
  cursor.inner = std::string(end + 1, text.data() + text.size());
  return cursor;
}

Task<Decision<TaskPage>> ListOfPriority(Work& work, int64_t priority, PageOptions options) {
  auto cursor = ParseCursor(options.cursor);
  if (!cursor) co_return RefuseField("cursor", "is not a cursor of this list: begin again without it");
  const auto limit = static_cast<size_t>(options.limit.value_or(kPageMax));
  TaskPage all;
  for (; cursor->status < data::TextsOf(TaskStatus()).size(); ++cursor->status, cursor->inner.clear()) {
    if (all.items.size() == limit) {
      all.next_cursor = std::to_string(cursor->status) + ".";
      break;
    }
    const data::KanbanColumnOfPriorityParameters parameters{.status = static_cast<TaskStatus>(cursor->status),
                                                            .priority = priority};
    if (all.bytes >= model::kPageBytesMax) {
      all.next_cursor = std::to_string(cursor->status) + "." + cursor->inner;
      break;
    }
    const PageOptions rest{.limit = static_cast<int64_t>(limit - all.items.size()),
                           .cursor = cursor->inner,
                           .bytes_max = model::kPageBytesMax - all.bytes};
    auto page = co_await data::ReadKanbanColumnOfPriority(work.session(), parameters, rest);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    std::ranges::move(page->items, std::back_inserter(all.items));
    all.bytes += page->bytes;
    if (!page->next_cursor.empty()) {
      all.next_cursor = std::to_string(cursor->status) + "." + page->next_cursor;
      break;
    }
  }
  co_return all;
}

}  // namespace

Task<Decision<std::vector<BoardColumn>>> ReadBoard(Work& work) {
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  std::vector<BoardColumn> board;
  const size_t columns = std::max<size_t>(1, settings->columns->size());
  for (data::Column& column : *settings->columns) {
    const PageOptions options{.limit = kPageMax, .cursor = {}, .bytes_max = model::kPageBytesMax / columns};
    auto filled = co_await FillColumn(work, std::move(column), options);
    if (!filled) co_return std::unexpected(std::move(filled).error());
    board.push_back(*std::move(filled));
  }
  co_return board;
}

Task<Decision<BoardColumn>> ReadColumn(Work& work, TaskStatus status, PageOptions page) {
  auto settings = co_await ReadSettings(work);
  if (!settings) co_return std::unexpected(std::move(settings).error());
  data::Column column{.status = status, .title = std::string(data::ToText(status)), .limit = {}};
  for (const data::Column& shown : *settings->columns) {
    if (shown.status == status) column = shown;
  }
  co_return co_await FillColumn(work, std::move(column), std::move(page));
}

Task<Decision<TaskPage>> ListTasks(Work& work, TaskFilter filter, PageOptions page) {
  if (filter.status && filter.priority) {
    const data::KanbanColumnOfPriorityParameters parameters{.status = *filter.status,
                                                            .priority = *filter.priority};
    auto found = co_await data::ReadKanbanColumnOfPriority(work.session(), parameters, page);
    if (!found) co_return std::unexpected(Refusal(std::move(found).error()));
    co_return *std::move(found);
  }
  if (filter.status) co_return co_await PageOf(work, *filter.status, std::move(page));
  if (filter.priority) co_return co_await ListOfPriority(work, *filter.priority, std::move(page));
  auto found = co_await data::ReadTasks(work.session(), page);
  if (!found) co_return std::unexpected(Refusal(std::move(found).error()));
  co_return *std::move(found);
}

}  // namespace cairn::nexus
