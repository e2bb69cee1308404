// The power goes before the n-th write of a change, for every n: the change was made or it was not, and what
// is half done goes away.
#include "values_fixture.h"

namespace cairn::values {
namespace {

class PowerCut : public ValuesTest {
 protected:
  struct Heads {
    std::string tree, plan;
    friend bool operator==(const Heads&, const Heads&) = default;
  };
  Heads HeadsNow() {
    const auto tree = Tree().head;
    const auto plan = PlanOf(kDay).head;
    return {tree ? tree->rev_id : "", plan ? plan->rev_id : ""};
  }

  // `change` with the power cut before its first, second, ... write, until it gets through. `both`: whether
  // it moves tree and plan together.
  void CutEverywhere(std::function<bool(int attempt)> change, bool both) {
    for (int writes = 0;; ++writes) {
      ASSERT_LT(writes, 200);
      const Heads before = HeadsNow();
      store_->FailAfter(writes);
      const bool succeeded = change(writes);
      const bool failed = store_->has_failed();
      StartProcess();
      const Heads after = HeadsNow();
      EXPECT_EQ(succeeded, after != before) << "cut after " << writes << " writes";
      if (both) {
        EXPECT_EQ(after.tree != before.tree, after.plan != before.plan) << "cut after " << writes;
      }
      clock_.Advance(hours(3));
      RunDue();
      RunDue();
      EXPECT_THAT(Unpublished(), IsEmpty()) << "cut after " << writes << " writes";
      EXPECT_EQ(JobCount(), 0u) << "cut after " << writes << " writes";
      EXPECT_EQ(Log().front().id, after.tree);
      if (!failed) {
        EXPECT_TRUE(succeeded);
        return;
      }
    }
  }
  static constexpr auto kDay = "2027-01-15";
};

TEST_F(PowerCut, CommitIsMadeOrNot) {
  Plant();
  // More than one batch of writes.
  CommitTree grow;
  for (int i = 0; i < 60; ++i)
    grow.operations.push_back(Below("n" + std::to_string(i), NodeType::kAction, "m"));
  Value(RunHere(Commit(*values_, As(kAda), std::move(grow), NoWitness<TreeCommitted>())));
  CutEverywhere(
      [this](int attempt) {
        return TryCommit(kAda, Title("m", "try " + std::to_string(attempt))).has_value();
      },
      false);
}

TEST_F(PowerCut, FirstCommitIsMadeOrNot) {
  int tries = 0;
  for (int writes = 0;; ++writes) {
    ASSERT_LT(++tries, 50);
    store_->FailAfter(writes);
    const bool succeeded = TryCommit(kAda, Driver("d")).has_value();
    StartProcess();
    EXPECT_EQ(succeeded, Tree().head.has_value());
    EXPECT_THAT(Log(), SizeIs(succeeded ? 1 : 0));
    clock_.Advance(hours(3));
    RunDue();
    EXPECT_THAT(Unpublished(), IsEmpty());
    EXPECT_EQ(JobCount(), 0u);
    if (succeeded) break;
  }
}

TEST_F(PowerCut, CompletionMovesBothHeadsOrNone) {
  Plant();
  AddTodos(kDay, {"a"});
  CutEverywhere(
      [this](int attempt) {
        CompleteAction request{.node_id = "a", .completed = true, .day = kDay};
        (void)attempt;
        return RunHere(Complete(*values_, As(kAda), std::move(request), NoWitness<ActionCompleted>()))
            .has_value();
      },
      true);
  EXPECT_TRUE(Tree().content->nodes.at("a").completed_at);
}

TEST_F(PowerCut, UndoIsMadeOrNot) {
  Plant();
  Do(kAda, Title("m", "second"));
  CutEverywhere([this](int) { return TryRestore(Restore::kUndo).has_value(); }, false);
  EXPECT_EQ(TitleOf("m"), "m");
}

// A commit whose answer is lost after it was made must not be swept away by the cleaning up that follows.
TEST_F(PowerCut, CommitThatWasMadeButLooksFailedStays) {
  Plant();
  const auto moves_head = [](const store::TransactWriteItemsRequest& request) {
    return request.actions.size() >= 3;
  };
  store_->AfterTransaction(moves_head, Error{Code::kUnavailable, "no answer came"});
  const auto unclear = TryCommit(kAda, Title("m", "made"));
  EXPECT_FALSE(unclear);
  StartProcess();
  EXPECT_EQ(TitleOf("m"), "made");
  EXPECT_THAT(Log(), SizeIs(2));
  EXPECT_THAT(Unpublished(), IsEmpty());
  EXPECT_EQ(JobCount(), 0u);
}

}  // namespace
}  // namespace cairn::values
