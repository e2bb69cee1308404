#include <gtest/gtest.h>

#include "domains/values/tree/operations.h"
#include "domains/values/tree/tree_for_test.h"
#include "domains/values/tree/walk.h"

namespace cairn::values {
namespace {

using Ids = std::vector<std::string>;

MoveNode Move(std::string id, std::string parent, Place place = {}) {
  return {.node_id = std::move(id), .parent_id = std::move(parent), .place = std::move(place)};
}

TEST(MoveNode, UnderTheSameParentReorders) {
  const Tree tree = SmallTree();
  EXPECT_EQ(After(tree, {Move("a2", "m1")}).children.at("m1"), (Ids{"m2", "s1", "a2"}));
  EXPECT_EQ(After(tree, {Move("m2", "m1", {.first = true})}).children.at("m1"), (Ids{"m2", "a2", "s1"}));
  EXPECT_EQ(After(tree, {Move("a2", "m1", {.after_id = "m2"})}).children.at("m1"), (Ids{"m2", "a2", "s1"}));
  EXPECT_EQ(WhyNot(tree, {Move("a2", "m1", {.after_id = "a2"})}), "unknown-sibling at operations[0].afterId");
}

TEST(MoveNode, WithinADriverKeepsOtherParents) {
  const Tree tree = After(SmallTree(), {Move("m2", "d1", {.first = true})});
  EXPECT_EQ(tree.children.at("d1"), (Ids{"m2", "a1", "m1"}));
  EXPECT_EQ(tree.children.at("m1"), (Ids{"a2", "s1"}));
  EXPECT_EQ(tree.nodes.at("m2").parent_milestone_id, std::nullopt);
  EXPECT_EQ(tree.nodes.at("m2").driver_id, "d1");
  EXPECT_EQ(Parents(tree).at("s1"), (Ids{"m2", "m1"}));
}

TEST(MoveNode, LastChildTakesTheListAlong) {
  const Tree tree = After(SmallTree(), {Move("a4", "d2")});
  EXPECT_FALSE(tree.children.contains("m3"));
  EXPECT_EQ(tree.nodes.at("a4").parent_milestone_id, std::nullopt);
}

TEST(MoveNode, ToAnotherDriverTakesDescendantsAlong) {
  const Tree tree = After(SmallTree(), {Move("m1", "m3")});
  for (const char* id : {"m1", "a2", "m2", "a3", "s1"}) {
    EXPECT_EQ(tree.nodes.at(id).driver_id, "d2") << id;
    EXPECT_EQ(tree.nodes.at(id).root_driver_id, "d2") << id;
  }
  EXPECT_EQ(tree.nodes.at("m1").parent_milestone_id, "m3");
  EXPECT_EQ(tree.nodes.at("a3").parent_milestone_id, "m2");
  EXPECT_EQ(tree.nodes.at("a1").driver_id, "d1");
}

TEST(MoveNode, SharedDescendantStaysBehindOnlyByForce) {
  const Tree tree = SmallTree();  // s1 of m2 hangs under m1 too
  EXPECT_EQ(WhyNot(tree, {Move("m2", "d2")}), "shared-descendant at operations[0].nodeId");
  MoveNode forced = Move("m2", "d2");
  forced.force = true;
  const Tree moved = After(tree, {forced});
  EXPECT_EQ(Parents(moved).at("s1"), Ids{"m2"});
  EXPECT_EQ(moved.nodes.at("s1").driver_id, "d2");
  EXPECT_EQ(moved.children.at("m1"), Ids{"a2"});
}

TEST(MoveNode, ForceCutsAPrimaryParentToo) {
  const Tree tree = After(SmallTree(), {LinkNode{.parent_id = "m2", .child_id = "a2"}});  // primary parent m1
  MoveNode forced = Move("m2", "d2");
  forced.force = true;
  const Tree moved = After(tree, {forced});
  EXPECT_EQ(moved.nodes.at("a2").parent_milestone_id, "m2");
  EXPECT_EQ(moved.nodes.at("a2").driver_id, "d2");
  EXPECT_FALSE(moved.children.contains("m1"));
}

TEST(MoveNode, ForceDoesNotLeaveALivingNodeUnderArchivedOnes) {
  const Tree tree = After(SmallTree(), {ArchiveNode{"m2"}});  // s1 lives on under m1
  ASSERT_TRUE(tree.nodes.at("s1").living());
  MoveNode forced = Move("m2", "d2");
  forced.force = true;
  EXPECT_EQ(WhyNot(tree, {forced}), "shared-descendant at operations[0].nodeId");
}

TEST(MoveNode, ForceCutsParentsOfWhatIsArchived) {
  const Tree tree = After(SmallTree(), {ArchiveNode{"m2"}, ArchiveNode{"s1"}});
  MoveNode forced = Move("m2", "d2");
  forced.force = true;
  EXPECT_EQ(Parents(After(tree, {forced})).at("s1"), Ids{"m2"});
}

TEST(MoveNode, OtherParentsOfTheNodeItselfAreForeign) {
  const Tree tree = SmallTree();
  MoveNode move = Move("s1", "m3");
  EXPECT_EQ(WhyNot(tree, {move}), "shared-descendant at operations[0].nodeId");
  move.force = true;
  EXPECT_EQ(Parents(After(tree, {move})).at("s1"), Ids{"m3"});
  move.from_parent_id = "m1";  // not the primary one
  const Tree moved = After(tree, {move});
  EXPECT_EQ(Parents(moved).at("s1"), Ids{"m3"});
  EXPECT_EQ(moved.nodes.at("s1").parent_milestone_id, "m3");
}

TEST(MoveNode, LeavesTheNamedParent) {
  const Tree tree = SmallTree();
  MoveNode move = Move("s1", "d1");
  EXPECT_EQ(Parents(After(tree, {move})).at("s1"), (Ids{"d1", "m1"}));
  move.from_parent_id = "m1";
  EXPECT_EQ(Parents(After(tree, {move})).at("s1"), (Ids{"m2", "d1"}));
  move.from_parent_id = "m3";
  EXPECT_EQ(WhyNot(tree, {move}), "unknown-parent at operations[0].fromParentId");
}

TEST(MoveNode, TheNewParentIsPrimaryWhereTheOldOneWas) {
  const Tree tree = After(SmallTree(), {Milestone("z", "x", "d1"), Move("s1", "z")});
  EXPECT_EQ(Parents(tree).at("s1"), (Ids{"z", "m1"}));
}

TEST(MoveNode, ToAnotherOfItsParentsLeavesOneLess) {
  const Tree tree = After(SmallTree(), {Move("s1", "m1", {.first = true})});
  EXPECT_EQ(Parents(tree).at("s1"), Ids{"m1"});
  EXPECT_EQ(tree.children.at("m1"), (Ids{"s1", "a2", "m2"}));
  EXPECT_EQ(tree.nodes.at("s1").parent_milestone_id, "m1");
}

TEST(MoveNode, RefusesCyclesWithTheirPath) {
  const Tree tree = SmallTree();
  EXPECT_EQ(WhyNot(tree, {Move("m1", "m2")}), "cycle at operations[0].parentId");
  EXPECT_EQ(WhyNot(tree, {Move("m1", "m1")}), "cycle at operations[0].parentId");
  const auto applied = Apply(tree, Operations{Move("m1", "m2")}, ChangeAt(kLater));
  EXPECT_NE(applied.error().message.find("\"Marathon\" > \"Base\" > \"Marathon\""), std::string::npos);
}

TEST(MoveNode, RefusesWhatCannotBe) {
  const Tree tree = After(SmallTree(), {DeleteNode{"m3"}, ArchiveNode{"a1"}});
  EXPECT_EQ(WhyNot(tree, {Move("d2", "d1")}), "wrong-parent at operations[0].nodeId");
  EXPECT_EQ(WhyNot(tree, {Move("a2", "a1")}), "wrong-parent at operations[0].parentId");
  EXPECT_EQ(WhyNot(tree, {Move("a2", "m3")}), "parent-deleted at operations[0].parentId");
  EXPECT_EQ(WhyNot(tree, {Move("a2", "nobody")}), "unknown-parent at operations[0].parentId");
  EXPECT_EQ(WhyNot(tree, {Move("a4", "m1")}), "deleted at operations[0].nodeId");
  EXPECT_EQ(WhyNot(tree, {Move("nobody", "m1")}), "not-found at operations[0].nodeId");
  EXPECT_EQ(WhyNot(tree, {Move("a1", "m1")}), "applied");  // archived, not deleted
}

TEST(LinkNode, AddsAParentThatIsNotPrimary) {
  const Tree tree = After(SmallTree(), {LinkNode{"d1", "a3", {.after_id = "a1"}}});
  EXPECT_EQ(tree.children.at("d1"), (Ids{"a1", "a3", "m1"}));
  EXPECT_EQ(tree.nodes.at("a3"), SmallTree().nodes.at("a3"));
}

TEST(LinkNode, RefusesOtherDriversCyclesAndDoubles) {
  const Tree tree = After(SmallTree(), {ArchiveNode{"m2"}, DeleteNode{"a1"}});
  EXPECT_EQ(WhyNot(tree, {LinkNode{"m3", "a2", {}}}), "other-driver at operations[0].parentId");
  EXPECT_EQ(WhyNot(SmallTree(), {LinkNode{"m2", "m1", {}}}), "cycle at operations[0].parentId");
  EXPECT_EQ(WhyNot(tree, {LinkNode{"m1", "a2", {}}}), "duplicate-edge at operations[0].childId");
  EXPECT_EQ(WhyNot(tree, {LinkNode{"m2", "a2", {}}}), "parent-deleted at operations[0].parentId");
  EXPECT_EQ(WhyNot(tree, {LinkNode{"m1", "d2", {}}}), "wrong-parent at operations[0].parentId");
  EXPECT_EQ(WhyNot(tree, {LinkNode{"m1", "a1", {}}}), "deleted at operations[0].childId");
}

TEST(UnlinkNode, AnotherParentBecomesPrimary) {
  const Tree tree = After(SmallTree(), {UnlinkNode{"m2", "s1"}});
  EXPECT_EQ(Parents(tree).at("s1"), Ids{"m1"});
  EXPECT_EQ(tree.nodes.at("s1").parent_milestone_id, "m1");
  const Tree other = After(SmallTree(), {UnlinkNode{"m1", "s1"}});
  EXPECT_EQ(other.nodes.at("s1").parent_milestone_id, "m2");
}

TEST(UnlinkNode, LivingParentsArePreferred) {
  Tree tree =
      After(SmallTree(), {LinkNode{"d1", "s1", {}}, Milestone("b", "x", "d1"), LinkNode{"b", "s1", {}}});
  tree = After(tree, {ArchiveNode{"b"}, UnlinkNode{"m2", "s1"}});
  EXPECT_EQ(Parents(tree).at("s1"), (Ids{"d1", "b", "m1"}));
}

TEST(UnlinkNode, LastParentStays) {
  EXPECT_EQ(WhyNot(SmallTree(), {UnlinkNode{"m1", "a2"}}), "last-parent at operations[0].parentId");
  EXPECT_EQ(WhyNot(SmallTree(), {UnlinkNode{"m3", "a2"}}), "unknown-parent at operations[0].parentId");
  const Tree tree = After(SmallTree(), {ArchiveNode{"m2"}});
  EXPECT_EQ(WhyNot(tree, {UnlinkNode{"m1", "s1"}}), "last-parent at operations[0].parentId");  // m2 is away
  EXPECT_EQ(WhyNot(tree, {UnlinkNode{"m2", "s1"}}), "applied");
}

TEST(ReorderChildren, LivingOnesInOrderOthersBehind) {
  Tree tree = After(SmallTree(),
                    {Action("b1", "x", "m1"), Action("b2", "x", "m1"), DeleteNode{"a2"}, ArchiveNode{"b1"}});
  tree = After(tree, {ReorderChildren{"m1", {"b2", "s1", "m2"}}});
  EXPECT_EQ(tree.children.at("m1"), (Ids{"b2", "s1", "m2", "a2", "b1"}));
}

TEST(ReorderChildren, RefusesOtherChildren) {
  const Tree tree = SmallTree();
  for (const Ids& given : {Ids{}, Ids{"a2", "m2"}, Ids{"a2", "m2", "s1", "a1"}, Ids{"a2", "m2", "m2"}}) {
    EXPECT_EQ(WhyNot(tree, {ReorderChildren{"m1", given}}), "other-children at operations[0].childIds");
  }
  EXPECT_EQ(WhyNot(tree, {ReorderChildren{"nobody", {}}}), "not-found at operations[0].parentId");
  EXPECT_EQ(After(tree, {ReorderChildren{"a1", {}}}), tree);
}

}  // namespace
}  // namespace cairn::values
