#include "domains/nexus/search.h"

#include <algorithm>

#include "base/slice.h"
#include "base/utf8.h"
#include "domains/nexus/tags.h"
#include "domains/nexus/word_match.h"

namespace cairn::nexus {
namespace {

using model::typed::PageOptions;

constexpr int64_t kInspectedMax = 1'000;  // of notes in the grid, of those in the archive, of tasks
constexpr int64_t kPageMax = 100;
// Of bodies in one request: a search must not hold up its thread for long.
constexpr size_t kTextBytesMax = 16 << 20;
constexpr TaskStatus kOrder[] = {TaskStatus::kInProgress, TaskStatus::kTodo, TaskStatus::kBlocked,
                                 TaskStatus::kBacklog,    TaskStatus::kDone, TaskStatus::kArchived};

class SearchRun {
 public:
  SearchRun(Work& work, const std::vector<Word>& wanted) : work_(work), wanted_(wanted) {}

  Task<Decision<SearchResult>> Run(size_t limit) {
    auto grid = co_await LookAtGrid();
    if (!grid) co_return std::unexpected(std::move(grid).error());
    auto archive = co_await LookAtArchive();
    if (!archive) co_return std::unexpected(std::move(archive).error());
    auto tasks = co_await LookAtTasks();
    if (!tasks) co_return std::unexpected(std::move(tasks).error());
    std::ranges::sort(result_.found, [](const Found& a, const Found& b) {
      if (a.score != b.score) return a.score > b.score;
      if (a.updated_at != b.updated_at) return a.updated_at > b.updated_at;
      return a.id < b.id;
    });
    if (result_.found.size() > limit) {
      result_.is_cut = true;
      result_.found.resize(limit);
    }
    co_return std::move(result_);
  }

 private:
  Task<Decision<void>> LookAtGrid() {
    int64_t inspected = 0;
    PageOptions options{.limit = kPageMax, .cursor = {}};
    do {
      if (IsEnough(inspected)) break;
      options.limit = std::min(kPageMax, kInspectedMax - inspected);
      auto page = co_await data::ReadNotesGrid(work_.session(), options);
      if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
      for (const data::Note& note : page->items) {
        Look(note);
        co_await Breathe();
      }
      inspected += static_cast<int64_t>(page->items.size());
      options.cursor = std::move(page->next_cursor);
      co_await Breathe();
    } while (!options.cursor.empty());
    co_return Decision<void>();
  }

  // The archive has no index of its own.
  Task<Decision<void>> LookAtArchive() {
    int64_t inspected = 0;
    PageOptions options{.limit = kPageMax, .cursor = {}};
    do {
      if (IsEnough(inspected)) break;
      options.limit = std::min(kPageMax, kInspectedMax - inspected);
      auto page = co_await data::ReadNotes(work_.session(), options);
      if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
      for (const data::Note& note : page->items) {
        if (note.is_archived.value_or(false)) Look(note);
        co_await Breathe();
      }
      inspected += static_cast<int64_t>(page->items.size());
      options.cursor = std::move(page->next_cursor);
      co_await Breathe();
    } while (!options.cursor.empty());
    co_return Decision<void>();
  }

  Task<Decision<void>> LookAtTasks() {
    int64_t inspected = 0;
    for (const TaskStatus status : kOrder) {
      const data::KanbanColumnParameters parameters{.status = status};
      PageOptions options{.limit = kPageMax, .cursor = {}};
      do {
        if (inspected >= kInspectedMax && !co_await IsColumnEmpty(parameters, options)) {
          result_.is_cut = true;
          co_return Decision<void>();
        }
        if (inspected >= kInspectedMax) break;
        options.limit = std::min(kPageMax, kInspectedMax - inspected);
        auto page = co_await data::ReadKanbanColumn(work_.session(), parameters, options);
        if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
        for (const data::Task& task : page->items) {
          Look(task);
          co_await Breathe();
        }
        inspected += static_cast<int64_t>(page->items.size());
        options.cursor = std::move(page->next_cursor);
      } while (!options.cursor.empty());
    }
    co_return Decision<void>();
  }

  // Whether anything was left out by stopping before this column.
  Task<bool> IsColumnEmpty(const data::KanbanColumnParameters& parameters, const PageOptions& from) {
    const PageOptions one{.limit = 1, .cursor = from.cursor};
    auto page = co_await data::ReadKanbanColumn(work_.session(), parameters, one);
    co_return page && page->items.empty();
  }

  bool IsEnough(int64_t inspected) {
    if (inspected < kInspectedMax && text_bytes_ < kTextBytesMax) return false;
    result_.is_cut = true;
    return true;
  }

  void Look(const data::Note& note) {
    static const std::string kNone;
    const std::string& title = note.title ? *note.title : kNone;
    const std::string& body = note.body ? *note.body : kNone;
    text_bytes_ += body.size();
    Findable findable{.title = title, .body = body, .tags = {}};
    if (note.tags) findable.tags.assign(note.tags->begin(), note.tags->end());
    const Hit hit = wanted_.In(findable);
    if (hit.score == 0) return;
    result_.found.push_back({.type = Found::Type::kNote,
                             .id = *note.note_id,
                             .title = title.empty() ? SnippetOf(body, 0) : title,
                             .snippet = SnippetOf(body, hit.body_offset),
                             .updated_at = note.updated_at.value_or(""),
                             .score = hit.score});
  }

  void Look(const data::Task& task) {
    const Hit hit = wanted_.In({.title = task.title, .body = "", .tags = {}});
    if (hit.score == 0) return;
    result_.found.push_back({.type = Found::Type::kTask,
                             .id = *task.task_id,
                             .title = task.title,
                             .snippet = SnippetOf(task.description.value_or(""), 0),
                             .updated_at = task.updated_at.value_or(""),
                             .score = hit.score});
  }

  Work& work_;
  const WordSearch wanted_;
  SearchResult result_;
  size_t text_bytes_ = 0;
};

}  // namespace

Task<Decision<SearchResult>> SearchAll(Work& work, std::string query, size_t limit) {
  const std::vector<Word> wanted = WordsOf(query);
  if (wanted.empty()) co_return RefuseField("q", "must have a letter or a digit");
  SearchRun run(work, wanted);
  co_return co_await run.Run(limit);
}

}  // namespace cairn::nexus
