// What the texts of a node may be: ids, titles, notes, moments. Used by the rules of a whole tree and by the
// operations that bring new texts in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cairn::values {

// Each gives the sentence that says what is wrong, or nothing. An id is 1 to 256 bytes of printable ASCII
// without space, !, " and #, so that it cannot forge a key.
std::optional<std::string> IdFault(std::string_view id);
std::optional<std::string> TitleFault(std::string_view title);
std::optional<std::string> NotesFault(std::string_view notes);

// A moment as it is stored, 2026-11-15T19:42:30.123Z, from any ISO 8601 instant; nothing for other texts.
std::optional<std::string> StoredMoment(std::string_view text);

}  // namespace cairn::values
