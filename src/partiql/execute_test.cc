#include "partiql/execute.h"

#include "item/item_json.h"
#include "partiql/memory_store_for_test.h"
#include "partiql/parse.h"

namespace cairn::partiql {
namespace {

using item::AttributeValue;
using item::Item;
using item::Number;
using item::Type;

std::string Texts(const std::vector<item::PackedItem>& items) {
  std::string text;
  for (const item::PackedItem& item : items) {
    if (!text.empty()) text += ' ';
    item::AppendItemJson(text, item);
  }
  return text;
}

// H has pk; C has pk and sk, and an index "by_n" on n.
class ExecuteTest : public testing::Test {
 protected:
  ExecuteTest() {
    store::TableDefinition hash{.name = "H", .key_schema = {{{"pk", Type::kString}}, {}}};
    store::TableDefinition composite{.name = "C",
                                     .key_schema = {{{"pk", Type::kString}}, {{"sk", Type::kString}}}};
    store::IndexDefinition by_n{.name = "by_n"};
    by_n.key_schema = {{{"n", Type::kNumber}}, {}};
    composite.indexes = {by_n};
    store_.AddTable(hash);
    store_.AddTable(composite);
    for (const char* pk : {"a", "b"}) {
      for (const char* sk : {"1", "2", "3"})
        store_.Put("C", {{"pk", pk}, {"sk", sk}, {"n", Number(sk[0] - '0')}});
    }
    store_.Put("H", {{"pk", "x"}, {"data", "old"}, {"m", item::Map{{"sub", "deep"}, {"sib", "keep"}}}});
  }

  Result<ExecuteResponse, store::WriteFailure> Run(std::string_view text, ExecuteOptions options = {}) {
    const Result<Statement> statement = ParseStatement(text, {});
    if (!statement) return std::unexpected(store::WriteFailure(statement.error()));
    return SyncWait(Execute(store_, *statement, std::move(options)));
  }
  // The items that come back, or the error.
  std::string RunText(std::string_view text, ExecuteOptions options = {}) {
    const auto response = Run(text, std::move(options));
    return response ? Texts(response->items) : response.error().error.message;
  }
  // All sort keys, page by page; pages are separated by a bar.
  std::string SortKeysByPage(std::string_view text, int64_t limit) {
    std::string keys;
    ExecuteOptions options{.limit = limit};
    for (int pages = 0; pages < 20; ++pages) {
      const auto response = Run(text, options);
      if (!response) return response.error().error.message;
      for (const item::PackedItem& item : response->items) {
        keys += item.Find("pk")->string() + item.Find("sk")->string() + " ";
      }
      if (!response->next) return keys;
      keys += "| ";
      options.start = *response->next;
    }
    return "endless";
  }

