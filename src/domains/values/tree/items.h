// Trees as they are stored: a node item for each node, an edge item for each child of each parent, a pack
// item for each pack. Used by the repository, which reads and writes the items of a revision.
#pragma once

#include <string>
#include <vector>

#include "domains/values/refusal.h"
#include "domains/values/tree/tree.h"
#include "models/values.h"

namespace cairn::values {

// The tree's own child at a place; its order counts from 1.
struct Edge {
  const std::string* parent;
  const std::string* child;
  int64_t order;
};

// By parent, in order.
std::vector<Edge> Edges(const Tree& tree);

models::values::ValuesNode NodeItem(const Node& node, const std::string& rev_id);
models::values::ValuesEdge EdgeItem(const Tree& tree, const Edge& edge, const std::string& rev_id);
// All of them: nodes by id, edges as Edges() has them.
std::vector<models::values::ValuesNode> NodeItems(const Tree& tree, const std::string& rev_id);
std::vector<models::values::ValuesEdge> EdgeItems(const Tree& tree, const std::string& rev_id);

std::vector<models::values::ValuesPack> PackItems(const Tree& tree, const std::string& rev_id);

// Which nodes and edges of a tree are in `base` too, as the very same items: positions there, in the order of
// NodeItems and EdgeItems; kNotThere for the others.
struct Unchanged {
  std::vector<size_t> nodes, edges;
};
inline constexpr size_t kNotThere = static_cast<size_t>(-1);
Unchanged UnchangedSince(const Tree& base, const Tree& tree);

// The tree of what was read, in whatever order it came. Items that do not fit together (an edge to a missing
// node or with the wrong type of child, anything twice) are Code::kDamaged. The rules of tree/rules.h are not
// checked: what is published has passed them.
Decision<Tree> TreeOf(std::vector<models::values::ValuesNode> nodes,
                      std::vector<models::values::ValuesEdge> edges,
                      std::vector<models::values::ValuesPack> packs = {});

}  // namespace cairn::values
