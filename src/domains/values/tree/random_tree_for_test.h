// Random trees and operations for property tests. The same seed gives the same trees; print it
// (SCOPED_TRACE), so that a failure can be replayed.
#pragma once

#include <cstdint>
#include <cstdio>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "domains/values/tree/operations.h"

namespace cairn::values {

class RandomTrees {
 public:
  explicit RandomTrees(uint64_t seed) : engine_(seed) {}

  uint64_t Below(uint64_t bound) { return engine_() % bound; }

  // With a few drivers, milestones of some depth, nodes with several parents, and everything else that
  // happens to a tree.
  Tree RandomTree(size_t nodes) {
    Tree tree;
    while (tree.nodes.size() < nodes) {
      if (tree.nodes.size() < 2 || Below(20) == 0) {
        tree = Try(std::move(tree), Add(tree, NodeType::kDriver));
      } else {
        tree = Try(std::move(tree), Below(3) > 0 ? Operation(Add(tree)) : RandomOperation(tree));
      }
    }
    return tree;
  }

  // One that may be refused.
  Operation RandomOperation(const Tree& tree) {
    if (tree.nodes.empty()) return Add(tree, NodeType::kDriver);
    switch (Below(16)) {
      case 0:
      case 1:
        return Add(tree);
      case 2:
      case 3:
        return Edit(tree);
      case 4:
      case 5:
      case 6:
        return MoveNode{.node_id = AnyId(tree),
                        .parent_id = AnyId(tree),
                        .place = AnyPlace(tree),
                        .from_parent_id = {},
                        .force = Below(3) == 0};
      case 7:
      case 8:
        return LinkNode{.parent_id = AnyId(tree), .child_id = AnyId(tree), .place = {}};
      case 9:
        return AnyUnlink(tree);
      case 10:
        return AnyReorder(tree);
      case 11:
        return CompleteNode{.node_id = AnyId(tree), .completed_at = AnyMoment()};
      case 12:
        return UncompleteNode{.node_id = AnyId(tree)};
      case 13:
        return Below(2) == 0 ? Operation(ArchiveNode{.node_id = AnyId(tree)})
                             : Operation(DeleteNode{.node_id = AnyId(tree)});
      default:
        return RestoreNode{.node_id = AnyId(tree)};
    }
  }

  std::vector<Operation> RandomOperations(const Tree& tree, size_t count) {
    std::vector<Operation> operations;
    for (size_t i = 0; i < count; ++i) operations.push_back(RandomOperation(tree));
    return operations;
  }

  // The tree after so many random operations, each a revision of its own; refused ones do nothing.
  Tree Changed(Tree tree, size_t operations) {
    for (size_t i = 0; i < operations; ++i) tree = Try(std::move(tree), RandomOperation(tree));
    return tree;
  }

  Tree Try(Tree tree, const Operation& operation) {
    auto applied = Apply(tree, std::span(&operation, 1), NextChange());
    return applied ? std::move(applied->tree) : std::move(tree);
  }

  // A second after the one before.
  Change NextChange() {
    ++seconds_;
    char now[32];
    std::snprintf(now, sizeof now, "2026-01-%02uT%02u:%02u:%02u.000Z", 1 + seconds_ / 86'400 % 28,
                  seconds_ / 3'600 % 24, seconds_ / 60 % 60, seconds_ % 60);
    return {.now = now, .new_id = [this] { return "n" + std::to_string(++ids_); }};
  }

  std::string AnyId(const Tree& tree) {
    return std::next(tree.nodes.begin(), static_cast<ptrdiff_t>(Below(tree.nodes.size())))->first;
  }

 private:
  static AddNode Titled(NodeType type, std::string title) {
    return {
        .node_id = {}, .type = type, .title = std::move(title), .notes = {}, .parent_id = {}, .place = {}};
  }
  AddNode Add(const Tree&, NodeType type) { return Titled(type, Text()); }
  AddNode Add(const Tree& tree) {
    AddNode add = Titled(Below(3) == 0 ? NodeType::kMilestone : NodeType::kAction, Text());
    add.parent_id = AnyId(tree);
    add.place.first = Below(3) == 0;
    if (Below(3) == 0) add.notes = Text();
    return add;
  }

  EditNode Edit(const Tree& tree) {
    EditNode edit{.node_id = AnyId(tree), .title = {}, .notes = {}};
    if (Below(2) == 0) edit.title = Text();
    if (Below(3) == 0) edit.notes.emplace(std::nullopt);
    if (Below(3) == 0) edit.notes.emplace(Text());
    return edit;
  }

  // Now, or some day of the past: people tell later what they did.
  std::optional<std::string> AnyMoment() {
    if (Below(2) == 0) return std::nullopt;
    return "2025-12-" + std::to_string(10 + Below(20)) + "T08:00:00Z";
  }

  Place AnyPlace(const Tree& tree) {
    if (Below(3) == 0) return {.after_id = {}, .first = true};
    if (Below(4) == 0) return {.after_id = AnyId(tree), .first = false};
    return {};
  }

  const std::pair<const std::string, std::vector<std::string>>* AnyList(const Tree& tree) {
    if (tree.children.empty()) return nullptr;
    return &*std::next(tree.children.begin(), static_cast<ptrdiff_t>(Below(tree.children.size())));
  }

  Operation AnyUnlink(const Tree& tree) {
    const auto* list = AnyList(tree);
    if (list == nullptr) return Edit(tree);
    return UnlinkNode{.parent_id = list->first, .child_id = list->second[Below(list->second.size())]};
  }

  Operation AnyReorder(const Tree& tree) {
    const auto* list = AnyList(tree);
    if (list == nullptr) return Edit(tree);
    ReorderChildren reorder{.parent_id = list->first, .child_ids = {}};
    for (const std::string& child : list->second) {
      if (tree.nodes.at(child).living()) reorder.child_ids.push_back(child);
    }
    for (size_t i = reorder.child_ids.size(); i > 1; --i) {
      std::swap(reorder.child_ids[i - 1], reorder.child_ids[Below(i)]);
    }
    return reorder;
  }

  // Few different ones, so that both sides of a merge sometimes say the same.
  std::string Text() { return "text " + std::to_string(Below(10)); }

  std::mt19937_64 engine_;
  unsigned seconds_ = 0;
  uint64_t ids_ = 0;
};

}  // namespace cairn::values
