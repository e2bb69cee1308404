#include "dynamodb/statement_fixture.h"

namespace cairn::dynamodb {
namespace {

class ExecuteTransactionTest : public StatementTest {
 protected:
  std::string Run(std::initializer_list<std::string> statements, std::string_view members = "") {
    return Answer("ExecuteTransaction", List("TransactStatements", statements, members));
  }
  std::string Refused(std::initializer_list<std::string> statements) {
    return Refusal("ExecuteTransaction", List("TransactStatements", statements));
  }
};

TEST_F(ExecuteTransactionTest, WritesAnswerAnEmptyList) {
  EXPECT_EQ(Run({Statement("INSERT INTO H VALUE {'pk': 'y'}"),
                 Statement("UPDATE H SET data = 'new' WHERE pk = 'x'")}),
            R"({"Responses":[]})");
  EXPECT_EQ(Stored("x"), R"({"data":{"S":"new"},"pk":{"S":"x"}})");
  EXPECT_EQ(Stored("y"), R"({"pk":{"S":"y"}})");
}

TEST_F(ExecuteTransactionTest, ReadsAnswerOneEntryEach) {
  EXPECT_EQ(
      Run({Statement("SELECT data FROM H WHERE pk = 'x'"), Statement("SELECT * FROM H WHERE pk = 'none'")}),
      R"({"Responses":[{"Item":{"data":{"S":"old"}}},{}]})");
}

TEST_F(ExecuteTransactionTest, CanceledWithReasons) {
  EXPECT_EQ(
      Call("ExecuteTransaction", List("TransactStatements", {Statement("INSERT INTO H VALUE {'pk': 'x'}"),
                                                             Statement("INSERT INTO H VALUE {'pk': 'y'}")}))
          .body,
      R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
      R"("CancellationReasons":[{"Code":"DuplicateItem","Message":"Duplicate primary key exists in table"},)"
      R"({"Code":"None"}],)"
      R"("Message":"Transaction cancelled, please refer cancellation reasons for specific reasons )"
      R"([DuplicateItem, None]"})");
  EXPECT_EQ(Stored("y"), "");
}

TEST_F(ExecuteTransactionTest, ClientTokenComesWithAFingerprintOfTheStatements) {
  const auto fingerprint = [&](std::string_view parameter) {
    Run({Statement("UPDATE H SET data = ? WHERE pk = 'x'",
                   R"(,"Parameters":[{"S":")" + std::string(parameter) + "\"}]")},
        R"(,"ClientRequestToken":"token")");
    EXPECT_EQ(memory.last_transaction.client_token, "token");
    return memory.last_transaction.token_fingerprint;
  };
  const std::string first = fingerprint("a");
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(fingerprint("a"), first);
  EXPECT_NE(fingerprint("b"), first);
}

TEST_F(ExecuteTransactionTest, RefusedRequests) {
  EXPECT_EQ(
      Refusal("ExecuteTransaction", R"({"TransactStatements":[]})"),
      "1 validation error detected: Value '[]' at 'transactStatements' failed to satisfy constraint: Member "
      "must have length greater than or equal to 1");
  EXPECT_EQ(Refused({Statement("DELETE FROM H WHERE pk = 'x'"), Statement("SELECT * FROM H WHERE")}),
            "Validation failed in TransactStatements[1]: Statement wasn't well formed, can't be processed: "
            "Unexpected "
            "term");
  EXPECT_EQ(Refused({Statement("SELECT * FROM H WHERE pk = 'x'"), Statement("DELETE FROM H WHERE pk = 'x'")}),
            "ExecuteTransaction API does not support both read and write operations in the same request.");
  EXPECT_EQ(memory.calls, 0);
}

}  // namespace
}  // namespace cairn::dynamodb
