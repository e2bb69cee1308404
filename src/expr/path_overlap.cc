#include "expr/path_overlap.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace cairn::expr {
namespace {

bool AllAttributesDiffer(std::span<const DocumentPath* const> paths) {
  std::vector<std::string_view> names;
  names.reserve(paths.size());
  for (const DocumentPath* path : paths) names.push_back(path->attribute);
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

constexpr size_t kNone = SIZE_MAX;

// The paths so far as a tree of their steps, so that one more is compared with all of them at once.
class PathTree {
 public:
  // The first path that names the same thing as this one, or something inside or around it; and the first
  // that wants a map where this one wants a list, or the other way round. kNone: there is none.
  struct Related {
    size_t overlap = kNone, conflict = kNone;
  };

  // Precondition: those before had no overlap.
  Related Add(const DocumentPath& path, size_t number) {
    Related related;
    Place* place = &roots_[path.attribute];
    for (const PathStep& step : path.steps) {
      if (place->ends) {
        related.overlap = *place->ends;
        return related;
      }
      related.conflict = std::min(related.conflict, place->first_by_kind[1 - step.index()]);
      size_t& first = place->first_by_kind[step.index()];
      first = std::min(first, number);
      place = &place->below[step];
    }
    const size_t inside = std::min(place->first_by_kind[0], place->first_by_kind[1]);
    related.overlap = place->ends.value_or(inside);
    place->ends = number;
    return related;
  }

 private:
  struct Place {
    std::map<PathStep, Place> below;
    std::array<size_t, 2> first_by_kind = {kNone, kNone};  // paths that go on with a name, with a position
    std::optional<size_t> ends;                            // the path that ends here
  };
  std::map<std::string_view, Place> roots_;
};

std::string Message(std::string_view verb, const DocumentPath& one, const DocumentPath& two) {
  return "Two document paths " + std::string(verb) +
         " with each other; must remove or rewrite one of these paths; path one: " + PathInMessage(one) +
         ", path two: " + PathInMessage(two);
}

}  // namespace

void NoteOverlaps(FirstMistake& mistakes, std::span<const DocumentPath* const> paths) {
  if (paths.size() < 2 || AllAttributesDiffer(paths)) return;
  PathTree tree;
  for (size_t second = 0; second < paths.size(); ++second) {
    const auto [overlap, conflict] = tree.Add(*paths[second], second);
    if (conflict < overlap) {
      mistakes.Note(kRankConflict, [&] { return Message("conflict", *paths[conflict], *paths[second]); });
    }
    if (overlap != kNone) {
      mistakes.Note(kRankOverlap, [&] { return Message("overlap", *paths[overlap], *paths[second]); });
      return;
    }
  }
}

}  // namespace cairn::expr
