#include "domains/values/tree/diff.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "domains/values/tree/items.h"
#include "domains/values/tree/random_tree_for_test.h"
#include "domains/values/tree/tree_for_test.h"
#include "domains/values/tree/walk.h"
#include "item/random_item_for_test.h"

namespace cairn::values {
namespace {

using Ids = std::vector<std::string>;

TreeDiff DiffAfter(const Operations& operations) { return Diff(SmallTree(), After(SmallTree(), operations)); }

TEST(Diff, SameTreesDifferInNothing) {
  EXPECT_TRUE(Diff(SmallTree(), SmallTree()).empty());
  EXPECT_TRUE(Diff({}, {}).empty());
}

TEST(Diff, FieldsAreToldAsJson) {
  const TreeDiff diff = DiffAfter({EditNode{.node_id = "a1", .title = "\"Run\"", .notes = {{"far"}}},
                                   DeleteNode{"a2"}, CompleteNode{"a3", {}}});
  const std::vector<FieldChange> expected = {
      {"a1", "title", "\"Walk\"", "\"\\\"Run\\\"\""},
      {"a1", "notes", std::nullopt, "\"far\""},
      {"a2", "archived", "false", "true"},
      {"a2", "deletedAt", std::nullopt, "\"2026-03-08T08:00:00.000Z\""},
      {"a3", "completedAt", std::nullopt, "\"2026-03-08T08:00:00.000Z\""},
  };
  EXPECT_EQ(diff.changed, expected);
  EXPECT_TRUE(diff.moved.empty() && diff.added.empty() && diff.edges_added.empty());
  EXPECT_FALSE(diff.empty());
}

TEST(Diff, NodeInFrontDoesNotMoveItsSiblings) {
  const TreeDiff diff =
      DiffAfter({AddNode{.node_id = "b", .title = "x", .parent_id = "m1", .place = {.first = true}}});
  EXPECT_EQ(diff.added, Ids{"b"});
  EXPECT_TRUE(diff.moved.empty());
  EXPECT_EQ(diff.edges_added, (std::vector<EdgeChange>{{"m1", "b", 1}}));
  EXPECT_EQ(NodesTouched(diff), std::set<std::string>{"b"});
}

TEST(Diff, OnlyTheSiblingThatJumpedIsMoved) {
  const TreeDiff diff = DiffAfter(
      {MoveNode{.node_id = "a2", .parent_id = "m1", .place = {}, .from_parent_id = {}, .force = false}});
  const std::vector<NodeMove> expected = {{"a2", {"m1", 1}, {"m1", 3}}};
  EXPECT_EQ(diff.moved, expected);
  EXPECT_TRUE(diff.edges_added.empty() && diff.edges_removed.empty() && diff.changed.empty());
}

TEST(Diff, MoveToAnotherDriverNamesWhatGoesAlong) {
  const TreeDiff diff = DiffAfter({MoveNode{
      .node_id = "m1", .parent_id = "m3", .place = {.first = true}, .from_parent_id = {}, .force = false}});
  const std::vector<NodeMove> moved = {{"m1", {"d1", 2}, {"m3", 1}}};
  EXPECT_EQ(diff.moved, moved);
  EXPECT_TRUE(diff.changed.empty());
  Ids along;
  for (const DriverChange& change : diff.driver_changed) {
    EXPECT_EQ(change.from, "d1");
    EXPECT_EQ(change.to, "d2");
    along.push_back(change.node_id);
  }
  EXPECT_EQ(along, (Ids{"a2", "a3", "m1", "m2", "s1"}));
  EXPECT_EQ(diff.edges_removed, (std::vector<EdgeChange>{{"d1", "m1", 2}}));
  EXPECT_EQ(diff.edges_added, (std::vector<EdgeChange>{{"m3", "m1", 1}}));
}

TEST(Diff, LinksAreEdgesAndNoMoves) {
  const TreeDiff linked = DiffAfter({LinkNode{"d1", "a3", {}}});
  EXPECT_TRUE(linked.moved.empty());
  EXPECT_EQ(linked.edges_added, (std::vector<EdgeChange>{{"d1", "a3", 3}}));
  EXPECT_EQ(NodesTouched(linked), std::set<std::string>{"a3"});
}

TEST(Diff, AnotherPrimaryParentIsAMove) {
  const TreeDiff diff = DiffAfter({UnlinkNode{"m2", "s1"}});
  EXPECT_EQ(diff.moved, (std::vector<NodeMove>{{"s1", {"m2", 2}, {"m1", 3}}}));
  EXPECT_EQ(diff.edges_removed, (std::vector<EdgeChange>{{"m2", "s1", 2}}));
}

TEST(Diff, BackwardsAddedAreRemoved) {
  const Tree later = After(SmallTree(), {Action("b", "x", "m1")});
  const TreeDiff diff = Diff(later, SmallTree());
  EXPECT_EQ(diff.removed, Ids{"b"});
  EXPECT_EQ(diff.edges_removed, (std::vector<EdgeChange>{{"m1", "b", 4}}));
}

// What the stored items of two trees say, without the order of edges.
std::set<std::string> TouchedByItems(const Tree& from, const Tree& to) {
  std::set<std::string> touched;
  const auto items_of = [](const Tree& tree) {
    std::map<std::string, models::values::ValuesNode> items;
    for (auto& item : NodeItems(tree, "r")) items[*item.node_id] = item;
    return items;
  };
  const auto before = items_of(from), after = items_of(to);
  for (const auto& [id, item] : before) {
    if (!after.contains(id) || after.at(id) != item) touched.insert(id);
  }
  for (const auto& [id, item] : after) {
    if (!before.contains(id)) touched.insert(id);
  }
  const auto edges_of = [](const Tree& tree) {
    std::set<std::pair<std::string, std::string>> edges;
    for (const auto& edge : EdgeItems(tree, "r")) edges.emplace(edge.parent_node_id, edge.child_node_id);
    return edges;
  };
  const auto edges_before = edges_of(from), edges_after = edges_of(to);
  for (const auto& edge : edges_before) {
    if (!edges_after.contains(edge)) touched.insert(edge.second);
  }
  for (const auto& edge : edges_after) {
    if (!edges_before.contains(edge)) touched.insert(edge.second);
  }
  return touched;
}

// Without what jumped, the old order and the new one are the same.
void ExpectJumpsExplainOrder(const Tree& from, const Tree& to, const TreeDiff& diff) {
  for (const auto& [parent, children] : to.children) {
    const auto before = from.children.find(parent);
    if (before == from.children.end()) continue;
    std::set<std::string> jumped;
    for (const NodeMove& move : diff.moved) {
      if (move.from.parent_id == parent && move.to.parent_id == parent) jumped.insert(move.node_id);
    }
    const auto stayed = [&](const Ids& ids, const Ids& others) {
      Ids left;
      for (const std::string& id : ids) {
        if (!jumped.contains(id) && std::ranges::find(others, id) != others.end()) left.push_back(id);
      }
      return left;
    };
    EXPECT_EQ(stayed(before->second, children), stayed(children, before->second));
  }
}

TEST(Diff, NothingMovesFromANumberToTheSame) {
  const Tree from =
      After({}, {Driver("d", "d"), Action("a", "a", "d"), Action("b", "b", "d"), Action("c", "c", "d")});
  const auto first = [](std::string id) {
    return AddNode{.node_id = id, .title = id, .parent_id = "d", .place = {.first = true}};
  };
  const Tree to = After(
      from, {MoveNode{.node_id = "c", .parent_id = "d", .place = {.first = true}}, first("n"), first("m")});
  const std::vector<NodeMove> expected = {{"a", {"d", 1}, {"d", 4}}, {"b", {"d", 2}, {"d", 5}}};
  EXPECT_EQ(Diff(from, to).moved, expected);  // c was and is the third
}

TEST(Diff, NamesExactlyTheNodesWhoseItemsDiffer) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomTrees random(seed);
  for (int round = 0; round < 60; ++round) {
    const Tree from = random.RandomTree(2 + random.Below(40));
    const Tree to = random.Changed(from, random.Below(12));
    const TreeDiff diff = Diff(from, to);
    ASSERT_EQ(diff.empty(), from == to);
    ASSERT_TRUE(Diff(to, to).empty());
    std::set<std::string> touched = NodesTouched(diff);
    const std::set<std::string> expected = TouchedByItems(from, to);
    ASSERT_TRUE(std::ranges::includes(touched, expected));
    for (const NodeMove& move : diff.moved) {
      if (move.from.parent_id == move.to.parent_id && !expected.contains(move.node_id))
        touched.erase(move.node_id);
    }
    ASSERT_EQ(touched, expected);  // beyond those, only what jumped among its siblings
    ExpectJumpsExplainOrder(from, to, diff);
    for (const NodeMove& move : diff.moved) ASSERT_NE(move.from, move.to) << move.node_id;
  }
}

}  // namespace
}  // namespace cairn::values