  MemoryStore store_;
};

TEST_F(ExecuteTest, SelectsByKeyByPartitionAndByScan) {
  EXPECT_EQ(RunText("SELECT * FROM C WHERE pk = 'a' AND sk = '2'"),
            R"({"n":{"N":"2"},"pk":{"S":"a"},"sk":{"S":"2"}})");
  EXPECT_EQ(RunText("SELECT sk FROM C WHERE pk = 'a'"),
            R"({"sk":{"S":"1"}} {"sk":{"S":"2"}} {"sk":{"S":"3"}})");
  EXPECT_EQ(RunText("SELECT pk, sk FROM C WHERE n = 3"),
            R"({"pk":{"S":"a"},"sk":{"S":"3"}} {"pk":{"S":"b"},"sk":{"S":"3"}})");
  EXPECT_EQ(RunText("SELECT sk FROM C.by_n WHERE n = 1 AND pk = 'b'"), R"({"sk":{"S":"1"}})");
  EXPECT_EQ(RunText("SELECT * FROM C WHERE pk = 'nobody'"), "");
}

TEST_F(ExecuteTest, SelectOfANestedPathAnswersUnderItsLastName) {
  EXPECT_EQ(RunText("SELECT m.sub FROM H WHERE pk = 'x'"), R"({"sub":{"S":"deep"}})");
}

TEST_F(ExecuteTest, ConditionsOnSortKeysThatNoKeyConditionTakes) {
  EXPECT_EQ(RunText("SELECT sk FROM C WHERE pk = 'a' AND sk <> '2'"), R"({"sk":{"S":"1"}} {"sk":{"S":"3"}})");
  EXPECT_EQ(RunText("SELECT sk FROM C WHERE pk = 'a' AND NOT sk IN ['1', '3'] OR pk = 'a' AND sk = '2'"),
            R"({"sk":{"S":"2"}})");
  EXPECT_EQ(RunText("SELECT n FROM C WHERE pk = 'a' AND sk > '1' AND sk < '3'"), R"({"n":{"N":"2"}})");
}

TEST_F(ExecuteTest, OrderBy) {
  EXPECT_EQ(SortKeysByPage("SELECT * FROM C WHERE pk = 'a' ORDER BY sk DESC", 10), "a3 a2 a1 ");
  EXPECT_EQ(SortKeysByPage("SELECT * FROM C WHERE pk IN ['a', 'b'] ORDER BY pk DESC, sk ASC", 10),
            "b1 b2 b3 a1 a2 a3 ");
}

TEST_F(ExecuteTest, PagesGoOnWhereTheyStopped) {
  EXPECT_EQ(SortKeysByPage("SELECT * FROM C WHERE pk = 'a'", 2), "a1 a2 | a3 ");
  EXPECT_EQ(SortKeysByPage("SELECT * FROM C WHERE pk IN ['a', 'b'] ORDER BY pk DESC", 2),
            "b3 b2 | b1 a3 | a2 a1 | ");
  EXPECT_EQ(SortKeysByPage("SELECT * FROM C WHERE n = 3", 4), "a3 | b3 ");
  EXPECT_EQ(SortKeysByPage("SELECT * FROM C WHERE pk = 'a' AND sk IN ['1', '2', '3']", 2), "a1 a2 | a3 ");
}

TEST_F(ExecuteTest, LastEvaluatedKeyComesWithTheToken) {
  const auto response = Run("SELECT * FROM C WHERE pk = 'a'", {.limit = 1});
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->last_evaluated_key, (Item{{"pk", "a"}, {"sk", "1"}}));
}

TEST_F(ExecuteTest, TokenBeyondThePlanIsRefused) {
  EXPECT_EQ(RunText("SELECT * FROM C WHERE pk = 'a'", {.start = {7, std::nullopt}}), "Invalid NextToken");
}

TEST_F(ExecuteTest, CapacityIsAddedUp) {
  const auto response =
      Run("SELECT * FROM C WHERE pk IN ['a', 'b']", {.return_capacity = store::ReturnCapacity::kTotal});
  ASSERT_TRUE(response.has_value() && response->capacity.has_value());
  EXPECT_EQ(response->capacity->table_units.read, 2);
}

TEST_F(ExecuteTest, InsertCreatesAndNeverReplaces) {
  EXPECT_EQ(RunText("INSERT INTO H VALUE {'pk': 'new', 'n': 1}"), "");
  EXPECT_EQ(*store_.Find("H", {{"pk", "new"}}), (Item{{"pk", "new"}, {"n", Number(1)}}));
  const auto again = Run("INSERT INTO H VALUE {'pk': 'new', 'n': 2}");
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().error.code, Code::kDuplicateItem);
  EXPECT_EQ(again.error().error.message, "Duplicate primary key exists in table");
  EXPECT_EQ(*store_.Find("H", {{"pk", "new"}}), (Item{{"pk", "new"}, {"n", Number(1)}}));
}

