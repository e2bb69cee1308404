// TreeEditor: a tree while operations change it. Keeps edges, the parents of each node and what nodes say
// about their parents in step. Private to the operations: it judges nothing itself.
#pragma once

#include <string>
#include <vector>

#include "domains/values/tree/tree.h"
#include "domains/values/tree/walk.h"

namespace cairn::values {

class TreeEditor {
 public:
  explicit TreeEditor(const Tree& tree);

  const Tree& tree() const { return tree_; }
  Tree TakeTree() { return std::move(tree_); }
  size_t edge_count() const { return edge_count_; }

  const Node* Find(const std::string& id) const;
  // Precondition of all below: the nodes are there.
  Node& At(const std::string& id) { return tree_.nodes.at(id); }
  const Node& At(const std::string& id) const { return tree_.nodes.at(id); }
  // In order, archived and deleted ones too.
  const std::vector<std::string>& Children(const std::string& id) const;
  // The primary one first, then by id.
  const std::vector<std::string>& ParentsOf(const std::string& id) const;
  bool IsChild(const std::string& parent, const std::string& child) const;
  bool HasLivingParent(const std::string& id) const;

  void Add(Node node);
  // A parent more; the primary one if there was none. Precondition: no such edge.
  void Link(const std::string& parent, const std::string& child, size_t position);
  // A parent less; a new primary one is chosen when it was that. Precondition: there is such an edge.
  void Unlink(const std::string& parent, const std::string& child);
  void MakePrimary(const std::string& parent, const std::string& child);
  // Precondition: the same children.
  void Reorder(const std::string& parent, std::vector<std::string> children);
  void SetDriver(const std::string& id, const std::string& driver_id);

 private:
  // What a node says about its parents, from its primary one.
  void Settle(const std::string& child);

  Tree tree_;
  ParentsByChild parents_;
  size_t edge_count_ = 0;
};

}  // namespace cairn::values
