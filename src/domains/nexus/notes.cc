#include "domains/nexus/notes.h"

#include <algorithm>

namespace cairn::nexus {
namespace {

using model::typed::PageOptions;
using NotePage = model::typed::Page<data::Note>;

constexpr int64_t kPageDefault = 50;
constexpr int64_t kInspectedMax = 1'000;  // REQ-001-33

Decision<void> CheckContent(const data::Note& note) {
  const bool has_title = note.title && !note.title->empty();
  const bool has_body = note.body && !note.body->empty();
  if (has_title || has_body) return {};
  return RefuseField("body", "a note needs a title or a body");
}

// "" is as good as nothing.
std::optional<std::string> TextOrNone(std::optional<std::string> text) {
  return text && text->empty() ? std::nullopt : std::move(text);
}

Task<Decision<data::Note>> Finish(Work& work, data::Note result, const Witness<data::Note>& witness) {
  return work.Publish(Decision<data::Note>(std::move(result)), witness);
}

Task<Decision<data::Note>> ApplyOnce(Nexus& nexus, const model::Caller& caller, const std::string& note_id,
                                     const ChangeNote& changes, SeenVersion seen,
                                     const Witness<data::Note>& witness) {
  Work work(nexus, caller);
  const auto before = co_await LoadNote(work, note_id, seen);
  if (!before) co_return before;
  data::Note after = *before;
  if (changes.title) after.title = TextOrNone(*changes.title);
  if (changes.body) after.body = TextOrNone(*changes.body);
  if (changes.tags) after.tags = *changes.tags;
  if (changes.is_pinned) after.is_pinned = changes.is_pinned;
  if (changes.is_archived) after.is_archived = changes.is_archived;
  if (after == *before) co_return co_await Finish(work, std::move(after), witness);
  CO_RETURN_IF_ERROR(CheckContent(after));
  auto staged = work.StageChange(std::move(after));
  if (!staged) co_return staged;
  co_return co_await Finish(work, *std::move(staged), witness);
}

Task<Decision<data::Note>> DeleteOnce(Nexus& nexus, const model::Caller& caller, const std::string& note_id,
                                      SeenVersion seen, const Witness<data::Note>& witness) {
  Work work(nexus, caller);
  auto note = co_await LoadNote(work, note_id, seen);
  if (!note) co_return note;
  auto staged = work.StageDelete(*note);
  if (!staged) co_return std::unexpected(std::move(staged).error());
  co_return co_await Finish(work, *std::move(note), witness);
}

Task<Decision<NotePage>> ReadShelf(Work& work, Shelf shelf, const PageOptions& options) {
  if (shelf == Shelf::kGrid) {
    auto page = co_await data::ReadNotesGrid(work.session(), options);
    if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
    co_return *std::move(page);
  }
  auto page = co_await data::ReadNotes(work.session(), options);
  if (!page) co_return std::unexpected(Refusal(std::move(page).error()));
  co_return *std::move(page);
}

bool Matches(const data::Note& note, const NoteFilter& filter) {
  if (filter.tag && !HasTag(note.tags, *filter.tag)) return false;
  return note.is_archived.value_or(false) == (filter.shelf == Shelf::kArchive);
}

}  // namespace

Task<Decision<data::Note>> CreateNote(Nexus& nexus, model::Caller caller, NewNote request,
                                      Witness<data::Note> witness) {
  Work work(nexus, caller);
  data::Note note;
  note.title = TextOrNone(std::move(request.title));
  note.body = TextOrNone(std::move(request.body));
  note.tags = std::move(request.tags);
  note.is_pinned = request.is_pinned;
  CO_RETURN_IF_ERROR(CheckContent(note));
  auto created = work.StageNew(note);
  if (!created) co_return created;
  co_return co_await Finish(work, *std::move(created), witness);
}

Task<Decision<data::Note>> LoadNote(Work& work, std::string note_id, SeenVersion seen) {
  const data::NoteKey key{.note_id = std::move(note_id)};
  auto note = co_await work.Load<data::Note>(key, seen);
  if (!note && note.error().code == Code::kInvalidArgument) co_return RefuseUnknown("There is no such Note");
  co_return note;
}

Task<Decision<data::Note>> ApplyNote(Nexus& nexus, model::Caller caller, std::string note_id,
                                     ChangeNote changes, SeenVersion seen, Witness<data::Note> witness) {
  for (int attempt = 1;; ++attempt) {
    auto applied = co_await ApplyOnce(nexus, caller, note_id, changes, seen, witness);
    if (applied || attempt == kAttemptsMax || !IsWorthAnotherTry(applied.error(), seen)) co_return applied;
  }
}

Task<Decision<data::Note>> DeleteNote(Nexus& nexus, model::Caller caller, std::string note_id,
                                      SeenVersion seen, Witness<data::Note> witness) {
  for (int attempt = 1;; ++attempt) {
    auto deleted = co_await DeleteOnce(nexus, caller, note_id, seen, witness);
    if (deleted || attempt == kAttemptsMax || !IsWorthAnotherTry(deleted.error(), seen)) co_return deleted;
  }
}

Task<Decision<NotePage>> ListNotes(Work& work, NoteFilter filter, PageOptions page) {
  const int64_t limit = page.limit.value_or(kPageDefault);
  NotePage matching;
  matching.next_cursor = std::move(page.cursor);
  // Never more than are still wanted, so that what a page leaves over is where the next one begins.
  do {
    const PageOptions rest{.limit = limit - static_cast<int64_t>(matching.items.size()),
                           .cursor = matching.next_cursor};
    auto found = co_await ReadShelf(work, filter.shelf, rest);
    if (!found) co_return std::unexpected(std::move(found).error());
    matching.inspected += static_cast<int64_t>(found->items.size());
    matching.next_cursor = std::move(found->next_cursor);
    for (data::Note& note : found->items) {
      if (!Matches(note, filter)) continue;
      matching.bytes += note.body ? note.body->size() : 0;
      matching.items.push_back(std::move(note));
    }
  } while (!matching.next_cursor.empty() && static_cast<int64_t>(matching.items.size()) < limit &&
           matching.bytes < model::kPageBytesMax / 2 && matching.inspected < kInspectedMax);
  co_return matching;
}

}  // namespace cairn::nexus
