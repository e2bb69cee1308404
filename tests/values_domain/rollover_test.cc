// The automatic rollover: at the start of the day where the user lives, once, whatever happens in between.
#include "values_fixture.h"

namespace cairn::values {
namespace {

// The clock begins at 2027-01-15T08:00:00Z, a Friday.
class AutomaticRollover : public ValuesTest {
 protected:
  void SetUp() override {
    ValuesTest::SetUp();
    Plant();
  }
  void MoveTo(std::string_view moment) { clock_.Advance(ParseInstant(moment).value() - clock_.Now()); }
  size_t RevisionsOf(const std::string& day) {
    model::Session session(*data_, As(kAda));
    const PlanKind::Where where{.day = day};
    PageOf page{.limit = 100, .cursor = {}};
    return Value(RunHere(PlanKind::ReadHistory(session, where, page))).revisions.size();
  }
};

TEST_F(AutomaticRollover, ComesAtTheStartOfTheUsersDay) {
  AddTodos("2027-01-15", {"a", "b"});
  const Settings settings = Set({.timezone = "Europe/Berlin", .day_start_hour = 4, .auto_rollover = true});
  EXPECT_EQ(settings.next_rollover_at, "2027-01-16T03:00:00.000Z");
  EXPECT_EQ(SettingsOf().next_rollover_at, settings.next_rollover_at);
  EXPECT_EQ(JobCount(), 1u);

  MoveTo("2027-01-16T02:59:59.999Z");
  EXPECT_EQ(RunDue(), 0u);
  EXPECT_THAT(TodosOf("2027-01-16"), IsEmpty());
  MoveTo("2027-01-16T03:00:00Z");
  EXPECT_EQ(RunDue(), 1u);
  EXPECT_THAT(TodosOf("2027-01-16"), ElementsAre("a", "b"));
  EXPECT_EQ(SettingsOf().next_rollover_at, "2027-01-17T03:00:00.000Z");
  EXPECT_EQ(JobCount(), 1u);
  EXPECT_EQ(RunDue(), 0u);
  EXPECT_EQ(RevisionsOf("2027-01-16"), 1u);
}

TEST_F(AutomaticRollover, TheSameJobTwiceIsOnce) {
  AddTodos("2027-01-15", {"a"});
  Set({.timezone = {}, .day_start_hour = {}, .auto_rollover = true});
  MoveTo("2027-01-16T00:00:00Z");
  EXPECT_EQ(RunDue(), 1u);
  // A crash between the work and the end of its job brings the job back.
  const jobs::Job again{.kind = std::string(kRolloverJob),
                        .id = kAda,
                        .due = Time(clock_.Now()),
                        .user_id = kAda,
                        .argument = {}};
  model::Session platform = queue_->NewSession(kAda);
  ASSERT_TRUE(queue_->Schedule(platform, again));
  ASSERT_TRUE(RunHere(platform.Commit()));
  StartProcess();
  RunDue();
  EXPECT_THAT(TodosOf("2027-01-16"), ElementsAre("a"));
  EXPECT_EQ(RevisionsOf("2027-01-16"), 1u);
  EXPECT_EQ(JobCount(), 1u) << "the next one, once";
}

TEST_F(AutomaticRollover, PowerCutAnywhereLeavesOneRolloverAndOneNextJob) {
  AddTodos("2027-01-15", {"a"});
  Set({.timezone = {}, .day_start_hour = {}, .auto_rollover = true});
  MoveTo("2027-01-16T00:00:00Z");
  for (int writes = 0;; ++writes) {
    ASSERT_LT(writes, 50);
    store_->FailAfter(writes);
    RunDue();
    const bool done = !store_->has_failed();
    StartProcess();
    if (done) break;
    clock_.Advance(minutes(10));
  }
  clock_.Advance(hours(3));
  RunDue();
  EXPECT_THAT(TodosOf("2027-01-16"), ElementsAre("a"));
  EXPECT_EQ(RevisionsOf("2027-01-16"), 1u);
  EXPECT_EQ(SettingsOf().next_rollover_at, "2027-01-17T00:00:00.000Z");
  EXPECT_EQ(JobCount(), 1u);
  EXPECT_THAT(Unpublished(), IsEmpty());
}

TEST_F(AutomaticRollover, SwitchedOffInBetweenDoesNothing) {
  AddTodos("2027-01-15", {"a"});
  Set({.timezone = {}, .day_start_hour = {}, .auto_rollover = true});
  Set({.timezone = {}, .day_start_hour = {}, .auto_rollover = false});
  EXPECT_FALSE(SettingsOf().next_rollover_at);
  MoveTo("2027-01-16T12:00:00Z");
  RunDue();
  EXPECT_THAT(TodosOf("2027-01-16"), IsEmpty());
  EXPECT_EQ(JobCount(), 0u);
}

TEST_F(AutomaticRollover, AnotherHourReplacesTheOldMoment) {
  AddTodos("2027-01-15", {"a"});
  Set({.timezone = {}, .day_start_hour = 2, .auto_rollover = true});
  Set({.timezone = {}, .day_start_hour = 6, .auto_rollover = {}});
  MoveTo("2027-01-16T02:00:00Z");
  RunDue();
  EXPECT_THAT(TodosOf("2027-01-16"), IsEmpty()) << "it is still the 15th";
  EXPECT_EQ(RevisionsOf("2027-01-15"), 1u);
  MoveTo("2027-01-16T06:00:00Z");
  RunDue();
  EXPECT_THAT(TodosOf("2027-01-16"), ElementsAre("a"));
  EXPECT_EQ(JobCount(), 1u);
}

TEST_F(AutomaticRollover, AZoneWhereItIsTomorrowAlreadyMissesNoDay) {
  AddTodos("2027-01-15", {"a"});
  Set({.timezone = "UTC", .day_start_hour = {}, .auto_rollover = true});
  MoveTo("2027-01-15T23:00:00Z");
  Set({.timezone = "Asia/Tokyo", .day_start_hour = {}, .auto_rollover = {}});
  RunDue();
  EXPECT_THAT(TodosOf("2027-01-16"), ElementsAre("a")) << "it is eight in the morning there";
  EXPECT_EQ(SettingsOf().next_rollover_at, "2027-01-16T15:00:00.000Z");
  // Back where that day has not begun: it comes a second time, and changes nothing.
  Set({.timezone = "UTC", .day_start_hour = {}, .auto_rollover = {}});
  EXPECT_EQ(SettingsOf().next_rollover_at, "2027-01-16T00:00:00.000Z");
  MoveTo("2027-01-16T00:00:00Z");
  RunDue();
  EXPECT_THAT(TodosOf("2027-01-16"), ElementsAre("a"));
  EXPECT_EQ(RevisionsOf("2027-01-16"), 1u);
  MoveTo("2027-01-17T00:00:00Z");
  RunDue();
  EXPECT_THAT(TodosOf("2027-01-17"), ElementsAre("a"));
  EXPECT_EQ(JobCount(), 1u);
}

TEST_F(AutomaticRollover, SettingsChangedBetweenTheMomentAndTheJobMissNoDay) {
  AddTodos("2027-01-15", {"a"});
  Set({.timezone = "UTC", .day_start_hour = {}, .auto_rollover = true});
  MoveTo("2027-01-16T00:00:05Z");
  Set({.timezone = "Europe/London", .day_start_hour = {}, .auto_rollover = {}});
  RunDue();
  EXPECT_THAT(TodosOf("2027-01-16"), ElementsAre("a"));
  EXPECT_EQ(RevisionsOf("2027-01-16"), 1u);
  EXPECT_EQ(SettingsOf().next_rollover_at, "2027-01-17T00:00:00.000Z");
}

TEST_F(AutomaticRollover, SettingsChangedWhileItWorksAreKept) {
  AddTodos("2027-01-15", {"a"});
  Set({.timezone = {}, .day_start_hour = {}, .auto_rollover = true});
  MoveTo("2027-01-16T00:00:00Z");
  const auto plans_next = [](const store::TransactWriteItemsRequest& request) {
    return Writes(request, "SETTINGS");
  };
  store_->BeforeTransaction(
      plans_next, [this] { Set({.timezone = "Asia/Tokyo", .day_start_hour = {}, .auto_rollover = false}); });
  RunDue();
  EXPECT_EQ(SettingsOf().timezone, "Asia/Tokyo");
  EXPECT_FALSE(*SettingsOf().auto_rollover) << "the user has switched it off";
  EXPECT_FALSE(SettingsOf().next_rollover_at);
}

TEST_F(AutomaticRollover, DaysWithoutAServerAreNotMadeUpFor) {
  AddTodos("2027-01-15", {"a"});
  Set({.timezone = {}, .day_start_hour = {}, .auto_rollover = true});
  MoveTo("2027-01-19T10:00:00Z");
  StartProcess();
  RunDue();
  RunDue();
  for (const auto day : {"2027-01-16", "2027-01-17", "2027-01-18"}) EXPECT_EQ(RevisionsOf(day), 0u);
  EXPECT_THAT(TodosOf("2027-01-19"), ElementsAre("a"));
  EXPECT_EQ(SettingsOf().next_rollover_at, "2027-01-20T00:00:00.000Z");
}

TEST_F(AutomaticRollover, NothingToRollIsNoPlanAndGoesOn) {
  Set({.timezone = {}, .day_start_hour = {}, .auto_rollover = true});
  MoveTo("2027-01-16T00:00:00Z");
  EXPECT_EQ(RunDue(), 1u);
  EXPECT_EQ(RevisionsOf("2027-01-16"), 0u);
  EXPECT_EQ(SettingsOf().next_rollover_at, "2027-01-17T00:00:00.000Z");
}

TEST_F(AutomaticRollover, FollowsTheClocksOfTheZone) {
  MoveTo("2027-03-26T12:00:00Z");
  AddTodos("2027-03-26", {"a"});
  // Clocks in Berlin go from two to three on the 28th: the day starts at what is then three.
  Settings settings = Set({.timezone = "Europe/Berlin", .day_start_hour = 2, .auto_rollover = true});
  const std::vector<std::string> due = {"2027-03-27T01:00:00.000Z", "2027-03-28T01:00:00.000Z",
                                        "2027-03-29T00:00:00.000Z"};
  const std::vector<std::string> days = {"2027-03-27", "2027-03-28", "2027-03-29"};
  for (size_t i = 0; i < due.size(); ++i) {
    EXPECT_EQ(SettingsOf().next_rollover_at, due[i]);
    MoveTo(due[i]);
    EXPECT_EQ(RunDue(), 1u);
    EXPECT_THAT(TodosOf(days[i]), ElementsAre("a")) << days[i];
    EXPECT_EQ(RevisionsOf(days[i]), 1u);
  }
}

TEST_F(AutomaticRollover, CompletedAndArchivedActionsStayBehind) {
  AddTodos("2027-01-15", {"a", "b", "c"});
  Set({.timezone = {}, .day_start_hour = {}, .auto_rollover = true});
  Do(kAda, CompleteNode{.node_id = "a"}, ArchiveNode{.node_id = "b"});
  MoveTo("2027-01-16T00:00:00Z");
  RunDue();
  EXPECT_THAT(TodosOf("2027-01-16"), ElementsAre("c"));
}

}  // namespace
}  // namespace cairn::values
