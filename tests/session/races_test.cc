// Many sessions at once on the same items: one winner where there can be one, nothing lost, index keys right.
#include <atomic>
#include <thread>

#include "../values_domain/interrupted_store.h"
#include "board_model_for_test.h"
#include "model/check_item.h"
#include "session_fixture.h"

namespace cairn::model {
namespace {

class Races : public SessionTest {
 protected:
  void SetUp() override { Start(kBoardModel); }

  template <class Work>
  static void InParallel(int threads, Work work) {
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i) running.emplace_back([&work, i] { work(i); });
    for (std::thread& thread : running) thread.join();
  }
};

TEST_F(Races, OneOfManyTakesAUniqueValue) {
  std::atomic<int> won = 0, refused = 0;
  InParallel(16, [&](int) {
    const auto doc = Create(As("ann"), "Doc", Item{{"slug", "the-one"}});
    if (doc)
      ++won;
    else if (!doc.error().conflicts.empty() && doc.error().conflicts[0].kind == ConflictKind::kUnique)
      ++refused;
  });
  EXPECT_EQ(won, 1);
  EXPECT_EQ(refused, 15);
  EXPECT_EQ(RawCount(), 2u);
}

// Whoever deletes an item takes no value from anybody: losing against those who change it is a race, whatever
// becomes of the value meanwhile.
TEST_F(Races, DeleteThatOthersOvertakeIsNotToldOfTheirValues) {
  const auto doc = Create(As("ann"), "Doc", Item{{"slug", "old"}});
  ASSERT_TRUE(doc);
  const Item key{{"docId", *doc->Find("docId")}};
  values::InterruptedStore overtaken(*engine_);
  Database database(LoadOrDie(kBoardModel), overtaken, clock_, random_);
  overtaken.BeforeTransaction([](const store::TransactWriteItemsRequest&) { return true; },
                              [&] {
                                ASSERT_TRUE(Update(As("ann"), "Doc", key, {.set = Item{{"slug", "new"}}}));
                                ASSERT_TRUE(Create(As("ann"), "Doc", Item{{"slug", "old"}}));
                              });
  Session session(database, As("ann"));
  ASSERT_TRUE(session.Delete(*database.model().FindEntity("Doc"), key));
  const auto gone = SyncWait(session.Commit());
  ASSERT_TRUE(gone) << gone.error().error.message;
  EXPECT_FALSE(Get(As("ann"), "Doc", key));
  EXPECT_FAILS(Create(As("ann"), "Doc", Item{{"slug", "old"}}), Code::kConditionFailed, "another Doc");
  EXPECT_TRUE(Create(As("ann"), "Doc", Item{{"slug", "new"}})) << "it went with the document";
}

TEST_F(Races, OneOfManyWritesAVersion) {
  const auto doc = Create(As("ann"), "Doc", Item{{"body", "start"}});
  const Item key{{"docId", *doc->Find("docId")}};
  std::atomic<int> won = 0;
  InParallel(16, [&](int i) {
    if (Update(As("ann"), "Doc", key, {.set = Item{{"body", std::to_string(i)}}}, AttributeValue(Number(1))))
      ++won;
  });
  EXPECT_EQ(won, 1);
  EXPECT_EQ(*Get(As("ann"), "Doc", key)->Find("version"), AttributeValue(Number(2)));
}

TEST_F(Races, PartialUpdatesOfOneItemKeepItsIndexKeysRight) {
  const auto task = Create(As("ann"), "Task", Item{{"title", "t"}, {"due", "2027-02-01T10:00:00Z"}});
  const Item key{{"taskId", *task->Find("taskId")}};
  const std::vector<std::string> states = {"BACKLOG", "OPEN", "DONE", "ARCHIVED"};
  std::atomic<int> done = 0;
  InParallel(8, [&](int i) {
    for (int step = 0; step < 40; ++step) {
      Changes changes;
      if (i % 2 == 0)
        changes.set.Set("status", states[static_cast<size_t>(step + i) % 4]);
      else if (step % 3 == 0)
        changes.remove.push_back("due");
      else
        changes.set.Set("due", "2027-0" + std::to_string(1 + step % 9) + "-01T10:00:00Z");
      const auto committed = Update(As("ann"), "Task", key, std::move(changes));
      EXPECT_TRUE(committed) << committed.error().error.message;
      ++done;
    }
  });
  EXPECT_EQ(done, 320);
  Session session(*database_, As("ann"));
  auto record = SyncWait(session.Get(E("Task"), key));
  ASSERT_TRUE(record && *record);
  EXPECT_TRUE(CheckItem(*database_, 0, (*record)->packed()).findings.empty());
}

// What one session read has changed when it writes: its index keys are computed anew from what is there now.
TEST_F(Races, AnUpdateFromAnOldReadingIsComputedAnew) {
  const auto task = Create(As("ann"), "Task", Item{{"title", "t"}, {"due", "2027-02-01T10:00:00Z"}});
  const Item key{{"taskId", *task->Find("taskId")}};
  Session session(*database_, As("ann"));
  ASSERT_TRUE(SyncWait(session.Get(E("Task"), key)));
  ASSERT_TRUE(Update(As("ann"), "Task", key, {.set = Item{{"status", "ARCHIVED"}}}));
  ASSERT_TRUE(session.Update(E("Task"), key, {.set = Item{{"due", "2028-02-01T10:00:00Z"}}}));
  ASSERT_TRUE(SyncWait(session.Commit()));
  Session reader(*database_, As("ann"));
  auto record = SyncWait(reader.Get(E("Task"), key));
  ASSERT_TRUE(record && *record);
  EXPECT_FALSE((*record)->packed().Find("GSI1PK")) << "archived tasks are not on the agenda";
  EXPECT_TRUE(CheckItem(*database_, 0, (*record)->packed()).findings.empty());
}

TEST_F(Races, ACounterLosesNothingAndNeverGoesBelowZero) {
  ASSERT_TRUE(Create(As("ann"), "Wallet", Item{{"balance", Number(100)}}));
  std::atomic<int> spent = 0;
  InParallel(8, [&](int) {
    for (int step = 0; step < 20; ++step) {
      if (Update(As("ann"), "Wallet", {}, {.set = {}, .remove = {}, .add = {{"balance", Number(-1)}}}))
        ++spent;
    }
  });
  EXPECT_EQ(spent, 100);
  EXPECT_EQ(*Get(As("ann"), "Wallet", {})->Find("balance"), AttributeValue(Number(0)));
}

TEST_F(Races, LogsOfOneInstantAllFindAPlace) {
  ASSERT_TRUE(Create(As("ann"), "Goal", Item{{"goalId", "g"}, {"name", "n"}}));
  InParallel(8, [&](int) {
    for (int i = 0; i < 5; ++i) {
      const auto log = Create(As("ann"), "Log", Item{{"goalId", "g"}, {"value", Number(i)}});
      EXPECT_TRUE(log) << log.error().error.message;
    }
  });
  EXPECT_EQ(RawCount(), 41u);
}

}  // namespace
}  // namespace cairn::model
