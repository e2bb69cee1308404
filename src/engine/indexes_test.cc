#include "engine/engine_for_test.h"

namespace cairn::engine {
namespace {

using Indexes = EngineTest;

TEST_F(Indexes, ItemWithoutTheKeyIsAbsentAndRemovingTheAttributeRemovesTheRow) {
  CreateTable("T", {GlobalIndex("G", "g", "s")});
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}, {"g", "x"}}));  // half a key
  EXPECT_EQ(QueryIndex("G", "g", "x")->count, 0);
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}, {"g", "x"}, {"s", "1"}}));
  EXPECT_EQ(QueryIndex("G", "g", "x")->count, 1);
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}, {"g", "y"}, {"s", "1"}}));
  EXPECT_EQ(QueryIndex("G", "g", "x")->count, 0);
  EXPECT_EQ(QueryIndex("G", "g", "y")->count, 1);
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}}));
  EXPECT_EQ(QueryIndex("G", "g", "y")->count, 0);
}

TEST_F(Indexes, PagingOverEqualIndexKeysGivesEveryItemOnce) {
  CreateTable("T", {GlobalIndex("G", "g")});
  for (int i = 0; i < 25; ++i) ASSERT_TRUE(Put({{"pk", std::to_string(i)}, {"sk", "x"}, {"g", "same"}}));
  store::QueryRequest request;
  request.table = "T";
  request.index = "G";
  request.limit = 4;
  request.key_condition.comparisons = {
      {"g", expr::KeyOperator::kEqual, AttributeValue("same"), AttributeValue()}};
  for (const store::Order order : {store::Order::kAscending, store::Order::kDescending}) {
    request.order = order;
    request.exclusive_start_key.reset();
    std::set<std::string> seen;
    do {
      auto page = SyncWait(engine_->Query(request));
      ASSERT_TRUE(page);
      for (const auto& item : page->items)
        EXPECT_TRUE(seen.insert(item.Unpack().Find("pk")->string()).second);
      request.exclusive_start_key = page->last_evaluated_key;
    } while (request.exclusive_start_key);
    EXPECT_EQ(seen.size(), 25u);
  }
}

TEST_F(Indexes, ProjectionKeepsOnlyWhatTheIndexCarries) {
  store::IndexDefinition index = GlobalIndex("G", "g");
  index.projection = store::ProjectionType::kInclude;
  index.included = {"kept"};
  CreateTable("T", {index});
  ASSERT_TRUE(Put({{"pk", "a"}, {"sk", "1"}, {"g", "x"}, {"kept", "k"}, {"left", "l"}}));
  const auto page = QueryIndex("G", "g", "x");
  ASSERT_TRUE(page);
  ASSERT_EQ(page->items.size(), 1u);
  EXPECT_EQ(page->items[0].Unpack(), (Item{{"pk", "a"}, {"sk", "1"}, {"g", "x"}, {"kept", "k"}}));
}

TEST_F(Indexes, NewIndexIsFilledAndRemovedOneIsCleared) {
  CreateTable("T");
  for (int i = 0; i < 1200; ++i) {
    ASSERT_TRUE(Put({{"pk", std::to_string(i)}, {"sk", "x"}, {"g", i % 2 ? "odd" : "even"}}));
  }
  store::UpdateTableRequest add;
  add.table = "T";
  add.attribute_definitions = {{"g", item::Type::kString}};
  add.index_changes.push_back(store::CreateIndex{GlobalIndex("G", "g")});
  ASSERT_TRUE(SyncWait(engine_->UpdateTable(add)));
  EXPECT_FALSE(QueryIndex("G", "g", "odd"));  // not while it is being filled
  ASSERT_TRUE(Put({{"pk", "0"}, {"sk", "x"}, {"g", "odd"}}));
  engine_->RunJobs();
  EXPECT_EQ(QueryIndex("G", "g", "odd")->count, 601);
  auto table = SyncWait(engine_->DescribeTable("T"));
  EXPECT_EQ(table->status, store::TableStatus::kActive);
  EXPECT_EQ(table->indexes[0].item_count, 1200);
  ExpectSound();

  store::UpdateTableRequest remove;
  remove.table = "T";
  remove.index_changes.push_back(store::DeleteIndex{"G"});
  ASSERT_TRUE(SyncWait(engine_->UpdateTable(remove)));
  engine_->RunJobs();
  table = SyncWait(engine_->DescribeTable("T"));
  EXPECT_TRUE(table->indexes.empty());
}

TEST_F(Indexes, FillingGoesOnAfterReopening) {
  CreateTable("T");
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Put({{"pk", std::to_string(i)}, {"sk", "x"}, {"g", "all"}}));
  store::UpdateTableRequest add;
  add.table = "T";
  add.index_changes.push_back(store::CreateIndex{GlobalIndex("G", "g")});
  ASSERT_TRUE(SyncWait(engine_->UpdateTable(add)));
  Reopen();
  ASSERT_TRUE(Put({{"pk", "late"}, {"sk", "x"}, {"g", "all"}}));
  engine_->RunJobs();
  EXPECT_EQ(QueryIndex("G", "g", "all")->count, 21);
}

}  // namespace
}  // namespace cairn::engine
