// The tree's requests and answers as they go over the wire: structs, and what their fields are called
// (rest/fields.h). Used in this folder only.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "domains/values/api/fields.h"
#include "domains/values/commit_tree.h"

namespace cairn::values {

// ---- the tree

struct NodeView {
  std::string id;
  NodeType type{};
  std::string title;
  std::optional<std::string> notes;
  std::string created_at;
  std::optional<std::string> completed_at;
  bool archived = false;
  std::optional<std::string> archived_at, deleted_at, driver_id, parent_milestone_id, root_driver_id;
  std::optional<int64_t> packed_actions;
};
template <class Fields>
void Describe(Fields& fields, NodeView& node) {
  fields.Name("Node");
  fields.Body("nodeId", node.id, kId);
  fields.Body("nodeType", node.type);
  fields.Body("title", node.title, kTitle);
  fields.Body("notes", node.notes, kNotes);
  fields.Body("createdAt", node.created_at, kInstant);
  fields.Body("completedAt", node.completed_at, kInstant);
  fields.Body("archived", node.archived);
  fields.Body("archivedAt", node.archived_at, kInstant);
  fields.Body("deletedAt", node.deleted_at, kInstant);
  fields.Body("driverId", node.driver_id, kId);
  fields.Body("parentMilestoneId", node.parent_milestone_id, kId);
  fields.Body("rootDriverId", node.root_driver_id, kId);
  fields.Body("packedActions", node.packed_actions,
              {.min = 0, .max = 1'000'000'000, .doc = "Completed actions below that were packed away."});
}

struct EdgeView {
  std::string parent_id, child_id;
  int64_t order = 0;
};
template <class Fields>
void Describe(Fields& fields, EdgeView& edge) {
  fields.Name("Edge");
  fields.Body("parentNodeId", edge.parent_id, kId);
  fields.Body("order", edge.order, {.min = 1, .max = 999'999});
  fields.Body("childNodeId", edge.child_id, kId);
}

struct TreeAnswer {
  std::optional<std::string> rev_id, rev_ts;
  std::vector<NodeView> nodes;
  std::vector<EdgeView> edges;
};
template <class Fields>
void Describe(Fields& fields, TreeAnswer& tree) {
  fields.Name("Tree");
  fields.Body("revId", tree.rev_id, {.kind = Kind::kUlid, .doc = "Absent: nothing was committed."});
  fields.Body("revTs", tree.rev_ts, kInstant);
  fields.Body("nodes", tree.nodes, kMany);
  fields.Body("edges", tree.edges, kMany);
}

struct HeadAnswer {
  std::string rev_id, rev_ts, updated_at;
};
template <class Fields>
void Describe(Fields& fields, HeadAnswer& head) {
  fields.Name("Head");
  fields.Body("headRevId", head.rev_id, kRevId);
  fields.Body("headRevTs", head.rev_ts, kInstant);
  fields.Body("updatedAt", head.updated_at, kInstant);
}

struct CommitView {
  std::string rev_id, rev_ts;
  std::optional<std::string> parent_rev_id;
  std::string message;
  RevSource source{};
  int64_t item_count = 0;
  std::optional<std::string> restored_from;
  std::optional<Restore> restored_by;
};
template <class Fields>
void Describe(Fields& fields, CommitView& commit) {
  fields.Name("Commit");
  fields.Body("revId", commit.rev_id, kRevId);
  fields.Body("revTs", commit.rev_ts, kInstant);
  fields.Body("parentRevId", commit.parent_rev_id, kRevId);
  fields.Body("message", commit.message, kMessage);
  fields.Body("source", commit.source);
  fields.Body("itemCount", commit.item_count);
  fields.Body("restoredFrom", commit.restored_from, kRevId);
  fields.Body("restoredBy", commit.restored_by);
}

struct PlanRevisionView {
  std::string day, rev_id;
};
template <class Fields>
void Describe(Fields& fields, PlanRevisionView& plan) {
  fields.Name("PlanRevision");
  fields.Body("day", plan.day, kDay);
  fields.Body("revId", plan.rev_id, kRevId);
}

struct CommitAnswer {
  CommitView commit;
  bool changed = false, merged = false;
  std::vector<std::string> added;
  std::vector<PlanRevisionView> plans;
};
template <class Fields>
void Describe(Fields& fields, CommitAnswer& answer) {
  fields.Name("CommitAnswer");
  fields.Body("commit", answer.commit);
  fields.Body("changed", answer.changed, {.doc = "False: nothing differs, and there is no new revision."});
  fields.Body("merged", answer.merged);
  fields.Body("added", answer.added, {.kind = Kind::kId, .max = 100'000, .doc = "New nodes, in order."});
  fields.Body("plans", answer.plans, {.doc = "Plans of days that record what was completed or reopened."});
}

struct PackAnswer {
  CommitAnswer tree;
  int64_t packed = 0, left = 0;
};
template <class Fields>
void Describe(Fields& fields, PackAnswer& answer) {
  fields.Name("PackAnswer");
  fields.Body("values", answer.tree);
  fields.Body("packed", answer.packed, {.doc = "Nodes that were packed away."});
  fields.Body("left", answer.left, {.doc = "Nodes that are in the tree now, of 5,000."});
}

struct PackView {
  std::string pack_rev_id, packed_at;
  int64_t node_count = 0;
};
template <class Fields>
void Describe(Fields& fields, PackView& pack) {
  fields.Name("Pack");
  fields.Body("packRevId", pack.pack_rev_id, kRevId);
  fields.Body("packedAt", pack.packed_at, kInstant);
  fields.Body("nodeCount", pack.node_count, {.doc = "When it was packed; some may be back since."});
}

struct PackList {
  std::optional<std::string> rev_id;
  std::vector<PackView> items;
};
template <class Fields>
void Describe(Fields& fields, PackList& list) {
  fields.Name("PackList");
  fields.Body("revId", list.rev_id, kRevId);
  fields.Body("items", list.items, {.doc = "The newest first."});
}

struct PackDetail {
  PackView pack;
  std::vector<NodeView> nodes;
};
template <class Fields>
void Describe(Fields& fields, PackDetail& detail) {
  fields.Name("PackDetail");
  fields.Body("pack", detail.pack);
  fields.Body("nodes", detail.nodes,
              {.max = 100'000, .doc = "Those that are still packed away, as they were."});
}

struct CommitList {
  std::vector<CommitView> items;
  std::optional<std::string> next_cursor;
};
template <class Fields>
void Describe(Fields& fields, CommitList& list) {
  fields.Name("CommitList");
  fields.Body("items", list.items);
  fields.Body("nextCursor", list.next_cursor, {.max = 4'000});
}

struct ChangeView {
  std::string node_id, field;
  std::optional<Json> from, to;
};
template <class Fields>
void Describe(Fields& fields, ChangeView& change) {
  fields.Body("nodeId", change.node_id, kId);
  fields.Body("field", change.field);
  fields.Body("from", change.from);
  fields.Body("to", change.to);
}

struct PlaceView {
  std::string parent_id;
  int64_t order = 0;
};
template <class Fields>
void Describe(Fields& fields, PlaceView& place) {
  fields.Name("Place");
  fields.Body("parentNodeId", place.parent_id, kId);
  fields.Body("order", place.order);
}

struct MoveView {
  std::string node_id;
  PlaceView from, to;
};
template <class Fields>
void Describe(Fields& fields, MoveView& move) {
  fields.Body("nodeId", move.node_id, kId);
  fields.Body("from", move.from);
  fields.Body("to", move.to);
}

struct DriverChangeView {
  std::string node_id, from, to;
};
template <class Fields>
void Describe(Fields& fields, DriverChangeView& change) {
  fields.Body("nodeId", change.node_id, kId);
  fields.Body("from", change.from, kId);
  fields.Body("to", change.to, kId);
}

struct DiffAnswer {
  std::optional<std::string> from_rev_id, to_rev_id;
  std::vector<NodeView> added, removed;
  std::vector<ChangeView> changed;
  std::vector<MoveView> moved;
  std::vector<DriverChangeView> drivers_changed;
  std::vector<EdgeView> edges_added, edges_removed;
  std::vector<std::string> packed, unpacked;
};
template <class Fields>
void Describe(Fields& fields, DiffAnswer& diff) {
  fields.Name("TreeDiff");
  fields.Body("fromRevId", diff.from_rev_id, kRevId);
  fields.Body("toRevId", diff.to_rev_id, kRevId);
  fields.Body("added", diff.added, kMany);
  fields.Body("removed", diff.removed, kMany);
  fields.Body("changed", diff.changed, kMany);
  fields.Body("moved", diff.moved, kMany);
  fields.Body("driversChanged", diff.drivers_changed,
              {.max = 100'000, .doc = "Nodes that went to another driver, and all below them."});
  fields.Body("edgesAdded", diff.edges_added, kMany);
  fields.Body("edgesRemoved", diff.edges_removed, kMany);
  fields.Body("packed", diff.packed,
              {.kind = Kind::kUlid, .doc = "Revisions that packed nodes away: such nodes are removed."});
  fields.Body("unpacked", diff.unpacked,
              {.kind = Kind::kUlid, .doc = "Those whose nodes are all back: such nodes are added."});
}

struct CommitDetail {
  CommitView commit;
  DiffAnswer diff;
};
template <class Fields>
void Describe(Fields& fields, CommitDetail& detail) {
  fields.Name("CommitDetail");
  fields.Body("commit", detail.commit);
  fields.Body("diff", detail.diff);
}

struct ProgressView {
  std::string node_id;
  int64_t completed = 0, total = 0;
};
template <class Fields>
void Describe(Fields& fields, ProgressView& progress) {
  fields.Name("Progress");
  fields.Body("nodeId", progress.node_id, kId);
  fields.Body("completed", progress.completed);
  fields.Body("total", progress.total);
}

struct NodeAnswer {
  std::optional<std::string> rev_id;
  NodeView node;
  std::vector<std::string> parents;
  std::optional<ProgressView> progress;
};
template <class Fields>
void Describe(Fields& fields, NodeAnswer& answer) {
  fields.Name("NodeAnswer");
  fields.Body("revId", answer.rev_id, kRevId);
  fields.Body("node", answer.node);
  fields.Body("parents", answer.parents, {.kind = Kind::kId, .doc = "The primary one first."});
  fields.Body("progress", answer.progress);
}

struct ChildrenAnswer {
  std::optional<std::string> rev_id;
  std::vector<NodeView> items;
};
template <class Fields>
void Describe(Fields& fields, ChildrenAnswer& answer) {
  fields.Name("Children");
  fields.Body("revId", answer.rev_id, kRevId);
  fields.Body("items", answer.items, kMany);
}

struct ReviewAnswer {
  std::string from, to;
  std::vector<NodeView> completed, added, archived, stale, offers;
  std::vector<ProgressView> progress;
};
template <class Fields>
void Describe(Fields& fields, ReviewAnswer& review) {
  fields.Name("Review");
  fields.Body("from", review.from, kDay);
  fields.Body("to", review.to, kDay);
  fields.Body("completed", review.completed, kMany);
  fields.Body("added", review.added, kMany);
  fields.Body("archived", review.archived, kMany);
  fields.Body("stale", review.stale, kMany);
  fields.Body("offers", review.offers, {.max = 100'000, .doc = "Milestones with all their actions done."});
  fields.Body("progress", review.progress, kMany);
}

struct TagView {
  std::string name, rev_id, rev_ts;
  std::optional<std::string> created_at;
};
template <class Fields>
void Describe(Fields& fields, TagView& tag) {
  fields.Name("Tag");
  fields.Body("name", tag.name, {.min = 1, .max = 100});
  fields.Body("revId", tag.rev_id, kRevId);
  fields.Body("revTs", tag.rev_ts, kInstant);
  fields.Body("createdAt", tag.created_at, kInstant);
}

struct TagList {
  std::vector<TagView> items;
  std::optional<std::string> next_cursor;
};
template <class Fields>
void Describe(Fields& fields, TagList& list) {
  fields.Name("TagList");
  fields.Body("items", list.items);
  fields.Body("nextCursor", list.next_cursor, {.max = 4'000});
}

// ---- operations on the tree: the decisions' own structs, with the word that tells them apart

template <class Fields>
void DescribePlace(Fields& fields, Place& place) {
  fields.Body("afterId", place.after_id, {.kind = Kind::kId, .doc = "Behind this sibling; else behind all."});
  fields.Body("first", place.first, {.optional = true, .doc = "In front of all siblings."});
}

struct AddNodeOp : AddNode {
  static constexpr std::string_view kOp = "add";
};
template <class Fields>
void Describe(Fields& fields, AddNodeOp& add) {
  fields.Body("nodeId", add.node_id,
              {.kind = Kind::kId, .form = rest::Form::kNewId, .doc = "Of your choice; else a new ULID."});
  fields.Body("nodeType", add.type);
  fields.Body("title", add.title, kNewTitle);
  fields.Body("notes", add.notes, kNotes);
  fields.Body("parentId", add.parent_id,
              {.kind = Kind::kId, .doc = "Drivers have none, all others need one."});
  DescribePlace(fields, add.place);
}

struct EditNodeOp : EditNode {
  static constexpr std::string_view kOp = "edit";
};
template <class Fields>
void Describe(Fields& fields, EditNodeOp& edit) {
  fields.Body("nodeId", edit.node_id, kId);
  fields.Body("title", edit.title, kNewTitle);
  fields.Body("notes", edit.notes, kNotes);
}

struct MoveNodeOp : MoveNode {
  static constexpr std::string_view kOp = "move";
};
template <class Fields>
void Describe(Fields& fields, MoveNodeOp& move) {
  fields.Body("nodeId", move.node_id, kId);
  fields.Body("parentId", move.parent_id, kId);
  fields.Body("fromParentId", move.from_parent_id, {.kind = Kind::kId, .doc = "Which parent it leaves."});
  DescribePlace(fields, move.place);
  fields.Body("force", move.force, {.optional = true, .doc = "Cut what would hang under two drivers."});
}

struct LinkNodeOp : LinkNode {
  static constexpr std::string_view kOp = "link";
};
template <class Fields>
void Describe(Fields& fields, LinkNodeOp& link) {
  fields.Body("parentId", link.parent_id, kId);
  fields.Body("childId", link.child_id, kId);
  DescribePlace(fields, link.place);
}

struct UnlinkNodeOp : UnlinkNode {
  static constexpr std::string_view kOp = "unlink";
};
template <class Fields>
void Describe(Fields& fields, UnlinkNodeOp& unlink) {
  fields.Body("parentId", unlink.parent_id, kId);
  fields.Body("childId", unlink.child_id, kId);
}

struct ReorderChildrenOp : ReorderChildren {
  static constexpr std::string_view kOp = "reorder";
};
template <class Fields>
void Describe(Fields& fields, ReorderChildrenOp& reorder) {
  fields.Body("parentId", reorder.parent_id, kId);
  fields.Body("childIds", reorder.child_ids, {.kind = Kind::kId, .max = static_cast<int64_t>(kNodesMax)});
}

struct CompleteNodeOp : CompleteNode {
  static constexpr std::string_view kOp = "complete";
};
template <class Fields>
void Describe(Fields& fields, CompleteNodeOp& complete) {
  fields.Body("nodeId", complete.node_id, kId);
  fields.Body("completedAt", complete.completed_at, kInstant);
}

struct UncompleteNodeOp : UncompleteNode {
  static constexpr std::string_view kOp = "uncomplete";
};
template <class Fields>
void Describe(Fields& fields, UncompleteNodeOp& open) {
  fields.Body("nodeId", open.node_id, kId);
}

struct ArchiveNodeOp : ArchiveNode {
  static constexpr std::string_view kOp = "archive";
};
template <class Fields>
void Describe(Fields& fields, ArchiveNodeOp& archive) {
  fields.Body("nodeId", archive.node_id, kId);
}

struct DeleteNodeOp : DeleteNode {
  static constexpr std::string_view kOp = "delete";
};
template <class Fields>
void Describe(Fields& fields, DeleteNodeOp& gone) {
  fields.Body("nodeId", gone.node_id, kId);
}

struct RestoreNodeOp : RestoreNode {
  static constexpr std::string_view kOp = "restore";
};
template <class Fields>
void Describe(Fields& fields, RestoreNodeOp& back) {
  fields.Body("nodeId", back.node_id, kId);
}

using OperationOp =
    std::variant<AddNodeOp, EditNodeOp, MoveNodeOp, LinkNodeOp, UnlinkNodeOp, ReorderChildrenOp,
                 CompleteNodeOp, UncompleteNodeOp, ArchiveNodeOp, DeleteNodeOp, RestoreNodeOp>;

// ---- requests

struct Empty {};
template <class Fields>
void Describe(Fields&, Empty&) {}

struct WhichRequest {
  std::optional<std::string> rev, at;
  bool include_archived = false;
};
template <class Fields>
void DescribeWhich(Fields& fields, WhichRequest& which) {
  fields.Query("rev", which.rev, {.kind = Kind::kUlid, .doc = "A revision; else the current one."});
  fields.Query("at", which.at, {.kind = Kind::kInstantMs, .doc = "The last revision at or before a moment."});
}
struct TreeRequest {
  WhichRequest which;
  std::optional<std::string> tag;
};
template <class Fields>
void Describe(Fields& fields, TreeRequest& request) {
  DescribeWhich(fields, request.which);
  fields.Query("tag", request.tag, {.min = 1, .max = 100, .doc = "The revision of this name."});
  fields.Query("includeArchived", request.which.include_archived, {.optional = true});
}

struct ResolutionView {
  std::string node_id, field, take;
  std::optional<std::string> value;
};
template <class Fields>
void Describe(Fields& fields, ResolutionView& resolution) {
  fields.Name("Resolution");
  fields.Body("nodeId", resolution.node_id, kId);
  fields.Body("field", resolution.field, {.max = 100});
  fields.Body("take", resolution.take, {.max = 10, .doc = "theirs, mine or value"});
  fields.Body("value", resolution.value, kNotes);
}

struct CommitRequest {
  std::optional<std::string> base_rev_id;
  std::vector<OperationOp> operations;
  std::optional<RevSource> source;
  std::optional<std::string> message, on_conflict, theirs_rev_id;
  std::vector<ResolutionView> resolutions;
};
template <class Fields>
void Describe(Fields& fields, CommitRequest& commit) {
  fields.Body("baseRevId", commit.base_rev_id,
              {.kind = Kind::kUlid, .doc = "What the operations were made for; else whatever is current."});
  fields.Body("operations", commit.operations, {.min = 1, .max = 1'000});
  fields.Body("source", commit.source,
              {.doc = "Else completion, if something is completed or reopened, or daily_update."});
  fields.Body("message", commit.message, kMessage);
  fields.Body("onConflict", commit.on_conflict, {.max = 10, .doc = "fail (default) or merge"});
  fields.Body("resolutions", commit.resolutions, {.optional = true});
  fields.Body("theirsRevId", commit.theirs_rev_id,
              {.kind = Kind::kUlid, .doc = "headRevId of the conflict that the resolutions answer."});
}

struct HistoryRequest {
  PageQuery page;
  std::optional<RevSource> source;
};
template <class Fields>
void Describe(Fields& fields, HistoryRequest& request) {
  DescribePage(fields, request.page);
  fields.Query("source", request.source);
}

struct RevisionRequest {
  std::string rev_id;
};
template <class Fields>
void Describe(Fields& fields, RevisionRequest& request) {
  fields.Path("revId", request.rev_id, kRevId);
}

struct DiffRequest {
  std::string from, to;
};
template <class Fields>
void Describe(Fields& fields, DiffRequest& request) {
  fields.Query("from", request.from, kRevId);
  fields.Query("to", request.to, kRevId);
}

struct RollbackRequest {
  std::string to_rev_id;
  std::optional<RevSource> source;
  std::optional<std::string> message, base_rev_id;
};
template <class Fields>
void Describe(Fields& fields, RollbackRequest& request) {
  fields.Body("toRevId", request.to_rev_id, kRevId);
  fields.Body("source", request.source);
  fields.Body("message", request.message, kMessage);
  fields.Body("baseRevId", request.base_rev_id, kRevId);
}

struct NodeRequest {
  std::string node_id;
  WhichRequest which;
};
template <class Fields>
void Describe(Fields& fields, NodeRequest& request) {
  fields.Path("nodeId", request.node_id, kId);
  DescribeWhich(fields, request.which);
}

struct ChildrenRequest : NodeRequest {};
template <class Fields>
void Describe(Fields& fields, ChildrenRequest& request) {
  fields.Path("nodeId", request.node_id, kId);
  DescribeWhich(fields, request.which);
  fields.Query("includeArchived", request.which.include_archived, {.optional = true});
}

struct NodeHistoryRequest {
  std::string node_id;
  PageQuery page;
};
template <class Fields>
void Describe(Fields& fields, NodeHistoryRequest& request) {
  fields.Path("nodeId", request.node_id, kId);
  DescribePage(fields, request.page);
}

struct CreateNodeRequest {
  AddNodeOp add;
};
template <class Fields>
void Describe(Fields& fields, CreateNodeRequest& request) {
  Describe(fields, request.add);
}

struct EditNodeRequest {
  EditNode edit;
};
template <class Fields>
void Describe(Fields& fields, EditNodeRequest& request) {
  fields.Path("nodeId", request.edit.node_id, kId);
  fields.Body("title", request.edit.title, kNewTitle);
  fields.Body("notes", request.edit.notes, kNotes);
}

struct MoveNodeRequest {
  MoveNode move;
};
template <class Fields>
void Describe(Fields& fields, MoveNodeRequest& request) {
  fields.Path("nodeId", request.move.node_id, kId);
  fields.Body("parentId", request.move.parent_id, kId);
  fields.Body("fromParentId", request.move.from_parent_id, kId);
  DescribePlace(fields, request.move.place);
  fields.Body("force", request.move.force, {.optional = true});
}

struct ReorderRequest {
  ReorderChildren reorder;
};
template <class Fields>
void Describe(Fields& fields, ReorderRequest& request) {
  fields.Path("nodeId", request.reorder.parent_id, kId);
  fields.Body("childIds", request.reorder.child_ids,
              {.kind = Kind::kId, .max = static_cast<int64_t>(kNodesMax)});
}

struct OneNodeRequest {
  std::string node_id;
};
template <class Fields>
void Describe(Fields& fields, OneNodeRequest& request) {
  fields.Path("nodeId", request.node_id, kId);
}

struct CompleteRequest {
  std::string node_id;
  std::optional<std::string> completed_at;
};
template <class Fields>
void Describe(Fields& fields, CompleteRequest& request) {
  fields.Path("nodeId", request.node_id, kId);
  fields.Body("completedAt", request.completed_at, {.kind = Kind::kInstantMs, .doc = "Else now."});
}

struct PackRequest {
  std::optional<std::string> before;
  std::optional<bool> completed;
};
template <class Fields>
void Describe(Fields& fields, PackRequest& request) {
  fields.Body("before", request.before,
              {.kind = Kind::kInstantMs, .doc = "Only what was done, archived or deleted before; else all."});
  fields.Body("completed", request.completed, {.doc = "False: leave what is completed."});
}

struct OnePackRequest {
  std::string pack_rev_id;
};
template <class Fields>
void Describe(Fields& fields, OnePackRequest& request) {
  fields.Path("packRevId", request.pack_rev_id, kRevId);
}

struct UnpackRequest {
  std::string pack_rev_id;
  std::optional<std::vector<std::string>> node_ids;
};
template <class Fields>
void Describe(Fields& fields, UnpackRequest& request) {
  fields.Path("packRevId", request.pack_rev_id, kRevId);
  fields.Body("nodeIds", request.node_ids,
              {.kind = Kind::kId, .max = static_cast<int64_t>(kNodesMax), .doc = "Which; else all."});
}

struct ReviewRequest {
  std::optional<std::string> week_of;
};
template <class Fields>
void Describe(Fields& fields, ReviewRequest& request) {
  fields.Query("weekOf", request.week_of, {.kind = Kind::kDate, .doc = "A day of the week; else today."});
}

struct PutTagRequest {
  std::string name, rev_id;
};
template <class Fields>
void Describe(Fields& fields, PutTagRequest& request) {
  fields.Path("name", request.name, {.min = 1, .max = 100, .form = rest::Form::kTitle});
  fields.Body("revId", request.rev_id, kRevId);
}

struct TagRequest {
  std::string name;
};
template <class Fields>
void Describe(Fields& fields, TagRequest& request) {
  fields.Path("name", request.name, {.min = 1, .max = 100});
}

struct ListRequest {
  PageQuery page;
};
template <class Fields>
void Describe(Fields& fields, ListRequest& request) {
  DescribePage(fields, request.page);
}

struct ExportRequest {
  std::optional<std::string> after;
};
template <class Fields>
void Describe(Fields& fields, ExportRequest& request) {
  fields.Query("after", request.after, {.kind = Kind::kUlid, .doc = "Go on behind this revision."});
}

struct ImportRequest {
  rest::Document lines;
};
template <class Fields>
void Describe(Fields& fields, ImportRequest& request) {
  fields.Text(request.lines, "application/x-ndjson");
}

struct ImportAnswer {
  int64_t revisions = 0, tags = 0, plan_revisions = 0;
  std::optional<std::string> head_rev_id;
};
template <class Fields>
void Describe(Fields& fields, ImportAnswer& answer) {
  fields.Name("Imported");
  fields.Body("revisions", answer.revisions);
  fields.Body("headRevId", answer.head_rev_id,
              {.kind = Kind::kUlid, .doc = "Absent: no revisions of the tree were given."});
  fields.Body("tags", answer.tags);
  fields.Body("planRevisions", answer.plan_revisions, {.doc = "Revisions of plans, of them new here."});
}

struct DemoAnswer {
  int64_t revisions = 0, days = 0;
};
template <class Fields>
void Describe(Fields& fields, DemoAnswer& answer) {
  fields.Name("DemoFilled");
  fields.Body("revisions", answer.revisions);
  fields.Body("days", answer.days);
}

}  // namespace cairn::values
