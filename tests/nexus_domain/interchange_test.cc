// Imports that are cut off at any write and repeated, and changes where the stream does not reach back.
#include <gmock/gmock.h>

#include "../values_domain/interrupted_store.h"
#include "base/log.h"
#include "domains/nexus/changes.h"
#include "domains/nexus/export_calendar.h"
#include "domains/nexus/import_calendar.h"
#include "domains/nexus/jobs.h"
#include "domains/nexus/work.h"
#include "jobs/job_runner.h"
#include "models/platform.h"
#include "session_fixture.h"

namespace cairn::nexus {
namespace {

using std::chrono::hours;
using testing::IsEmpty;
using testing::SizeIs;

class InterchangeTest : public model::SessionTest {
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
    data_ = std::make_unique<model::Database>(models::nexus::LoadModel(), *store_, clock_, random_,
                                              model::DatabaseOptions{.cursor_secret = "secret"});
    const Status created = RunHere(data_->CreateTables());
    ASSERT_TRUE(created) << created.error().message;
    queue_ = std::make_unique<jobs::JobQueue>(*platform_);
    nexus_ = std::make_unique<Nexus>(*data_, *queue_, clock_, random_);
    runner_ = std::make_unique<jobs::JobRunner>(*queue_, clock_, Workers(*nexus_));
  }

  Decision<Imported> Import(const std::string& user, const std::string& text) {
    return RunHere(ImportCalendar(*nexus_, As(user), text));
  }
  std::string Export(const std::string& user) {
    auto exported = RunHere(ExportCalendar(*nexus_, As(user)));
    if (!exported) {
      ADD_FAILURE() << exported.error().message;
      return "";
    }
    std::string text = std::move(exported->text);
    while (exported->source) {
      auto part = RunHere(exported->source->Next());
      if (!part || part->empty()) break;
      text += *part;
    }
    return text;
  }
  size_t ItemsOf(const std::string& user) {
    size_t count = 0;
    model::Session session(*data_, As(user));
    model::typed::PageOptions options{.limit = 100, .cursor = {}};
    do {
      auto page = RunHere(data::ReadInstances(session, options));
      EXPECT_TRUE(page);
      count += page->items.size();
      options.cursor = page->next_cursor;
    } while (!options.cursor.empty());
    return count;
  }
  std::string MakeTask(const std::string& user, std::string title) {
    Work work(*nexus_, As(user));
    data::Task task;
    task.title = std::move(title);
    auto made = work.StageNew(task);
    EXPECT_TRUE(made && RunHere(work.Commit()));
    return *made->task_id;
  }
  Decision<Changes> Since(const std::string& user, std::optional<std::string> token, size_t limit = 100) {
    return RunHere(ReadChanges(*nexus_, As(user), std::move(token), limit));
  }

