#include "domains/values/tree/merge.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "domains/values/tree/tree_for_test.h"
#include "domains/values/tree/walk.h"

namespace cairn::values {
namespace {

using Ids = std::vector<std::string>;
using Conflicts = std::vector<MergeConflict>;

constexpr const char* kTheirTime = "2026-03-09T08:00:00.000Z";
constexpr const char* kTheirTimeJson = "\"2026-03-09T08:00:00.000Z\"";

MoveNode Move(std::string id, std::string parent, Place place = {}) {
  return {.node_id = std::move(id), .parent_id = std::move(parent), .place = std::move(place)};
}
EditNode Title(std::string id, std::string title) {
  return {.node_id = std::move(id), .title = std::move(title)};
}

// Both sides from the small tree, or from what `before` made of it.
struct Sides {
  Operations theirs, mine;
  Operations before = {};

  Tree Base() const { return After(SmallTree(), before, kMade); }
  MergeResult Merged(const std::vector<Resolution>& resolutions = {}) const {
    const Tree base = Base();
    return Merge(base, After(base, theirs, kTheirTime), After(base, mine, kLater), resolutions);
  }
  Tree Result(const std::vector<Resolution>& resolutions = {}) const {
    auto merged = Merged(resolutions);
    if (merged) return *std::move(merged);
    ADD_FAILURE() << merged.error().reason << ": " << merged.error().message;
    for (const MergeConflict& conflict : merged.error().conflicts)
      ADD_FAILURE() << conflict.id << conflict.field;
    return {};
  }
  Conflicts Open(const std::vector<Resolution>& resolutions = {}) const {
    const auto merged = Merged(resolutions);
    if (merged) return {};
    EXPECT_EQ(merged.error().code, Code::kConditionFailed);
    EXPECT_EQ(merged.error().reason, "merge-conflict") << merged.error().message;
    return merged.error().conflicts;
  }
};

TEST(Merge, DisjointFieldsOfOneNodeAddUp) {
  const Sides sides{.theirs = {Title("a1", "Stroll")},
                    .mine = {EditNode{.node_id = "a1", .notes = {{"daily"}}}, CompleteNode{"a1", {}}}};
  const Tree merged = sides.Result();
  EXPECT_EQ(merged.nodes.at("a1").title, "Stroll");
  EXPECT_EQ(merged.nodes.at("a1").notes, "daily");
  EXPECT_EQ(merged.nodes.at("a1").completed_at, kLater);
}

TEST(Merge, SameFieldIsAConflictUntilResolved) {
  const Sides sides{.theirs = {Title("a1", "Stroll")}, .mine = {Title("a1", "Hike"), Title("a2", "Socks")}};
  EXPECT_EQ(sides.Open(), (Conflicts{{"a1", "title", "\"Walk\"", "\"Stroll\"", "\"Hike\""}}));
  EXPECT_EQ(sides.Result({{"a1", "title", Take::kTheirs}}).nodes.at("a1").title, "Stroll");
  EXPECT_EQ(sides.Result({{"a1", "title", Take::kMine}}).nodes.at("a1").title, "Hike");
  const Tree merged = sides.Result({{"a1", "title", Take::kValue, "March"}});
  EXPECT_EQ(merged.nodes.at("a1").title, "March");
  EXPECT_EQ(merged.nodes.at("a2").title, "Socks");
  EXPECT_EQ(sides.Open({{"a2", "title", Take::kMine}, {"a1", "notes", Take::kMine}}).size(), 1u);
}

TEST(Merge, SameChangeOnBothSidesIsNone) {
  const Sides sides{.theirs = {Title("a1", "Hike")}, .mine = {Title("a1", "Hike")}};
  EXPECT_EQ(sides.Result().nodes.at("a1").title, "Hike");
}

TEST(Merge, RemovedAgainstChangedNotesIsAConflict) {
  EditNode clear{.node_id = "a1"};
  clear.notes.emplace(std::nullopt);
  const Sides sides{.theirs = {clear},
                    .mine = {EditNode{.node_id = "a1", .notes = {{"new"}}}},
                    .before = {EditNode{.node_id = "a1", .notes = {{"old"}}}}};
  EXPECT_EQ(sides.Open(), (Conflicts{{"a1", "notes", "\"old\"", "null", "\"new\""}}));
  EXPECT_EQ(sides.Result({{"a1", "notes", Take::kValue, std::nullopt}}).nodes.at("a1").notes, std::nullopt);
}

TEST(Merge, CompletedTwiceIsCompleted) {
  const Sides sides{.theirs = {CompleteNode{"a1", {}}}, .mine = {CompleteNode{"a1", {}}}};
  EXPECT_EQ(sides.Result().nodes.at("a1").completed_at, kTheirTime);
  const Sides moved{.theirs = {UncompleteNode{"a1"}},
                    .mine = {UncompleteNode{"a1"}, CompleteNode{"a1", "2026-02-01T00:00:00Z"}},
                    .before = {CompleteNode{"a1", {}}}};
  ASSERT_EQ(moved.Open().size(), 1u);
  EXPECT_EQ(moved.Result({{"a1", "completedAt", Take::kValue, "2026-02-02T00:00:00+00:00"}})
                .nodes.at("a1")
                .completed_at,
            "2026-02-02T00:00:00.000Z");
}

TEST(Merge, ValuesThatAreNoneAreRefused) {
  const Sides sides{.theirs = {}, .mine = {}};
  const auto why = [&](Resolution resolution) {
    const auto merged = sides.Merged({{"a", "b", Take::kMine}, std::move(resolution)});
    return merged ? "merged" : merged.error().reason + " at " + merged.error().fields.at(0).field;
  };
  EXPECT_EQ(why({"a1", "order", Take::kValue, "x"}), "bad-resolution at resolutions[1].value");
  EXPECT_EQ(why({"a1", "deletedAt", Take::kValue, "x"}), "bad-resolution at resolutions[1].value");
  EXPECT_EQ(why({"a1", "completedAt", Take::kValue, "noon"}), "bad-resolution at resolutions[1].value");
  EXPECT_EQ(why({"a1", "title", Take::kValue, std::nullopt}), "bad-resolution at resolutions[1].value");
  EXPECT_EQ(why({"a1", "title", Take::kValue, "x"}), "merged");
}

TEST(Merge, AdditionsStandBehindTheirNeighbours) {
  const Sides sides{
      .theirs = {Action("t1", "x", "m1"),
                 AddNode{.node_id = "t2", .title = "x", .parent_id = "m1", .place = {.after_id = "a2"}}},
      .mine = {Action("n1", "x", "m1"), Action("n2", "x", "m1"),
               AddNode{.node_id = "n3", .title = "x", .parent_id = "m1", .place = {.after_id = "a2"}},
               AddNode{.node_id = "n0", .title = "x", .parent_id = "m1", .place = {.first = true}}}};
  EXPECT_EQ(sides.Result().children.at("m1"), (Ids{"n0", "a2", "t2", "n3", "m2", "s1", "t1", "n1", "n2"}));
}

TEST(Merge, TheSideThatReorderedLeads) {
  const ReorderChildren reorder{"m1", {"s1", "m2", "a2"}};
  const Operation add = AddNode{.node_id = "b", .title = "x", .parent_id = "m1", .place = {.after_id = "a2"}};
  const Ids expected = {"s1", "m2", "a2", "b"};
  EXPECT_EQ((Sides{.theirs = {reorder}, .mine = {add}}.Result().children.at("m1")), expected);
  EXPECT_EQ((Sides{.theirs = {add}, .mine = {reorder}}.Result().children.at("m1")), expected);
  EXPECT_EQ((Sides{.theirs = {reorder}, .mine = {reorder, add}}.Result().children.at("m1")), expected);
}

TEST(Merge, TwoOrdersAreAConflictOfTheParent) {
  const Sides sides{.theirs = {ReorderChildren{"m1", {"s1", "m2", "a2"}}},
                    .mine = {ReorderChildren{"m1", {"m2", "a2", "s1"}}, Action("b", "x", "m1")}};
  EXPECT_EQ(
      sides.Open(),
      (Conflicts{{"m1", "order", R"(["a2","m2","s1"])", R"(["s1","m2","a2"])", R"(["m2","a2","s1","b"])"}}));
  EXPECT_EQ(sides.Result({{"m1", "order", Take::kTheirs}}).children.at("m1"), (Ids{"s1", "b", "m2", "a2"}));
  EXPECT_EQ(sides.Result({{"m1", "order", Take::kMine}}).children.at("m1"), (Ids{"m2", "a2", "s1", "b"}));
}

TEST(Merge, MovesOfDifferentNodesAddUp) {
  const Sides sides{.theirs = {Move("a2", "d1")}, .mine = {Move("a1", "m1"), Title("a2", "Socks")}};
  const Tree merged = sides.Result();
  EXPECT_EQ(merged.children.at("d1"), (Ids{"m1", "a2"}));
  EXPECT_EQ(merged.children.at("m1"), (Ids{"m2", "s1", "a1"}));
  EXPECT_EQ(merged.nodes.at("a2").parent_milestone_id, std::nullopt);
  EXPECT_EQ(merged.nodes.at("a2").title, "Socks");
}

TEST(Merge, MovedToDifferentParentsIsAConflict) {
  const Sides sides{.theirs = {Move("a1", "m1")}, .mine = {Move("a1", "m2")}};
  EXPECT_EQ(sides.Open(), (Conflicts{{"a1", "parent", "\"d1\"", "\"m1\"", "\"m2\""}}));
  EXPECT_EQ(Parents(sides.Result({{"a1", "parent", Take::kTheirs}})).at("a1"), Ids{"m1"});
  EXPECT_EQ(Parents(sides.Result({{"a1", "parent", Take::kMine}})).at("a1"), Ids{"m2"});
  const Tree merged = sides.Result({{"a1", "parent", Take::kValue, "m3"}});
  EXPECT_EQ(Parents(merged).at("a1"), Ids{"m3"});
  EXPECT_EQ(merged.nodes.at("a1").driver_id, "d2");
}

TEST(Merge, MovedAndLinkedAddUp) {
  const Sides sides{.theirs = {Move("a3", "d1")}, .mine = {LinkNode{"m1", "a3", {}}}};
  EXPECT_EQ(Parents(sides.Result()).at("a3"), (Ids{"d1", "m1"}));
}

TEST(Merge, SecondParentMovedToDifferentOnesIsAConflict) {
  MoveNode theirs = Move("s1", "d1"), mine = Move("s1", "z");
  theirs.from_parent_id = mine.from_parent_id = "m1";
  const Sides sides{.theirs = {theirs}, .mine = {mine}, .before = {Milestone("z", "x", "d1")}};
  EXPECT_EQ(sides.Open(), (Conflicts{{"s1", "parent", R"(["m2","m1"])", R"(["m2","d1"])", R"(["m2","z"])"}}));
}

TEST(Merge, NoParentLeftIsAConflict) {
  const Sides sides{.theirs = {UnlinkNode{"m1", "s1"}}, .mine = {UnlinkNode{"m2", "s1"}}};
  EXPECT_EQ(sides.Open(), (Conflicts{{"s1", "parent", R"(["m2","m1"])", "\"m2\"", "\"m1\""}}));
  EXPECT_EQ(Parents(sides.Result({{"s1", "parent", Take::kMine}})).at("s1"), Ids{"m1"});
}

TEST(Merge, NewNodeUnderWhatMovedGetsTheNewDriver) {
  const Sides sides{.theirs = {Move("m1", "m3")}, .mine = {Action("b", "x", "m2")}};
  EXPECT_EQ(sides.Result().nodes.at("b").driver_id, "d2");
}

TEST(Merge, CycleOfTwoHarmlessMovesIsRefused) {
  const Sides sides{.theirs = {Move("n1", "n2")},
                    .mine = {Move("n2", "n1")},
                    .before = {Milestone("n1", "One", "d1"), Milestone("n2", "Two", "d1")}};
  const auto merged = sides.Merged();
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().reason, "cycle");
  EXPECT_EQ(merged.error().code, Code::kConditionFailed);
  EXPECT_NE(merged.error().message.find("\"One\" > \"Two\""), std::string::npos) << merged.error().message;
}

TEST(Merge, LinkUnderTheDriverThatWasLeftIsRefused) {
  const Sides sides{.theirs = {Move("m1", "m3")}, .mine = {LinkNode{"d1", "a3", {}}}};
  const auto merged = sides.Merged();
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().reason, "other-driver");
}

