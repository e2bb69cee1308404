#include <gtest/gtest.h>

#include "domains/values/tree/operations.h"
#include "domains/values/tree/tree_for_test.h"

namespace cairn::values {
namespace {

using Ids = std::vector<std::string>;

Ids Away(const Tree& tree) {
  Ids ids;
  for (const auto& [id, node] : tree.nodes) {
    if (!node.living()) ids.push_back(id);
  }
  return ids;
}

TEST(ArchiveNode, TakesDescendantsAlong) {
  const Tree tree = After(SmallTree(), {ArchiveNode{"m1"}});
  EXPECT_EQ(Away(tree), (Ids{"a2", "a3", "m1", "m2", "s1"}));
  EXPECT_EQ(tree.nodes.at("a3").deleted_at, std::nullopt);
  EXPECT_EQ(tree.nodes.at("a3").archived_at, kLater);
  EXPECT_EQ(tree.children, SmallTree().children);
}

TEST(ArchiveNode, AnotherLivingParentKeepsAChild) {
  Tree tree = After(SmallTree(), {ArchiveNode{"m2"}});
  EXPECT_EQ(Away(tree), (Ids{"a3", "m2"}));
  tree = After(tree, {ArchiveNode{"m1"}});
  EXPECT_EQ(Away(tree), (Ids{"a2", "a3", "m1", "m2", "s1"}));
}

TEST(ArchiveNode, AgainChangesNothing) {
  const Tree tree = After(SmallTree(), {ArchiveNode{"m1"}});
  EXPECT_EQ(After(tree, {ArchiveNode{"m1"}, ArchiveNode{"a2"}}), tree);
  EXPECT_EQ(WhyNot(After(tree, {DeleteNode{"a1"}}), {ArchiveNode{"a1"}}), "deleted at operations[0].nodeId");
}

TEST(DeleteNode, LeavesTombstonesOfOneMoment) {
  const Tree tree = After(SmallTree(), {DeleteNode{"m1"}});
  EXPECT_EQ(Away(tree), (Ids{"a2", "a3", "m1", "m2", "s1"}));
  for (const std::string& id : Away(tree)) {
    EXPECT_TRUE(tree.nodes.at(id).archived) << id;
    EXPECT_EQ(tree.nodes.at(id).deleted_at, kLater) << id;
  }
  EXPECT_EQ(After(tree, {DeleteNode{"m1"}}, "2027-01-01T00:00:00.000Z"), tree);
}

TEST(DeleteNode, LeavesArchivedDescendantsAsTheyAre) {
  const Tree tree = After(SmallTree(), {ArchiveNode{"a2"}, DeleteNode{"m1"}});
  EXPECT_EQ(tree.nodes.at("a2").deleted_at, std::nullopt);
  EXPECT_EQ(tree.nodes.at("a3").deleted_at, kLater);
  const Tree back = After(tree, {RestoreNode{"m1"}});
  EXPECT_EQ(Away(back), Ids{"a2"});
}

TEST(DeleteNode, OfAnArchivedNodeLeavesWhatLivesElsewhere) {
  const Tree tree = After(SmallTree(), {ArchiveNode{"m2"}, DeleteNode{"m2"}});
  EXPECT_TRUE(tree.nodes.at("s1").living());  // under m1
}

TEST(DeleteNode, OfAnArchivedNodeIsATombstoneToo) {
  const Tree tree = After(SmallTree(), {ArchiveNode{"a1"}, DeleteNode{"a1"}});
  EXPECT_EQ(tree.nodes.at("a1").deleted_at, kLater);
}

TEST(RestoreNode, BringsBackWhatWentTogether) {
  for (const Operation& away :
       Operations{ArchiveNode{"m1"}, DeleteNode{"m1"}, ArchiveNode{"d1"}, DeleteNode{"d1"}}) {
    const Tree tree = After(SmallTree(), {away});
    const std::string id = tree.nodes.at("d1").living() ? "m1" : "d1";
    EXPECT_EQ(After(tree, {RestoreNode{id}}), SmallTree());
  }
  EXPECT_EQ(After(SmallTree(), {RestoreNode{"m1"}}), SmallTree());
}

TEST(RestoreNode, LeavesWhatWasDeletedAtAnotherTime) {
  Tree tree = After(SmallTree(), {DeleteNode{"a3"}}, "2026-03-05T00:00:00.000Z");
  tree = After(tree, {DeleteNode{"m1"}});
  tree = After(tree, {RestoreNode{"m1"}});
  EXPECT_EQ(Away(tree), Ids{"a3"});
}

TEST(RestoreNode, LeavesWhatWasArchivedBefore) {
  Tree tree = After(SmallTree(), {ArchiveNode{"a3"}}, "2026-03-05T00:00:00.000Z");
  tree = After(tree, {ArchiveNode{"m1"}});
  EXPECT_EQ(Away(After(tree, {RestoreNode{"m1"}})), Ids{"a3"});
  // Deleting what is archived leaves below it what was archived with it; restoring brings that back.
  tree = After(tree, {DeleteNode{"m1"}}, "2026-03-09T00:00:00.000Z");
  tree = After(tree, {RestoreNode{"m1"}});
  EXPECT_EQ(Away(tree), Ids{"a3"});
  EXPECT_EQ(After(tree, {RestoreNode{"a3"}}), SmallTree());
}

// Nodes that were archived before such moments were kept.
TEST(RestoreNode, WithoutAMomentBringsBackAllThatHasNone) {
  Tree tree = After(SmallTree(), {ArchiveNode{"m1"}});
  for (auto& [id, node] : tree.nodes) node.archived_at.reset();
  EXPECT_EQ(After(tree, {RestoreNode{"m1"}}), SmallTree());
  tree.nodes.at("a3").archived_at = kLater;
  EXPECT_EQ(Away(After(tree, {RestoreNode{"m1"}})), Ids{"a3"});
}

TEST(RestoreNode, BringsBackWhatWentWithItThoughAnotherParentIsAway) {
  Tree tree =
      After(SmallTree(), {LinkNode{"d1", "m2", {}}, Milestone("m9", "x", "d1"), LinkNode{"m9", "a2", {}}});
  tree = After(tree, {ArchiveNode{"m9"}, ArchiveNode{"m1"}});
  EXPECT_EQ(Away(tree), (Ids{"a2", "m1", "m9"}));  // m2 is also under d1
  tree = After(tree, {RestoreNode{"m1"}});
  EXPECT_EQ(Away(tree), Ids{"m9"});
  tree = After(tree, {RestoreNode{"m9"}});
  EXPECT_EQ(Away(tree), Ids{});
}

TEST(RestoreNode, LeavesDeletedNodesBelowAnArchivedOne) {
  const Tree tree = After(SmallTree(), {DeleteNode{"a3"}, ArchiveNode{"m1"}, RestoreNode{"m1"}});
  EXPECT_EQ(Away(tree), Ids{"a3"});
}

TEST(RestoreNode, NeedsALivingParent) {
  Tree tree = After(SmallTree(), {DeleteNode{"m1"}});
  EXPECT_EQ(WhyNot(tree, {RestoreNode{"a3"}}), "parent-deleted at operations[0].nodeId");
  EXPECT_EQ(WhyNot(tree, {RestoreNode{"nobody"}}), "not-found at operations[0].nodeId");
  tree = After(SmallTree(), {ArchiveNode{"m2"}, ArchiveNode{"s1"}});
  EXPECT_EQ(Away(After(tree, {RestoreNode{"s1"}})), (Ids{"a3", "m2"}));  // m1 is enough
}

}  // namespace
}  // namespace cairn::values
