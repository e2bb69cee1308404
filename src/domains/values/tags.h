// Use cases: names for revisions.
#pragma once

#include <string>

#include "domains/values/values.h"

namespace cairn::values {

using Tag = models::values::ValuesTag;

struct PutTag {
  std::string name;
  std::string rev_id;
};
// Sets or moves a name. An unknown revision is not found.
Task<Decision<Tag>> Put(Values& values, model::Caller caller, PutTag request, Witness<Tag> witness);

// Removes a name; the revision stays. An unknown name is not found.
Task<Decision<Tag>> RemoveTag(Values& values, model::Caller caller, std::string name, Witness<Tag> witness);

struct TagPage {
  std::vector<Tag> tags;
  std::string next_cursor;
};
Task<Decision<TagPage>> ReadTags(model::Session& session, PageOf page);
// The revision of a name; refused when there is none.
Task<Decision<std::string>> RevisionOfTag(model::Session& session, std::string name);

}  // namespace cairn::values