TEST(Merge, DeletedTwiceIsDeleted) {
  const Tree merged = Sides{.theirs = {DeleteNode{"m1"}}, .mine = {DeleteNode{"m2"}}}.Result();
  EXPECT_EQ(merged.nodes.at("a3").deleted_at, kTheirTime);
  EXPECT_EQ(merged.nodes.at("m2").deleted_at, kTheirTime);
}

TEST(Merge, ArchivedAndDeletedIsDeleted) {
  EXPECT_EQ(
      (Sides{.theirs = {ArchiveNode{"a1"}}, .mine = {DeleteNode{"a1"}}}.Result().nodes.at("a1").deleted_at),
      kLater);
  EXPECT_EQ(
      (Sides{.theirs = {DeleteNode{"a1"}}, .mine = {ArchiveNode{"a1"}}}.Result().nodes.at("a1").deleted_at),
      kTheirTime);
}

TEST(Merge, ArchivedAgainstEditAddsUp) {
  const Tree merged = Sides{.theirs = {ArchiveNode{"m1"}}, .mine = {Title("a2", "Socks")}}.Result();
  EXPECT_TRUE(merged.nodes.at("a2").archived);
  EXPECT_EQ(merged.nodes.at("a2").title, "Socks");
}

TEST(Merge, RestoredAgainstDeletedIsAConflict) {
  const Sides sides{.theirs = {RestoreNode{"a1"}}, .mine = {DeleteNode{"a1"}}, .before = {ArchiveNode{"a1"}}};
  EXPECT_EQ(sides.Open(), (Conflicts{{"a1", "deletedAt", "null", "null", "\"2026-03-08T08:00:00.000Z\""}}));
  EXPECT_TRUE(sides.Result({{"a1", "deletedAt", Take::kTheirs}}).nodes.at("a1").living());
}

