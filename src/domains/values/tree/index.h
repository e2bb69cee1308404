// TreeIndex: a tree with numbers in place of ids, for what looks at every edge (rules, reviews, merges).
// Borrows the tree, whose nodes and edges must stay as they are. Edges that name missing nodes are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "domains/values/tree/tree.h"

namespace cairn::values {

class TreeIndex {
 public:
  using Position = uint32_t;  // in the order of ids

  explicit TreeIndex(const Tree& tree);

  size_t size() const { return nodes_.size(); }
  const Node& node(Position position) const { return *nodes_[position]; }
  std::optional<Position> Find(std::string_view id) const;
  // In their order.
  std::span<const Position> children(Position position) const { return children_[position]; }
  // The primary parent first, as in Parents().
  std::span<const Position> parents(Position position) const { return parents_[position]; }

  // Every node after all of its parents. Nodes of a cycle, and what hangs below one, are missing.
  std::vector<Position> ParentsFirst() const;

 private:
  std::vector<const Node*> nodes_;
  std::vector<std::vector<Position>> children_, parents_;
};

}  // namespace cairn::values
