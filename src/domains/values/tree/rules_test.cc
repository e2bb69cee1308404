#include "domains/values/tree/rules.h"

#include <gtest/gtest.h>

#include <functional>

#include "domains/values/tree/tree_for_test.h"
#include "domains/values/tree/walk.h"

namespace cairn::values {
namespace {

struct Broken {
  std::string why;
  std::function<void(Tree&)> breaks;
};

TEST(CheckTree, SmallTreeAndEmptyTreeAreFine) {
  EXPECT_EQ(WhyBroken(SmallTree()), "fine");
  EXPECT_EQ(WhyBroken({}), "fine");
}

TEST(CheckTree, NamesWhatIsBroken) {
  const std::vector<Broken> cases = {
      {"bad-id at nodes[x y].nodeId",
       [](Tree& tree) {
         Node node = tree.nodes.at("d2");
         node.id = "x y";
         tree.nodes.emplace("x y", node);
       }},
      {"bad-id at nodes[a1].nodeId", [](Tree& tree) { tree.nodes["a2"].id = "a1"; }},
      {"bad-title at nodes[a1].title", [](Tree& tree) { tree.nodes["a1"].title = ""; }},
      {"bad-title at nodes[a1].title", [](Tree& tree) { tree.nodes["a1"].title = std::string(1001, 'x'); }},
      {"bad-title at nodes[a1].title", [](Tree& tree) { tree.nodes["a1"].title = "\xff"; }},
      {"bad-notes at nodes[a1].notes", [](Tree& tree) { tree.nodes["a1"].notes = std::string(50'001, 'x'); }},
      {"bad-time at nodes[a1].createdAt", [](Tree& tree) { tree.nodes["a1"].created_at = "yesterday"; }},
      {"bad-time at nodes[a1].completedAt",
       [](Tree& tree) { tree.nodes["a1"].completed_at = "2026-03-01T08:00:00Z"; }},
      {"bad-time at nodes[a1].deletedAt", [](Tree& tree) { tree.nodes["a1"].deleted_at = kLater; }},
      {"unknown-node at children[m1][3]", [](Tree& tree) { tree.children["m1"].push_back("nobody"); }},
      {"unknown-node at children[nobody]", [](Tree& tree) { tree.children["nobody"] = {"a1"}; }},
      {"empty-list at children[a1]", [](Tree& tree) { tree.children["a1"]; }},
      {"duplicate-edge at children[m1]", [](Tree& tree) { tree.children["m1"].push_back("a2"); }},
      {"wrong-parent at children[a1][0]", [](Tree& tree) { tree.children["a1"] = {"a2"}; }},
      {"wrong-parent at children[m3][1]", [](Tree& tree) { tree.children["m3"].push_back("d1"); }},
      {"wrong-parent at nodes[d1].driverId", [](Tree& tree) { tree.nodes["d1"].driver_id = "d1"; }},
      {"no-parent at nodes[a4].parentId", [](Tree& tree) { tree.children.erase("m3"); }},
      {"cycle at children[m1]", [](Tree& tree) { tree.children["m2"].push_back("m1"); }},
      {"cycle at children[m1]", [](Tree& tree) { tree.children["m1"].push_back("m1"); }},
      {"primary-parent at nodes[s1].parentMilestoneId",
       [](Tree& tree) { std::erase(tree.children["m2"], "s1"); }},
      {"primary-parent at nodes[a1].parentMilestoneId",
       [](Tree& tree) { tree.nodes["a1"].parent_milestone_id = "d1"; }},
      {"primary-parent at nodes[a2].driverId",
       [](Tree& tree) { tree.nodes["a2"].parent_milestone_id.reset(); }},
      {"no-driver at nodes[a3].driverId", [](Tree& tree) { tree.nodes["a3"].driver_id.reset(); }},
      {"no-driver at nodes[a3].driverId", [](Tree& tree) { tree.nodes["a3"].driver_id = "d2"; }},
      {"no-driver at nodes[a3].rootDriverId", [](Tree& tree) { tree.nodes["a3"].root_driver_id = "d2"; }},
      {"no-driver at nodes[d1].rootDriverId", [](Tree& tree) { tree.nodes["d1"].root_driver_id.reset(); }},
      {"other-driver at nodes[a4].parentId", [](Tree& tree) { tree.children["m1"].push_back("a4"); }},
      {"parent-deleted at nodes[a4].archived", [](Tree& tree) { tree.nodes["m3"].archived = true; }},
  };
  for (const Broken& broken : cases) {
    Tree tree = SmallTree();
    broken.breaks(tree);
    EXPECT_EQ(WhyBroken(tree), broken.why);
  }
}

TEST(CheckTree, CycleIsToldWithItsPath) {
  Tree tree = SmallTree();
  tree.children["m2"].push_back("m1");
  const auto checked = CheckTree(tree);
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().message.find("\"Marathon\" > \"Base\" > \"Marathon\""), std::string::npos)
      << checked.error().message;
}

TEST(CheckTree, LivingThroughOneOfTwoParentsIsFine) {
  Tree tree = SmallTree();
  tree.nodes["m2"].archived = tree.nodes["a3"].archived = true;  // s1 is still under m1
  EXPECT_EQ(WhyBroken(tree), "fine");
}

TEST(CheckTree, TellsManyFaultsButNotAll) {
  Tree tree = SmallTree();
  for (auto& [id, node] : tree.nodes) node.title = "";
  auto checked = CheckTree(tree);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().fields.size(), tree.nodes.size());
  for (int i = 0; i < 50; ++i) {
    Node node = tree.nodes.at("d1");
    node.id = "d" + std::to_string(100 + i);
    tree.nodes.emplace(node.id, node);
  }
  checked = CheckTree(tree);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().fields.size(), 20u);
}

// Drivers, each with so many children of all before.
Tree WideTree(size_t nodes) {
  Tree tree;
  for (size_t i = 0; i < nodes; ++i) {
    const std::string id = "n" + std::to_string(100'000 + i);
    Node node{.id = id, .type = NodeType::kMilestone, .title = "x", .created_at = kMade};
    if (i == 0) node.type = NodeType::kDriver;
    if (i > 0) node.driver_id = "n100000";
    node.root_driver_id = "n100000";
    tree.nodes.emplace(id, node);
    if (i > 0) tree.children["n100000"].push_back(id);
  }
  return tree;
}

TEST(CheckTree, LimitsHoldAtTheLastNodeAndEdge) {
  EXPECT_EQ(WhyBroken(WideTree(kNodesMax)), "fine");
  const auto checked = CheckTree(WideTree(kNodesMax + 1));
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().reason, "too-many-nodes");
  EXPECT_EQ(checked.error().code, Code::kLimitExceeded);

  Tree tree = WideTree(200);
  size_t edges = EdgeCount(tree);
  for (size_t parent = 1; parent < 200 && edges < kEdgesMax; ++parent) {
    for (size_t child = parent + 1; child < 200 && edges < kEdgesMax; ++child, ++edges) {
      tree.children["n" + std::to_string(100'000 + parent)].push_back("n" + std::to_string(100'000 + child));
    }
  }
  ASSERT_EQ(EdgeCount(tree), kEdgesMax);
  EXPECT_EQ(WhyBroken(tree), "fine");
  tree.children["n100198"] = {"n100199"};
  EXPECT_EQ(WhyBroken(tree), "too-many-edges at children");
}

TEST(CheckTree, LimitHoldsAtTheLastByteOfText) {
  Tree tree = WideTree(250);
  size_t left = kTextBytesMax - TextBytes(tree);
  for (auto& [id, node] : tree.nodes) {
    node.notes = std::string(std::min(left, kNotesBytesMax), 'x');
    left -= node.notes->size();
  }
  ASSERT_EQ(TextBytes(tree), kTextBytesMax);
  EXPECT_EQ(WhyBroken(tree), "fine");
  tree.nodes.begin()->second.title += 'x';
  EXPECT_EQ(WhyBroken(tree), "too-much-text at nodes");
}

TEST(CheckTree, DeepTreeIsNoDanger) {
  Tree tree = WideTree(kNodesMax);
  std::vector<std::string> chain = std::exchange(tree.children["n100000"], {"n100001"});
  for (size_t i = 1; i < chain.size(); ++i) {
    tree.children[chain[i - 1]] = {chain[i]};
    tree.nodes[chain[i]].parent_milestone_id = chain[i - 1];
  }
  EXPECT_EQ(WhyBroken(tree), "fine");
  EXPECT_EQ(PathTo(tree, chain.back()).size(), kNodesMax);
  EXPECT_EQ(Descendants(tree, "n100000").size(), kNodesMax - 1);
  tree.children[chain.back()] = {chain.front()};
  EXPECT_EQ(WhyBroken(tree), "cycle at children[" + chain.front() + "]");
}

}  // namespace
}  // namespace cairn::values
