#include "domains/nexus/search.h"

#include <algorithm>

#include "base/slice.h"
#include "base/utf8.h"
#include "domains/nexus/tags.h"
#include "domains/nexus/word_match.h"

namespace cairn::nexus {
namespace {

using model::typed::PageOptions;

constexpr int64_t kInspectedMax = 1'000;        // of notes in the grid, of those in the archive, of tasks
constexpr int64_t kEventsInspectedMax = 5'000;  // they are small; as many series
constexpr int64_t kPageMax = 100;
// Of bodies in one request: a search must not hold up its thread for long.
constexpr size_t kTextBytesMax = 16 << 20;
constexpr TaskStatus kOrder[] = {TaskStatus::kInProgress, TaskStatus::kTodo, TaskStatus::kBlocked,
                                 TaskStatus::kBacklog,    TaskStatus::kDone, TaskStatus::kArchived};

class SearchRun {
 public:
  SearchRun(Work& work, const std::vector<Word>& wanted) : work_(work), wanted_(wanted) {}

  Task<Decision<SearchResult>> Run(const std::set<Found::Type>& types, size_t limit) {
    const auto wants = [&](Found::Type type) { return types.empty() || types.contains(type); };
    Decision<void> looked;
    if (wants(Found::Type::kNote)) looked = co_await LookAtGrid();
    if (looked && wants(Found::Type::kNote)) looked = co_await LookAtArchive();
    if (looked && wants(Found::Type::kTask)) looked = co_await LookAtTasks();
    if (looked && wants(Found::Type::kMaster))
      looked = co_await LookAtAll(&data::ReadMasters<model::Session>);
    if (looked && wants(Found::Type::kEvent)) looked = co_await LookAtAll(&data::ReadEvents<model::Session>);
    if (!looked) co_return std::unexpected(std::move(looked).error());
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

  // Events and series have no index that leads to each once in an order worth having.
  template <class Read>
  Task<Decision<void>> LookAtAll(Read read) {
    int64_t inspected = 0;
    PageOptions options{.limit = kPageMax, .cursor = {}};
    do {
      if (inspected >= kEventsInspectedMax || text_bytes_ >= kTextBytesMax) {
        result_.is_cut = true;
        break;
      }
      auto page = co_await read(work_.session(), options);
      if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
      for (const auto& item : page->items) {
        Look(item);
        co_await Breathe();
      }
      inspected += static_cast<int64_t>(page->items.size());
      options.cursor = std::move(page->next_cursor);
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
                             .start_utc = task.due_utc,
                             .score = hit.score});
  }

  void Look(const data::Event& event) { LookAtEvent(event, Found::Type::kEvent, *event.event_id); }
  void Look(const data::Master& master) {
    // That of a recurring task is found as its copies.
    if (master.target_type == data::SeriesTarget::kTask) return;
    LookAtEvent(master, Found::Type::kMaster, *master.master_id);
  }

  template <class T>
  void LookAtEvent(const T& event, Found::Type type, const std::string& id) {
    std::string body = event.description.value_or("");
    if (event.location) body = body.empty() ? *event.location : *event.location + "\n" + body;
    text_bytes_ += body.size();
    Findable findable{.title = event.title, .body = body, .tags = {}};
    if (event.tags) findable.tags.assign(event.tags->begin(), event.tags->end());
    const Hit hit = wanted_.In(findable);
    if (hit.score == 0) return;
    result_.found.push_back({.type = type,
                             .id = id,
                             .title = event.title,
                             .snippet = SnippetOf(body, hit.body_offset),
                             .updated_at = event.updated_at.value_or(""),
                             .start_utc = event.start_utc,
                             .score = hit.score});
  }

  Work& work_;
  const WordSearch wanted_;
  SearchResult result_;
  size_t text_bytes_ = 0;
};

}  // namespace

Task<Decision<SearchResult>> SearchAll(Work& work, SearchRequest request) {
  const std::vector<Word> wanted = WordsOf(request.query);
  if (wanted.empty()) co_return RefuseField("q", "must have a letter or a digit");
  SearchRun run(work, wanted);
  co_return co_await run.Run(request.types, request.limit);
}

}  // namespace cairn::nexus
