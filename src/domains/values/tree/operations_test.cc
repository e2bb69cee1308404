#include "domains/values/tree/operations.h"

#include <gtest/gtest.h>

#include "domains/values/tree/random_tree_for_test.h"
#include "domains/values/tree/tree_for_test.h"
#include "item/random_item_for_test.h"

namespace cairn::values {
namespace {

using Ids = std::vector<std::string>;

TEST(AddNode, TakesDriverAndMilestoneFromItsParent) {
  const Tree tree = SmallTree();
  const Node& deep = tree.nodes.at("a3");
  EXPECT_EQ(deep.driver_id, "d1");
  EXPECT_EQ(deep.root_driver_id, "d1");
  EXPECT_EQ(deep.parent_milestone_id, "m2");
  EXPECT_EQ(deep.created_at, kMade);
  const Node& milestone = tree.nodes.at("m1");
  EXPECT_EQ(milestone.driver_id, "d1");
  EXPECT_EQ(milestone.parent_milestone_id, std::nullopt);
  const Node& driver = tree.nodes.at("d1");
  EXPECT_EQ(driver.driver_id, std::nullopt);
  EXPECT_EQ(driver.root_driver_id, "d1");
}

TEST(AddNode, StandsWhereItIsPut) {
  Tree tree = SmallTree();
  tree = After(tree,
               {AddNode{.node_id = "first", .title = "x", .parent_id = "m1", .place = {.first = true}},
                AddNode{.node_id = "last", .title = "x", .parent_id = "m1", .place = {.after_id = ""}},
                AddNode{.node_id = "behind", .title = "x", .parent_id = "m1", .place = {.after_id = "a2"}}});
  EXPECT_EQ(tree.children.at("m1"), (Ids{"first", "a2", "behind", "m2", "s1", "last"}));
}

TEST(AddNode, IdsAreToldInOrderAndNewOnesMade) {
  int made = 0;
  const Change change{.now = kLater, .new_id = [&made] { return "made" + std::to_string(++made); }};
  AddNode nameless{.title = "x", .parent_id = "d1"};
  const Operations operations = {nameless, EditNode{.node_id = "d1", .title = "Body"},
                                 Milestone("mine", "x", "d1"), Action("leaf", "x", "mine"), nameless};
  const auto applied = Apply(SmallTree(), operations, change);
  ASSERT_TRUE(applied);
  EXPECT_EQ(applied->added, (Ids{"made1", "mine", "leaf", "made2"}));
  EXPECT_EQ(applied->tree.children.at("mine"), Ids{"leaf"});
}

TEST(AddNode, RefusesWhatCannotBe) {
  const Tree tree = After(SmallTree(), {DeleteNode{"a1"}, ArchiveNode{"m3"}});
  const auto why = [&](AddNode add) { return WhyNot(tree, {std::move(add)}); };
  EXPECT_EQ(why({.title = "", .parent_id = "d1"}), "bad-title at operations[0].title");
  EXPECT_EQ(why({.title = "x", .notes = std::string(50'001, 'n'), .parent_id = "d1"}),
            "bad-notes at operations[0].notes");
  EXPECT_EQ(why({.title = "x"}), "no-parent at operations[0].parentId");
  EXPECT_EQ(why({.title = "x", .parent_id = "nobody"}), "unknown-parent at operations[0].parentId");
  EXPECT_EQ(why({.title = "x", .parent_id = "a2"}), "wrong-parent at operations[0].parentId");
  EXPECT_EQ(why({.title = "x", .parent_id = "m3"}), "parent-deleted at operations[0].parentId");
  EXPECT_EQ(why({.node_id = "a#1", .title = "x", .parent_id = "d1"}), "bad-id at operations[0].nodeId");
  EXPECT_EQ(why({.node_id = "", .title = "x", .parent_id = "d1"}), "bad-id at operations[0].nodeId");
  EXPECT_EQ(why({.node_id = "a1", .title = "x", .parent_id = "d1"}), "id-taken at operations[0].nodeId");
  EXPECT_EQ(why({.title = "x", .parent_id = "d1", .place = {.after_id = "a2"}}),
            "unknown-sibling at operations[0].afterId");
  EXPECT_EQ(why({.title = "x", .parent_id = "d1", .place = {.after_id = "m1", .first = true}}),
            "two-places at operations[0].afterId");
  EXPECT_EQ(why({.type = NodeType::kDriver, .title = "x", .parent_id = "d1"}),
            "wrong-parent at operations[0].parentId");
  EXPECT_EQ(why({.type = NodeType::kDriver, .title = "x", .place = {.first = true}}),
            "no-place at operations[0].afterId");
}

TEST(AddNode, NoRoomIsALimit) {
  Operations operations = {Driver("d", "x")};
  for (size_t i = 1; i < kNodesMax; ++i) operations.push_back(Action("a" + std::to_string(i), "x", "d"));
  const Tree tree = After({}, operations);
  const auto applied = Apply(tree, Operations{Action("more", "x", "d")}, ChangeAt(kLater));
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, Code::kLimitExceeded);
  EXPECT_EQ(applied.error().reason, "too-many-nodes");
  EXPECT_EQ(applied.error().fields.at(0).field, "operations[0]");
}

TEST(EditNode, ChangesWhatIsGivenOnly) {
  Tree tree = After(SmallTree(), {EditNode{.node_id = "a1", .notes = {{"daily"}}}});
  EXPECT_EQ(tree.nodes.at("a1").title, "Walk");
  EXPECT_EQ(tree.nodes.at("a1").notes, "daily");
  tree = After(tree, {EditNode{.node_id = "a1", .title = "Stroll"}});
  EXPECT_EQ(tree.nodes.at("a1").title, "Stroll");
  EXPECT_EQ(tree.nodes.at("a1").notes, "daily");
  EditNode clear{.node_id = "a1"};
  clear.notes.emplace(std::nullopt);
  tree = After(tree, {clear});
  EXPECT_EQ(tree.nodes.at("a1").notes, std::nullopt);
}

TEST(EditNode, RefusesDeletedNodesAndBadTexts) {
  const Tree tree = After(SmallTree(), {DeleteNode{"a1"}, ArchiveNode{"a2"}});
  EXPECT_EQ(WhyNot(tree, {EditNode{.node_id = "a1", .title = "x"}}), "deleted at operations[0].nodeId");
  EXPECT_EQ(WhyNot(tree, {EditNode{.node_id = "a2", .title = "x"}}), "applied");
  EXPECT_EQ(WhyNot(tree, {EditNode{.node_id = "a2", .title = ""}}), "bad-title at operations[0].title");
}

TEST(Apply, UnknownNodeIsNotFoundOnlyWhenTheRequestIsAboutIt) {
  const Operations edit = {EditNode{.node_id = "nobody", .title = "x"}};
  auto applied = Apply(SmallTree(), edit, ChangeAt(kLater));
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, Code::kResourceNotFound);
  EXPECT_EQ(applied.error().fields.at(0).field, "operations[0].nodeId");
  applied = Apply(SmallTree(), Operations{UncompleteNode{"a1"}, edit[0]}, ChangeAt(kLater));
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, Code::kInvalidArgument);
  EXPECT_EQ(applied.error().reason, "unknown-node");
  EXPECT_EQ(applied.error().fields.at(0).field, "operations[1].nodeId");
}

TEST(Apply, NothingChangesNothing) { EXPECT_EQ(After(SmallTree(), {}), SmallTree()); }

TEST(CompleteNode, SetsTheMomentOnce) {
  Tree tree = After(SmallTree(), {CompleteNode{.node_id = "a1"}});
  EXPECT_EQ(tree.nodes.at("a1").completed_at, kLater);
  EXPECT_EQ(After(tree, {CompleteNode{.node_id = "a1"}}, "2027-01-01T00:00:00.000Z"), tree);
  tree = After(tree, {UncompleteNode{"a1"}});
  EXPECT_EQ(tree, SmallTree());
  EXPECT_EQ(After(tree, {UncompleteNode{"a1"}}), SmallTree());
}

TEST(CompleteNode, TakesAGivenMomentIntoStoredForm) {
  const Tree tree = After(SmallTree(), {CompleteNode{"m1", "2026-03-02T10:00:00+02:00"}});
  EXPECT_EQ(tree.nodes.at("m1").completed_at, "2026-03-02T08:00:00.000Z");
  EXPECT_EQ(tree.nodes.at("a2").completed_at, std::nullopt);
  EXPECT_EQ(WhyNot(tree, {CompleteNode{"a2", "noon"}}), "bad-time at operations[0].completedAt");
}

TEST(CompleteNode, RefusesDriversAndDeletedNodes) {
  const Tree tree = After(SmallTree(), {DeleteNode{"a1"}});
  EXPECT_EQ(WhyNot(tree, {CompleteNode{.node_id = "d1"}}), "wrong-type at operations[0].nodeId");
  EXPECT_EQ(WhyNot(tree, {CompleteNode{.node_id = "a1"}}), "deleted at operations[0].nodeId");
}

// Every result keeps the rules (Apply checks them again); what is refused has a message and a reason.
TEST(Apply, RandomOperationsKeepTheRules) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomTrees random(seed);
  size_t applied_count = 0;
  for (int round = 0; round < 30; ++round) {
    Tree tree = random.RandomTree(5 + random.Below(40));
    for (int i = 0; i < 60; ++i) {
      const std::vector<Operation> operations = random.RandomOperations(tree, 1 + random.Below(2));
      auto applied = Apply(tree, operations, random.NextChange());
      if (!applied) {
        // The final check of the whole tree never has to refuse what the operations let pass.
        ASSERT_FALSE(applied.error().fields.empty());
        ASSERT_TRUE(applied.error().fields[0].field.starts_with("operations[")) << applied.error().message;
        continue;
      }
      ++applied_count;
      ASSERT_EQ(WhyBroken(applied->tree), "fine");
      tree = std::move(applied->tree);
    }
  }
  EXPECT_GT(applied_count, 300u);
}

}  // namespace
}  // namespace cairn::values
