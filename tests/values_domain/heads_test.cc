// Two repositories move together or not at all, and ids of revisions stay in order, whatever the clock does.
#include "domains/values/history/revision_id.h"
#include "values_fixture.h"

namespace cairn::values {
namespace {

constexpr auto kDay = "2027-01-15";

class Heads : public ValuesTest {
 protected:
  // A publication of both, based on what is current now.
  std::unique_ptr<Publication> AddBoth() {
    auto publication = std::make_unique<Publication>(*values_, As(kAda));
    const TreeRepository::State tree = Tree();
    TreeRepository::Draft draft{.content = *tree.content, .label = RevSource::kCompletion, .touched = {}};
    draft.content.nodes.at("a").completed_at = NowText();
    const auto added = RunHere(publication->Add(tree, std::move(draft)));
    EXPECT_TRUE(added);
    const PlanRepository::State plan = PlanOf(kDay);
    PlanRepository::Draft of_day{.content = *plan.content,
                                 .label = PlanReason::kCompletion,
                                 .values_rev_id = added->id,
                                 .touched = {}};
    EXPECT_TRUE(RunHere(publication->Add(kDay, plan, std::move(of_day))));
    return publication;
  }
  void ExpectRefusedWhole(Publication& publication) {
    const auto committed = RunHere(publication.Commit());
    ASSERT_FALSE(committed);
    EXPECT_TRUE(IsHeadMoved(committed.error())) << committed.error().message;
    EXPECT_FALSE(Tree().content->nodes.at("a").completed_at);
    EXPECT_THAT(Unpublished(), IsEmpty());
    EXPECT_EQ(JobCount(), 0u);
  }
};

TEST_F(Heads, PlanThatMovedMeanwhileStopsTheTreeToo) {
  Plant();
  AddTodos(kDay, {"a"});
  const std::string tree = Tree().head->rev_id;
  auto publication = AddBoth();
  AddTodos(kDay, {"b"});
  const std::string plan = PlanOf(kDay).head->rev_id;
  ExpectRefusedWhole(*publication);
  EXPECT_EQ(Tree().head->rev_id, tree);
  EXPECT_EQ(PlanOf(kDay).head->rev_id, plan);
}

TEST_F(Heads, TreeThatMovedMeanwhileStopsThePlanToo) {
  Plant();
  AddTodos(kDay, {"a"});
  const std::string plan = PlanOf(kDay).head->rev_id;
  auto publication = AddBoth();
  const std::string tree = Do(kAda, Title("m", "moved")).revision.id;
  ExpectRefusedWhole(*publication);
  EXPECT_EQ(Tree().head->rev_id, tree);
  EXPECT_EQ(PlanOf(kDay).head->rev_id, plan);
}

TEST_F(Heads, CompletionStartsOverWhenThePlanMoved) {
  Plant();
  AddTodos(kDay, {"a"});
  int attempts = 0;
  CompleteAction request{.node_id = "a", .completed = true, .day = kDay};
  const auto done =
      RunHere(Complete(*values_, As(kAda), std::move(request), [&](model::Session&, const ActionCompleted&) {
        if (++attempts == 1) AddTodos(kDay, {"b"});
        return model::Outcome<void>();
      }));
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(attempts, 2);
  EXPECT_THAT(TodosOf(kDay), ElementsAre("a", "b")) << "the other change is kept";
  EXPECT_EQ(PlanOf(kDay).head->rev_id, done->plan->revision.id);
  EXPECT_EQ(Tree().head->rev_id, done->tree.revision.id);
  EXPECT_EQ(done->plan->revision.values_rev_id, done->tree.revision.id);
  EXPECT_THAT(Unpublished(), IsEmpty());
  EXPECT_EQ(JobCount(), 0u);
}

TEST_F(Heads, CompletionOnABaseIsRefusedWhenTheTreeMoved) {
  const std::string base = Plant();
  int attempts = 0;
  CompleteAction request{.node_id = "a", .completed = true, .base_rev_id = base};
  const auto done =
      RunHere(Complete(*values_, As(kAda), std::move(request), [&](model::Session&, const ActionCompleted&) {
        if (++attempts == 1) Do(kAda, Title("m", "faster"));
        return model::Outcome<void>();
      }));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Code::kConditionFailed);
  EXPECT_EQ(attempts, 1);
  EXPECT_FALSE(Tree().content->nodes.at("a").completed_at);
  EXPECT_THAT(Unpublished(), IsEmpty());
}

TEST_F(Heads, CommitWithoutBaseAppliesToWhatOthersMade) {
  Plant();
  int attempts = 0;
  CommitTree request;
  request.operations.push_back(Below("mine", NodeType::kAction, "m"));
  const auto done =
      RunHere(Commit(*values_, As(kAda), std::move(request), [&](model::Session&, const TreeCommitted&) {
        if (++attempts <= 3) {
          Do(kAda, Below("theirs" + std::to_string(attempts), NodeType::kAction, "m"));
        }
        return model::Outcome<void>();
      }));
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(attempts, 4);
  EXPECT_THAT(Tree().content->children.at("m"),
              ElementsAre("a", "b", "c", "theirs1", "theirs2", "theirs3", "mine"));
  EXPECT_THAT(Unpublished(), IsEmpty());
  EXPECT_EQ(JobCount(), 0u);
}

TEST_F(Heads, CommitThatIsAlwaysTooSlowGivesUp) {
  Plant();
  int attempts = 0;
  CommitTree request;
  request.operations.push_back(Title("a", "mine"));
  const auto done =
      RunHere(Commit(*values_, As(kAda), std::move(request), [&](model::Session&, const TreeCommitted&) {
        Do(kAda, Title("b", "theirs " + std::to_string(++attempts)));
        return model::Outcome<void>();
      }));
  ASSERT_FALSE(done);
  EXPECT_TRUE(IsHeadMoved(done.error()));
  EXPECT_EQ(attempts, kAttemptsMax);
  EXPECT_THAT(Unpublished(), IsEmpty());
}

TEST_F(Heads, RevisionsStayInOrderWhenTheClockStepsBack) {
  Plant();
  for (int i = 0; i < 5; ++i) {
    Do(kAda, Title("m", "before " + std::to_string(i)));
    clock_.Advance(hours(-1));
    StartProcess();  // another server, whose clock is behind
    Do(kAda, Title("m", "after " + std::to_string(i)));
  }
  const auto log = Log();
  ASSERT_THAT(log, SizeIs(11));
  for (size_t i = 0; i + 1 < log.size(); ++i) {
    EXPECT_EQ(log[i].parent_id, log[i + 1].id);
    EXPECT_GT(log[i].id, log[i + 1].id);
    EXPECT_GE(log[i].ts, log[i + 1].ts);
  }
  EXPECT_EQ(log.front().id, Tree().head->rev_id);
  EXPECT_EQ(TitleOf("m"), "after 4");
}

TEST_F(Heads, AFarParentOfOneUserLeavesTheTimeOfOthersAlone) {
  Plant("other");
  RevisionIds ids(clock_, random_);
  const std::string far = "02" + ids.Next(std::nullopt).substr(2);  // years ahead
  const std::string next = ids.Next(far);
  EXPECT_GT(next, far);
  EXPECT_EQ(TimestampOf(ids.Next(std::nullopt)), NowText());
  EXPECT_GT(ids.Next(next), next);
  EXPECT_EQ(TimestampOf(ids.Next(std::nullopt)), NowText());
}

}  // namespace
}  // namespace cairn::values
