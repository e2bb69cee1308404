#include "expr/path_overlap.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace cairn::expr {
namespace {

enum class Relation { kApart, kOverlap, kConflict };

Relation Relate(const DocumentPath& a, const DocumentPath& b) {
  if (a.attribute != b.attribute) return Relation::kApart;
  const size_t shared = std::min(a.steps.size(), b.steps.size());
  for (size_t i = 0; i < shared; ++i) {
    if (a.steps[i].index() != b.steps[i].index()) return Relation::kConflict;
    if (a.steps[i] != b.steps[i]) return Relation::kApart;
  }
  return Relation::kOverlap;
}

bool AllAttributesDiffer(std::span<const DocumentPath* const> paths) {
  std::vector<std::string_view> names;
  names.reserve(paths.size());
  for (const DocumentPath* path : paths) names.push_back(path->attribute);
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

std::string Message(std::string_view verb, const DocumentPath& one, const DocumentPath& two) {
  return "Two document paths " + std::string(verb) +
         " with each other; must remove or rewrite one of these paths; path one: " + PathInMessage(one) +
         ", path two: " + PathInMessage(two);
}

}  // namespace

void NoteOverlaps(FirstMistake& mistakes, std::span<const DocumentPath* const> paths) {
  if (paths.size() < 2 || AllAttributesDiffer(paths)) return;
  for (size_t second = 1; second < paths.size(); ++second) {
    for (size_t first = 0; first < second; ++first) {
      const Relation relation = Relate(*paths[first], *paths[second]);
      if (relation == Relation::kOverlap) {
        mistakes.Note(kRankOverlap, [&] { return Message("overlap", *paths[first], *paths[second]); });
        return;
      }
      if (relation == Relation::kConflict) {
        mistakes.Note(kRankConflict, [&] { return Message("conflict", *paths[first], *paths[second]); });
      }
    }
  }
}

}  // namespace cairn::expr
