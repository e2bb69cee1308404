#include <algorithm>
#include <span>

#include "expr/projection.h"

namespace cairn::expr {
namespace {

using item::AttributeValue;
using item::Item;

using SortedPaths = std::span<const DocumentPath* const>;

// Splits off the paths at the front that agree in step `depth`.
SortedPaths TakeRun(SortedPaths& paths, size_t depth) {
  size_t count = 1;
  while (count < paths.size() && paths[count]->steps[depth] == paths[0]->steps[depth]) ++count;
  const SortedPaths run = paths.first(count);
  paths = paths.subspan(count);
  return run;
}

// The part of `value` that `paths` name, all of which lead to it with their first `depth` steps.
std::optional<AttributeValue> Pick(const AttributeValue& value, SortedPaths paths, size_t depth) {
  if (paths[0]->steps.size() == depth) return value;
  item::Map map;
  item::List list;
  while (!paths.empty()) {
    const SortedPaths run = TakeRun(paths, depth);
    const PathStep& step = run[0]->steps[depth];
    if (const auto* name = std::get_if<std::string>(&step)) {
      const AttributeValue* child = value.is(item::Type::kMap) ? value.map().Find(*name) : nullptr;
      if (child == nullptr) continue;
      if (auto picked = Pick(*child, run, depth + 1)) map.Set(*name, *std::move(picked));
    } else {
      const uint32_t position = std::get<uint32_t>(step);
      if (!value.is(item::Type::kList) || position >= value.list().size()) continue;
      if (auto picked = Pick(value.list()[position], run, depth + 1)) list.push_back(*std::move(picked));
    }
  }
  if (!map.empty()) return AttributeValue(std::move(map));
  if (!list.empty()) return AttributeValue(std::move(list));
  return std::nullopt;
}

bool IsTopLevel(const DocumentPath& path) { return path.steps.empty(); }

}  // namespace

Item Project(const Projection& projection, const Item& item) {
  if (NamesWholeAttributes(projection)) {
    std::vector<item::Attribute> attributes;
    for (const DocumentPath& path : projection.paths) {
      if (const AttributeValue* value = item.Find(path.attribute))
        attributes.push_back({path.attribute, *value});
    }
    return Item::FromAttributes(std::move(attributes));
  }
  Item result;
  // Sorted, paths below one value lie together, and list positions ascend.
  std::vector<const DocumentPath*> sorted;
  sorted.reserve(projection.paths.size());
  for (const DocumentPath& path : projection.paths) sorted.push_back(&path);
  std::ranges::sort(sorted, [](const DocumentPath* a, const DocumentPath* b) {
    if (const auto order = a->attribute <=> b->attribute; order != 0) return order < 0;
    return a->steps < b->steps;
  });
  for (SortedPaths rest = sorted; !rest.empty();) {
    size_t count = 1;
    while (count < rest.size() && rest[count]->attribute == rest[0]->attribute) ++count;
    if (const AttributeValue* value = item.Find(rest[0]->attribute)) {
      if (auto picked = Pick(*value, rest.first(count), 0))
        result.Set(rest[0]->attribute, *std::move(picked));
    }
    rest = rest.subspan(count);
  }
  return result;
}

bool NamesWholeAttributes(const Projection& projection) {
  return std::ranges::all_of(projection.paths, IsTopLevel);
}

std::vector<std::string> ReferencedAttributes(const Projection& projection) {
  std::vector<std::string> names;
  names.reserve(projection.paths.size());
  for (const DocumentPath& path : projection.paths) names.push_back(path.attribute);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace cairn::expr
