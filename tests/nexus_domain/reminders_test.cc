// Reminders and what they follow, with a clock and a power supply that tests hold.
#include "domains/nexus/reminders.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <random>

#include "../values_domain/interrupted_store.h"
#include "base/log.h"
#include "domains/nexus/conformance.h"
#include "domains/nexus/events.h"
#include "domains/nexus/jobs.h"
#include "domains/nexus/reminder_list.h"
#include "domains/nexus/series.h"
#include "domains/nexus/series_store.h"
#include "domains/nexus/settings.h"
#include "domains/nexus/tasks.h"
#include "jobs/job_runner.h"
#include "models/platform.h"
#include "session_fixture.h"

namespace cairn::nexus {
namespace {

using data::ReminderState;
using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using testing::ElementsAre;
using testing::IsEmpty;

const std::string kAda = "ada";

class RemindersTest : public model::SessionTest {
 protected:
  void SetUp() override {
    log::SetLevel(log::Level::kOff);
    Start(models::platform::LoadModel());
    StartProcess();
  }
  void TearDown() override {
    StopProcess();
    model::SessionTest::TearDown();
    log::SetLevel(log::Level::kInfo);
  }
  void StopProcess() {
    runner_.reset();
    nexus_.reset();
    queue_.reset();
    data_.reset();
    platform_.reset();
    store_.reset();
  }
  void StartProcess() {
    StopProcess();
    store_ = std::make_unique<values::InterruptedStore>(*engine_);
    platform_ = std::make_unique<model::Database>(models::platform::LoadModel(), *store_, clock_, random_);
    data_ = std::make_unique<model::Database>(models::nexus::LoadModel(), *store_, clock_, random_);
    const Status created = RunHere(data_->CreateTables());
    ASSERT_TRUE(created) << created.error().message;
    queue_ = std::make_unique<jobs::JobQueue>(*platform_);
    nexus_ = std::make_unique<Nexus>(*data_, *queue_, clock_, random_);
    runner_ = std::make_unique<jobs::JobRunner>(*queue_, clock_, Workers(*nexus_));
  }
  void RunDue() { RunHere(runner_->RunDue()); }
  std::string In(Time::duration distance) const { return TextOf(clock_.Now() + distance); }

  template <class T>
  static Witness<T> NoWitness() {
    return [](model::Session&, const T&) { return model::Outcome<void>(); };
  }
  template <class T>
  static T Value(Decision<T> decision) {
    EXPECT_TRUE(decision) << (decision ? "" : decision.error().reason + ": " + decision.error().message);
    return decision ? *std::move(decision) : T();
  }
  static void Done(const Decision<void>& decision) {
    EXPECT_TRUE(decision) << (decision ? "" : decision.error().reason + ": " + decision.error().message);
  }

  static SeriesPatch At(std::string start, std::string end) {
    SeriesPatch patch;
    patch.times.start_utc = std::move(start);
    patch.times.end_utc = std::move(end);
    patch.times.tzid = "UTC";
    return patch;
  }
  Master MakeSeries(std::vector<int64_t> distances, Time::duration from = hours(1),
                    std::string rrule = "FREQ=DAILY;COUNT=40") {
    SeriesPatch content = At(In(from), In(from + hours(1)));
    content.title = "series";
    content.rrule = std::move(rrule);
    if (!distances.empty()) content.reminder_minutes.emplace(std::move(distances));
    return Value(RunHere(CreateSeries(*nexus_, As(kAda), content, NoWitness<SeriesChanged>()))).master;
  }
  Event MakeEvent(std::vector<int64_t> distances, Time::duration from) {
    EventPatch content = At(In(from), In(from + hours(1)));
    content.title = "event";
    if (!distances.empty()) content.reminder_minutes.emplace(std::move(distances));
    return Value(RunHere(CreateEvent(*nexus_, As(kAda), content, NoWitness<Event>())));
  }
  std::vector<Instance> InstancesOf(const std::string& master_id) {
    Work work(*nexus_, As(kAda));
    auto all = Value(RunHere(ReadAllInstances(work, master_id)));
    std::erase_if(all, [](const Instance& one) { return one.is_cancelled.value_or(false); });
    std::ranges::sort(all, {}, &Instance::start_utc);
    return all;
  }
  std::vector<Reminder> Reminders() {
    std::vector<Reminder> all;
    model::Session session(*data_, As(kAda));
    model::typed::PageOptions options{.limit = 100, .cursor = {}};
    do {
      auto page = RunHere(data::ReadReminders(session, options));
      EXPECT_TRUE(page);
      for (Reminder& one : page->items) all.push_back(std::move(one));
      options.cursor = page->next_cursor;
    } while (!options.cursor.empty());
    std::ranges::sort(all, {}, &Reminder::trigger_utc);
    return all;
  }
  std::vector<Reminder> Waiting() {
    auto all = Reminders();
    std::erase_if(all, [](const Reminder& one) { return !IsWaiting(one); });
    return all;
  }
  std::vector<std::string> Moments() {
    std::vector<std::string> moments;
    for (const Reminder& one : Waiting()) moments.push_back(*one.trigger_utc);
    return moments;
  }
  std::vector<std::string> Wrong() { return Value(RunHere(CheckReminders(*nexus_, kAda))); }

