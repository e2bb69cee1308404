#include "dynamodb/statement_fixture.h"

namespace cairn::dynamodb {
namespace {

using ExecuteStatementTest = StatementTest;

constexpr std::string_view kOperation = "ExecuteStatement";

// The text of a member that is a string; empty when there is none.
std::string TextMember(const std::string& json, std::string_view name) {
  const std::string start = "\"" + std::string(name) + "\":\"";
  const size_t at = json.find(start);
  if (at == json.npos) return "";
  return json.substr(at + start.size(), json.find('"', at + start.size()) - at - start.size());
}

TEST_F(ExecuteStatementTest, SelectAnswersItems) {
  EXPECT_EQ(Answer(kOperation, Statement("SELECT * FROM \"H\" WHERE pk = 'x'")),
            R"({"Items":[{"data":{"S":"old"},"pk":{"S":"x"}}]})");
  EXPECT_EQ(Answer(kOperation, Statement("SELECT * FROM H WHERE pk = ?", R"(,"Parameters":[{"S":"none"}])")),
            R"({"Items":[]})");
}

TEST_F(ExecuteStatementTest, WritesAnswerAnEmptyList) {
  EXPECT_EQ(Answer(kOperation, Statement("INSERT INTO H VALUE {'pk': ?, 'b': ?}",
                                         R"(,"Parameters":[{"S":"new"},{"B":"AQ=="}])")),
            R"({"Items":[]})");
  EXPECT_EQ(Stored("new"), R"({"b":{"B":"AQ=="},"pk":{"S":"new"}})");
  EXPECT_EQ(Answer(kOperation, Statement("UPDATE H SET data = 'new' WHERE pk = 'x'")), R"({"Items":[]})");
  EXPECT_EQ(Answer(kOperation, Statement("DELETE FROM H WHERE pk = 'x'")), R"({"Items":[]})");
  EXPECT_EQ(Stored("x"), "");
}

TEST_F(ExecuteStatementTest, ReturningAnswersItems) {
  EXPECT_EQ(
      Answer(kOperation, Statement("UPDATE H SET data = 'new' WHERE pk = 'x' RETURNING MODIFIED NEW *")),
      R"({"Items":[{"data":{"S":"new"}}]})");
}

TEST_F(ExecuteStatementTest, NextTokenGoesOnAndIsBoundToTheStatement) {
  const std::string select = "SELECT sk FROM C WHERE pk = 'a'";
  const std::string first = Answer(kOperation, Statement(select, R"(,"Limit":2)"));
  EXPECT_TRUE(first.starts_with(R"({"Items":[{"sk":{"S":"1"}},{"sk":{"S":"2"}}],"NextToken":")")) << first;
  EXPECT_TRUE(first.ends_with(R"("LastEvaluatedKey":{"pk":{"S":"a"},"sk":{"S":"2"}}})")) << first;
  const std::string token = R"(,"NextToken":")" + TextMember(first, "NextToken") + "\"";
  EXPECT_EQ(Answer(kOperation, Statement(select, token)), R"({"Items":[{"sk":{"S":"3"}}]})");
  EXPECT_EQ(Refusal(kOperation, Statement("SELECT * FROM C", token)), "NextToken does not match request");
  EXPECT_EQ(Refusal(kOperation, Statement(select, R"(,"NextToken":"garbage")")), "Invalid NextToken");
}

TEST_F(ExecuteStatementTest, ConsumedCapacityWhenAsked) {
  const std::string answer =
      Answer(kOperation, Statement("SELECT * FROM H WHERE pk = 'x'", R"(,"ReturnConsumedCapacity":"TOTAL")"));
  EXPECT_NE(answer.find(R"("ConsumedCapacity":{"TableName":"H","CapacityUnits":1.0)"), answer.npos) << answer;
}

TEST_F(ExecuteStatementTest, ExceptionsByName) {
  const auto body = [&](std::string_view text, std::string_view members = "") {
    return Call(kOperation, Statement(text, members)).body;
  };
  EXPECT_EQ(body("INSERT INTO H VALUE {'pk': 'x'}"),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#DuplicateItemException",)"
            R"("message":"Duplicate primary key exists in table"})");
  EXPECT_EQ(body("UPDATE H SET n = 1 WHERE pk = 'x' AND data = 'y'",
                 R"(,"ReturnValuesOnConditionCheckFailure":"ALL_OLD")"),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
            R"("Item":{"data":{"S":"old"},"pk":{"S":"x"}},"message":"The conditional request failed"})");
  EXPECT_EQ(body("SELECT * FROM Nope"),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",)"
            R"("message":"Requested resource not found"})");
}

TEST_F(ExecuteStatementTest, RefusedRequests) {
  EXPECT_EQ(Refusal(kOperation, Statement("SELECTT * FROMM \"H\"")),
            "Statement wasn't well formed, can't be processed: Expected data manipulation");
  EXPECT_EQ(Refusal(kOperation, "{}"),
            "1 validation error detected: Value null at 'statement' failed to satisfy constraint: Member "
            "must not be "
            "null");
  EXPECT_EQ(Refusal(kOperation, Statement("SELECT * FROM H", R"(,"Parameters":[])")),
            "1 validation error detected: Value '[]' at 'parameters' failed to satisfy constraint: Member "
            "must have "
            "length greater than or equal to 1");
  EXPECT_TRUE(Refusal(kOperation, Statement(std::string(8193, 'a')))
                  .ends_with("Member must have length less than or equal to 8192"));
  EXPECT_EQ(Refusal(kOperation, Statement("SELECT * FROM H", R"(,"Limit":0)")),
            "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must "
            "have value "
            "greater than or equal to 1");
}

}  // namespace
}  // namespace cairn::dynamodb
