// Comparing and merging grow with the trees, not with the product of two of their lists.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/doubling_for_test.h"
#include "domains/values/tree/diff.h"
#include "domains/values/tree/merge.h"
#include "domains/values/tree/tree.h"

namespace cairn::values {
namespace {

constexpr const char* kMade = "2026-03-01T08:00:00.000Z";

std::string Id(char letter, size_t i) {
  std::string digits = std::to_string(i);
  return letter + std::string(7 - digits.size(), '0') + digits;
}

void AddNode(Tree& tree, std::string id, NodeType type, const std::string& parent) {
  Node node{.id = id, .type = type, .title = id, .notes = {}, .created_at = kMade, .root_driver_id = "d"};
  if (type != NodeType::kDriver) {
    node.driver_id = "d";
    tree.children[parent].push_back(id);
  }
  tree.nodes.emplace(std::move(id), std::move(node));
}

// A driver with n actions under it.
Tree Wide(size_t n) {
  Tree tree;
  AddNode(tree, "d", NodeType::kDriver, "");
  for (size_t i = 0; i < n; ++i) AddNode(tree, Id('a', i), NodeType::kAction, "d");
  return tree;
}

// Both sides add as many as there were, one at the end and one at the front.
TEST(TreeGrowth, MergingTwoLongLists) {
  const double growth = GrowthOf(200, [](size_t n) {
    Tree base = Wide(n), theirs = base, mine = base;
    for (size_t i = 0; i < n; ++i) {
      AddNode(theirs, Id('t', i), NodeType::kAction, "d");
      AddNode(mine, Id('m', i), NodeType::kAction, "d");
    }
    std::vector<std::string>& children = mine.children["d"];
    std::rotate(children.begin(), children.begin() + static_cast<ptrdiff_t>(n), children.end());
    return [=] {
      const auto merged = Merge(base, theirs, mine, {});
      ASSERT_TRUE(merged);
      EXPECT_EQ(merged->children.at("d").size(), 3 * n);
    };
  });
  EXPECT_LT(growth, kLinearGrowth);
}

// An action under n milestones, all of which it leaves but one.
TEST(TreeGrowth, ComparingANodeWithManyParents) {
  const double growth = GrowthOf(300, [](size_t n) {
    Tree from;
    AddNode(from, "d", NodeType::kDriver, "");
    for (size_t i = 0; i < n; ++i) AddNode(from, Id('m', i), NodeType::kMilestone, "d");
    AddNode(from, "x", NodeType::kAction, Id('m', 0));
    from.nodes.at("x").parent_milestone_id = Id('m', 0);
    Tree to = from;
    for (size_t i = 1; i < n; ++i) from.children[Id('m', i)] = {"x"};
    return [=] { EXPECT_EQ(Diff(from, to).edges_removed.size(), n - 1); };
  });
  EXPECT_LT(growth, kLinearGrowth);
}

}  // namespace
}  // namespace cairn::values