  Decision<void> TryDelete(const Instance& instance, Scope scope) {
    return RunHere(DeleteInstance(*nexus_, As(kAda), *instance.instance_id, scope, {}, NoWitness<Gone>()));
  }
  Decision<Reminder> TryDismiss(const Reminder& reminder) {
    return RunHere(DismissReminder(*nexus_, As(kAda), *reminder.reminder_id, {}, NoWitness<Reminder>()));
  }
  Decision<Reminder> TrySnooze(const Reminder& reminder, int64_t for_minutes) {
    const Snooze snooze{.reminder_id = *reminder.reminder_id, .until = {}, .minutes = for_minutes};
    return RunHere(SnoozeReminder(*nexus_, As(kAda), snooze, {}, NoWitness<Reminder>()));
  }
  Decision<void> TryDelete(const Reminder& reminder) {
    return RunHere(DeleteReminder(*nexus_, As(kAda), *reminder.reminder_id, {}, NoWitness<Gone>()));
  }
  Decision<Reminder> TryRemindOf(NewReminder request) {
    return RunHere(CreateReminder(*nexus_, As(kAda), std::move(request), NoWitness<Reminder>()));
  }
  static EventPatch Titled(std::string title) {
    EventPatch patch;
    patch.title = std::move(title);
    return patch;
  }

