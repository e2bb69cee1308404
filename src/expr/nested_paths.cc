#include "expr/nested_paths.h"

#include "expr/for_each_path.h"

namespace cairn::expr {
namespace {

template <class Expression>
std::vector<std::string_view> NestedIn(const Expression& expression) {
  std::vector<std::string_view> names;
  const auto collect = [&](const DocumentPath& path) {
    if (!path.steps.empty()) names.push_back(path.attribute);
  };
  ForEachPath(collect, expression);
  return names;
}

}  // namespace

std::vector<std::string_view> NestedAttributes(const Condition& condition) { return NestedIn(condition); }
std::vector<std::string_view> NestedAttributes(const Projection& projection) { return NestedIn(projection); }
std::vector<std::string_view> NestedAttributes(const Update& update) { return NestedIn(update); }

}  // namespace cairn::expr
