#include "domains/values/tree/walk.h"

#include <gtest/gtest.h>

#include "domains/values/tree/index.h"
#include "domains/values/tree/tree_for_test.h"

namespace cairn::values {
namespace {

using Ids = std::vector<std::string>;

TEST(Parents, PrimaryComesFirstOthersById) {
  const Tree tree = SmallTree();
  const ParentsByChild parents = Parents(tree);
  EXPECT_EQ(parents.at("s1"), (Ids{"m2", "m1"}));
  EXPECT_EQ(parents.at("m1"), Ids{"d1"});
  EXPECT_FALSE(parents.contains("d1"));
}

TEST(Descendants, EachOnceInOrder) {
  const Tree tree = SmallTree();
  EXPECT_EQ(Descendants(tree, "d1"), (Ids{"a1", "m1", "a2", "m2", "a3", "s1"}));
  EXPECT_EQ(Descendants(tree, "a1"), Ids{});
  EXPECT_EQ(Descendants(tree, "nobody"), Ids{});
}

TEST(Descendants, CycleEnds) {
  Tree tree = SmallTree();
  tree.children["m2"].push_back("m1");
  EXPECT_EQ(Descendants(tree, "m1"), (Ids{"a2", "m2", "a3", "s1"}));
}

TEST(PathTo, FollowsPrimaryParents) {
  const Tree tree = SmallTree();
  EXPECT_EQ(PathTo(tree, "s1"), (Ids{"d1", "m1", "m2", "s1"}));
  EXPECT_EQ(PathTo(tree, "d2"), Ids{"d2"});
  EXPECT_EQ(PathTo(tree, "nobody"), Ids{});
}

TEST(PathTo, CycleEnds) {
  Tree tree = SmallTree();
  tree.nodes["m1"].parent_milestone_id = "m2";
  EXPECT_EQ(PathTo(tree, "m2").size(), tree.nodes.size());
}

TEST(DescribePath, LeavesOutTheMiddleOfALongOne) {
  const Tree tree = SmallTree();
  EXPECT_EQ(DescribePath(tree, {"d1", "m1", "gone"}), "\"Health\" > \"Marathon\" > gone");
  Ids path;
  for (int i = 0; i < 30; ++i) path.push_back(std::to_string(i));
  EXPECT_EQ(DescribePath(tree, path), "0 > 1 > 2 > 3 > 4 > ... > 25 > 26 > 27 > 28 > 29");
}

TEST(NameOf, LongTitleIsCutBetweenCharacters) {
  const std::string begin(59, 'a');
  const Node node{.id = "x", .type = NodeType::kAction, .title = begin + "\xc3\xa9zzz", .created_at = {}};
  EXPECT_EQ(NameOf(node), '"' + begin + "...\" (x)");
}

TEST(TreeIndex, ParentsFirstLeavesOutCycles) {
  Tree tree = SmallTree();
  EXPECT_EQ(TreeIndex(tree).ParentsFirst().size(), tree.nodes.size());
  tree.children["m2"].push_back("m1");
  const TreeIndex index(tree);
  std::vector<std::string> ordered;
  for (const TreeIndex::Position i : index.ParentsFirst()) ordered.push_back(index.node(i).id);
  EXPECT_EQ(ordered, (Ids{"d1", "d2", "a1", "m3", "a4"}));
}

TEST(TreeIndex, ParentsAsInParents) {
  const Tree tree = SmallTree();
  const TreeIndex index(tree);
  const auto parents = index.parents(*index.Find("s1"));
  ASSERT_EQ(parents.size(), 2u);
  EXPECT_EQ(index.node(parents[0]).id, "m2");
  EXPECT_EQ(index.node(parents[1]).id, "m1");
  EXPECT_FALSE(index.Find("nobody"));
}

}  // namespace
}  // namespace cairn::values