  std::unique_ptr<values::InterruptedStore> store_;
  std::unique_ptr<model::Database> platform_, data_;
  std::unique_ptr<jobs::JobQueue> queue_;
  std::unique_ptr<Nexus> nexus_;
  std::unique_ptr<jobs::JobRunner> runner_;
};

// A series with edited occurrences and reminders, an event, a task. The clock stands at 2027-01-15.
const std::string kFile =
    "BEGIN:VCALENDAR\n"
    "BEGIN:VEVENT\nUID:s\nSUMMARY:series\nDTSTART;TZID=Europe/Berlin:20270110T090000\nDURATION:PT5H\n"
    "RRULE:FREQ=DAILY;COUNT=200\nEXDATE;TZID=Europe/Berlin:20270120T090000\n"
    "BEGIN:VALARM\nTRIGGER:-PT10M\nEND:VALARM\nEND:VEVENT\n"
    "BEGIN:VEVENT\nUID:s\nSUMMARY:moved\nRECURRENCE-ID;TZID=Europe/Berlin:20270118T090000\n"
    "DTSTART;TZID=Europe/Berlin:20270118T150000\nEND:VEVENT\n"
    "BEGIN:VEVENT\nUID:e\nSUMMARY:event\nDTSTART;VALUE=DATE:20270201\nDTEND;VALUE=DATE:20270205\n"
    "BEGIN:VALARM\nTRIGGER:-P1D\nEND:VALARM\nEND:VEVENT\n"
    "BEGIN:VTODO\nUID:t\nSUMMARY:task\nDUE:20270120T090000Z\nEND:VTODO\n"
    "END:VCALENDAR\n";

TEST_F(InterchangeTest, AnImportCutOffAtAnyWriteIsCompletedByRepetition) {
  ASSERT_TRUE(Import("whole", kFile));
  const size_t items = ItemsOf("whole");
  EXPECT_EQ(items, 199u);
  int cuts = 0;
  for (int writes = 0;; ++writes) {
    const std::string user = "cut" + std::to_string(writes);
    store_->FailAfter(writes);
    const auto cut = Import(user, kFile);
    const bool has_failed = store_->has_failed();
    StartProcess();
    const auto again = Import(user, kFile);
    ASSERT_TRUE(again) << writes << " " << again.error().message;
    EXPECT_EQ(again->skipped, 0);
    // A crash between a series and its occurrences leaves those to the job.
    clock_.Advance(std::chrono::minutes(2));
    RunHere(runner_->RunDue());
    EXPECT_EQ(ItemsOf(user), items) << writes;
    const auto third = Import(user, kFile);
    ASSERT_TRUE(third);
    EXPECT_EQ(third->unchanged, 3) << writes;
    if (!has_failed) {
      EXPECT_TRUE(cut);
      break;
    }
    ++cuts;
  }
  EXPECT_GE(cuts, 5);
}

// A daily series with that many of its occurrences edited.
std::string EditedSeries(int edited) {
  const auto day = [](int i) {
    const calendar::LocalTime start = std::chrono::local_days(std::chrono::year(2027) / 1 / 10);
    std::string text = calendar::FormatLocal(start + std::chrono::days(i)).substr(0, 10);
    std::erase(text, '-');
    return text;
  };
  std::string text =
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:s\nSUMMARY:series\nDTSTART:20270110T090000Z\nDURATION:PT1H\n"
      "RRULE:FREQ=DAILY\nEND:VEVENT\n";
  for (int i = 0; i < edited; ++i) {
    text += "BEGIN:VEVENT\nUID:s\nSUMMARY:edited\nRECURRENCE-ID:" + day(i) + "T090000Z\nDTSTART:" + day(i) +
            "T150000Z\nDURATION:PT1H\nEND:VEVENT\n";
  }
  return text + "END:VCALENDAR\n";
}

// Every look at it takes two seconds.
class PassingClock final : public Clock {
 public:
  explicit PassingClock(Time start) : clock_(start) {}
  Time Now() const override {
    clock_.Advance(std::chrono::seconds(2));
    return clock_.Now();
  }

 private:
  mutable FakeClock clock_;
};

TEST_F(InterchangeTest, AnImportWithoutTimeSaysWhatRemainsAndGoesOn) {
  constexpr int kEdited = 1'500;
  const std::string file = EditedSeries(kEdited);
  const PassingClock passing(clock_.Now());
  nexus_ = std::make_unique<Nexus>(*data_, *queue_, passing, random_);
  size_t known = 0;
  for (int attempt = 0;; ++attempt) {
    ASSERT_LT(attempt, 10);
    const auto imported = Import("ada", file);
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(imported->skipped, 0);
    EXPECT_EQ(imported->created + imported->updated + imported->remaining, 1);
    const size_t items = ItemsOf("ada");
    if (imported->remaining == 0) {
      EXPECT_GE(attempt, 1) << "the time was enough for everything";
      break;
    }
    EXPECT_LT(items, static_cast<size_t>(kEdited));
    EXPECT_GT(items, known) << "every call gets further";
    known = items;
  }
  const auto again = Import("ada", file);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->unchanged, 1);
}

// The series is read once, not once for each transaction that it takes.
TEST_F(InterchangeTest, ReadingGrowsWithTheEditedOccurrences) {
  const auto queries_for = [&](const std::string& user, int edited) {
    const int64_t before = store_->queries();
    EXPECT_TRUE(Import(user, EditedSeries(edited)));
    return store_->queries() - before;
  };
  const int64_t of_few = queries_for("few", 1'000), of_many = queries_for("many", 4'000);
  EXPECT_LT(of_many, 6 * of_few) << of_few;
}

