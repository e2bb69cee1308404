#include "domains/nexus/tags.h"

#include <algorithm>

namespace cairn::nexus {

Decision<Tags> TagsOf(std::vector<std::string> given) {
  for (size_t i = 0; i < given.size(); ++i) {
    const std::string field = "tags[" + std::to_string(i) + "]";
    if (given[i].empty()) return RefuseField(field, "must not be empty");
    if (given[i].size() > kTagBytesMax)
      return RefuseField(field, "must have at most " + std::to_string(kTagBytesMax) + " bytes");
  }
  if (given.empty()) return Tags();
  std::ranges::sort(given);
  const auto twice = std::ranges::unique(given);
  given.erase(twice.begin(), twice.end());
  return Tags(std::in_place, given.begin(), given.end());
}

bool HasTag(const Tags& tags, std::string_view tag) {
  return tags && std::ranges::find(*tags, tag) != tags->end();
}

}  // namespace cairn::nexus
