// Use case: what among a user's notes and tasks has certain words.
#pragma once

#include <string>
#include <vector>

#include "domains/nexus/cards.h"

namespace cairn::nexus {

struct Found {
  enum class Type { kNote, kTask } type = Type::kNote;
  std::string id, title, snippet, updated_at;
  int64_t score = 0;
};

struct SearchResult {
  std::vector<Found> found;  // the best first, of equals the newest
  bool is_cut = false;       // not all was looked at, or more was found
};

// Notes by title, body and tags, tasks by their titles. Looks at 1,000 of each at most (REQ-001-33), the
// newest notes and the open tasks first. Refuses a query without a word.
Task<Decision<SearchResult>> SearchAll(Work& work, std::string query, size_t limit);

}  // namespace cairn::nexus
