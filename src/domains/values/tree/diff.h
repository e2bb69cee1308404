// Diff: what differs between two revisions of a tree, by node and by edge. Used to show commits, to find the
// revisions that touched a node and to tell whether a commit changes anything. Near linear.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "domains/values/tree/tree.h"

namespace cairn::values {

struct FieldChange {
  std::string node_id;
  std::string_view field;               // as stored: "title"; see tree/fields.h
  std::optional<std::string> from, to;  // JSON texts; nothing where it was not there
  friend bool operator==(const FieldChange&, const FieldChange&) = default;
};

struct TreePlace {
  std::string parent_id;
  int64_t order = 0;  // as stored, from 1
  friend bool operator==(const TreePlace&, const TreePlace&) = default;
};

struct NodeMove {
  std::string node_id;
  TreePlace from, to;
  friend bool operator==(const NodeMove&, const NodeMove&) = default;
};

struct EdgeChange {
  std::string parent_id, child_id;
  int64_t order = 0;  // in the tree that has the edge
  friend bool operator==(const EdgeChange&, const EdgeChange&) = default;
};

struct DriverChange {
  std::string node_id, from, to;
  friend bool operator==(const DriverChange&, const DriverChange&) = default;
};

// Each list by node id (edges by parent, then order). A node that is added or removed is in no other list but
// those of edges.
struct TreeDiff {
  std::vector<std::string> added;
  // Packing away and rollbacks do that; deleting changes archived and deletedAt.
  std::vector<std::string> removed;
  std::vector<FieldChange> changed;
  // From one parent to another, from one primary parent to another, or to another place among siblings. Of
  // siblings as few as possible are told: those that jumped over the others, not those that made room, and
  // none that has its number still.
  std::vector<NodeMove> moved;
  std::vector<DriverChange> driver_changed;  // moved to another driver, or below what did
  std::vector<EdgeChange> edges_added;       // all of them, also those of moves and of added nodes
  std::vector<EdgeChange> edges_removed;
  // Packs (their revisions) that only one has: what they hold was packed away, or all of it brought back.
  std::vector<std::string> packs_added, packs_removed;

  bool empty() const;
  friend bool operator==(const TreeDiff&, const TreeDiff&) = default;
};

TreeDiff Diff(const Tree& from, const Tree& to);

// The nodes whose own item differs, or one of their edges to a parent. A sibling that only got another number
// is not among them.
std::set<std::string> NodesTouched(const TreeDiff& diff);

}  // namespace cairn::values
