#include <atomic>
#include <thread>

#include "engine/engine_for_test.h"

namespace cairn::engine {
namespace {

using ItemOperations = EngineTest;

TEST_F(ItemOperations, PutThenGetGivesTheItemAlsoAfterReopening) {
  CreateTable("T");
  const Item item{{"pk", "a"}, {"sk", "1"}, {"n", Number(42)}};
  ASSERT_TRUE(Put(item));
  EXPECT_EQ(Get("a", "1"), item);
  Reopen();
  EXPECT_EQ(Get("a", "1"), item);
}

TEST_F(ItemOperations, FailedConditionChangesNothingAndNamesTheFailure) {
  CreateTable("T");
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}, {"v", "first"}}));
  const auto refused = Put({{"pk", "a"}, {"sk", "1"}, {"v", "second"}}, NotExists("pk"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error.code, Code::kConditionFailed);
  EXPECT_EQ(*Get("a", "1")->Find("v"), AttributeValue("first"));
}

TEST_F(ItemOperations, ConcurrentConditionalPutsHaveOneWinner) {
  CreateTable("T");
  std::atomic<int> winners = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      if (Put({{"pk", "a"}, {"sk", "1"}, {"writer", Number(i)}}, NotExists("pk"))) ++winners;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(winners, 1);
}

TEST_F(ItemOperations, UnknownTableIsNotFound) {
  const auto refused = Put({{"pk", "a"}, {"sk", "1"}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error.code, Code::kResourceNotFound);
}

TEST_F(ItemOperations, CountsFollowEveryChange) {
  CreateTable("T", {GlobalIndex("G", "g")});
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}, {"g", "x"}}));
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "2"}}));
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}}));  // leaves the index
  ASSERT_TRUE(Remove("a", "2"));
  Reopen();
  const auto table = SyncWait(engine_->DescribeTable("T"));
  ASSERT_TRUE(table);
  EXPECT_EQ(table->item_count, 1);
  EXPECT_EQ(table->size_bytes, 6);  // pk + a + sk + 1
  EXPECT_EQ(table->indexes[0].item_count, 0);
}

TEST_F(ItemOperations, TransactionIsAllOrNothing) {
  CreateTable("T");
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}}));
  store::TransactWriteItemsRequest request;
  request.actions.push_back({store::TransactPut{"T", {{"pk", "b"}, {"sk", "1"}}, nullptr}});
  request.actions.push_back({store::TransactPut{"T", {{"pk", "a"}, {"sk", "1"}}, NotExists("pk")}});
  const auto refused = SyncWait(engine_->TransactWriteItems(request));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error.code, Code::kTransactionCanceled);
  ASSERT_EQ(refused.error().reasons.size(), 2u);
  EXPECT_FALSE(refused.error().reasons[0].error);
  EXPECT_EQ(refused.error().reasons[1].error->code, Code::kConditionFailed);
  EXPECT_FALSE(Get("b", "1"));
}

store::TransactWriteItemsRequest Increment(std::string token, std::string fingerprint) {
  store::TransactWriteItemsRequest request;
  expr::Update update;
  update.adds.push_back({expr::DocumentPath{"n", {}}, Number(1)});
  request.actions.push_back({store::TransactUpdate{"T", {{"pk", "c"}, {"sk", "1"}}, update, nullptr}});
  request.client_token = std::move(token);
  request.token_fingerprint = std::move(fingerprint);
  return request;
}

TEST_F(ItemOperations, ClientTokenAppliesOnceForTenMinutesAcrossReopening) {
  CreateTable("T");
  ASSERT_TRUE(SyncWait(engine_->TransactWriteItems(Increment("token", "f1"))));
  Reopen();
  ASSERT_TRUE(SyncWait(engine_->TransactWriteItems(Increment("token", "f1"))));
  EXPECT_EQ(*Get("c", "1")->Find("n"), AttributeValue(Number(1)));
  const auto other = SyncWait(engine_->TransactWriteItems(Increment("token", "f2")));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().error.code, Code::kIdempotencyMismatch);
  clock_.Advance(std::chrono::minutes(10));
  ASSERT_TRUE(SyncWait(engine_->TransactWriteItems(Increment("token", "f2"))));
  EXPECT_EQ(*Get("c", "1")->Find("n"), AttributeValue(Number(2)));
}

TEST_F(ItemOperations, ScanSegmentsTogetherGiveEveryItemOnce) {
  CreateTable("T");
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(Put({{"pk", std::to_string(i)}, {"sk", "x"}}));
  std::multiset<std::string> seen;
  for (int segment = 0; segment < 7; ++segment) {
    store::ScanRequest request;
    request.table = "T";
    request.segment = segment;
    request.total_segments = 7;
    request.limit = 9;
    do {
      auto page = SyncWait(engine_->Scan(request));
      ASSERT_TRUE(page);
      for (const auto& item : page->items) seen.insert(item.Unpack().Find("pk")->string());
      request.exclusive_start_key = page->last_evaluated_key;
    } while (request.exclusive_start_key);
  }
  EXPECT_EQ(seen.size(), 200u);
  EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), 200u);
}

// The item that lifts it to 1 MB is the last one, as on AWS.
TEST_F(ItemOperations, PageEndsWithOneMegabyteAndGoesOn) {
  CreateTable("T");
  for (int i = 0; i < 7; ++i) {
    ASSERT_TRUE(Put({{"pk", "p"}, {"sk", std::to_string(i)}, {"data", std::string(300'000, 'x')}}));
  }
  for (const store::Order order : {store::Order::kAscending, store::Order::kDescending}) {
    store::QueryRequest request;
    request.table = "T";
    request.order = order;
    request.key_condition.comparisons = {
        {"pk", expr::KeyOperator::kEqual, AttributeValue("p"), AttributeValue()}};
    auto first = SyncWait(engine_->Query(request));
    ASSERT_TRUE(first);
    EXPECT_EQ(first->items.size(), 4u);
    ASSERT_TRUE(first->last_evaluated_key);
    EXPECT_EQ(first->last_evaluated_key->Find("sk")->string(), "3");  // the middle one, either way
    request.exclusive_start_key = first->last_evaluated_key;
    auto second = SyncWait(engine_->Query(request));
    ASSERT_TRUE(second);
    EXPECT_EQ(second->items.size(), 3u);
    EXPECT_FALSE(second->last_evaluated_key);
  }
}

TEST_F(ItemOperations, PageThatIsFullSaysSoAlsoWhenNothingFollows) {
  CreateTable("T");
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(Put({{"pk", "p"}, {"sk", std::to_string(i)}, {"data", std::string(300'000, 'x')}}));
  }
  store::ScanRequest request;
  request.table = "T";
  const auto first = SyncWait(engine_->Scan(request));
  ASSERT_TRUE(first && first->last_evaluated_key);
  EXPECT_EQ(first->count, 4);
  request.exclusive_start_key = first->last_evaluated_key;
  const auto second = SyncWait(engine_->Scan(request));
  ASSERT_TRUE(second);
  EXPECT_EQ(second->count, 0);
  EXPECT_FALSE(second->last_evaluated_key);
}

}  // namespace
}  // namespace cairn::engine