TEST(Merge, DeletedAgainstEditIsAConflict) {
  const Sides sides{.theirs = {DeleteNode{"m1"}}, .mine = {Title("m1", "Ultra")}};
  EXPECT_EQ(sides.Open(), (Conflicts{{"m1", "deletedAt", "null", kTheirTimeJson, "null"}}));

  const Tree deleted = sides.Result({{"m1", "deletedAt", Take::kTheirs}});
  EXPECT_EQ(deleted.nodes.at("m1").deleted_at, kTheirTime);
  EXPECT_EQ(deleted.nodes.at("m1").title, "Ultra");

  const Tree kept = sides.Result({{"m1", "deletedAt", Take::kMine}});
  for (const auto& [id, node] : kept.nodes) EXPECT_TRUE(node.living()) << id;
}

TEST(Merge, SameEditBeforeDeletingLosesNothing) {
  const Sides sides{.theirs = {Title("a1", "Hike"), DeleteNode{"a1"}}, .mine = {Title("a1", "Hike")}};
  EXPECT_EQ(sides.Result().nodes.at("a1").deleted_at, kTheirTime);
}

TEST(Merge, KeepingADeepNodeKeepsTheParentsItNeeds) {
  const Sides sides{.theirs = {DeleteNode{"d1"}}, .mine = {Title("a3", "Sprint")}};
  EXPECT_EQ(sides.Open(), (Conflicts{{"a3", "deletedAt", "null", kTheirTimeJson, "null"}}));
  const Tree kept = sides.Result({{"a3", "deletedAt", Take::kMine}});
  Ids living;
  for (const auto& [id, node] : kept.nodes) {
    if (node.living()) living.push_back(id);
  }
  EXPECT_EQ(living, (Ids{"a3", "a4", "d1", "d2", "m1", "m2", "m3"}));
}