  std::unique_ptr<values::InterruptedStore> store_;
  std::unique_ptr<model::Database> platform_, data_;
  std::unique_ptr<jobs::JobQueue> queue_;
  std::unique_ptr<Nexus> nexus_;
  std::unique_ptr<jobs::JobRunner> runner_;
};

// ---- what is deleted does not remind

TEST_F(RemindersTest, DeletingTheFollowingTakesTheirRemindersAlong) {
  // A week before: the one that waits is not of the next occurrence.
  const Master master = MakeSeries({10, 7 * 24 * 60});
  const auto instances = InstancesOf(*master.master_id);
  NewReminder own{.title = {}, .notes = {}, .trigger_utc = {}};
  own.instance_id = instances[20].instance_id;
  own.minutes_before = 5;
  Value(TryRemindOf(own));
  ASSERT_EQ(Waiting().size(), 3u);
  Done(TryDelete(instances[3], Scope::kFollowing));
  EXPECT_THAT(Moments(), ElementsAre(In(minutes(50))));
  EXPECT_THAT(Wrong(), IsEmpty());
}

TEST_F(RemindersTest, DeletingASeriesLeavesNoReminder) {
  const Master master = MakeSeries({10, 7 * 24 * 60});
  for (int i = 0; i < 8; ++i) Value(TryDismiss(Waiting().front()));  // the next one waits far ahead
  Done(RunHere(DeleteSeries(*nexus_, As(kAda), *master.master_id, {}, NoWitness<Gone>())));
  EXPECT_THAT(Reminders(), IsEmpty());
}

TEST_F(RemindersTest, EndingARecurringTaskAtADoneCopyForgetsTheOpenOne) {
  NewTask request{.title = "task",
                  .description = {},
                  .status = {},
                  .priority = {},
                  .due_utc = In(hours(2)),
                  .tags = {},
                  .rrule = "FREQ=DAILY",
                  .start_tzid = {}};
  const data::Task first = Value(RunHere(CreateTask(*nexus_, As(kAda), request, NoWitness<data::Task>())));
  const data::Task done =
      Value(RunHere(CompleteTask(*nexus_, As(kAda), *first.task_id, {}, NoWitness<data::Task>())));
  model::Session session(*data_, As(kAda));
  const model::typed::PageOptions options;
  std::string open_id;
  const auto page = RunHere(data::ReadTasks(session, options));
  ASSERT_TRUE(page);
  for (const data::Task& task : page->items) {
    if (task.task_id != done.task_id) open_id = *task.task_id;
  }
  NewReminder reminder{.title = {}, .notes = {}, .trigger_utc = {}};
  reminder.task_id = open_id;
  reminder.minutes_before = 15;
  Value(TryRemindOf(reminder));
  Value(
      RunHere(DeleteTask(*nexus_, As(kAda), *done.task_id, DeleteScope::kAll, {}, NoWitness<data::Task>())));
  EXPECT_THAT(Reminders(), IsEmpty());
}

TEST_F(RemindersTest, WhatIsGoneDoesNotFireWhateverHasLeftTheReminder) {
  const Event event = MakeEvent({10}, hours(1));
  {
    // As an earlier version might have left it.
    Work work(*nexus_, As(kAda));
    ASSERT_TRUE(work.StageDelete(event));
    ASSERT_TRUE(RunHere(work.Commit()));
  }
  EXPECT_THAT(Wrong(), testing::SizeIs(1));
  clock_.Advance(hours(1));
  RunDue();
  EXPECT_THAT(Reminders(), IsEmpty());
}

TEST_F(RemindersTest, DistancesThatASeriesWantsNoMoreDoNotFire) {
  const Master master = MakeSeries({10, 30});
  SeriesPatch patch;
  patch.reminder_minutes.emplace(std::vector<int64_t>{20});
  Value(RunHere(PatchSeries(*nexus_, As(kAda), *master.master_id, patch, {}, NoWitness<SeriesChanged>())));
  EXPECT_THAT(Moments(), ElementsAre(In(minutes(40))));
  EXPECT_THAT(Wrong(), IsEmpty());
}

// ---- the chain of a series

TEST_F(RemindersTest, WhateverEndsTheWaitingMakesTheNext) {
  MakeSeries({10});
  const std::string first = In(minutes(50)), second = In(days(1) + minutes(50)),
                    third = In(days(2) + minutes(50)), fourth = In(days(3) + minutes(50));
  ASSERT_THAT(Moments(), ElementsAre(first));
  Value(TryDismiss(Waiting().front()));
  EXPECT_THAT(Moments(), ElementsAre(second));
  Value(TrySnooze(Waiting().front(), 5 * 24 * 60));
  EXPECT_THAT(Moments(), ElementsAre(third, In(days(5))));
  Done(TryDelete(Waiting().front()));
  EXPECT_THAT(Moments(), ElementsAre(fourth, In(days(5))));
  EXPECT_THAT(Wrong(), IsEmpty());
  clock_.Advance(days(3) + hours(1));
  RunDue();
  EXPECT_THAT(Wrong(), IsEmpty());
  EXPECT_EQ(Waiting().size(), 2u);
}

TEST_F(RemindersTest, OneThatWasDeletedStaysDeleted) {
  const Master master = MakeSeries({10});
  const Instance next = InstancesOf(*master.master_id).front();
  Done(TryDelete(Waiting().front()));
  const auto moments = Moments();
  Value(RunHere(
      PatchInstance(*nexus_, As(kAda), *next.instance_id, Titled("other"), {}, NoWitness<Instance>())));
  EXPECT_EQ(Moments(), moments);
  SeriesPatch patch;
  patch.title = "all others";
  Value(RunHere(PatchSeries(*nexus_, As(kAda), *master.master_id, patch, {}, NoWitness<SeriesChanged>())));
  EXPECT_EQ(Moments(), moments);
  EXPECT_THAT(Wrong(), IsEmpty());
}

TEST_F(RemindersTest, AnOccurrenceOfItsOwnThatIsMovedFarAwayHoldsUpNobody) {
  const Master master = MakeSeries({10});
  const auto instances = InstancesOf(*master.master_id);
  EventPatch later = At(In(days(30)), In(days(30) + hours(1)));
  Value(
      RunHere(PatchInstance(*nexus_, As(kAda), *instances[1].instance_id, later, {}, NoWitness<Instance>())));
  clock_.Advance(hours(1));  // the first fires
  RunDue();
  EXPECT_THAT(Wrong(), IsEmpty());
  const auto waiting = Moments();
  ASSERT_EQ(waiting.size(), 2u);
  EXPECT_EQ(waiting.front(), In(days(2) - minutes(10)));
}

TEST_F(RemindersTest, AReminderAddedToOneOccurrenceLeavesThoseOfTheSeries) {
  const Master master = MakeSeries({10});
  NewReminder more{.title = {}, .notes = {}, .trigger_utc = {}};
  more.instance_id = InstancesOf(*master.master_id).front().instance_id;
  more.minutes_before = 30;
  Value(TryRemindOf(more));
  EXPECT_THAT(Moments(), ElementsAre(In(minutes(30)), In(minutes(50))));
  EXPECT_THAT(Wrong(), IsEmpty());
}

TEST_F(RemindersTest, AChainIsWholeWhileTheOneThatIsDueHasNotFired) {
  MakeSeries({10});
  clock_.Advance(days(2));  // without a server
  EXPECT_THAT(Wrong(), IsEmpty());
  RunDue();
  EXPECT_THAT(Wrong(), IsEmpty());
}

TEST_F(RemindersTest, AreInspectedForEverybody) {
  MakeSeries({10});
  const Event event = MakeEvent({5}, hours(2));
  EventPatch content = At(In(hours(1)), In(hours(2)));
  content.title = "eve's";
  content.reminder_minutes.emplace(std::vector<int64_t>{20});
  Value(RunHere(CreateEvent(*nexus_, As("eve"), content, NoWitness<Event>())));
  const auto right = Value(RunHere(InspectReminders(*nexus_)));
  EXPECT_THAT(right.findings, IsEmpty());
  EXPECT_EQ(right.users, 2);
  EXPECT_EQ(right.waiting, 3);
  {
    Work work(*nexus_, As(kAda));
    ASSERT_TRUE(work.StageDelete(event));
    ASSERT_TRUE(RunHere(work.Commit()));
  }
  const auto wrong = Value(RunHere(InspectReminders(*nexus_)));
  EXPECT_THAT(wrong.findings, ElementsAre(testing::HasSubstr("user ada: reminder")));
}

// ---- moments

TEST_F(RemindersTest, AnEventMovedIntoThePastDoesNotRemind) {
  const Event event = MakeEvent({10}, hours(2));
  EventPatch past = At(In(-hours(5)), In(-hours(4)));
  const Event moved =
      Value(RunHere(PatchEvent(*nexus_, As(kAda), *event.event_id, past, {}, NoWitness<Event>())));
  RunDue();
  ASSERT_EQ(Reminders().size(), 1u);
  EXPECT_EQ(Reminders()[0].state, ReminderState::kDismissed);
  EXPECT_FALSE(Reminders()[0].fired_at);
  // Back to the future it waits again.
  EventPatch future = At(In(hours(3)), In(hours(4)));
  Value(RunHere(PatchEvent(*nexus_, As(kAda), *moved.event_id, future, {}, NoWitness<Event>())));
  EXPECT_THAT(Moments(), ElementsAre(In(hours(3) - minutes(10))));
  // Only the moment of the reminder is over, not the event: better late than never.
  EventPatch soon = At(In(minutes(5)), In(hours(1)));
  Value(RunHere(PatchEvent(*nexus_, As(kAda), *moved.event_id, soon, {}, NoWitness<Event>())));
  RunDue();
  EXPECT_EQ(Reminders()[0].state, ReminderState::kFired);
  EXPECT_THAT(Wrong(), IsEmpty());
}

TEST_F(RemindersTest, ASeriesMovedIntoThePastLeavesNothingWaitingAtItsOldMoments) {
  const Master master = MakeSeries({10}, hours(1), "FREQ=DAILY;COUNT=3");
  SeriesPatch patch = At(In(-days(20)), In(-days(20) + hours(1)));
  Value(RunHere(PatchSeries(*nexus_, As(kAda), *master.master_id, patch, {}, NoWitness<SeriesChanged>())));
  EXPECT_THAT(Moments(), IsEmpty());
  EXPECT_THAT(Wrong(), IsEmpty());
}

TEST_F(RemindersTest, AClockThatIsPutBackLosesNone) {
  NewReminder request{.title = "x", .notes = {}, .trigger_utc = In(minutes(1))};
  const Reminder made = Value(TryRemindOf(request));
  const jobs::Job job{.kind = std::string(kFireJob),
                      .id = *made.reminder_id,
                      .due = TimeOf(*made.trigger_utc),
                      .user_id = kAda,
                      .argument = *made.reminder_id};
  // The job was due and is handed out, and then the clock shows a time before its moment.
  ASSERT_LT(clock_.Now(), job.due);
  EXPECT_TRUE(RunHere(Fire(*nexus_, job)));
  const auto after = Reminders();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(after[0].state, ReminderState::kFired);
  EXPECT_EQ(after[0].fired_at, made.trigger_utc);
}

// ---- what a person sees of it

TEST_F(RemindersTest, WhoHasATaskOpenMayChangeItAfterAReminderWasAdded) {
  NewTask request{.title = "task",
                  .description = {},
                  .status = {},
                  .priority = {},
                  .due_utc = In(hours(2)),
                  .tags = {},
                  .rrule = {},
                  .start_tzid = {}};
  const data::Task task = Value(RunHere(CreateTask(*nexus_, As(kAda), request, NoWitness<data::Task>())));
  NewReminder reminder{.title = {}, .notes = {}, .trigger_utc = {}};
  reminder.task_id = task.task_id;
  reminder.minutes_before = 15;
  const Reminder made = Value(TryRemindOf(reminder));
  ChangeTask change;
  change.title = "changed";
  const data::Task changed = Value(
      RunHere(ApplyTask(*nexus_, As(kAda), *task.task_id, change, task.version, NoWitness<data::Task>())));
  EXPECT_EQ(changed.title, "changed");
  EXPECT_TRUE(changed.reminder_minutes) << "the reminder is not forgotten over it";
  EXPECT_FALSE(changed.quiet_since);
  Done(TryDelete(made));
  change.title = "again";
  Value(
      RunHere(ApplyTask(*nexus_, As(kAda), *task.task_id, change, changed.version, NoWitness<data::Task>())));
  // Somebody else's change is one.
  const auto stale =
      RunHere(ApplyTask(*nexus_, As(kAda), *task.task_id, change, task.version, NoWitness<data::Task>()));
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().reason, kVersionMismatch);
}

TEST_F(RemindersTest, AreListedInTheOrderOfTime) {
  for (const int i : {7, 3, 9, 1, 5, 8, 2, 6, 4, 0}) {
    NewReminder request{.title = std::to_string(i), .notes = {}, .trigger_utc = In(hours(i + 1))};
    Value(TryRemindOf(request));
  }
  NewReminder undated{.title = "undated", .notes = {}, .trigger_utc = {}};
  Value(TryRemindOf(undated));
  std::vector<std::string> titles, sizes;
  std::string cursor;
  do {
    Work work(*nexus_, As(kAda));
    const ReminderPage page = Value(RunHere(ReadByTime(work, cursor, 4)));
    sizes.push_back(std::to_string(page.items.size()));
    for (const Reminder& reminder : page.items) titles.push_back(*reminder.title);
    cursor = page.next_cursor;
  } while (!cursor.empty());
  EXPECT_THAT(titles, ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "undated"));
  EXPECT_THAT(sizes, ElementsAre("4", "4", "3"));
  Work others(*nexus_, As("eve"));
  Work own(*nexus_, As(kAda));
  const ReminderPage first = Value(RunHere(ReadByTime(own, "", 4)));
  EXPECT_FALSE(RunHere(ReadByTime(others, first.next_cursor, 4)));
}

