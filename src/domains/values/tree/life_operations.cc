// Operations on life: complete, archive, delete and their opposites.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "domains/values/tree/operation_steps.h"
#include "domains/values/tree/texts.h"

namespace cairn::values {
namespace {

// A node, and of what is below it the nodes of `joins` whose parents all go too, as far as they count. Found
// from the top down: a node goes when the last of its counting parents has gone.
template <class Counts, class Joins>
std::vector<std::string> GoTogether(const TreeEditor& editor, const std::string& id, Counts counts,
                                    Joins joins) {
  std::vector<std::string> going = {id};
  std::map<std::string, size_t> parents_left;
  for (size_t next = 0; next < going.size(); ++next) {
    for (const std::string& child : editor.Children(going[next])) {
      if (!joins(editor.At(child))) continue;
      const auto [left, is_new] = parents_left.emplace(child, 0);
      if (is_new) {
        left->second = static_cast<size_t>(std::ranges::count_if(
            editor.ParentsOf(child),
            [&](const std::string& parent) { return parent == id || counts(editor.At(parent)); }));
      }
      if (--left->second == 0) going.push_back(child);
    }
  }
  return going;
}

// Living descendants go when no living parent is left.
std::vector<std::string> GoingAway(const TreeEditor& editor, const std::string& id) {
  const auto living = [](const Node& node) { return node.living(); };
  return GoTogether(editor, id, living, living);
}

// Whether `other` went away together with `node`: with the same archiving, or with the same deleting.
bool WentTogether(const Node& node, const Node& other) {
  if (node.deleted_at && other.deleted_at == node.deleted_at) return true;
  return node.archived_at && other.archived_at == node.archived_at && !other.deleted_at;
}

std::vector<std::string> ComingBack(const TreeEditor& editor, const Node& node) {
  if (!node.deleted_at && !node.archived_at) {
    // Archived before such moments were kept: nothing tells what went together.
    const auto archived = [](const Node& other) {
      return other.archived && !other.archived_at && !other.deleted_at;
    };
    const auto away = [](const Node& other) { return !other.living(); };
    return GoTogether(editor, node.id, away, archived);
  }
  // As far as it is reached through such nodes.
  std::vector<std::string> back = {node.id};
  std::set<std::string> found = {node.id};
  for (size_t next = 0; next < back.size(); ++next) {
    for (const std::string& child : editor.Children(back[next])) {
      if (WentTogether(node, editor.At(child)) && found.insert(child).second) back.push_back(child);
    }
  }
  return back;
}

Decision<const Node*> CompletableNode(const TreeEditor& editor, const std::string& id) {
  ASSIGN_OR_RETURN(const Node* node, UsableNode(editor, id, "nodeId"));
  if (node->type == NodeType::kDriver) {
    return RefuseField("nodeId", "wrong-type",
                       "A driver is never completed; complete its milestones and actions.");
  }
  return node;
}

}  // namespace

Decision<void> Do(TreeEditor& editor, const CompleteNode& complete, const Change& change) {
  ASSIGN_OR_RETURN(const Node* node, CompletableNode(editor, complete.node_id));
  std::optional<std::string> moment = change.now;
  if (complete.completed_at) moment = StoredMoment(*complete.completed_at);
  if (!moment) {
    return RefuseField("completedAt", "bad-time", "Give a moment such as 2026-11-15T19:42:30Z.");
  }
  if (!node->completed_at) editor.At(complete.node_id).completed_at = std::move(moment);
  return {};
}

Decision<void> Do(TreeEditor& editor, const UncompleteNode& uncomplete, const Change&) {
  RETURN_IF_ERROR(CompletableNode(editor, uncomplete.node_id));
  editor.At(uncomplete.node_id).completed_at.reset();
  return {};
}

Decision<void> Do(TreeEditor& editor, const ArchiveNode& archive, const Change& change) {
  ASSIGN_OR_RETURN(const Node* node, UsableNode(editor, archive.node_id, "nodeId"));
  if (!node->living()) return {};
  for (const std::string& id : GoingAway(editor, archive.node_id)) {
    Node& going = editor.At(id);
    going.archived = true;
    going.archived_at = change.now;
  }
  return {};
}

Decision<void> Do(TreeEditor& editor, const DeleteNode& remove, const Change& change) {
  ASSIGN_OR_RETURN(const Node* node, KnownNode(editor, remove.node_id, "nodeId"));
  if (node->deleted_at) return {};
  for (const std::string& id : GoingAway(editor, remove.node_id)) {
    Node& going = editor.At(id);
    going.archived = true;
    going.deleted_at = change.now;
  }
  return {};
}

Decision<void> Do(TreeEditor& editor, const RestoreNode& restore, const Change&) {
  ASSIGN_OR_RETURN(const Node* node, KnownNode(editor, restore.node_id, "nodeId"));
  if (node->living()) return {};
  if (node->type != NodeType::kDriver && !editor.HasLivingParent(restore.node_id)) {
    return RefuseField(
        "nodeId", "parent-deleted",
        "Everything that " + NameOf(*node) + " hangs under is archived or deleted; restore a parent first.");
  }
  for (const std::string& id : ComingBack(editor, *node)) {
    Node& back = editor.At(id);
    back.archived = false;
    back.archived_at.reset();
    back.deleted_at.reset();
  }
  return {};
}

}  // namespace cairn::values
