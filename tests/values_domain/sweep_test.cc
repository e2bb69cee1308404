// Snapshots that nobody published go away after an hour, published ones never.
#include <thread>

#include "values_fixture.h"

namespace cairn::values {
namespace {

class Sweep : public ValuesTest {
 protected:
  // Writes the snapshot of another title and goes no further, as a process that dies there.
  TreeRepository::Prepared PrepareOnly(const std::string& title) {
    model::Session session(*data_, As(kAda));
    const TreeRepository::State current = Tree();
    TreeRepository::Draft draft{.content = *current.content, .label = RevSource::kDailyUpdate, .touched = {}};
    draft.content.nodes.at("m").title = title;
    auto prepared = RunHere(values_->trees().Prepare(session, {}, current.head, std::move(draft)));
    EXPECT_TRUE(prepared);
    return *std::move(prepared);
  }
  static std::string PartitionOf(const TreeRepository::Prepared& prepared) {
    return "U#" + kAda + "#VALUES#" + prepared.revision.id;
  }
};

TEST_F(Sweep, UnpublishedSnapshotGoesAfterAnHour) {
  const std::string head = Plant();
  const TreeRepository::Prepared prepared = PrepareOnly("never seen");
  EXPECT_THAT(Unpublished(), ElementsAre(PartitionOf(prepared)));
  EXPECT_EQ(JobCount(), 1u);
  EXPECT_EQ(TitleOf("m"), "m");

  StartProcess();
  clock_.Advance(minutes(60) - milliseconds(1));
  EXPECT_EQ(RunDue(), 0u);
  EXPECT_THAT(Unpublished(), SizeIs(1));
  clock_.Advance(milliseconds(1));
  EXPECT_EQ(RunDue(), 1u);
  EXPECT_THAT(Unpublished(), IsEmpty());
  EXPECT_EQ(JobCount(), 0u);
  EXPECT_EQ(Tree().head->rev_id, head);
  EXPECT_THAT(Log(), SizeIs(1));
}

TEST_F(Sweep, UnpublishedPlanGoesAfterAnHour) {
  Plant();
  AddTodos("2027-01-15", {"a"});
  model::Session session(*data_, As(kAda));
  const PlanKind::Where where{.day = "2027-01-15"};
  const PlanRepository::State current = PlanOf(where.day);
  PlanRepository::Draft draft{.content = *current.content, .label = PlanReason::kMiddayReplan, .touched = {}};
  draft.content.todos.push_back({.action_id = "b"});
  ASSERT_TRUE(RunHere(values_->plans().Prepare(session, where, current.head, std::move(draft))));
  EXPECT_THAT(Unpublished(), SizeIs(1));
  clock_.Advance(minutes(60));
  RunDue();
  EXPECT_THAT(Unpublished(), IsEmpty());
  EXPECT_EQ(JobCount(), 0u);
  EXPECT_THAT(TodosOf("2027-01-15"), ElementsAre("a"));
}

TEST_F(Sweep, PublishedSnapshotStaysWhateverAJobSays) {
  const std::string rev_id = Plant();
  const std::set<std::string> before = Partitions();
  const jobs::Job job{.kind = std::string(kSweepJob),
                      .id = rev_id,
                      .due = Time(clock_.Now()),
                      .user_id = kAda,
                      .argument = "tree " + rev_id};
  model::Session platform = queue_->NewSession(kAda);
  ASSERT_TRUE(queue_->Schedule(platform, job));
  ASSERT_TRUE(RunHere(platform.Commit()));
  EXPECT_EQ(RunDue(), 1u);
  EXPECT_EQ(Partitions(), before);
  EXPECT_EQ(JobCount(), 0u);
  StartProcess();
  EXPECT_EQ(TitleOf("m"), "m");
}

TEST_F(Sweep, JobsThatNameNothingAreKeptAndHarmNothing) {
  Plant();
  const std::set<std::string> before = Partitions();
  for (const std::string argument :
       {"", "tree", "tree x", "2027-01-15", "2027-01-15 x", "day 01ARZ3NDEKTSV4RRFFQ69G5FAV"}) {
    const jobs::Job job{.kind = std::string(kSweepJob),
                        .id = "odd",
                        .due = Time(clock_.Now()),
                        .user_id = kAda,
                        .argument = argument};
    model::Session platform = queue_->NewSession(kAda);
    ASSERT_TRUE(queue_->Schedule(platform, job));
    ASSERT_TRUE(RunHere(platform.Commit()));
    RunDue();
    clock_.Advance(hours(24));
    EXPECT_EQ(Partitions(), before) << argument;
  }
}

TEST_F(Sweep, PublishingWhatWasSweptIsRefusedAndLeavesNothing) {
  const std::string head = Plant();
  Publication publication(*values_, As(kAda));
  const TreeRepository::State current = Tree();
  TreeRepository::Draft draft{.content = *current.content, .label = RevSource::kDailyUpdate, .touched = {}};
  draft.content.nodes.at("m").title = "late";
  ASSERT_TRUE(RunHere(publication.Add(current, std::move(draft))));
  clock_.Advance(minutes(60));
  EXPECT_EQ(RunDue(), 1u);
  const auto committed = RunHere(publication.Commit());
  ASSERT_FALSE(committed);
  // Not "not found": what the caller asked for is there.
  EXPECT_NE(committed.error().code, Code::kResourceNotFound) << committed.error().message;
  EXPECT_EQ(Tree().head->rev_id, head);
  EXPECT_THAT(Log(), SizeIs(1));
  EXPECT_THAT(Unpublished(), IsEmpty());
  EXPECT_EQ(JobCount(), 0u);
}

TEST_F(Sweep, PublishingAndSweepingAtOnceEndsOneWayOrTheOther) {
  Plant();
  size_t published = 0, swept = 0;
  for (int round = 0; round < 60; ++round) {
    const std::string title = "round " + std::to_string(round);
    Publication publication(*values_, As(kAda));
    const TreeRepository::State current = Tree();
    TreeRepository::Draft draft{.content = *current.content, .label = RevSource::kDailyUpdate, .touched = {}};
    draft.content.nodes.at("m").title = title;
    ASSERT_TRUE(RunHere(publication.Add(current, std::move(draft))));
    clock_.Advance(minutes(60));
    std::thread sweeper([this] { RunDue(); });
    const bool committed = RunHere(publication.Commit()).has_value();
    sweeper.join();
    StartProcess();  // what is stored counts, not what is remembered
    EXPECT_EQ(TitleOf("m") == title, committed) << title;
    ++(committed ? published : swept);
    clock_.Advance(hours(3));
    RunDue();
    EXPECT_THAT(Unpublished(), IsEmpty());
    EXPECT_EQ(JobCount(), 0u);
  }
  EXPECT_EQ(Log().size(), 1 + published);
  RecordProperty("published", static_cast<int>(published));
  RecordProperty("swept", static_cast<int>(swept));
}

TEST_F(Sweep, InterruptedSweepIsRepeated) {
  Plant();
  PrepareOnly("never seen");
  clock_.Advance(minutes(60));
  for (int writes = 0;; ++writes) {
    StartProcess();
    store_->FailAfter(writes);
    RunDue();
    const bool done = !store_->has_failed();
    StartProcess();
    if (done) break;
    ASSERT_LT(writes, 50);
    EXPECT_GT(JobCount(), 0u) << "nothing would come back for it after " << writes << " writes";
    clock_.Advance(hours(3));
    if (writes % 2 == 1) continue;
    RunDue();
    EXPECT_THAT(Unpublished(), IsEmpty());
    EXPECT_EQ(JobCount(), 0u);
    PrepareOnly("never seen");
    clock_.Advance(minutes(60));
  }
  EXPECT_THAT(Unpublished(), IsEmpty());
  EXPECT_EQ(JobCount(), 0u);
  EXPECT_EQ(TitleOf("m"), "m");
}

TEST_F(Sweep, AbandonedCommitCleansUpAtOnce) {
  Plant();
  Publication publication(*values_, As(kAda));
  const TreeRepository::State current = Tree();
  TreeRepository::Draft draft{.content = *current.content, .label = RevSource::kDailyUpdate, .touched = {}};
  draft.content.nodes.at("m").title = "thought better of it";
  ASSERT_TRUE(RunHere(publication.Add(current, std::move(draft))));
  EXPECT_THAT(Unpublished(), SizeIs(1));
  ASSERT_TRUE(RunHere(publication.Abandon()));
  EXPECT_THAT(Unpublished(), IsEmpty());
  EXPECT_EQ(JobCount(), 0u);
}

TEST_F(Sweep, WitnessThatRefusesLeavesNothing) {
  const std::string head = Plant();
  CommitTree request;
  request.operations.push_back(Title("m", "x"));
  const auto refused =
      RunHere(Commit(*values_, As(kAda), std::move(request),
                     [](model::Session&, const TreeCommitted&) -> model::Outcome<void> {
                       return std::unexpected(model::Failure(Error{Code::kTooLarge, "too much"}));
                     }));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kTooLarge);
  EXPECT_EQ(Tree().head->rev_id, head);
  EXPECT_THAT(Unpublished(), IsEmpty());
  EXPECT_EQ(JobCount(), 0u);
}

}  // namespace
}  // namespace cairn::values
