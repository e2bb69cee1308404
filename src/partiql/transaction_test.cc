#include "partiql/transaction.h"

#include "partiql/memory_store_for_test.h"
#include "partiql/parse.h"

namespace cairn::partiql {
namespace {

using item::Number;

class TransactionTest : public testing::Test {
 protected:
  TransactionTest() {
    store_.AddTable({.name = "H", .key_schema = {{{"pk", item::Type::kString}}, {}}});
    store_.Put("H", {{"pk", "x"}, {"n", Number(1)}, {"m", item::Map{{"sub", "deep"}}}});
  }

  Result<TransactionResponse, store::TransactionFailure> Run(std::initializer_list<std::string_view> texts,
                                                             TransactionOptions options = {}) {
    std::vector<Statement> statements;
    for (const std::string_view text : texts) {
      Result<Statement> statement = ParseStatement(text, {});
      EXPECT_TRUE(statement.has_value()) << text;
      statements.push_back(*std::move(statement));
    }
    return SyncWait(ExecuteTransaction(store_, statements, std::move(options)));
  }
  std::string Refusal(std::initializer_list<std::string_view> texts) {
    const auto response = Run(texts);
    return response ? "" : response.error().error.message;
  }

  MemoryStore store_;
};

TEST_F(TransactionTest, WritesHappenTogether) {
  const auto response = Run({"INSERT INTO H VALUE {'pk': 'y'}", "UPDATE H SET n = n + 1 WHERE pk = 'x'",
                             "DELETE FROM H WHERE pk = 'ghost' AND n = 1"});
  ASSERT_TRUE(response.has_value());
  EXPECT_TRUE(response->items.empty());
  EXPECT_NE(store_.Find("H", {{"pk", "y"}}), nullptr);
  EXPECT_EQ(store_.Find("H", {{"pk", "x"}})->Find("n")->number(), Number(2));
}

TEST_F(TransactionTest, DuplicateInsertIsNamedAmongTheReasons) {
  const auto response = Run({"INSERT INTO H VALUE {'pk': 'x'}", "INSERT INTO H VALUE {'pk': 'y'}",
                             "UPDATE H SET n = 1 WHERE pk = 'ghost'"});
  ASSERT_FALSE(response.has_value());
  EXPECT_EQ(response.error().error.code, Code::kTransactionCanceled);
  const auto& reasons = response.error().reasons;
  ASSERT_EQ(reasons.size(), 3u);
  EXPECT_EQ(reasons[0].error->code, Code::kDuplicateItem);
  EXPECT_FALSE(reasons[1].error.has_value());
  EXPECT_EQ(reasons[2].error->code, Code::kConditionFailed);
  EXPECT_EQ(store_.Find("H", {{"pk", "y"}}), nullptr);
}

TEST_F(TransactionTest, ExistsGuardsTheOthers) {
  EXPECT_TRUE(
      Run({"EXISTS(SELECT * FROM H WHERE pk = 'x' AND gone IS MISSING)", "INSERT INTO H VALUE {'pk': 'y'}"}));
  const auto refused = Run(
      {"EXISTS(SELECT * FROM H WHERE pk = 'ghost' AND gone IS MISSING)", "INSERT INTO H VALUE {'pk': 'z'}"});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().reasons[0].error->code, Code::kConditionFailed);
}

TEST_F(TransactionTest, ReadsAnswerOneEntryPerStatement) {
  const auto response = Run({"SELECT m.sub FROM H WHERE pk = 'x'", "SELECT * FROM H WHERE pk = 'ghost'"});
  ASSERT_TRUE(response.has_value());
  ASSERT_EQ(response->items.size(), 2u);
  EXPECT_EQ(response->items[0]->Unpack(), (item::Item{{"sub", "deep"}}));
  EXPECT_FALSE(response->items[1].has_value());
}

TEST_F(TransactionTest, OptionsReachTheStore) {
  const TransactionOptions options{.client_token = "token",
                                   .token_fingerprint = "print",
                                   .on_condition_failure = {store::OnConditionFailure::kReturnOldItem}};
  ASSERT_TRUE(Run({"UPDATE H SET n = 1 WHERE pk = 'x'"}, options));
  EXPECT_EQ(store_.last_transaction.client_token, "token");
  EXPECT_EQ(store_.last_transaction.token_fingerprint, "print");
  EXPECT_EQ(store_.last_transaction.actions[0].on_condition_failure,
            store::OnConditionFailure::kReturnOldItem);
}

TEST_F(TransactionTest, RefusedBeforeAnythingRuns) {
  constexpr std::string_view kFirst = "Validation failed in TransactStatements[0]: ";
  EXPECT_EQ(Refusal({"SELECT * FROM H WHERE pk = 'x'", "DELETE FROM H WHERE pk = 'x'"}),
            "ExecuteTransaction API does not support both read and write operations in the same request.");
  EXPECT_EQ(Refusal({"UPDATE H SET n = 1 WHERE pk = 'x' RETURNING ALL NEW *"}),
            std::string(kFirst) + "RETURNING clause is not supported in ExecuteTransaction.");
  EXPECT_EQ(Refusal({"SELECT * FROM H.i WHERE pk = 'x'"}),
            std::string(kFirst) + "Reads on indices are not supported within transactions.");
  EXPECT_EQ(
      Refusal({"SELECT * FROM H"}),
      std::string(kFirst) +
          "Select statements within ExecuteTransaction must specify the primary key in the where clause.");
  EXPECT_EQ(Refusal({"UPDATE H SET n = 1"}),
            std::string(kFirst) + "Where clause does not contain a mandatory equality on all key attributes");
  EXPECT_EQ(Refusal({"EXISTS(SELECT * FROM H WHERE pk = 'x')"}),
            std::string(kFirst) + "EXISTS() must contain a single item read with additional condition");
  EXPECT_EQ(Refusal({"DELETE FROM Nope WHERE pk = 'x'"}), "Requested resource not found");
  EXPECT_EQ(store_.calls, 0);
}

}  // namespace
}  // namespace cairn::partiql
