#include "domains/values/tree/pack.h"

#include <gtest/gtest.h>

#include "domains/values/tree/diff.h"
#include "domains/values/tree/items.h"
#include "domains/values/tree/merge.h"
#include "domains/values/tree/random_tree_for_test.h"
#include "domains/values/tree/review.h"
#include "domains/values/tree/tree_for_test.h"
#include "item/random_item_for_test.h"

namespace cairn::values {
namespace {

using Ids = std::set<std::string>;

constexpr const char* kPack = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
constexpr const char* kEver = "2027-01-01T00:00:00.000Z";

Ids NodeIds(const Tree& tree) {
  Ids ids;
  for (const auto& [id, node] : tree.nodes) ids.insert(id);
  return ids;
}

Tree Packed(const Tree& tree, const PackRule& rule = {.before = kEver}) {
  return PackAway(tree, Packable(tree, rule), kPack);
}

Decision<Tree> Back(const Tree& tree, const Tree& before, std::optional<std::vector<std::string>> ids = {}) {
  Ids packed = NodeIds(before);
  const Tree after = Packed(before);
  for (const std::string& id : NodeIds(after)) packed.erase(id);
  return Unpack(tree, {.before = before, .packed = packed}, kPack, ids);
}

TEST(Packable, WhatNothingOpenHangsUnder) {
  Tree tree = After(SmallTree(), {CompleteNode{"m1", {}}, CompleteNode{"a3", {}}, CompleteNode{"s1", {}},
                                  ArchiveNode{"a1"}, DeleteNode{"m3"}});
  // m1 has a2, m2 is open, s1 hangs under both.
  EXPECT_EQ(Packable(tree, {.before = kEver}), (Ids{"a1", "a3", "a4", "m3"}));
  EXPECT_EQ(Packable(tree, {.before = kEver, .completed = false}), (Ids{"a1", "a4", "m3"}));
  EXPECT_EQ(Packable(tree, {.before = kLater}), Ids{});
  tree = After(tree,
               {UnlinkNode{"m1", "s1"}, CompleteNode{"m2", {}}, CompleteNode{"a2", {}}, ArchiveNode{"d2"}});
  EXPECT_EQ(Packable(tree, {.before = kEver}), (Ids{"a1", "a2", "a3", "a4", "d2", "m1", "m2", "m3", "s1"}));
}

TEST(PackAway, LeavesTheRest) {
  const Tree tree = After(
      SmallTree(), {CompleteNode{"a3", "2026-01-05T00:00:00Z"}, CompleteNode{"a2", {}}, ArchiveNode{"a1"}});
  const Tree left = Packed(tree);
  EXPECT_EQ(NodeIds(left), (Ids{"a4", "d1", "d2", "m1", "m2", "m3", "s1"}));
  EXPECT_EQ(left.children.at("m1"), (std::vector<std::string>{"m2", "s1"}));
  EXPECT_EQ(WhyBroken(left), "fine");
  const Pack expected{.node_count = 3, .completed_from = "2026-01-05T00:00:00.000Z", .completed_to = kLater};
  EXPECT_EQ(left.packs.at(kPack), expected);
}

TEST(PackAway, ProgressStays) {
  Tree tree = After(SmallTree(), {CompleteNode{"a3", {}}, CompleteNode{"a2", {}}, ArchiveNode{"a1"}});
  Tree left = Packed(tree);
  for (const char* id : {"d1", "m1", "m2", "d2"}) EXPECT_EQ(ProgressOf(left, id), ProgressOf(tree, id)) << id;
  // The milestone that counts goes as well.
  left = After(left, {UnlinkNode{"m1", "s1"}, CompleteNode{"s1", {}}, CompleteNode{"m2", {}}});
  const Tree next = PackAway(left, Packable(left, {.before = kEver}), "01ARZ3NDEKTSV4RRFFQ69G5FAW");
  EXPECT_FALSE(next.nodes.contains("m2"));
  EXPECT_EQ(ProgressOf(next, "m1"), (Progress{3, 3}));
  EXPECT_EQ(ProgressOf(next, "d1"), (Progress{3, 3}));
}

TEST(Unpack, BringsBackWhatItTook) {
  const Tree tree = After(SmallTree(), {CompleteNode{"a3", {}}, ArchiveNode{"m1"}, DeleteNode{"d2"}});
  const Tree left = Packed(tree);
  EXPECT_EQ(NodeIds(left), (Ids{"a1", "d1"}));
  EXPECT_EQ(*Back(left, tree), tree);
}

TEST(Unpack, SomeWithThoseAbove) {
  const Tree tree = After(SmallTree(), {CompleteNode{"a3", {}}, ArchiveNode{"m1"}});
  const Tree left = Packed(tree);
  Tree back = *Back(left, tree, {{"a3"}});
  EXPECT_EQ(NodeIds(back), (Ids{"a1", "a3", "a4", "d1", "d2", "m1", "m2", "m3"}));
  EXPECT_TRUE(back.packs.contains(kPack));  // it has more
  back = *Back(back, tree);
  EXPECT_EQ(back, tree);
  EXPECT_EQ(Back(left, tree, {{"d1"}}).error().reason, "unknown-node");
}

TEST(Unpack, GoesWhereItsParentIsNow) {
  const Tree tree = After(SmallTree(), {CompleteNode{"a3", {}}});
  const Tree left =
      After(Packed(tree), {UnlinkNode{"m1", "s1"}, MoveNode{.node_id = "m2", .parent_id = "d2"}});
  const Tree back = *Back(left, tree);
  EXPECT_EQ(back.nodes.at("a3").driver_id, "d2");
  EXPECT_EQ(back.children.at("m2"), (std::vector<std::string>{"a3", "s1"}));
  EXPECT_EQ(ProgressOf(back, "m2"), (Progress{1, 2}));
}

TEST(Unpack, NeedsAParent) {
  const Tree tree = After(SmallTree(), {CompleteNode{"a3", {}}});
  Tree left = Packed(tree);
  const Tree archived = After(left, {ArchiveNode{"m2"}});
  EXPECT_EQ(Back(archived, tree).error().reason, "parent-deleted");
  left.nodes.erase("m2");  // as a rollback may do
  left.children.erase("m2");
  std::erase(left.children.at("m1"), "m2");
  left.nodes.at("s1").parent_milestone_id = "m1";
  EXPECT_EQ(Back(left, tree).error().reason, "no-parent");
}

// Whatever was packed when, in a tree that lives on: it keeps the rules, progress does not change by packing,
// differences name what went, merges with sides that packed keep the rules, and bringing everything back
// gives the nodes as they were.
TEST(PackRandom, PackMergeAndBringBack) {
  const uint64_t seed = item::TestSeed();
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  RandomTrees random(seed);
  size_t packed_count = 0, back_count = 0, merged_count = 0;
  for (int round = 0; round < 150; ++round) {
    const Tree before = random.RandomTree(5 + random.Below(40));
    const PackRule rule{.before = random.NextChange().now, .completed = random.Below(4) > 0};
    const Ids ids = Packable(before, rule);
    if (ids.empty()) continue;
    ++packed_count;
    const Tree left = PackAway(before, ids, kPack);
    ASSERT_EQ(WhyBroken(left), "fine");
    for (const auto& [id, node] : left.nodes) ASSERT_EQ(ProgressOf(left, id), ProgressOf(before, id)) << id;
    const TreeDiff diff = Diff(before, left);
    ASSERT_EQ(Ids(diff.removed.begin(), diff.removed.end()), ids);
    ASSERT_EQ(diff.packs_added, std::vector<std::string>{kPack});
    ASSERT_TRUE(diff.added.empty() && diff.moved.empty() && diff.driver_changed.empty());
    ASSERT_EQ(*TreeOf(NodeItems(left, "r"), EdgeItems(left, "r"), PackItems(left, "r")), left);

    const PackedNodes pack{.before = before, .packed = ids};
    const auto all = Unpack(left, pack, kPack, std::nullopt);
    ASSERT_TRUE(all) << all.error().message;
    ASSERT_EQ(all->nodes, before.nodes);
    ASSERT_EQ(NodesTouched(Diff(before, *all)), Ids{});  // orders among siblings may differ
    ASSERT_TRUE(all->packs.empty());

    const Tree later = random.Changed(left, random.Below(12));
    const std::string some = *std::next(ids.begin(), static_cast<ptrdiff_t>(random.Below(ids.size())));
    if (auto back = Unpack(later, pack, kPack, {{some}})) {
      ++back_count;
      ASSERT_EQ(WhyBroken(*back), "fine");
      ASSERT_TRUE(back->nodes.contains(some));
    }
    // Somebody has changed what was there before the packing.
    const Tree mine = random.Changed(before, random.Below(8));
    std::vector<Resolution> resolutions;
    auto merged = Merge(before, left, mine, resolutions);
    for (int asked = 0; !merged && !merged.error().conflicts.empty(); ++asked) {
      ASSERT_LT(asked, 50);
      for (const MergeConflict& conflict : merged.error().conflicts)
        resolutions.push_back({conflict.id, conflict.field, asked % 2 == 0 ? Take::kMine : Take::kTheirs});
      merged = Merge(before, left, mine, resolutions);
    }
    if (!merged) continue;
    ++merged_count;
    ASSERT_EQ(WhyBroken(*merged), "fine");
    ASSERT_TRUE(merged->packs.contains(kPack));
  }
  EXPECT_GT(packed_count, 50u);
  EXPECT_GT(back_count, 20u);
  EXPECT_GT(merged_count, 30u);
}

}  // namespace
}  // namespace cairn::values