TEST(Merge, NewChildOfADeletedParentAsksForTheParent) {
  const Sides sides{.theirs = {DeleteNode{"m1"}}, .mine = {Milestone("b", "x", "m2"), Action("c", "x", "b")}};
  EXPECT_EQ(sides.Open(), (Conflicts{{"m2", "deletedAt", "null", kTheirTimeJson, "null"}}));
  const Tree gone = sides.Result({{"m2", "deletedAt", Take::kTheirs}});
  EXPECT_EQ(gone.nodes.at("b").deleted_at, kTheirTime);
  EXPECT_EQ(gone.nodes.at("c").deleted_at, kTheirTime);
  const Tree kept = sides.Result({{"m2", "deletedAt", Take::kMine}});
  for (const char* id : {"m1", "m2", "a3", "s1", "b", "c"}) EXPECT_TRUE(kept.nodes.at(id).living()) << id;
  EXPECT_FALSE(kept.nodes.at("a2").living());  // nobody asked for it
}

TEST(Merge, NewChildOfAnArchivedParentAsksToo) {
  const Sides sides{.theirs = {Action("b", "x", "m3")}, .mine = {ArchiveNode{"m3"}}};
  EXPECT_EQ(sides.Open(), (Conflicts{{"m3", "archived", "false", "false", "true"}}));
  EXPECT_TRUE(sides.Result({{"m3", "archived", Take::kMine}}).nodes.at("b").archived);
  const Tree kept = sides.Result({{"m3", "archived", Take::kTheirs}});
  EXPECT_TRUE(kept.nodes.at("a4").living());
}

