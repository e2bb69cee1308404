// TreeKind: the values tree as items.
#include "base/together.h"
#include "domains/values/history/repository_kinds.h"
#include "domains/values/history/revision_id.h"
#include "domains/values/tree/items.h"
#include "domains/values/tree/length.h"
#include "domains/values/tree/rules.h"

namespace cairn::values {
namespace {

namespace data = models::values;
using TreeRevision = Revision<TreeKind::Label>;

constexpr size_t kItemsHereMax = 300;  // more are made into a tree by a helper

TreeRevision RevisionOf(data::ValuesRev stored) {
  return {.id = stored.rev_id.value_or(""),
          .ts = stored.rev_ts.value_or(""),
          .parent_id = std::move(stored.parent_rev_id),
          .message = std::move(stored.message).value_or(""),
          .label = stored.source,
          .item_count = stored.item_count.value_or(-1),
          .restored_from = std::move(stored.restored_from),
          .restored_by = stored.restored_by,
          .values_rev_id = {},
          .touched = std::move(stored.touched)};
}

data::ValuesRev StoredOf(const TreeRevision& revision) {
  data::ValuesRev stored;
  stored.rev_id = revision.id;
  stored.rev_ts = revision.ts;
  stored.parent_rev_id = revision.parent_id;
  if (!revision.message.empty()) stored.message = revision.message;
  stored.source = revision.label;
  stored.item_count = revision.item_count;
  stored.restored_from = revision.restored_from;
  stored.restored_by = revision.restored_by;
  stored.touched = revision.touched;
  return stored;
}

size_t BytesOfItems(const std::vector<item::PackedItem>& items) {
  size_t bytes = items.size() * sizeof(item::PackedItem);
  for (const item::PackedItem& item : items) bytes += item.bytes().size();
  return bytes;
}

// What of `unchanged` is known, by position; everything is unknown without a base.
std::vector<const item::PackedItem*> Known(const std::vector<size_t>& unchanged,
                                           const std::vector<item::PackedItem>& stored) {
  std::vector<const item::PackedItem*> known;
  known.reserve(unchanged.size());
  for (const size_t position : unchanged)
    known.push_back(position == kNotThere ? nullptr : &stored.at(position));
  return known;
}

}  // namespace

Refusal RefusalOf(model::Failure failure) {
  Refusal refusal(std::move(failure.error));
  for (const model::FieldError& field : failure.fields)
    refusal.fields.push_back({field.attribute, field.message});
  if (!failure.conflicts.empty() && refusal.code == Code::kConditionFailed) refusal.reason = "conflict";
  return refusal;
}

size_t TreeKind::ItemCount(const Tree& tree) {
  return tree.nodes.size() + EdgeCount(tree) + tree.packs.size();
}

size_t TreeKind::BytesOf(const Snapshot& snapshot) {
  constexpr size_t kEdgeBytes = 64;
  const Tree& tree = snapshot.content;
  size_t bytes = TextBytes(tree) + tree.nodes.size() * sizeof(Node) + EdgeCount(tree) * kEdgeBytes;
  bytes += tree.packs.size() * 2 * sizeof(Pack);
  if (snapshot.stored) bytes += BytesOfItems(snapshot.stored->nodes) + BytesOfItems(snapshot.stored->edges);
  return bytes;
}

Task<Decision<std::optional<Head>>> TreeKind::ReadHead(model::Session& session, Where) {
  auto head = co_await data::GetValuesHead(session);
  if (!head) co_return std::unexpected(RefusalOf(std::move(head).error()));
  if (!*head) co_return std::nullopt;
  co_return Head{.rev_id = (*head)->head_rev_id,
                 .rev_ts = (*head)->head_rev_ts,
                 .updated_at = (*head)->updated_at.value_or(""),
                 .item_count = (*head)->item_count};
}

Task<Decision<std::optional<TreeRevision>>> TreeKind::ReadRevision(model::Session& session, Where,
                                                                   std::string rev_id) {
  const data::ValuesRevKey key{.rev_ts = TimestampOf(rev_id), .rev_id = rev_id};
  auto stored = co_await data::GetValuesRev(session, key);
  if (!stored) co_return std::unexpected(RefusalOf(std::move(stored).error()));
  if (!*stored) co_return std::nullopt;
  co_return RevisionOf(**std::move(stored));
}

Task<Decision<RevisionPage<TreeKind::Label>>> TreeKind::ReadHistory(model::Session& session, Where,
                                                                    PageOf page) {
  const model::typed::PageOptions options{.limit = page.limit, .cursor = page.cursor};
  auto read = co_await data::ReadValuesHistory(session, options);
  if (!read) co_return std::unexpected(RefusalOf(std::move(read).error()));
  RevisionPage<Label> answer;
  answer.next_cursor = read->next_cursor;
  for (data::ValuesRev& stored : read->items) answer.revisions.push_back(RevisionOf(std::move(stored)));
  co_return answer;
}

Task<Decision<std::optional<TreeRevision>>> TreeKind::ReadRevisionAt(model::Session& session, Where,
                                                                     std::string at) {
  const data::ValuesRevAtParameters parameters{.at = at};
  const model::typed::PageOptions options{.limit = 1, .cursor = {}};
  auto read = co_await data::ReadValuesRevAt(session, parameters, options);
  if (!read) co_return std::unexpected(RefusalOf(std::move(read).error()));
  if (read->items.empty()) co_return std::nullopt;
  co_return RevisionOf(std::move(read->items.front()));
}

Task<Decision<Tree>> TreeKind::ReadSnapshot(model::Session& session, Where, std::string rev_id) {
  const data::ValuesTreeParameters parameters{.rev_id = rev_id};
  auto read = co_await data::ReadValuesTree(session, parameters);
  if (!read) co_return std::unexpected(RefusalOf(std::move(read).error()));
  std::vector<data::ValuesNode> nodes;
  std::vector<data::ValuesEdge> edges;
  std::vector<data::ValuesPack> packs;
  nodes.reserve(read->items.size());
  for (auto& item : read->items) {
    if (auto* node = std::get_if<data::ValuesNode>(&item)) {
      nodes.push_back(std::move(*node));
    } else if (auto* pack = std::get_if<data::ValuesPack>(&item)) {
      packs.push_back(std::move(*pack));
    } else {
      edges.push_back(std::move(std::get<data::ValuesEdge>(item)));
    }
  }
  const Length length = nodes.size() + edges.size() > kItemsHereMax ? Length::kLong : Length::kShort;
  auto make_tree = [&] { return TreeOf(std::move(nodes), std::move(edges), std::move(packs)); };
  co_return co_await Aside(make_tree, length);
}

Task<Decision<size_t>> TreeKind::WriteSnapshot(model::Session& session, Where, std::string rev_id,
                                               Snapshot& snapshot, const Snapshot* base) {
  const Tree& tree = snapshot.content;
  static const Snapshot kNothing{.content = {}, .stored = StoredTree()};
  const Snapshot& before = base != nullptr && base->stored ? *base : kNothing;
  auto compare = [&] { return UnchangedSince(before.content, tree); };
  const Unchanged unchanged = co_await Aside(compare, LengthOf(tree));
  const item::Item partition = {{"revId", rev_id}};
  std::vector<const Node*> nodes;
  nodes.reserve(tree.nodes.size());
  for (const auto& [id, node] : tree.nodes) nodes.push_back(&node);
  const std::vector<Edge> edges = Edges(tree);
  StoredTree& stored = snapshot.stored.emplace();
  // Side by side: one sync for both.
  std::vector<Task<model::Outcome<size_t>>> writes;
  writes.push_back(model::typed::CreateMany<data::ValuesNode>(
      session, data::kModelIdentity,
      {.partition = partition,
       .known = Known(unchanged.nodes, before.stored->nodes),
       .written = stored.nodes},
      [&](size_t position) { return NodeItem(*nodes[position], rev_id); }));
  writes.push_back(model::typed::CreateMany<data::ValuesEdge>(
      session, data::kModelIdentity,
      {.partition = partition,
       .known = Known(unchanged.edges, before.stored->edges),
       .written = stored.edges},
      [&](size_t position) { return EdgeItem(tree, edges[position], rev_id); }));
  const std::vector<data::ValuesPack> packs = PackItems(tree, rev_id);
  if (!packs.empty()) writes.push_back(data::CreateManyValuesPack(session, packs));
  for (auto& written : co_await Together(std::move(writes))) {
    if (!written) co_return std::unexpected(RefusalOf(std::move(written).error()));
  }
  co_return nodes.size() + edges.size() + packs.size();
}

Task<Decision<size_t>> TreeKind::DeleteSnapshot(model::Session& session, Where, std::string rev_id) {
  const data::ValuesTreeParameters parameters{.rev_id = rev_id};
  auto read = co_await data::ReadValuesTree(session, parameters);
  if (!read) co_return std::unexpected(RefusalOf(std::move(read).error()));
  std::vector<data::ValuesNodeKey> nodes;
  std::vector<data::ValuesEdgeKey> edges;
  std::vector<data::ValuesPackKey> packs;
  for (const auto& item : read->items) {
    if (const auto* node = std::get_if<data::ValuesNode>(&item)) {
      nodes.push_back(data::KeyOf(*node));
    } else if (const auto* pack = std::get_if<data::ValuesPack>(&item)) {
      packs.push_back(data::KeyOf(*pack));
    } else {
      edges.push_back(data::KeyOf(std::get<data::ValuesEdge>(item)));
    }
  }
  auto gone = co_await data::DeleteManyValuesNode(session, nodes);
  if (!gone) co_return std::unexpected(RefusalOf(std::move(gone).error()));
  auto parted = co_await data::DeleteManyValuesEdge(session, edges);
  if (!parted) co_return std::unexpected(RefusalOf(std::move(parted).error()));
  auto unpacked = co_await data::DeleteManyValuesPack(session, packs);
  if (!unpacked) co_return std::unexpected(RefusalOf(std::move(unpacked).error()));
  co_return nodes.size() + edges.size() + packs.size();
}

Decision<void> TreeKind::Stage(model::Session& session, const Where&, const TreeRevision& revision,
                               const std::optional<Head>& seen, const Tree&) {
  if (auto staged = data::CreateValuesRev(session, StoredOf(revision)); !staged)
    return std::unexpected(RefusalOf(std::move(staged).error()));
  model::Outcome<void> moved;
  if (seen) {
    data::ValuesHeadChanges changes;
    changes.SetHeadRevId(revision.id).SetHeadRevTs(revision.ts).SetItemCount(revision.item_count);
    moved = data::UpdateValuesHead(session, changes, seen->rev_id);
  } else {
    data::ValuesHead head;
    head.head_rev_id = revision.id;
    head.head_rev_ts = revision.ts;
    head.item_count = revision.item_count;
    if (auto created = data::CreateValuesHead(session, head); !created)
      moved = std::unexpected(std::move(created).error());
  }
  if (!moved) return std::unexpected(RefusalOf(std::move(moved).error()));
  return {};
}

}  // namespace cairn::values
