// The routes of /api/nexus/notes.
#include "domains/nexus/api/convert.h"
#include "domains/nexus/api/endpoints.h"
#include "domains/nexus/api/task_view.h"
#include "domains/nexus/notes.h"

namespace cairn::nexus {
namespace {

constexpr rest::Rule kNoteTitle{.max = 500};
constexpr rest::Rule kNoteBody{.max = 200'000, .doc = "Markdown."};

struct NoteView {
  std::string note_id;
  std::optional<std::string> title, body;
  std::vector<std::string> tags;
  bool is_pinned = false, is_archived = false;
  int64_t version = 0;
  std::string created_at, updated_at;
};
template <class Fields>
void Describe(Fields& fields, NoteView& note) {
  fields.Name("Note");
  fields.Body("noteId", note.note_id, kId);
  fields.Body("title", note.title, kNoteTitle);
  fields.Body("body", note.body, kNoteBody);
  fields.Body("tags", note.tags, kTagList);
  fields.Body("isPinned", note.is_pinned);
  fields.Body("isArchived", note.is_archived);
  fields.Body("version", note.version);
  fields.Body("createdAt", note.created_at, kInstant);
  fields.Body("updatedAt", note.updated_at, kInstant);
}

NoteView NoteViewOf(const data::Note& note) {
  return {.note_id = note.note_id.value_or(""),
          .title = note.title,
          .body = note.body,
          .tags = ListOf(note.tags),
          .is_pinned = note.is_pinned.value_or(false),
          .is_archived = note.is_archived.value_or(false),
          .version = note.version.value_or(0),
          .created_at = note.created_at.value_or(""),
          .updated_at = note.updated_at.value_or("")};
}

struct NotePath {
  std::string note_id;
};
template <class Fields>
void Describe(Fields& fields, NotePath& path) {
  fields.Path("noteId", path.note_id, kId);
}

struct NewNoteRequest {
  std::optional<std::string> title, body;
  std::optional<std::vector<std::string>> tags;
  std::optional<bool> is_pinned;
};
template <class Fields>
void Describe(Fields& fields, NewNoteRequest& request) {
  fields.Body("title", request.title, {.max = 500, .form = rest::Form::kTitle, .doc = "This, or a body."});
  fields.Body("body", request.body, kNoteBody);
  fields.Body("tags", request.tags, kNewTagList);
  fields.Body("isPinned", request.is_pinned);
}

struct ChangeNoteRequest {
  std::string note_id;
  std::optional<std::optional<std::string>> title, body;
  std::optional<std::optional<std::vector<std::string>>> tags;
};
template <class Fields>
void Describe(Fields& fields, ChangeNoteRequest& request) {
  fields.Path("noteId", request.note_id, kId);
  fields.Body("title", request.title, {.max = 500, .form = rest::Form::kTitle});
  fields.Body("body", request.body, kNoteBody);
  fields.Body("tags", request.tags, kNewTagList);
}

struct NotesQuery {
  std::optional<std::string> tag;
  std::optional<bool> archived;
  PageQuery page;
};
template <class Fields>
void Describe(Fields& fields, NotesQuery& query) {
  fields.Query("tag", query.tag, {.min = 1, .max = kTagBytesMax, .doc = "Only those that have it."});
  fields.Query("archived", query.archived, {.doc = "true: the archive instead of the grid, in no order."});
  DescribePage(fields, query.page);
}

struct NoteListView {
  std::vector<NoteView> items;
  std::optional<std::string> next_cursor;
};
template <class Fields>
void Describe(Fields& fields, NoteListView& list) {
  fields.Name("NoteList");
  fields.Body("items", list.items, {.doc = "Pinned ones first, then the newest."});
  fields.Body("nextCursor", list.next_cursor,
              {.max = 4'000, .doc = "There may be more, also when fewer items came than were asked for."});
}

Task<rest::Reply<NoteView>> PostNote(Nexus& nexus, rest::Call& call, NewNoteRequest request) {
  auto tags = TagsOf(std::move(request.tags).value_or(std::vector<std::string>()));
  if (!tags) co_return Refused(tags.error(), call);
  NewNote wanted{.title = std::move(request.title),
                 .body = std::move(request.body),
                 .tags = *std::move(tags),
                 .is_pinned = request.is_pinned.value_or(false)};
  co_return co_await Finish(
      CreateNote(nexus, call.caller(), std::move(wanted), WitnessOf(call, &NoteViewOf, 201)), call,
      &NoteViewOf);
}

Task<rest::Reply<NoteListView>> GetNotes(Nexus& nexus, rest::Call& call, NotesQuery query) {
  Work work(nexus, call.caller());
  const NoteFilter filter{.shelf = query.archived.value_or(false) ? Shelf::kArchive : Shelf::kGrid,
                          .tag = std::move(query.tag)};
  auto page = co_await ListNotes(work, filter, OptionsOf(query.page));
  if (!page) co_return Refused(page.error(), call);
  NoteListView view{.items = {}, .next_cursor = IfAny(std::move(page->next_cursor))};
  for (const data::Note& note : page->items) view.items.push_back(NoteViewOf(note));
  co_return rest::Answer(std::move(view));
}

Task<rest::Reply<NoteView>> GetNote(Nexus& nexus, rest::Call& call, NotePath path) {
  Work work(nexus, call.caller());
  auto note = co_await LoadNote(work, std::move(path.note_id));
  if (!note) co_return Refused(note.error(), call);
  co_return AnswerOf(*note, &NoteViewOf);
}

Task<rest::Reply<NoteView>> Apply(Nexus& nexus, rest::Call& call, std::string note_id, ChangeNote changes) {
  co_return co_await Finish(ApplyNote(nexus, call.caller(), std::move(note_id), std::move(changes),
                                      SeenOf(call), WitnessOf(call, &NoteViewOf)),
                            call, &NoteViewOf);
}

Task<rest::Reply<NoteView>> PatchNote(Nexus& nexus, rest::Call& call, ChangeNoteRequest request) {
  ChangeNote changes{.title = std::move(request.title),
                     .body = std::move(request.body),
                     .tags = {},
                     .is_pinned = {},
                     .is_archived = {}};
  if (request.tags) {
    auto tags = TagsOf(request.tags->value_or(std::vector<std::string>()));
    if (!tags) co_return Refused(tags.error(), call);
    changes.tags = *std::move(tags);
  }
  co_return co_await Apply(nexus, call, std::move(request.note_id), std::move(changes));
}

Task<rest::Reply<NoteView>> PostPin(Nexus& nexus, rest::Call& call, NotePath path) {
  ChangeNote changes;
  changes.is_pinned = true;
  co_return co_await Apply(nexus, call, std::move(path.note_id), std::move(changes));
}
Task<rest::Reply<NoteView>> PostUnpin(Nexus& nexus, rest::Call& call, NotePath path) {
  ChangeNote changes;
  changes.is_pinned = false;
  co_return co_await Apply(nexus, call, std::move(path.note_id), std::move(changes));
}
Task<rest::Reply<NoteView>> PostArchive(Nexus& nexus, rest::Call& call, NotePath path) {
  ChangeNote changes;
  changes.is_archived = true;
  co_return co_await Apply(nexus, call, std::move(path.note_id), std::move(changes));
}
Task<rest::Reply<NoteView>> PostUnarchive(Nexus& nexus, rest::Call& call, NotePath path) {
  ChangeNote changes;
  changes.is_archived = false;
  co_return co_await Apply(nexus, call, std::move(path.note_id), std::move(changes));
}

Task<rest::Reply<rest::Nothing>> RemoveNote(Nexus& nexus, rest::Call& call, NotePath path) {
  auto deleted = co_await DeleteNote(nexus, call.caller(), std::move(path.note_id), SeenOf(call),
                                     SilentWitnessOf<data::Note>(call));
  if (!deleted) co_return Refused(deleted.error(), call);
  co_return rest::Answer(rest::Nothing());
}

}  // namespace

// clang-format off
std::vector<rest::Endpoint> NoteEndpoints(Nexus& nexus) {
  return {
    Route(nexus, Creating("/api/nexus/notes", "createNote", "A new note"), &PostNote),
    Route(nexus, Reading("/api/nexus/notes", "listNotes", "The grid of notes, pinned first, newest first; or the archive"), &GetNotes),
    Route(nexus, ReadingOne("/api/nexus/notes/{noteId}", "readNote", "One note"), &GetNote),
    Route(nexus, Changing("PATCH", "/api/nexus/notes/{noteId}", "changeNote", "Change some of its fields; null clears"), &PatchNote),
    Route(nexus, Deleting("/api/nexus/notes/{noteId}", "deleteNote", "Delete a note"), &RemoveNote),
    Route(nexus, Doing("/api/nexus/notes/{noteId}/pin", "pinNote", "Before all that are not pinned"), &PostPin),
    Route(nexus, Doing("/api/nexus/notes/{noteId}/unpin", "unpinNote", "Among the others again"), &PostUnpin),
    Route(nexus, Doing("/api/nexus/notes/{noteId}/archive", "archiveNote", "Out of the grid, into the archive"), &PostArchive),
    Route(nexus, Doing("/api/nexus/notes/{noteId}/unarchive", "unarchiveNote", "Back into the grid"), &PostUnarchive),
  };
}
// clang-format on

}  // namespace cairn::nexus