TEST(Merge, BothDeletedOneOfTwoParentsAsksForBoth) {
  const Operations before = {Milestone("p", "x", "d1"), Milestone("q", "x", "d1"), Action("c", "x", "p"),
                             LinkNode{"q", "c", {}}};
  const Sides sides{.theirs = {DeleteNode{"p"}}, .mine = {DeleteNode{"q"}}, .before = before};
  const Conflicts open = sides.Open();
  ASSERT_EQ(open.size(), 2u);
  EXPECT_EQ(open[0].id, "p");
  EXPECT_EQ(open[1].id, "q");
  const Tree kept = sides.Result({{"p", "deletedAt", Take::kMine}});
  EXPECT_TRUE(kept.nodes.at("p").living());
  EXPECT_FALSE(kept.nodes.at("q").living());
  const Tree gone = sides.Result({{"p", "deletedAt", Take::kTheirs}, {"q", "deletedAt", Take::kMine}});
  EXPECT_FALSE(gone.nodes.at("c").living());
}

TEST(Merge, RestoredWhereTheOtherSideLeftTheLivingParentAsksForTheNode) {
  const Sides sides{.theirs = {RestoreNode{"s1"}},
                    .mine = {UnlinkNode{"m1", "s1"}},
                    .before = {ArchiveNode{"m2"}, ArchiveNode{"s1"}}};
  EXPECT_EQ(sides.Open(), (Conflicts{{"s1", "archived", "true", "false", "true"}}));
  EXPECT_TRUE(sides.Result({{"s1", "archived", Take::kMine}}).nodes.at("s1").archived);
  const auto merged = sides.Merged({{"s1", "archived", Take::kTheirs}});
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().reason, "parent-deleted");
}

