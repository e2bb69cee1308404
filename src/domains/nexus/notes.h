// Use cases: notes, pinned ones first, and their archive.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/nexus/tags.h"
#include "domains/nexus/work.h"

namespace cairn::nexus {

struct NewNote {
  std::optional<std::string> title, body;
  Tags tags;
  bool is_pinned = false;
};
Task<Decision<data::Note>> CreateNote(Nexus& nexus, model::Caller caller, NewNote request,
                                      Witness<data::Note> witness);

// What is not a possible id is not there either.
Task<Decision<data::Note>> LoadNote(Work& work, std::string note_id, SeenVersion seen = {});

// Absent: stays. A note keeps a title or a body.
struct ChangeNote {
  std::optional<std::optional<std::string>> title, body;
  std::optional<Tags> tags;
  std::optional<bool> is_pinned, is_archived;
};
Task<Decision<data::Note>> ApplyNote(Nexus& nexus, model::Caller caller, std::string note_id,
                                     ChangeNote changes, SeenVersion seen, Witness<data::Note> witness);

Task<Decision<data::Note>> DeleteNote(Nexus& nexus, model::Caller caller, std::string note_id,
                                      SeenVersion seen, Witness<data::Note> witness);

// The grid: pinned first, then the newest. The archive has no index of its own and comes in no order. Where
// most notes do not match, a page may have fewer items than asked for and still a cursor: no request looks at
// more than a thousand.
enum class Shelf { kGrid, kArchive };
struct NoteFilter {
  Shelf shelf = Shelf::kGrid;
  std::optional<std::string> tag;
};
Task<Decision<model::typed::Page<data::Note>>> ListNotes(Work& work, NoteFilter filter,
                                                         model::typed::PageOptions page);

}  // namespace cairn::nexus
