#include "dynamodb/statement_fixture.h"

namespace cairn::dynamodb {
namespace {

class BatchExecuteStatementTest : public StatementTest {
 protected:
  std::string Run(std::initializer_list<std::string> statements, std::string_view members = "") {
    return Answer("BatchExecuteStatement", List("Statements", statements, members));
  }
};

TEST_F(BatchExecuteStatementTest, ReadsAnswerOneItemEach) {
  EXPECT_EQ(
      Run({Statement("SELECT data FROM H WHERE pk = 'x'"), Statement("SELECT * FROM H WHERE pk = 'none'")}),
      R"({"Responses":[{"TableName":"H","Item":{"data":{"S":"old"}}},{"TableName":"H"}]})");
}

TEST_F(BatchExecuteStatementTest, WritesRunInOrder) {
  EXPECT_EQ(Run({Statement("INSERT INTO H VALUE {'pk': 'y', 'n': 1}"),
                 Statement("UPDATE H SET n = n + 1 WHERE pk = ? RETURNING ALL NEW *",
                           R"(,"Parameters":[{"S":"y"}])")}),
            R"({"Responses":[{"TableName":"H"},{"TableName":"H","Item":{"n":{"N":"2"},"pk":{"S":"y"}}}]})");
}

TEST_F(BatchExecuteStatementTest, EveryStatementFailsAlone) {
  EXPECT_EQ(
      Run({Statement("SLECT * FROM H"), Statement("INSERT INTO H VALUE {'pk': 'x'}"),
           Statement("UPDATE H SET n = 1 WHERE pk = 'x' AND data = 'y'",
                     R"(,"ReturnValuesOnConditionCheckFailure":"ALL_OLD")"),
           Statement("DELETE FROM Nope WHERE pk = 'x'"), Statement("DELETE FROM H WHERE data = 'old'"),
           Statement("INSERT INTO H VALUE {'pk': 'y'}")}),
      R"({"Responses":[)"
      R"({"Error":{"Code":"ValidationError","Message":"Statement wasn't well formed, can't be processed: )"
      R"(Expected data manipulation"}},)"
      R"({"Error":{"Code":"DuplicateItem","Message":"Duplicate primary key exists in table"},"TableName":"H"},)"
      R"({"Error":{"Code":"ConditionalCheckFailed","Message":"The conditional request failed",)"
      R"("Item":{"data":{"S":"old"},"pk":{"S":"x"}}},"TableName":"H"},)"
      R"({"Error":{"Code":"ResourceNotFound","Message":"Requested resource not found"}},)"
      R"({"Error":{"Code":"ValidationError","Message":"Where clause does not contain a mandatory equality on )"
      R"(all key attributes"},"TableName":"H"},)"
      R"({"TableName":"H"}]})");
  EXPECT_EQ(Stored("y"), R"({"pk":{"S":"y"}})");
}

TEST_F(BatchExecuteStatementTest, CapacityPerTable) {
  const std::string answer =
      Run({Statement("SELECT * FROM H WHERE pk = 'x'"), Statement("SELECT * FROM H WHERE pk = 'y'"),
           Statement("SELECT * FROM C WHERE pk = 'a' AND sk = '1'")},
          R"(,"ReturnConsumedCapacity":"TOTAL")");
  EXPECT_NE(answer.find(R"("ConsumedCapacity":[{"TableName":"H","CapacityUnits":2.0)"), answer.npos)
      << answer;
  EXPECT_NE(answer.find(R"({"TableName":"C","CapacityUnits":1.0)"), answer.npos) << answer;
}

TEST_F(BatchExecuteStatementTest, RefusedRequests) {
  EXPECT_EQ(Refusal("BatchExecuteStatement", R"({"Statements":[]})"),
            "1 validation error detected: Value '[]' at 'statements' failed to satisfy constraint: Member "
            "must have "
            "length greater than or equal to 1");
  EXPECT_EQ(Refusal("BatchExecuteStatement", List("Statements", {Statement("SELECT * FROM H WHERE pk = 'x'"),
                                                                 Statement("DELETE FROM H WHERE pk = 'x'")})),
            "BatchExecuteStatement API does not support both read and write operations in the same request.");
  EXPECT_EQ(memory.calls, 0);
}

}  // namespace
}  // namespace cairn::dynamodb
