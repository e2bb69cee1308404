// Operations on places: move, link, unlink, reorder.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "domains/values/tree/operation_steps.h"
#include "domains/values/tree/rules.h"

namespace cairn::values {
namespace {

constexpr size_t kSharedTold = 3;

// From `ancestor` down to `id`, both included; empty when it is no ancestor. A node is its own.
std::vector<std::string> WayDown(const TreeEditor& editor, const std::string& ancestor,
                                 const std::string& id) {
  std::map<std::string, std::string> below = {{id, ""}};  // by node on the way up, where it came from
  std::vector<std::string> open = {id};
  while (!open.empty() && !below.contains(ancestor)) {
    const std::string next = std::move(open.back());
    open.pop_back();
    for (const std::string& parent : editor.ParentsOf(next)) {
      if (below.emplace(parent, next).second) open.push_back(parent);
    }
  }
  std::vector<std::string> way;
  if (!below.contains(ancestor)) return way;
  for (std::string at = ancestor; !at.empty(); at = below[at]) way.push_back(at);
  return way;
}

Decision<void> CheckNoCycle(const TreeEditor& editor, const std::string& parent, const std::string& child) {
  std::vector<std::string> way = WayDown(editor, child, parent);
  if (way.empty()) return {};
  way.push_back(child);
  return RefuseField("parentId", "cycle",
                     "Nothing can hang under itself: " + DescribePath(editor.tree(), way) +
                         ". Choose a parent that is not below " + NameOf(editor.At(child)) + ".");
}

using Edge = std::pair<std::string, std::string>;  // parent, child

// Edges into the part of the tree below and with `id` from outside, but for the one it is to leave.
std::vector<Edge> ForeignEdges(const TreeEditor& editor, const std::string& id,
                               const std::string& left_parent, const std::vector<std::string>& part) {
  const std::set<std::string> inside(part.begin(), part.end());
  std::vector<Edge> foreign;
  for (const std::string& child : part) {
    for (const std::string& parent : editor.ParentsOf(child)) {
      if (inside.contains(parent) || (child == id && parent == left_parent)) continue;
      foreign.emplace_back(parent, child);
    }
  }
  return foreign;
}

std::unexpected<Refusal> RefuseShared(const TreeEditor& editor, const std::vector<Edge>& foreign) {
  std::string names;
  for (size_t i = 0; i < std::min(foreign.size(), kSharedTold); ++i) {
    names += (i == 0 ? "" : ", ") + NameOf(editor.At(foreign[i].second)) + " under " +
             NameOf(editor.At(foreign[i].first));
  }
  if (foreign.size() > kSharedTold) names += " and " + std::to_string(foreign.size() - kSharedTold) + " more";
  return RefuseField("nodeId", "shared-descendant",
                     "What moves to another driver cannot stay under parents of the old one: " + names +
                         ". Unlink these, or move with force.");
}

// The subtree goes to another driver: foreign edges are cut, and everything in it gets that driver.
Decision<void> ChangeDriver(TreeEditor& editor, const MoveNode& move, const std::string& left_parent,
                            const std::string& driver_id) {
  std::vector<std::string> part = Descendants(editor.tree(), move.node_id);
  part.push_back(move.node_id);
  const std::vector<Edge> foreign = ForeignEdges(editor, move.node_id, left_parent, part);
  if (!foreign.empty() && !move.force) return RefuseShared(editor, foreign);
  for (const auto& [parent, child] : foreign) editor.Unlink(parent, child);
  for (const auto& [parent, child] : foreign) {
    if (child == move.node_id || !editor.At(child).living() || editor.HasLivingParent(child)) continue;
    return RefuseField(
        "nodeId", "shared-descendant",
        NameOf(editor.At(child)) +
            " is in use only through a parent that would be cut; archive it or move it first.");
  }
  for (const std::string& id : part) editor.SetDriver(id, driver_id);
  return {};
}

std::vector<std::string> Without(std::vector<std::string> ids, const std::string& id) {
  std::erase(ids, id);
  return ids;
}

Decision<void> MoveAmongSiblings(TreeEditor& editor, const MoveNode& move) {
  std::vector<std::string> siblings = Without(editor.Children(move.parent_id), move.node_id);
  ASSIGN_OR_RETURN(const size_t position, PositionAmong(siblings, move.place));
  siblings.insert(siblings.begin() + static_cast<ptrdiff_t>(position), move.node_id);
  editor.Reorder(move.parent_id, std::move(siblings));
  return {};
}

Decision<std::string> ParentToLeave(const TreeEditor& editor, const MoveNode& move) {
  if (!move.from_parent_id) return editor.ParentsOf(move.node_id).front();
  if (editor.IsChild(*move.from_parent_id, move.node_id)) return *move.from_parent_id;
  return RefuseField("fromParentId", "unknown-parent",
                     *move.from_parent_id + " is no parent of " + NameOf(editor.At(move.node_id)) + ".");
}

Decision<void> CheckEdgeRoom(const TreeEditor& editor) {
  if (editor.edge_count() < kEdgesMax) return {};
  return std::unexpected(Refusal(Code::kLimitExceeded, "too-many-edges",
                                 "A tree has at most " + std::to_string(kEdgesMax) +
                                     " edges; unlink nodes that hang under several parents."));
}

}  // namespace

Decision<void> Do(TreeEditor& editor, const MoveNode& move, const Change&) {
  ASSIGN_OR_RETURN(const Node* node, UsableNode(editor, move.node_id, "nodeId"));
  if (node->type == NodeType::kDriver) {
    return RefuseField("nodeId", "wrong-parent",
                       "A driver cannot hang under anything, so it cannot be moved.");
  }
  ASSIGN_OR_RETURN(const Node* parent, ParentFor(editor, move.parent_id, node->type, node->living()));
  ASSIGN_OR_RETURN(const std::string left_parent, ParentToLeave(editor, move));
  if (left_parent == move.parent_id) return MoveAmongSiblings(editor, move);

  RETURN_IF_ERROR(CheckNoCycle(editor, move.parent_id, move.node_id));
  if (node->root_driver_id != parent->root_driver_id) {
    RETURN_IF_ERROR(ChangeDriver(editor, move, left_parent, *parent->root_driver_id));
  }
  const bool was_primary = editor.ParentsOf(move.node_id).front() == left_parent;
  if (editor.IsChild(move.parent_id, move.node_id)) {
    RETURN_IF_ERROR(MoveAmongSiblings(editor, move));
  } else {
    ASSIGN_OR_RETURN(const size_t position, PositionAmong(editor.Children(move.parent_id), move.place));
    editor.Link(move.parent_id, move.node_id, position);
  }
  editor.Unlink(left_parent, move.node_id);
  if (was_primary) editor.MakePrimary(move.parent_id, move.node_id);
  return {};
}

Decision<void> Do(TreeEditor& editor, const LinkNode& link, const Change&) {
  ASSIGN_OR_RETURN(const Node* child, UsableNode(editor, link.child_id, "childId"));
  ASSIGN_OR_RETURN(const Node* parent, ParentFor(editor, link.parent_id, child->type, child->living()));
  if (editor.IsChild(link.parent_id, link.child_id)) {
    return RefuseField("childId", "duplicate-edge",
                       NameOf(*child) + " hangs under " + NameOf(*parent) + " already.");
  }
  RETURN_IF_ERROR(CheckNoCycle(editor, link.parent_id, link.child_id));
  if (child->root_driver_id != parent->root_driver_id) {
    return RefuseField("parentId", "other-driver",
                       NameOf(*parent) +
                           " is under another driver; all parents of a node are under one. Move " +
                           NameOf(*child) + " instead.");
  }
  RETURN_IF_ERROR(CheckEdgeRoom(editor));
  ASSIGN_OR_RETURN(const size_t position, PositionAmong(editor.Children(link.parent_id), link.place));
  editor.Link(link.parent_id, link.child_id, position);
  return {};
}

Decision<void> Do(TreeEditor& editor, const UnlinkNode& unlink, const Change&) {
  ASSIGN_OR_RETURN(const Node* child, UsableNode(editor, unlink.child_id, "childId"));
  if (!editor.IsChild(unlink.parent_id, unlink.child_id)) {
    return RefuseField("parentId", "unknown-parent",
                       unlink.parent_id + " is no parent of " + NameOf(*child) + ".");
  }
  const std::vector<std::string> others = Without(editor.ParentsOf(unlink.child_id), unlink.parent_id);
  const bool stays_reachable = std::ranges::any_of(
      others, [&](const std::string& id) { return !child->living() || editor.At(id).living(); });
  if (!stays_reachable) {
    return RefuseField(
        "parentId", "last-parent",
        "This is the last parent of " + NameOf(*child) + " in use; move or delete it instead.");
  }
  editor.Unlink(unlink.parent_id, unlink.child_id);
  return {};
}

Decision<void> Do(TreeEditor& editor, const ReorderChildren& reorder, const Change&) {
  ASSIGN_OR_RETURN(const Node* parent, KnownNode(editor, reorder.parent_id, "parentId"));
  std::vector<std::string> living, away;
  for (const std::string& id : editor.Children(reorder.parent_id)) {
    (editor.At(id).living() ? living : away).push_back(id);
  }
  std::vector<std::string> given = reorder.child_ids;
  std::ranges::sort(given);
  std::ranges::sort(living);
  if (given != living) {
    return RefuseField("childIds", "other-children",
                       "List every child of " + NameOf(*parent) +
                           " that is in use exactly once; read the tree again to see which they are.");
  }
  std::vector<std::string> children = reorder.child_ids;
  children.insert(children.end(), away.begin(), away.end());
  editor.Reorder(reorder.parent_id, std::move(children));
  return {};
}

}  // namespace cairn::values