TEST(Merge, KeepingAParentDoesNotOverruleItsChildren) {
  const Sides sides{.theirs = {DeleteNode{"m1"}}, .mine = {Title("m1", "Ultra"), Title("a2", "Socks")}};
  const Tree merged = sides.Result({{"m1", "deletedAt", Take::kMine}, {"a2", "deletedAt", Take::kTheirs}});
  EXPECT_FALSE(merged.nodes.at("a2").living());
  EXPECT_TRUE(merged.nodes.at("a3").living());
}

TEST(Merge, ContradictingDecisionsAreRefused) {
  const Sides sides{.theirs = {DeleteNode{"m1"}}, .mine = {Title("m1", "Ultra"), Title("a2", "Socks")}};
  const auto merged = sides.Merged({{"m1", "deletedAt", Take::kTheirs}, {"a2", "deletedAt", Take::kMine}});
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().reason, "parent-deleted");
}

// A rollback: theirs is the tree from before some nodes were made.
TEST(Merge, NodeGoneOnOneSideStaysGone) {
  const Tree base = After(SmallTree(), {Milestone("b", "x", "d1"), Action("c", "x", "b")});
  const Tree mine = After(base, {Title("a1", "Hike")});
  const auto merged = Merge(base, SmallTree(), mine, {});
  ASSERT_TRUE(merged);
  EXPECT_EQ(*merged, After(SmallTree(), {Title("a1", "Hike")}));
  EXPECT_EQ(*Merge(base, mine, SmallTree(), {}), *merged);
}

TEST(Merge, NodeGoneOnOneSideAndChangedOnTheOtherIsAConflict) {
  const Tree base = After(SmallTree(), {Milestone("b", "x", "d1"), Action("c", "y", "b")});
  const Tree mine = After(base, {Title("c", "z")});
  const auto open = Merge(base, SmallTree(), mine, {});
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().conflicts, (Conflicts{{"c", "", "\"y\"", "null", "\"z\""}}));
  const auto kept = Merge(base, SmallTree(), mine, {{"c", "", Take::kMine}});
  ASSERT_TRUE(kept);
  EXPECT_EQ(*kept, mine);  // with its parent
  const auto gone = Merge(base, SmallTree(), mine, {{"c", "", Take::kTheirs}});
  ASSERT_TRUE(gone);
  EXPECT_EQ(*gone, SmallTree());
}

TEST(Merge, NewChildOfANodeGoneIsAConflictOfTheParent) {
  const Tree base = After(SmallTree(), {Milestone("b", "x", "d1")});
  const Tree mine = After(base, {Action("c", "y", "b")});
  const auto open = Merge(base, SmallTree(), mine, {});
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().conflicts, (Conflicts{{"b", "", "\"x\"", "null", "\"x\""}}));
  EXPECT_EQ(*Merge(base, SmallTree(), mine, {{"b", "", Take::kMine}}), mine);
}

TEST(Merge, SameIdAddedOnBothSidesIsComparedByField) {
  const Sides same{.theirs = {Action("b", "x", "m1")}, .mine = {Action("b", "x", "m1")}};
  EXPECT_EQ(same.Result().nodes.at("b").created_at, kTheirTime);
  const Sides other{.theirs = {Action("b", "x", "m1")}, .mine = {Action("b", "y", "m2")}};
  EXPECT_EQ(other.Open(), (Conflicts{{"b", "parent", "null", "\"m1\"", "\"m2\""},
                                     {"b", "title", "null", "\"x\"", "\"y\""}}));
}

TEST(Merge, IdUsedAgainForADriverIsNoDanger) {
  const Tree base = After(SmallTree(), {Milestone("b", "x", "d1")});
  const Tree theirs = After(SmallTree(), {Driver("b", "x")});
  const Tree mine = After(base, {Move("b", "d2")});
  EXPECT_FALSE(Merge(base, theirs, mine, {}));
  EXPECT_EQ(*Merge(base, base, theirs, {}), theirs);
  EXPECT_EQ(*Merge(base, theirs, base, {}), theirs);
}

}  // namespace
}  // namespace cairn::values
