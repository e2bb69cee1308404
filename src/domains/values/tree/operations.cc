#include "domains/values/tree/operations.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "domains/values/tree/operation_steps.h"
#include "domains/values/tree/rules.h"
#include "domains/values/tree/texts.h"

namespace cairn::values {

std::unexpected<Refusal> RefuseField(std::string field, std::string reason, std::string message) {
  Refusal refusal(Code::kInvalidArgument, std::move(reason), message);
  refusal.fields.push_back({std::move(field), std::move(message)});
  return std::unexpected(std::move(refusal));
}

Decision<const Node*> KnownNode(const TreeEditor& editor, const std::string& id, std::string_view field) {
  if (const Node* node = editor.Find(id)) return node;
  auto refused = RefuseUnknown("There is no node " + id + " in the tree.");
  refused.error().fields.push_back({std::string(field), refused.error().message});
  return refused;
}

Decision<const Node*> UsableNode(const TreeEditor& editor, const std::string& id, std::string_view field) {
  ASSIGN_OR_RETURN(const Node* node, KnownNode(editor, id, field));
  if (node->deleted_at) {
    return RefuseField(std::string(field), "deleted", NameOf(*node) + " is deleted; restore it first.");
  }
  return node;
}

Decision<const Node*> ParentFor(const TreeEditor& editor, const std::string& id, NodeType child,
                                bool child_living) {
  const Node* parent = editor.Find(id);
  if (parent == nullptr) {
    return RefuseField("parentId", "unknown-parent", "There is no node " + id + " to be the parent.");
  }
  if (!MayHangUnder(child, parent->type)) {
    return RefuseField("parentId", "wrong-parent",
                       child == NodeType::kDriver
                           ? "A driver cannot hang under anything."
                           : "Nothing can hang under the action " + NameOf(*parent) + ".");
  }
  if (child_living ? !parent->living() : parent->deleted_at.has_value()) {
    return RefuseField("parentId", "parent-deleted",
                       NameOf(*parent) + (parent->deleted_at ? " is deleted" : " is archived") +
                           "; restore it first, or choose another parent.");
  }
  return parent;
}

Decision<size_t> PositionAmong(const std::vector<std::string>& siblings, const Place& place) {
  const bool after = place.after_id && !place.after_id->empty();
  if (place.first && after) {
    return RefuseField("afterId", "two-places", "Give either afterId or first, not both.");
  }
  if (place.first) return 0;
  if (!after) return siblings.size();
  const auto sibling = std::ranges::find(siblings, *place.after_id);
  if (sibling == siblings.end()) {
    return RefuseField("afterId", "unknown-sibling",
                       *place.after_id + " is no other child of that parent; name one of its children.");
  }
  return static_cast<size_t>(sibling - siblings.begin()) + 1;
}

namespace {

Decision<void> CheckTitle(const std::string& title) {
  if (auto fault = TitleFault(title)) return RefuseField("title", "bad-title", *std::move(fault));
  return {};
}
Decision<void> CheckNotes(const std::optional<std::string>& notes) {
  if (!notes) return {};
  if (auto fault = NotesFault(*notes)) return RefuseField("notes", "bad-notes", *std::move(fault));
  return {};
}

Decision<void> CheckNewId(const TreeEditor& editor, const std::string& id) {
  if (auto fault = IdFault(id)) return RefuseField("nodeId", "bad-id", *std::move(fault));
  if (const Node* node = editor.Find(id)) {
    return RefuseField("nodeId", "id-taken",
                       "The id " + id + " belongs to " + NameOf(*node) + "; choose another, or none.");
  }
  return {};
}

Decision<void> CheckRoom(const TreeEditor& editor) {
  if (editor.tree().nodes.size() < kNodesMax) return {};
  return std::unexpected(Refusal(Code::kLimitExceeded, "too-many-nodes",
                                 "A tree has at most " + std::to_string(kNodesMax) +
                                     " nodes, completed, archived and deleted ones included; there is no "
                                     "room. " +
                                     std::string(kPackAdvice)));
}

Decision<void> CheckRootless(const AddNode& add) {
  if (add.parent_id) return RefuseField("parentId", "wrong-parent", "A driver cannot hang under anything.");
  if (add.place.first || add.place.after_id) {
    return RefuseField("afterId", "no-place", "Drivers stand in the order of their ids and have no place.");
  }
  return {};
}

}  // namespace

Decision<std::string> Do(TreeEditor& editor, const AddNode& add, const Change& change) {
  RETURN_IF_ERROR(CheckTitle(add.title));
  RETURN_IF_ERROR(CheckNotes(add.notes));
  RETURN_IF_ERROR(CheckRoom(editor));
  Node node{.id = add.node_id ? *add.node_id : change.new_id(),
            .type = add.type,
            .title = add.title,
            .notes = add.notes,
            .created_at = change.now};
  RETURN_IF_ERROR(CheckNewId(editor, node.id));
  std::string id = node.id;
  if (add.type == NodeType::kDriver) {
    RETURN_IF_ERROR(CheckRootless(add));
    node.root_driver_id = id;
    editor.Add(std::move(node));
    return id;
  }
  if (!add.parent_id) {
    return RefuseField("parentId", "no-parent",
                       "Name the driver or milestone that the new node hangs under.");
  }
  RETURN_IF_ERROR(ParentFor(editor, *add.parent_id, add.type, true));
  ASSIGN_OR_RETURN(const size_t position, PositionAmong(editor.Children(*add.parent_id), add.place));
  editor.Add(std::move(node));
  editor.Link(*add.parent_id, id, position);
  return id;
}

Decision<void> Do(TreeEditor& editor, const EditNode& edit, const Change&) {
  RETURN_IF_ERROR(UsableNode(editor, edit.node_id, "nodeId"));
  Node& node = editor.At(edit.node_id);
  if (edit.title) {
    RETURN_IF_ERROR(CheckTitle(*edit.title));
    node.title = *edit.title;
  }
  if (edit.notes) {
    RETURN_IF_ERROR(CheckNotes(*edit.notes));
    node.notes = *edit.notes;
  }
  return {};
}

namespace {

// An unknown node is "not found" only where the request as a whole is about it.
Refusal AtOperation(Refusal refusal, size_t position, size_t count) {
  const std::string operation = "operations[" + std::to_string(position) + "]";
  if (refusal.code == Code::kResourceNotFound && count > 1) {
    refusal.code = Code::kInvalidArgument;
    refusal.reason = "unknown-node";
  }
  for (FieldFault& fault : refusal.fields) fault.field = operation + "." + fault.field;
  if (refusal.fields.empty()) refusal.fields.push_back({operation, refusal.message});
  return refusal;
}

}  // namespace

Decision<Applied> Apply(const Tree& tree, std::span<const Operation> operations, const Change& change) {
  TreeEditor editor(tree);
  std::vector<std::string> added;
  const auto apply = [&](const auto& operation) -> Decision<void> {
    if constexpr (std::is_same_v<decltype(operation), const AddNode&>) {
      ASSIGN_OR_RETURN(std::string id, Do(editor, operation, change));
      added.push_back(std::move(id));
      return {};
    } else {
      return Do(editor, operation, change);
    }
  };
  for (size_t i = 0; i < operations.size(); ++i) {
    if (auto done = std::visit(apply, operations[i]); !done) {
      return std::unexpected(AtOperation(std::move(done).error(), i, operations.size()));
    }
  }
  Applied applied{editor.TakeTree(), std::move(added)};
  RETURN_IF_ERROR(CheckTree(applied.tree));
  return applied;
}

}  // namespace cairn::values
