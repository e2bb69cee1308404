// Merging random trees: what must hold whatever the trees are.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "domains/values/tree/diff.h"
#include "domains/values/tree/merge.h"
#include "domains/values/tree/random_tree_for_test.h"
#include "domains/values/tree/tree_for_test.h"
#include "item/random_item_for_test.h"

namespace cairn::values {
namespace {

TEST(MergeRandom, OneChangedSideWins) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomTrees random(seed);
  for (int round = 0; round < 60; ++round) {
    const Tree base = random.RandomTree(2 + random.Below(40));
    const Tree changed = random.Changed(base, random.Below(15));
    for (const auto& [one, other] : {std::pair(base, changed), std::pair(changed, base)}) {  // a rollback too
      const auto mine = Merge(one, one, other, {});
      ASSERT_TRUE(mine) << mine.error().message;
      ASSERT_EQ(*mine, other);
      const auto theirs = Merge(one, other, one, {});
      ASSERT_TRUE(theirs) << theirs.error().message;
      ASSERT_EQ(*theirs, other);
      const auto both = Merge(one, other, other, {});
      ASSERT_TRUE(both) << both.error().message;
      ASSERT_EQ(*both, other);
    }
  }
}

// Whatever both sides do, there is a tree that keeps the rules, or a refusal that says why; and taking one
// side everywhere settles every conflict.
TEST(MergeRandom, ResultKeepsTheRulesAndConflictsCanBeSettled) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomTrees random(seed);
  size_t merged_count = 0, conflict_count = 0;
  for (int round = 0; round < 250; ++round) {
    const Tree base = random.RandomTree(2 + random.Below(20));
    const Tree theirs = random.Changed(base, random.Below(20));
    const Tree mine = random.Changed(base, random.Below(20));
    std::vector<Resolution> resolutions;
    const Take take = random.Below(2) == 0 ? Take::kMine : Take::kTheirs;
    auto merged = Merge(base, theirs, mine, resolutions);
    for (int asked = 0; !merged && !merged.error().conflicts.empty(); ++asked) {
      ASSERT_LT(asked, 50) << "answers only raise more questions";
      ++conflict_count;
      for (const MergeConflict& conflict : merged.error().conflicts) {
        for (const Resolution& given : resolutions) {
          ASSERT_FALSE(given.id == conflict.id && given.field == conflict.field)
              << "asked again: " << conflict.id;
        }
        resolutions.push_back({conflict.id, conflict.field, take});
      }
      merged = Merge(base, theirs, mine, resolutions);
    }
    if (merged) {
      ++merged_count;
      ASSERT_EQ(WhyBroken(*merged), "fine");
    } else {
      ASSERT_EQ(merged.error().code, Code::kConditionFailed);
      ASSERT_FALSE(merged.error().reason.empty());
    }
  }
  EXPECT_GT(merged_count, 100u);
  EXPECT_GT(conflict_count, 20u);
}

// Edits of titles, notes and completion on nodes that the other side leaves alone.
TEST(MergeRandom, DisjointEditsAddUp) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomTrees random(seed);
  for (int round = 0; round < 60; ++round) {
    const Tree base = random.RandomTree(4 + random.Below(30));
    Tree sides[2] = {base, base};
    Tree expected = base;
    for (const auto& [id, node] : base.nodes) {
      Tree& side = sides[random.Below(2)];
      const std::string mark = "round " + std::to_string(round) + " " + id;
      Operation operation = EditNode{.node_id = id, .title = mark};
      if (random.Below(3) == 0) operation = CompleteNode{.node_id = id};
      if (random.Below(4) == 0) operation = CompleteNode{id, "2025-12-24T18:00:00Z"};  // told later
      if (random.Below(3) == 0 && node.type != NodeType::kAction) {
        operation = AddNode{.node_id = "new-" + id, .title = mark, .parent_id = id};
      }
      const Change change = random.NextChange();
      const std::span<const Operation> operations(&operation, 1);
      const auto in_side = Apply(side, operations, change);
      const auto in_both = Apply(expected, operations, change);
      ASSERT_EQ(in_side.has_value(), in_both.has_value());
      if (!in_side) continue;
      side = in_side->tree;
      expected = in_both->tree;
    }
    const auto merged = Merge(base, sides[0], sides[1], {});
    ASSERT_TRUE(merged) << merged.error().message;
    ASSERT_EQ(*merged, expected);
  }
}

// What a merge changes against one side is what the other side changed, and nothing else.
TEST(MergeRandom, TouchesOnlyWhatASideTouched) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomTrees random(seed);
  size_t compared = 0;
  for (int round = 0; round < 200; ++round) {
    const Tree base = random.RandomTree(10 + random.Below(20));
    const Tree theirs = random.Changed(base, 1 + random.Below(4));
    const Tree mine = random.Changed(base, 1 + random.Below(4));
    const auto merged = Merge(base, theirs, mine, {});
    if (!merged) continue;
    ++compared;
    for (const auto& [id, node] : merged->nodes) {
      const auto versions = {&base, &theirs, &mine};
      const auto has_title = [&](const Tree* tree) {
        return tree->nodes.contains(id) && tree->nodes.at(id).title == node.title;
      };
      ASSERT_TRUE(std::ranges::any_of(versions, has_title)) << id;
    }
    std::set<std::string> by_sides = NodesTouched(Diff(base, theirs));
    by_sides.merge(NodesTouched(Diff(base, mine)));
    std::set<std::string> unexpected;
    const TreeDiff diff = Diff(base, *merged);
    for (const FieldChange& change : diff.changed) unexpected.insert(change.node_id);
    for (const EdgeChange& edge : diff.edges_added) unexpected.insert(edge.child_id);
    for (const EdgeChange& edge : diff.edges_removed) unexpected.insert(edge.child_id);
    for (const std::string& id : by_sides) unexpected.erase(id);
    ASSERT_TRUE(unexpected.empty()) << *unexpected.begin();
  }
  EXPECT_GT(compared, 20u);
}

}  // namespace
}  // namespace cairn::values
