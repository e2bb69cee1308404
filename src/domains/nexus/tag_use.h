// Use cases: which tags a person uses, and taking one of them away from everything that has it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domains/nexus/work.h"

namespace cairn::nexus {

struct TagUse {
  std::string tag;
  int64_t items = 0;  // events, series, tasks and notes that have it; a series counts once
};
struct TagList {
  std::vector<TagUse> tags;  // in byte order
  bool is_cut = false;       // there is more than a request looks at
};
Task<Decision<TagList>> ListTags(Work& work);

struct TagRemoval {
  int64_t changed = 0;      // items that had it; a series counts once, its occurrences change with it
  std::string next_cursor;  // empty: that was all
};
// Every item changes on its own, with a version of its own. No item is begun after ten seconds: then the same
// with the cursor goes on, and so does beginning again. Refuses a cursor that is not of this removal.
Task<Decision<TagRemoval>> RemoveTag(Nexus& nexus, model::Caller caller, std::string tag, std::string cursor);

}  // namespace cairn::nexus
