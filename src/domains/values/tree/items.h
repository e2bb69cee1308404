// Trees as they are stored: a node item for each node, an edge item for each child of each parent. Used by
// the repository, which reads and writes the items of a revision.
#pragma once

#include <string>
#include <vector>

#include "domains/values/refusal.h"
#include "domains/values/tree/tree.h"
#include "models/values.h"

namespace cairn::values {

std::vector<models::values::ValuesNode> NodeItems(const Tree& tree, const std::string& rev_id);
// Orders count from 1 under each parent.
std::vector<models::values::ValuesEdge> EdgeItems(const Tree& tree, const std::string& rev_id);

// The tree of what was read, in whatever order it came. Items that do not fit together (an edge to a missing
// node or with the wrong type of child, anything twice) are Code::kDamaged. The rules of tree/rules.h are not
// checked: what is published has passed them.
Decision<Tree> TreeOf(std::vector<models::values::ValuesNode> nodes,
                      std::vector<models::values::ValuesEdge> edges);

}  // namespace cairn::values
