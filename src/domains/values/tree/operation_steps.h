// The single operations, as steps on a TreeEditor, and the refusals they share. Private to
// tree/operations.cc; fields of refusals are those of the operation ("parentId"), the caller puts
// "operations[2]." in front.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "domains/values/refusal.h"
#include "domains/values/tree/editor.h"
#include "domains/values/tree/operations.h"

namespace cairn::values {

std::unexpected<Refusal> RefuseField(std::string field, std::string reason, std::string message);
// The node an operation is about. Unknown ones are kResourceNotFound.
Decision<const Node*> KnownNode(const TreeEditor& editor, const std::string& id, std::string_view field);
// Likewise, and not deleted.
Decision<const Node*> UsableNode(const TreeEditor& editor, const std::string& id, std::string_view field);
// A parent that a child of this type can hang under, living if the child is, at least not deleted.
Decision<const Node*> ParentFor(const TreeEditor& editor, const std::string& id, NodeType child,
                                bool child_living);
// The position of a new child among siblings that it is not among yet.
Decision<size_t> PositionAmong(const std::vector<std::string>& siblings, const Place& place);

// tree/operations.cc; gives the id.
Decision<std::string> Do(TreeEditor& editor, const AddNode& add, const Change& change);
Decision<void> Do(TreeEditor& editor, const EditNode& edit, const Change& change);
// tree/place_operations.cc
Decision<void> Do(TreeEditor& editor, const MoveNode& move, const Change& change);
Decision<void> Do(TreeEditor& editor, const LinkNode& link, const Change& change);
Decision<void> Do(TreeEditor& editor, const UnlinkNode& unlink, const Change& change);
Decision<void> Do(TreeEditor& editor, const ReorderChildren& reorder, const Change& change);
// tree/life_operations.cc
Decision<void> Do(TreeEditor& editor, const CompleteNode& complete, const Change& change);
Decision<void> Do(TreeEditor& editor, const UncompleteNode& uncomplete, const Change& change);
Decision<void> Do(TreeEditor& editor, const ArchiveNode& archive, const Change& change);
Decision<void> Do(TreeEditor& editor, const DeleteNode& remove, const Change& change);
Decision<void> Do(TreeEditor& editor, const RestoreNode& restore, const Change& change);

}  // namespace cairn::values
