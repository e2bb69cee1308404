#include "domains/values/tree/index.h"

#include <algorithm>

#include "domains/values/tree/walk.h"

namespace cairn::values {

TreeIndex::TreeIndex(const Tree& tree) : children_(tree.nodes.size()), parents_(tree.nodes.size()) {
  nodes_.reserve(tree.nodes.size());
  for (const auto& [id, node] : tree.nodes) nodes_.push_back(&node);
  for (const auto& [parent_id, children] : tree.children) {
    const std::optional<Position> parent = Find(parent_id);
    if (!parent) continue;
    for (const std::string& child_id : children) {
      const std::optional<Position> child = Find(child_id);
      if (!child) continue;
      children_[*parent].push_back(*child);
      parents_[*child].push_back(*parent);
    }
  }
  for (Position child = 0; child < size(); ++child) {
    std::vector<Position>& parents = parents_[child];
    if (parents.size() < 2 || !PrimaryParent(node(child))) continue;
    const auto primary =
        std::ranges::find(parents, *PrimaryParent(node(child)),
                          [this](Position parent) -> const std::string& { return nodes_[parent]->id; });
    if (primary != parents.end()) std::rotate(parents.begin(), primary, primary + 1);
  }
}

std::optional<TreeIndex::Position> TreeIndex::Find(std::string_view id) const {
  const auto found =
      std::ranges::lower_bound(nodes_, id, {}, [](const Node* node) { return std::string_view(node->id); });
  if (found == nodes_.end() || (*found)->id != id) return std::nullopt;
  return static_cast<Position>(found - nodes_.begin());
}

std::vector<TreeIndex::Position> TreeIndex::ParentsFirst() const {
  std::vector<Position> order;
  order.reserve(size());
  std::vector<size_t> parents_left(size());
  for (Position i = 0; i < size(); ++i) {
    parents_left[i] = parents_[i].size();
    if (parents_left[i] == 0) order.push_back(i);
  }
  for (size_t next = 0; next < order.size(); ++next) {
    for (const Position child : children_[order[next]]) {
      if (--parents_left[child] == 0) order.push_back(child);
    }
  }
  return order;
}

}  // namespace cairn::values
