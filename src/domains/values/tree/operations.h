// Operations: what a person does to a tree. A list of them becomes one revision, or none of them happens.
// Pure: the moment and new ids come in with the Change. The REST edge makes operations from JSON, commits
// apply them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "domains/values/refusal.h"
#include "domains/values/tree/tree.h"

namespace cairn::values {

// Where among its siblings a child goes: behind one of them, in front of all, or (neither given; an empty
// after_id too) behind all. Siblings that are archived or deleted count.
struct Place {
  std::optional<std::string> after_id = {};
  bool first = false;
};

// Drivers have no parent and no place: they stand in the order of their ids.
struct AddNode {
  std::optional<std::string> node_id = {};  // of the client's choice; later operations may name it
  NodeType type = NodeType::kAction;
  std::string title;
  std::optional<std::string> notes = {};
  std::optional<std::string> parent_id = {};  // a driver has none, all others need one
  Place place = {};
};

// Absent: stays as it is. A deleted node cannot be edited.
struct EditNode {
  std::string node_id;
  std::optional<std::string> title = {};
  std::optional<std::optional<std::string>> notes = {};  // an inner nothing removes them
};

// From one parent to another, or to another place under the same one. Under another driver, everything below
// goes along and gets the new driver. Parents beside the one it leaves, and parents outside the moved part of
// anything in it, cannot be kept then: "shared-descendant", unless `force` cuts those edges.
struct MoveNode {
  std::string node_id;
  std::string parent_id;
  Place place = {};
  std::optional<std::string> from_parent_id = {};  // the parent it leaves; else the primary one
  bool force = false;
};

// One more parent, under the same driver.
struct LinkNode {
  std::string parent_id;
  std::string child_id;
  Place place = {};
};

// One parent less; not the last one. When it was the primary one, the living parent with the least id is
// primary from then on.
struct UnlinkNode {
  std::string parent_id;
  std::string child_id;
};

// All living children in their new order. Archived and deleted ones come behind, in the order they had.
struct ReorderChildren {
  std::string parent_id;
  std::vector<std::string> child_ids;
};

// Of actions and milestones. Completing what is completed changes nothing.
struct CompleteNode {
  std::string node_id;
  std::optional<std::string> completed_at = {};  // an ISO 8601 instant; else now
};
struct UncompleteNode {
  std::string node_id;
};

// Puts away a node and its living descendants, except those that still have a living parent. All that go get
// the same archivedAt. What is archived already stays as it is, and archiving it again changes nothing.
struct ArchiveNode {
  std::string node_id;
};

// Likewise, with a tombstone: all that go get the same deletedAt. Descendants that were archived before are
// left as they are, so that restoring does not bring them back.
struct DeleteNode {
  std::string node_id;
};

// Brings a node back, with what went together with it: everything below with the same deletedAt, or with the
// same archivedAt and not deleted since. Nodes that were archived before archivedAt was kept have none: with
// such a node comes every other one below that has no other parent away. Needs a living parent:
// "parent-deleted".
struct RestoreNode {
  std::string node_id;
};

using Operation = std::variant<AddNode, EditNode, MoveNode, LinkNode, UnlinkNode, ReorderChildren,
                               CompleteNode, UncompleteNode, ArchiveNode, DeleteNode, RestoreNode>;

struct Change {
  std::string now;                      // as stored: 2026-11-15T19:42:30.123Z
  std::function<std::string()> new_id;  // of nodes without an id of the client's
};

struct Applied {
  Tree tree;
  std::vector<std::string> added;  // in the order of the AddNode operations
};

// Applies all or none; the result keeps CheckTree. A refusal names the operation in its fields:
// "operations[2].parentId". An unknown node is kResourceNotFound when it is what a single operation is about,
// otherwise kInvalidArgument with a reason such as "unknown-node", "unknown-parent", "unknown-sibling".
// Precondition: `tree` keeps CheckTree.
Decision<Applied> Apply(const Tree& tree, std::span<const Operation> operations, const Change& change);

}  // namespace cairn::values
