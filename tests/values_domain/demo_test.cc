// Demo data at any hour of any day, beside others, and with the power going away.
#include "domains/values/demo.h"

#include "values_fixture.h"

namespace cairn::values {
namespace {

class Demo : public ValuesTest {
 protected:
  Decision<DemoFilled> Fill(const std::string& user, Witness<DemoFilled> witness = nullptr) {
    return RunHere(FillDemo(*values_, As(user), random_, std::move(witness)));
  }
  std::string Today() { return *DayOf(clock_.Now(), RulesOf(SettingsOf())); }

  // Newest first: each one's parent is the next, and sorts before it.
  static void ExpectOneHistory(const std::vector<TreeRepository::Rev>& log) {
    for (size_t i = 0; i + 1 < log.size(); ++i) {
      EXPECT_EQ(log[i].parent_id, log[i + 1].id);
      EXPECT_GT(log[i].id, log[i + 1].id);
    }
  }
};

TEST_F(Demo, TodayHasAPlanWheneverItIsMade) {
  for (int step = 0; step < 14; ++step) {
    clock_.Advance(hours(13));  // all hours and all days of the week come up
    const std::string user = "user" + std::to_string(step);
    const DemoFilled filled = Value(Fill(user));
    const PlanRepository::State plan = PlanOf(Today(), user);
    EXPECT_FALSE(plan.content->todos.empty()) << NowText();
    EXPECT_FALSE(plan.content->blocks.empty()) << NowText();
    const auto log = Log(user);
    EXPECT_EQ(log.size(), static_cast<size_t>(filled.revisions));
    ExpectOneHistory(log);
    EXPECT_LE(log.front().ts, NowText());
    EXPECT_LE(plan.head->rev_ts, NowText());
  }
}

TEST_F(Demo, WhatSomeoneCommitsInBetweenEndsIt) {
  int revisions = 0;
  const auto tenth = [&](const store::TransactWriteItemsRequest& request) {
    return Writes(request, "REV#VALUES#") && ++revisions == 10;
  };
  store_->BeforeTransaction(tenth, [this] { Do(kAda, Driver("mine")); });
  const auto filled = Fill(kAda);
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().reason, "not-empty");
  EXPECT_EQ(filled.error().code, Code::kConditionFailed);
  EXPECT_TRUE(Tree().content->nodes.contains("mine"));
  ExpectOneHistory(Log());
  clock_.Advance(hours(3));
  RunDue();
  EXPECT_THAT(Unpublished(), IsEmpty());
}

TEST_F(Demo, AnAnswerIsKeptExactlyWhenEverythingIsThere) {
  const jobs::Job kept{
      .kind = "kept", .id = "kept", .due = clock_.Now() + hours(1000), .user_id = kAda, .argument = ""};
  int64_t told = 0;
  const Witness<DemoFilled> witness = [&](model::Session& platform, const DemoFilled& filled) {
    told = filled.revisions;
    return queue_->Schedule(platform, kept);
  };
  const auto is_kept = [&] { return !RunHere(queue_->Pending(kAda, clock_.Now() + hours(2000)))->empty(); };
  Value(Fill("whole"));
  const size_t whole = Log("whole").size();
  // A cut somewhere in the middle leaves part of it and no answer.
  store_->FailAfter(50);
  ASSERT_FALSE(Fill(kAda, witness));
  StartProcess();
  clock_.Advance(hours(3));
  RunDue();
  RunDue();
  EXPECT_LT(Log().size(), whole);
  ExpectOneHistory(Log());
  EXPECT_FALSE(is_kept());
  EXPECT_THAT(Unpublished(), IsEmpty());
  EXPECT_EQ(Fill(kAda, witness).error().reason, "not-empty");
  EXPECT_FALSE(is_kept());

  const DemoFilled filled = Value(Fill("other", witness));
  EXPECT_EQ(told, filled.revisions);
  EXPECT_EQ(Log("other").size(), static_cast<size_t>(told));
  EXPECT_TRUE(is_kept());
}

TEST_F(Demo, ADayThatIsPlannedStaysAsItIs) {
  const std::string today = Today();
  const Time noon = *DayStart(today, {}) + hours(12);
  Value(TryPlan(kAda, today,
                AddBlock{.type = BlockType::kBuffer,
                         .start = FormatIsoMilliseconds(noon),
                         .end = FormatIsoMilliseconds(noon + hours(1))}));
  const std::string before = PlanOf(today).head->rev_id;
  Value(Fill(kAda));
  EXPECT_EQ(PlanOf(today).head->rev_id, before);
  EXPECT_FALSE(Tree().content->nodes.empty());
}

}  // namespace
}  // namespace cairn::values
