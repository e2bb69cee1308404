// Use case: what among a user's notes, tasks, events and series has certain words.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "domains/nexus/cards.h"

namespace cairn::nexus {

struct Found {
  enum class Type { kNote, kTask, kEvent, kMaster } type = Type::kNote;
  std::string id, title, snippet, updated_at;
  std::optional<std::string> start_utc =
      {};  // of an event; of a series, its beginning; of a task, when it is due
  int64_t score = 0;
};

struct SearchResult {
  std::vector<Found> found;  // the best first, of equals the newest
  bool is_cut = false;       // not all was looked at, or more was found
};

struct SearchRequest {
  std::string query;
  std::set<Found::Type> types = {};  // none: all
  size_t limit = 50;
};
// Notes by title, body and tags, tasks by their titles, events and series by title, place, description and
// tags. A series is one hit, whatever occurrences it has. Looks at 1,000 notes and tasks at most
// (REQ-001-33), the newest notes and the open tasks first, and at 5,000 events and series each, in no order.
// Refuses a query without a word.
Task<Decision<SearchResult>> SearchAll(Work& work, SearchRequest request);

}  // namespace cairn::nexus
