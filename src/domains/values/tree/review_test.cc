#include "domains/values/tree/review.h"

#include <gtest/gtest.h>

#include "domains/values/tree/tree_for_test.h"

namespace cairn::values {
namespace {

using Ids = std::vector<std::string>;
using std::chrono::days;

// The week of kLater, 2026-03-08, from Monday the 2nd on.
ReviewWeek Week() {
  const Time monday = std::chrono::sys_days(std::chrono::year(2026) / 3 / 2);
  return {.from = monday, .to = monday + days(7)};
}

// As of the end of the week.
WeeklyReview ReviewOf(const Tree& start, const Tree& end) { return Review({start, end, end}, Week(), {}); }

Ids CompletedIds(const WeeklyReview& review) {
  Ids ids;
  for (const Node& node : review.completed) ids.push_back(node.id);
  return ids;
}

TEST(ProgressOf, CountsLivingActionsOnce) {
  Tree tree = SmallTree();
  EXPECT_EQ(ProgressOf(tree, "d1"), (Progress{0, 4}));
  EXPECT_EQ(ProgressOf(tree, "m1"), (Progress{0, 3}));  // s1 once, though there are two ways to it
  tree = After(tree, {CompleteNode{"s1", {}}, CompleteNode{"m2", {}}, ArchiveNode{"a2"}});
  EXPECT_EQ(ProgressOf(tree, "m1"), (Progress{1, 2}));
  EXPECT_EQ(ProgressOf(tree, "m2"), (Progress{1, 2}));
  EXPECT_EQ(ProgressOf(tree, "a1"), Progress{});
  EXPECT_EQ(ProgressOf(tree, "nobody"), Progress{});
}

TEST(ProgressOf, ArchivedMilestonesLeadNowhere) {
  Tree tree = After(SmallTree(), {LinkNode{"d1", "a3", {}}, ArchiveNode{"m2"}});  // a3 lives on under d1
  EXPECT_EQ(ProgressOf(tree, "m1"), (Progress{0, 2}));
  EXPECT_EQ(ProgressOf(tree, "d1"), (Progress{0, 4}));
}

TEST(Review, TellsWhatTheWeekDid) {
  const Tree start = After(SmallTree(), {ArchiveNode{"a1"}});
  const Tree end =
      After(start, {CompleteNode{"a2", "2026-03-02T00:00:00Z"}, CompleteNode{"a3", "2026-03-01T23:59:59Z"},
                    CompleteNode{"a4", {}}, Action("b1", "New", "m1"), Action("b2", "Gone", "m1"),
                    DeleteNode{"b2"}, ArchiveNode{"a4"}, DeleteNode{"m2"}});
  const WeeklyReview review = ReviewOf(start, end);
  EXPECT_EQ(CompletedIds(review), (Ids{"a2", "a4"}));
  EXPECT_EQ(review.added, Ids{"b1"});
  EXPECT_EQ(review.archived, (Ids{"a3", "a4", "b2", "m2"}));
}

TEST(Review, EndOfTheWeekBelongsToTheNext) {
  const Tree start = SmallTree();
  const Tree end = After(
      start, {CompleteNode{"a2", "2026-03-09T00:00:00Z"}, CompleteNode{"a3", "2026-03-08T23:59:59.999Z"}});
  EXPECT_EQ(CompletedIds(ReviewOf(start, end)), Ids{"a3"});
}

TEST(Review, KnowsWhatWasToldLater) {
  Tree tree = SmallTree();
  for (auto& [id, node] : tree.nodes) node.created_at = "2026-01-01T00:00:00.000Z";
  const Tree end = After(tree, {CompleteNode{"a1", "2026-03-04T10:00:00Z"}});
  const Tree newest = After(end, {UncompleteNode{"a1"}, CompleteNode{"a2", "2026-03-06T10:00:00Z"},
                                  CompleteNode{"a3", "2026-03-09T10:00:00Z"}, Action("b1", "Late", "m1"),
                                  CompleteNode{"b1", "2026-03-07T10:00:00Z"}, Action("b2", "Gone", "m1"),
                                  CompleteNode{"b2", "2026-03-07T10:00:00Z"}, DeleteNode{"b2"}});
  const WeeklyReview review = Review({tree, end, newest}, Week(), {});
  EXPECT_EQ(CompletedIds(review), (Ids{"a1", "a2", "b1"}));
  EXPECT_EQ(review.completed[1].completed_at, "2026-03-06T10:00:00.000Z");
  EXPECT_EQ(review.stale, (Ids{"a3", "a4", "s1"}));  // a2 was done
  EXPECT_EQ(review.added, Ids{});
}

TEST(Review, UntouchedActionsAreStale) {
  Tree tree = After(SmallTree(), {CompleteNode{"a1", {}}, ArchiveNode{"a2"}});
  for (auto& [id, node] : tree.nodes) node.created_at = "2026-01-01T00:00:00.000Z";
  ReviewWeek week = Week();
  // The limit: 2026-02-23T00:00.
  EXPECT_EQ(Review({tree, tree, tree}, week,
                   {{"a3", "2026-02-22T23:59:59.999Z"}, {"a4", "2026-02-23T00:00:00.000Z"}})
                .stale,
            (Ids{"a3", "s1"}));
  week.stale_after = days(90);
  EXPECT_EQ(Review({tree, tree, tree}, week, {}).stale, Ids{});
}

TEST(Review, OffersToCompleteMilestones) {
  Tree tree = After(SmallTree(), {CompleteNode{"a3", {}}, CompleteNode{"s1", {}}, CompleteNode{"a4", {}},
                                  Milestone("empty", "x", "d1")});
  EXPECT_EQ(ReviewOf(tree, tree).offers, (Ids{"m2", "m3"}));
  tree = After(tree, {CompleteNode{"m3", {}}});
  const WeeklyReview review = ReviewOf(tree, tree);
  EXPECT_EQ(review.offers, Ids{"m2"});
  const std::vector<NodeProgress> expected = {{"d1", {2, 4}}, {"d2", {1, 1}}, {"empty", {0, 0}},
                                              {"m1", {2, 3}}, {"m2", {2, 2}}, {"m3", {1, 1}}};
  EXPECT_EQ(review.progress, expected);
}

}  // namespace
}  // namespace cairn::values
