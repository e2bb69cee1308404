// Importing a history again after an interruption, beside what the first attempt left.
#include "domains/values/transfer.h"
#include "values_fixture.h"

namespace cairn::values {
namespace {

class Importing : public ValuesTest {
 protected:
  void SetUp() override {
    ValuesTest::SetUp();
    Plant("source");
    for (int i = 0; i < 3; ++i) Do("source", Title("m", "title " + std::to_string(i)));
    const auto run = Value(RunHere(Export::Begin(*values_, As("source"), std::nullopt)));
    while (auto delta = Value(RunHere(run->Next()))) history_.push_back(*std::move(delta));
    ASSERT_THAT(history_, SizeIs(4));
  }
  Decision<Imported> TryImport() { return RunHere(Import(*values_, As(kAda), history_)); }

  std::vector<RevisionDelta> history_;
};

TEST_F(Importing, PowerCutAnywhereAndRepeatedIsTheSameHistory) {
  for (int writes = 0;; ++writes) {
    ASSERT_LT(writes, 200);
    store_->FailAfter(writes);
    const bool done = TryImport().has_value();
    StartProcess();
    if (done) break;
    // What the attempt left may be due to go while the next one is under way.
    clock_.Advance(minutes(20));
    RunDue();
  }
  clock_.Advance(hours(3));
  RunDue();
  RunDue();
  EXPECT_THAT(Unpublished(), IsEmpty());
  EXPECT_EQ(JobCount(), 0u);
  const auto ours = Log(), theirs = Log("source");
  ASSERT_EQ(ours.size(), theirs.size());
  model::Session session(*data_, As(kAda)), source(*data_, As("source"));
  for (size_t i = 0; i < ours.size(); ++i) {
    EXPECT_EQ(ours[i].id, theirs[i].id);
    const auto here = RunHere(values_->trees().ContentOf(session, {}, ours[i]));
    const auto there = RunHere(values_->trees().ContentOf(source, {}, theirs[i]));
    ASSERT_TRUE(here && there) << ours[i].id;
    EXPECT_EQ(**here, **there);
  }
}

// The first attempt died with a snapshot written; its sweep comes just when the second has written the same.
TEST_F(Importing, SweepOfAnEarlierAttemptDoesNotTakeWhatIsPublished) {
  store_->FailAfter(3);
  ASSERT_FALSE(TryImport());
  StartProcess();
  clock_.Advance(minutes(60));
  const auto publishes = [](const store::TransactWriteItemsRequest& request) {
    return Writes(request, "REV#");
  };
  ASSERT_THAT(Unpublished(), SizeIs(1));
  store_->BeforeTransaction(publishes, [this] {
    clock_.Advance(milliseconds(1));
    RunDue();
  });
  const bool imported = TryImport().has_value();
  StartProcess();
  if (!imported) {
    clock_.Advance(hours(3));
    RunDue();
    ASSERT_TRUE(TryImport()) << "trying again is the way out";
    StartProcess();
  }
  for (const auto& revision : Log()) {
    model::Session session(*data_, As(kAda));
    EXPECT_TRUE(RunHere(values_->trees().ContentOf(session, {}, revision)))
        << revision.id << " has lost its snapshot";
  }
}

TEST_F(Importing, StepsMustLeadBack) {
  const std::vector<RevisionDelta> good = history_;
  const auto refused = [&] {
    const auto imported = TryImport();
    return !imported && imported.error().reason == "bad-history";
  };
  history_[2].restored_by = Restore::kUndo;
  EXPECT_TRUE(refused());
  history_[2].restored_from = history_[2].rev_id;
  EXPECT_TRUE(refused());
  history_[2].restored_from = history_[3].rev_id;
  EXPECT_TRUE(refused());
  history_[2].restored_from = history_[0].rev_id;
  EXPECT_FALSE(refused());
  history_ = good;
}

TEST_F(Importing, TheFutureIsRefused) {
  clock_.Advance(hours(-25));
  const auto imported = TryImport();
  ASSERT_FALSE(imported);
  EXPECT_EQ(imported.error().reason, "bad-history");
  EXPECT_THAT(Log(), IsEmpty());
  clock_.Advance(hours(2));
  EXPECT_TRUE(TryImport()) << "clocks of two servers may differ";
}

}  // namespace
}  // namespace cairn::values
