// Use case: what has changed since a client last asked: for those that keep a copy of their own.
//
// Read from the stream of the table, which is kept for a day. A token is a place in it, sealed to its user.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domains/nexus/nexus.h"

namespace cairn::nexus {

inline constexpr std::string_view kTokenTooOld = "sync-token-too-old";

struct Change {
  std::string entity_type, id;      // "TASK", "task_..."
  std::optional<std::string> json;  // as it is now, without what is secret; none: it was deleted
  std::optional<int64_t> version;
};
struct Changes {
  std::vector<Change> items;  // each once, in the order of their last change
  std::string next_token;
  bool has_more = false;  // ask again at once
};
// Without a token: the token of now. At most `limit` items, and a bounded part of the stream. Refuses with
// kTokenTooOld (kTrimmedData) when something may be missing.
Task<Decision<Changes>> ReadChanges(Nexus& nexus, model::Caller caller, std::optional<std::string> since,
                                    size_t limit);

}  // namespace cairn::nexus
