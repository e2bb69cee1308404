// Around a user whose account is deleted nothing is written any more, whatever was under way on other
// threads.
#include "model/write_fence.h"

#include <thread>

#include "board_model_for_test.h"
#include "session_fixture.h"

namespace cairn::model {
namespace {

class WriteFenceTest : public SessionTest {
 protected:
  void SetUp() override {
    Start(kBoardModel);
    DatabaseOptions options;
    options.fence = &fence_;
    database_ = std::make_unique<Database>(LoadOrDie(kBoardModel), *engine_, clock_, random_, options);
  }
  static Item Event(std::string id) { return Item{{"eventId", AttributeValue(std::move(id))}}; }
  size_t CountOf(const std::string& user) {
    size_t count = 0;
    store::ScanRequest request;
    request.table = database_->physical_name(0);
    for (;;) {
      const auto page = RunHere(engine_->Scan(request));
      EXPECT_TRUE(page);
      for (const item::PackedItem& item : page->items)
        count += Text(item.Unpack(), "PK") == "USER#" + user ? 1 : 0;
      if (!page->last_evaluated_key) return count;
      request.exclusive_start_key = page->last_evaluated_key;
    }
  }

  WriteFence fence_{clock_};
};

TEST_F(WriteFenceTest, OnlyDeletionsPass) {
  ASSERT_TRUE(Create(As("ada"), "Event", Event("t1")));
  ASSERT_TRUE(RunHere(fence_.CloseAround("ada")));
  EXPECT_FAILS(Create(As("ada"), "Event", Event("t2")), Code::kUnauthenticated, "deleted");
  EXPECT_FAILS(Create(Caller::SystemFor({{"sub", "ada"}}), "Event", Event("t2")), Code::kUnauthenticated,
               "deleted");
  EXPECT_TRUE(Create(As("bob"), "Event", Event("t1")));
  EXPECT_TRUE(Delete(As("ada"), "Event", Event("t1")));
}

TEST_F(WriteFenceTest, WhatWasUnderWayHasArrived) {
  std::atomic<bool> over{false};
  std::atomic<int> refused{0};
  std::vector<std::thread> workers;
  for (int worker = 0; worker < 8; ++worker) {
    workers.emplace_back([&, worker] {
      for (int i = 0; !over; ++i) {
        const std::string user = i % 2 == 0 ? "ada" : "bob";
        Session session(*database_, As(user));
        ASSERT_TRUE(session.Create(E("Event"), Event(std::to_string(worker) + "-" + std::to_string(i))));
        if (!RunHere(session.Commit())) ++refused;
      }
    });
  }
  while (CountOf("ada") < 50) std::this_thread::yield();
  ASSERT_TRUE(RunHere(fence_.CloseAround("ada")));
  const size_t at_once = CountOf("ada"), of_bob = CountOf("bob");
  while (CountOf("bob") < of_bob + 50) std::this_thread::yield();
  EXPECT_EQ(CountOf("ada"), at_once);
  over = true;
  for (std::thread& worker : workers) worker.join();
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace cairn::model