// ---- whatever happens

class RandomReminders : public RemindersTest {
 protected:
  size_t Pick(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(chance_); }
  std::vector<int64_t> SomeDistances() {
    static constexpr int64_t kDistances[] = {0, 5, 60, 24 * 60, 3 * 24 * 60};
    std::vector<int64_t> distances;
    for (const int64_t distance : kDistances) {
      if (Pick(3) == 0) distances.push_back(distance);
    }
    return distances;
  }
  Time::duration SomeTime() { return minutes(Pick(6 * 24 * 60)) + minutes(1); }

  // What a random step asks for may make no sense.
  template <class T>
  static void MayBeRefused(const Decision<T>&) {}

  void Step() {
    std::vector<Master> masters = Masters();
    const size_t what = Pick(12);
    if (what == 0 && masters.size() < 4) {
      static constexpr const char* kRules[] = {"FREQ=DAILY;COUNT=12", "FREQ=WEEKLY;COUNT=6",
                                               "FREQ=DAILY;INTERVAL=3;COUNT=9"};
      SeriesPatch content = At(In(SomeTime()), "");
      content.times.end_utc = TextOf(TimeOf(*content.times.start_utc) + minutes(30));
      content.title = "series";
      content.rrule = kRules[Pick(3)];
      content.reminder_minutes.emplace(SomeDistances());
      MayBeRefused(RunHere(CreateSeries(*nexus_, As(kAda), content, NoWitness<SeriesChanged>())));
    } else if (what == 1) {
      EventPatch content = At(In(SomeTime()), "");
      content.times.end_utc = TextOf(TimeOf(*content.times.start_utc) + minutes(30));
      content.title = "event";
      content.reminder_minutes.emplace(SomeDistances());
      MayBeRefused(RunHere(CreateEvent(*nexus_, As(kAda), content, NoWitness<Event>())));
    } else if (what <= 4 && !Reminders().empty()) {
      auto all = what == 4 ? Reminders() : Waiting();
      if (all.empty()) return;
      const Reminder one = all[Pick(all.size())];
      if (what == 2) MayBeRefused(TryDismiss(one));
      if (what == 3) MayBeRefused(TrySnooze(one, static_cast<int64_t>(Pick(4 * 24 * 60) + 1)));
      if (what == 4) MayBeRefused(TryDelete(one));
    } else if (what <= 8 && !masters.empty()) {
      const Master master = masters[Pick(masters.size())];
      const auto instances = InstancesOf(*master.master_id);
      if (instances.empty()) return;
      const Instance instance = instances[Pick(instances.size())];
      static constexpr Scope kScopes[] = {Scope::kThis, Scope::kFollowing, Scope::kAll};
      if (what == 5) {
        MayBeRefused(TryDelete(instance, kScopes[Pick(3)]));
      } else if (what == 6) {
        NewReminder request{.title = {}, .notes = {}, .trigger_utc = {}};
        request.instance_id = instance.instance_id;
        request.minutes_before = static_cast<int64_t>(Pick(100));
        if (TimeOf(instance.start_utc) - minutes(100) > clock_.Now()) MayBeRefused(TryRemindOf(request));
      } else {
        SeriesPatch patch;
        if (Pick(2) == 0) patch.title = "changed";
        if (Pick(2) == 0) patch.reminder_minutes.emplace(SomeDistances());
        if (Pick(2) == 0) {
          const Time start = TimeOf(instance.start_utc) + minutes(Pick(48 * 60)) - hours(24);
          patch.times.start_utc = TextOf(start);
          patch.times.end_utc = TextOf(start + minutes(30));
        }
        if (what == 7) {
          MayBeRefused(RunHere(
              PatchInstance(*nexus_, As(kAda), *instance.instance_id, patch, {}, NoWitness<Instance>())));
        } else {
          MayBeRefused(RunHere(PatchFrom(*nexus_, As(kAda), *instance.instance_id, kScopes[1 + Pick(2)],
                                         patch, {}, NoWitness<SeriesChanged>())));
        }
      }
    } else {
      clock_.Advance(SomeTime() / 4);
      RunDue();
    }
  }
  std::vector<Master> Masters() {
    model::Session session(*data_, As(kAda));
    const model::typed::PageOptions options;
    auto page = RunHere(data::ReadMasters(session, options));
    EXPECT_TRUE(page);
    return page ? std::move(page->items) : std::vector<Master>();
  }
  uint64_t SeedOr(uint64_t seed) const {
    const char* given = std::getenv("CAIRN_TEST_SEED");
    return given == nullptr ? seed : std::strtoull(given, nullptr, 10);
  }
  std::string WhatIsWrong() {
    std::string text;
    for (const std::string& finding : Wrong()) text += finding + "\n";
    return text;
  }

  std::mt19937_64 chance_;
};

TEST_F(RandomReminders, AreRightAfterEveryStep) {
  const uint64_t seed = SeedOr(20270115);
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  chance_.seed(seed);
  for (int step = 0; step < 250; ++step) {
    Step();
    RunDue();
    ASSERT_EQ(WhatIsWrong(), "") << "step " << step;
  }
}

TEST_F(RandomReminders, AreRightAfterPowerCuts) {
  const uint64_t seed = SeedOr(20270116);
  SCOPED_TRACE("CAIRN_TEST_SEED=" + std::to_string(seed));
  chance_.seed(seed);
  for (int step = 0; step < 120; ++step) {
    store_->FailAfter(static_cast<int>(Pick(8)));
    Step();
    StartProcess();
    // Jobs take over within a minute or two; one that failed waits ten seconds.
    for (int i = 0; i < 3; ++i) {
      clock_.Advance(minutes(2));
      RunDue();
    }
    ASSERT_EQ(WhatIsWrong(), "") << "step " << step;
  }
}

}  // namespace
}  // namespace cairn::nexus
