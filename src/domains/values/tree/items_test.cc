#include "domains/values/tree/items.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "domains/values/tree/random_tree_for_test.h"
#include "domains/values/tree/tree_for_test.h"
#include "item/random_item_for_test.h"

namespace cairn::values {
namespace {

constexpr const char* kRev = "01JQ0000000000000000000000";

TEST(TreeItems, NodeHasEverythingThatIsStored) {
  const Tree tree = After(SmallTree(), {EditNode{.node_id = "a3", .notes = {{"slowly"}}},
                                        CompleteNode{"a3", {}}, DeleteNode{"a3"}});
  const auto items = NodeItems(tree, kRev);
  ASSERT_EQ(items.size(), tree.nodes.size());
  const auto item =
      std::ranges::find(items, std::optional<std::string>("a3"), &models::values::ValuesNode::node_id);
  const models::values::ValuesNode expected{.user_id = {},
                                            .rev_id = kRev,
                                            .node_id = "a3",
                                            .node_type = NodeType::kAction,
                                            .title = "Run",
                                            .notes = "slowly",
                                            .created_at = kMade,
                                            .completed_at = kLater,
                                            .archived = true,
                                            .deleted_at = kLater,
                                            .driver_id = "d1",
                                            .parent_milestone_id = "m2",
                                            .root_driver_id = "d1"};
  EXPECT_EQ(*item, expected);
}

TEST(TreeItems, EdgesCountFromOneUnderEachParent) {
  const auto items = EdgeItems(SmallTree(), kRev);
  ASSERT_EQ(items.size(), 9u);
  const models::values::ValuesEdge expected{.user_id = {},
                                            .rev_id = kRev,
                                            .parent_node_id = "m1",
                                            .order = 2,
                                            .child_node_id = "m2",
                                            .child_node_type = NodeType::kMilestone};
  EXPECT_NE(std::ranges::find(items, expected), items.end());
}

TEST(UnchangedSince, NamesWhatIsTheSameItem) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomTrees random(seed);
  size_t repeated = 0;
  for (int round = 0; round < 60; ++round) {
    const Tree base = random.RandomTree(1 + random.Below(40));
    const Tree tree = random.Changed(base, random.Below(5));
    const Unchanged unchanged = UnchangedSince(base, tree);
    const auto expect = [&](const std::vector<size_t>& positions, const auto& before, const auto& now) {
      ASSERT_EQ(positions.size(), now.size());
      for (size_t i = 0; i < now.size(); ++i) {
        const bool is_there = std::ranges::find(before, now[i]) != before.end();
        ASSERT_EQ(positions[i] != kNotThere, is_there);
        if (is_there) {
          EXPECT_EQ(before.at(positions[i]), now[i]);
          ++repeated;
        }
      }
    };
    expect(unchanged.nodes, NodeItems(base, kRev), NodeItems(tree, kRev));
    expect(unchanged.edges, EdgeItems(base, kRev), EdgeItems(tree, kRev));
  }
  EXPECT_GT(repeated, 100u);
}

TEST(TreeOf, RandomTreesComeBackInWhateverOrder) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomTrees random(seed);
  for (int round = 0; round < 20; ++round) {
    const Tree tree = random.RandomTree(1 + random.Below(40));
    auto nodes = NodeItems(tree, kRev);
    auto edges = EdgeItems(tree, kRev);
    std::ranges::reverse(nodes);
    std::ranges::reverse(edges);
    const auto read = TreeOf(std::move(nodes), std::move(edges));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, tree);
  }
}

TEST(TreeOf, AbsentArchivedIsFalse) {
  auto nodes = NodeItems(SmallTree(), kRev);
  for (auto& node : nodes) node.archived.reset();
  const auto read = TreeOf(std::move(nodes), EdgeItems(SmallTree(), kRev));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, SmallTree());
}

TEST(TreeOf, ItemsThatDoNotFitAreDamage) {
  const auto damaged = [](auto breaks) {
    auto nodes = NodeItems(SmallTree(), kRev);
    auto edges = EdgeItems(SmallTree(), kRev);
    breaks(nodes, edges);
    const auto read = TreeOf(std::move(nodes), std::move(edges));
    return !read && read.error().code == Code::kDamaged;
  };
  EXPECT_FALSE(damaged([](auto&, auto&) {}));
  EXPECT_TRUE(damaged([](auto& nodes, auto&) { nodes.pop_back(); }));
  EXPECT_TRUE(damaged([](auto& nodes, auto&) { nodes.push_back(nodes[0]); }));
  EXPECT_TRUE(damaged([](auto& nodes, auto&) { nodes[0].node_id.reset(); }));
  EXPECT_TRUE(damaged([](auto& nodes, auto&) { nodes[0].created_at.reset(); }));
  EXPECT_TRUE(damaged([](auto&, auto& edges) { edges[0].parent_node_id = "nobody"; }));
  EXPECT_TRUE(damaged([](auto&, auto& edges) { edges[0].child_node_type = NodeType::kMilestone; }));
  EXPECT_TRUE(damaged([](auto&, auto& edges) {
    edges.push_back(edges[0]);
    edges.back().order = 99;
  }));
}

}  // namespace
}  // namespace cairn::values