TEST_F(InterchangeTest, ExportIsImportedTheSame) {
  ASSERT_TRUE(Import("a", kFile));
  ASSERT_TRUE(Import("b", Export("a")));
  EXPECT_EQ(ItemsOf("b"), ItemsOf("a"));
  const auto again = Import("a", Export("a"));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->unchanged, 3);
}

TEST_F(InterchangeTest, ATokenIsTooOldOnceTheStreamWasTrimmedPastIt) {
  auto now = Since("ada", {});
  ASSERT_TRUE(now);
  const std::string token = now->next_token;
  MakeTask("ada", "first");
  clock_.Advance(hours(22));
  MakeTask("ada", "second");
  auto seen = Since("ada", token);
  ASSERT_TRUE(seen);
  EXPECT_THAT(seen->items, SizeIs(2));
  clock_.Advance(hours(3));
  engine_->RunJobs();
  const auto late = Since("ada", token);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().reason, kTokenTooOld);
  EXPECT_EQ(late.error().code, Code::kTrimmedData);
  // What was given out later still reaches everything.
  MakeTask("ada", "third");
  seen = Since("ada", seen->next_token);
  ASSERT_TRUE(seen);
  EXPECT_THAT(seen->items, SizeIs(1));
}

// Whoever reads slowly gets new tokens for places that grow old.
TEST_F(InterchangeTest, ANewTokenOfAnOldPlaceIsTooOldOnceThatIsTrimmed) {
  auto now = Since("ada", {});
  ASSERT_TRUE(now);
  for (const char* title : {"first", "second", "third"}) MakeTask("ada", title);
  clock_.Advance(hours(22));
  const auto page = Since("ada", now->next_token, 1);
  ASSERT_TRUE(page);
  ASSERT_THAT(page->items, SizeIs(1));
  ASSERT_TRUE(page->has_more);
  MakeTask("ada", "fourth");
  clock_.Advance(hours(3));
  engine_->RunJobs();
  const auto late = Since("ada", page->next_token);
  ASSERT_FALSE(late) << "the second and the third are gone from the stream";
  EXPECT_EQ(late.error().reason, kTokenTooOld);
}

TEST_F(InterchangeTest, AnIdleTokenStaysGood) {
  const std::string token = Since("ada", {})->next_token;
  clock_.Advance(hours(100));
  engine_->RunJobs();
  auto seen = Since("ada", token);
  ASSERT_TRUE(seen);
  EXPECT_THAT(seen->items, IsEmpty());
}

// The first records of a stream, behind those of other tables.
TEST_F(InterchangeTest, ATokenFromBeforeTheFirstChangeIsGood) {
  const std::string token = Since("ada", {})->next_token;
  {
    Work work(*nexus_, As("bob"));
    ASSERT_TRUE(
        work.StageJob({.kind = "x", .id = "x", .due = clock_.Now(), .user_id = "bob", .argument = ""}));
    ASSERT_TRUE(RunHere(work.Commit()));
  }
  MakeTask("ada", "first");
  const auto seen = Since("ada", token);
  ASSERT_TRUE(seen);
  EXPECT_THAT(seen->items, SizeIs(1));
}

TEST_F(InterchangeTest, ManyChangesOfOthersAreLookedAtInParts) {
  const std::string token = Since("ada", {})->next_token;
  constexpr int kOthers = 25'000;
  for (int i = 0; i < kOthers; ++i) {
    store::PutItemRequest request{.table = data_->physical_name(0),
                                  .item = {{"PK", "USER#bob"}, {"SK", "NOTE#x"}, {"n", item::Number(i)}},
                                  .condition = nullptr};
    ASSERT_TRUE(RunHere(engine_->PutItem(request)));
  }
  MakeTask("ada", "behind");
  auto first = Since("ada", token);
  ASSERT_TRUE(first);
  EXPECT_THAT(first->items, IsEmpty());
  EXPECT_TRUE(first->has_more);
  const auto second = Since("ada", first->next_token);
  ASSERT_TRUE(second);
  EXPECT_THAT(second->items, SizeIs(1));
  EXPECT_FALSE(second->has_more);
}

}  // namespace
}  // namespace cairn::nexus
