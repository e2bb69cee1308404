#include "domains/values/tree/items.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace cairn::values {
namespace {

using models::values::ValuesEdge;
using models::values::ValuesNode;
using models::values::ValuesPack;

std::unexpected<Refusal> Damaged(std::string message) {
  return std::unexpected(Refusal(Error{Code::kDamaged, "The stored tree is damaged: " + std::move(message)}));
}

Node NodeOf(ValuesNode item) {
  return {.id = *std::move(item.node_id),
          .type = item.node_type,
          .title = std::move(item.title),
          .notes = std::move(item.notes),
          .created_at = *std::move(item.created_at),
          .completed_at = std::move(item.completed_at),
          .archived = item.archived.value_or(false),
          .archived_at = std::move(item.archived_at),
          .deleted_at = std::move(item.deleted_at),
          .driver_id = std::move(item.driver_id),
          .parent_milestone_id = std::move(item.parent_milestone_id),
          .root_driver_id = std::move(item.root_driver_id),
          .packed_actions = item.packed_actions.value_or(0)};
}

// The children of one parent, from its edges in their order.
Decision<std::vector<std::string>> ChildrenOf(const Tree& tree, std::span<ValuesEdge> edges) {
  std::vector<std::string_view> sorted;
  for (const ValuesEdge& edge : edges) {
    const auto child = tree.nodes.find(edge.child_node_id);
    if (child == tree.nodes.end())
      return Damaged("there is no node " + edge.child_node_id + " for its edge.");
    if (child->second.type != edge.child_node_type) {
      return Damaged("the edge to " + edge.child_node_id + " has another type than the node.");
    }
    sorted.push_back(child->first);
  }
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    return Damaged("the edge to " + std::string(*twice) + " is there twice.");
  }
  std::vector<std::string> children;
  children.reserve(edges.size());
  for (ValuesEdge& edge : edges) children.push_back(std::move(edge.child_node_id));
  return children;
}

}  // namespace

std::vector<Edge> Edges(const Tree& tree) {
  std::vector<Edge> edges;
  edges.reserve(tree.nodes.size());
  for (const auto& [parent, children] : tree.children) {
    int64_t order = 0;
    for (const std::string& child : children) edges.push_back({&parent, &child, ++order});
  }
  return edges;
}

ValuesNode NodeItem(const Node& node, const std::string& rev_id) {
  return {.user_id = {},
          .rev_id = rev_id,
          .node_id = node.id,
          .node_type = node.type,
          .title = node.title,
          .notes = node.notes,
          .created_at = node.created_at,
          .completed_at = node.completed_at,
          .archived = node.archived,
          .archived_at = node.archived_at,
          .deleted_at = node.deleted_at,
          .driver_id = node.driver_id,
          .parent_milestone_id = node.parent_milestone_id,
          .root_driver_id = node.root_driver_id,
          .packed_actions = node.packed_actions == 0 ? std::nullopt : std::optional(node.packed_actions)};
}

ValuesEdge EdgeItem(const Tree& tree, const Edge& edge, const std::string& rev_id) {
  return {.user_id = {},
          .rev_id = rev_id,
          .parent_node_id = *edge.parent,
          .order = edge.order,
          .child_node_id = *edge.child,
          .child_node_type = tree.nodes.at(*edge.child).type};
}

std::vector<ValuesNode> NodeItems(const Tree& tree, const std::string& rev_id) {
  std::vector<ValuesNode> items;
  items.reserve(tree.nodes.size());
  for (const auto& [id, node] : tree.nodes) items.push_back(NodeItem(node, rev_id));
  return items;
}

std::vector<ValuesEdge> EdgeItems(const Tree& tree, const std::string& rev_id) {
  std::vector<ValuesEdge> items;
  for (const Edge& edge : Edges(tree)) items.push_back(EdgeItem(tree, edge, rev_id));
  return items;
}

std::vector<ValuesPack> PackItems(const Tree& tree, const std::string& rev_id) {
  std::vector<ValuesPack> items;
  for (const auto& [id, pack] : tree.packs) {
    items.push_back({.user_id = {},
                     .rev_id = rev_id,
                     .pack_rev_id = id,
                     .node_count = pack.node_count,
                     .completed_from = pack.completed_from,
                     .completed_to = pack.completed_to});
  }
  return items;
}

Unchanged UnchangedSince(const Tree& base, const Tree& tree) {
  Unchanged unchanged;
  unchanged.nodes.reserve(tree.nodes.size());
  bool same_types = true;  // which edges repeat
  auto node = base.nodes.begin();
  size_t position = 0;
  for (const auto& [id, now] : tree.nodes) {
    for (; node != base.nodes.end() && node->first < id; ++node) ++position;
    const bool known = node != base.nodes.end() && node->first == id;
    same_types = same_types && !(known && node->second.type != now.type);
    unchanged.nodes.push_back(known && node->second == now ? position : kNotThere);
  }

  unchanged.edges.reserve(tree.nodes.size());
  auto before = base.children.begin();
  position = 0;  // of the first child of `before`
  for (const auto& [parent, children] : tree.children) {
    for (; before != base.children.end() && before->first < parent; ++before)
      position += before->second.size();
    const bool known = same_types && before != base.children.end() && before->first == parent;
    for (size_t i = 0; i < children.size(); ++i) {
      const bool same = known && i < before->second.size() && before->second[i] == children[i];
      unchanged.edges.push_back(same ? position + i : kNotThere);
    }
  }
  return unchanged;
}

Decision<Tree> TreeOf(std::vector<ValuesNode> nodes, std::vector<ValuesEdge> edges,
                      std::vector<ValuesPack> packs) {
  Tree tree;
  for (ValuesPack& item : packs) {
    tree.packs.emplace(item.pack_rev_id, Pack{.node_count = item.node_count,
                                              .completed_from = std::move(item.completed_from),
                                              .completed_to = std::move(item.completed_to)});
  }
  for (ValuesNode& item : nodes) {
    if (!item.node_id || !item.created_at) return Damaged("a node lacks its id or the moment of its making.");
    std::string id = *item.node_id;
    const size_t count = tree.nodes.size();
    tree.nodes.emplace_hint(tree.nodes.end(), id, NodeOf(std::move(item)));  // a query gives them in order
    if (tree.nodes.size() == count) return Damaged("the node " + id + " is there twice.");
  }
  std::ranges::sort(edges, {}, [](const ValuesEdge& edge) {
    return std::tie(edge.parent_node_id, edge.order, edge.child_node_id);
  });
  for (auto first = edges.begin(); first != edges.end();) {
    const std::string& parent = first->parent_node_id;
    const auto last = std::find_if(first, edges.end(),
                                   [&](const ValuesEdge& edge) { return edge.parent_node_id != parent; });
    if (!tree.nodes.contains(parent)) return Damaged("there is no node " + parent + " for its edges.");
    ASSIGN_OR_RETURN(std::vector<std::string> children, ChildrenOf(tree, std::span(first, last)));
    tree.children.emplace_hint(tree.children.end(), parent, std::move(children));
    first = last;
  }
  return tree;
}

}  // namespace cairn::values
