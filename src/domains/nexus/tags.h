// Tags as a person gives them: a set. Duplicates vanish, and none at all is as if there was no such
// attribute.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domains/nexus/nexus.h"

namespace cairn::nexus {

using Tags = std::optional<model::typed::Set<std::string>>;

inline constexpr size_t kTagBytesMax = 100;

// Refuses a tag that is empty or too long.
Decision<Tags> TagsOf(std::vector<std::string> given);

bool HasTag(const Tags& tags, std::string_view tag);

}  // namespace cairn::nexus
