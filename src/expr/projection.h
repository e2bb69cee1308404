// Projection: a parsed projection expression (or AttributesToGet): the parts of an item that a read returns.
#pragma once

#include <string>
#include <vector>

#include "expr/path.h"
#include "item/attribute_value.h"

namespace cairn::expr {

struct Projection {
  std::vector<DocumentPath> paths;  // none overlaps another
};

// The projected item: nested structure kept, list positions closed up in order, absent paths left out.
item::Item Project(const Projection& projection, const item::Item& item);

// Whether all paths name whole attributes, so that those are the projected item.
bool NamesWholeAttributes(const Projection& projection);

// Top-level attributes the projection reads, sorted, each once.
std::vector<std::string> ReferencedAttributes(const Projection& projection);

}  // namespace cairn::expr