TEST_F(ExecuteTest, UpdateNeverCreates) {
  EXPECT_EQ(RunText("UPDATE H SET data = 'new' WHERE pk = 'ghost' RETURNING ALL OLD *"),
            "The conditional request failed");
  EXPECT_EQ(store_.Find("H", {{"pk", "ghost"}}), nullptr);
  EXPECT_EQ(RunText("UPDATE H SET data = 'new' WHERE pk = 'x' AND data = 'other'"),
            "The conditional request failed");
  EXPECT_EQ(RunText("UPDATE H SET data = 'new' WHERE pk = 'x' AND data = 'old'"), "");
  EXPECT_EQ(store_.Find("H", {{"pk", "x"}})->Find("data")->string(), "new");
}

TEST_F(ExecuteTest, UpdateReturning) {
  EXPECT_EQ(RunText("UPDATE H SET m.sub = 'new' WHERE pk = 'x' RETURNING MODIFIED OLD *"),
            R"({"m":{"M":{"sub":{"S":"deep"}}}})");
  EXPECT_EQ(RunText("UPDATE H SET fresh = 1 WHERE pk = 'x' RETURNING MODIFIED OLD *"), "");
  EXPECT_EQ(RunText("UPDATE H REMOVE m REMOVE fresh WHERE pk = 'x' RETURNING ALL NEW *"),
            R"({"data":{"S":"old"},"pk":{"S":"x"}})");
}

TEST_F(ExecuteTest, DeleteOfNothingSucceedsWhateverTheCondition) {
  EXPECT_EQ(RunText("DELETE FROM H WHERE pk = 'ghost' AND data = 'x' RETURNING ALL OLD *"), "");
  EXPECT_EQ(RunText("DELETE FROM H WHERE pk = 'x' AND data = 'other'"), "The conditional request failed");
  EXPECT_NE(store_.Find("H", {{"pk", "x"}}), nullptr);
  EXPECT_EQ(RunText("DELETE FROM H WHERE pk = 'x' AND data = 'old' RETURNING ALL OLD *"),
            R"({"data":{"S":"old"},"m":{"M":{"sib":{"S":"keep"},"sub":{"S":"deep"}}},"pk":{"S":"x"}})");
  EXPECT_EQ(store_.Find("H", {{"pk", "x"}}), nullptr);
}

TEST_F(ExecuteTest, FailedConditionReturnsTheItemWhenAsked) {
  const auto response = Run("UPDATE H SET data = 'new' WHERE pk = 'x' AND data = 'other'",
                            {.on_condition_failure = store::OnConditionFailure::kReturnOldItem});
  ASSERT_FALSE(response.has_value());
  ASSERT_TRUE(response.error().existing.has_value());
  EXPECT_EQ(response.error().existing->Find("data")->string(), "old");
}

TEST_F(ExecuteTest, RefusedWithoutTouchingItems) {
  EXPECT_EQ(RunText("SELECT * FROM Nope"), "Requested resource not found");
  EXPECT_EQ(RunText("EXISTS(SELECT * FROM H WHERE pk = 'x' AND data = 'y')"),
            "EXISTS can only be used in ExecuteTransaction write requests.");
  EXPECT_EQ(RunText("DELETE FROM C WHERE pk = 'a'"),
            "Where clause does not contain a mandatory equality on all key attributes");
  EXPECT_EQ(store_.calls, 0);
}

TEST_F(ExecuteTest, InABatchASelectNamesOneItem) {
  const auto run = [&](std::string_view text) {
    const Result<Statement> statement = ParseStatement(text, {});
    const auto response = SyncWait(ExecuteInBatch(store_, *statement, {}));
    return response ? Texts(response->items) : response.error().error.message;
  };
  EXPECT_EQ(run("SELECT m.sub FROM H WHERE pk = 'x'"), R"({"sub":{"S":"deep"}})");
  EXPECT_EQ(run("SELECT * FROM H WHERE pk = 'ghost'"), "");
  EXPECT_EQ(
      run("SELECT * FROM C WHERE pk = 'a'"),
      "Select statements within BatchExecuteStatement must specify the primary key in the where clause.");
  EXPECT_EQ(run("UPDATE H SET n = 1 WHERE pk = 'x' RETURNING MODIFIED NEW *"), R"({"n":{"N":"1"}})");
}

}  // namespace
}  // namespace cairn::partiql
