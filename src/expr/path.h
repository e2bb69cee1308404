// DocumentPath: where in an item a value lies, e.g. info.rating[2].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "item/attribute_value.h"

namespace cairn::expr {

using PathStep = std::variant<std::string, uint32_t>;  // a map's key or a list's position

struct DocumentPath {
  std::string attribute;        // top-level attribute name, placeholders already replaced
  std::vector<PathStep> steps;  // below it

  friend bool operator==(const DocumentPath&, const DocumentPath&) = default;
};

// The value at `path`, or null.
const item::AttributeValue* FindValue(const item::Item& item, const DocumentPath& path);

// "info.rating[2]"; for messages and tests.
std::string ToString(const DocumentPath& path);

}  // namespace cairn::expr
