// Limited access keys over the wire: which operations they may call, and what PartiQL's statements become.
#include <gmock/gmock.h>

#include "dynamodb/operation_table.h"
#include "dynamodb/statement_fixture.h"

namespace cairn::dynamodb {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kCredentials = R"({"credentials": [
    {"accessKeyId": "OWNER", "secretAccessKey": "s0"},
    {"accessKeyId": "ALICE", "secretAccessKey": "s1", "leadingKeys": ["a", "a#*"], "tables": ["C", "H"]},
    {"accessKeyId": "READER", "secretAccessKey": "s2", "leadingKeys": ["a"], "tables": ["C"], "access": "read"}]})";

// StatementTest's tables: C has the items 1, 2 and 3 under the partition key a; H has the item x.
class LeadingKeysDispatchTest : public StatementTest {
 protected:
  LeadingKeysDispatchTest() {
    memory.Put("C", {{"pk", "ab"}, {"sk", "1"}});
    memory.AddTable({.name = "Hidden", .key_schema = {{{"pk", item::Type::kString}}, {}}});
  }

  http::Response CallAs(std::string_view access_key_id, std::string_view target, std::string body) {
    Headers headers = SignedHeaders(target);
    headers.pop_back();
    http::Request request;
    request.method = "POST";
    request.target = "/";
    request.headers = headers;
    request.body = request.wire_body = body;
    const std::string signed_headers = "host;x-amz-date;x-amz-target";
    const Signature scope = {
        .date = "20261115", .region = "eu-west-1", .service = "dynamodb", .terminator = "aws4_request"};
    const std::string signature = Sign(CanonicalRequest(request, signed_headers), "20261115T194230Z", scope,
                                       credentials.find(access_key_id)->second.secret_access_key);
    const std::string authorization =
        "AWS4-HMAC-SHA256 Credential=" + std::string(access_key_id) +
        "/20261115/eu-west-1/dynamodb/aws4_request, SignedHeaders=" + signed_headers +
        ", Signature=" + signature;
    headers.push_back({"Authorization", authorization});
    return Send(strict, headers, std::move(body));
  }

  std::string As(std::string_view access_key_id, std::string_view operation, std::string body) {
    return CallAs(access_key_id, "DynamoDB_20120810." + std::string(operation), std::move(body)).body;
  }

  const Credentials credentials = LoadCredentials(kCredentials, "keys.json").value();
  Dispatch strict{store, clock, random, credentials};
};

constexpr const char* kDenied = "AccessDeniedException";

TEST_F(LeadingKeysDispatchTest, OperationsOnWholeTablesAreRefusedWhateverTheirParameters) {
  size_t refused = 0;
  for (const Operation& operation : AllOperations()) {
    if (operation.callers == Callers::kAll) continue;
    const http::Response response = CallAs("ALICE", operation.target, R"({"TableName":"C"})");
    EXPECT_EQ(response.status, 400) << operation.target;
    EXPECT_THAT(response.body, HasSubstr(kDenied)) << operation.target;
    EXPECT_THAT(response.body, HasSubstr(" may not use " + std::string(operation.name()) + "."))
        << operation.target;
    ++refused;
  }
  EXPECT_EQ(refused, AllOperations().size() - 16) << "which operations limited access keys may call";
  EXPECT_EQ(memory.calls, 0);
}

TEST_F(LeadingKeysDispatchTest, OtherAccessKeysUseTheStoreItself) {
  EXPECT_THAT(As("OWNER", "Scan", R"({"TableName":"C","Select":"COUNT"})"), HasSubstr(R"("Count":4)"));
  EXPECT_THAT(As("OWNER", "DescribeTable", R"({"TableName":"Hidden"})"),
              HasSubstr(R"("TableName":"Hidden")"));
}

TEST_F(LeadingKeysDispatchTest, OwnItemsAreReadAndWritten) {
  EXPECT_EQ(As("ALICE", "PutItem", R"({"TableName":"H","Item":{"pk":{"S":"a"}}})"), "{}");
  EXPECT_EQ(Stored("a"), R"({"pk":{"S":"a"}})");
  EXPECT_EQ(As("ALICE", "GetItem", R"({"TableName":"H","Key":{"pk":{"S":"a"}}})"),
            R"({"Item":{"pk":{"S":"a"}}})");
  EXPECT_THAT(As("ALICE", "Query",
                 R"({"TableName":"C","KeyConditionExpression":"pk = :p",)"
                 R"("ExpressionAttributeValues":{":p":{"S":"a"}},"Select":"COUNT"})"),
              HasSubstr(R"("Count":3)"));
}

TEST_F(LeadingKeysDispatchTest, OtherItemsAndTablesAreNot) {
  EXPECT_THAT(As("ALICE", "GetItem", R"({"TableName":"H","Key":{"pk":{"S":"x"}}})"), HasSubstr(kDenied));
  EXPECT_THAT(As("ALICE", "PutItem", R"({"TableName":"H","Item":{"pk":{"S":"ab"}}})"), HasSubstr(kDenied));
  EXPECT_THAT(As("ALICE", "GetItem", R"({"TableName":"Hidden","Key":{"pk":{"S":"a"}}})"),
              HasSubstr(R"(ResourceNotFoundException","message":"Requested resource not found"})"));
  EXPECT_EQ(memory.calls, 0);
}

TEST_F(LeadingKeysDispatchTest, ReadersMayOnlyRead) {
  EXPECT_THAT(As("READER", "GetItem", R"({"TableName":"C","Key":{"pk":{"S":"a"},"sk":{"S":"1"}}})"),
              HasSubstr(R"("Item")"));
  EXPECT_THAT(As("READER", "DeleteItem", R"({"TableName":"C","Key":{"pk":{"S":"a"},"sk":{"S":"1"}}})"),
              HasSubstr(kDenied));
  EXPECT_THAT(As("READER", "ExecuteStatement", Statement("DELETE FROM \"C\" WHERE pk = 'a' AND sk = '1'")),
              HasSubstr(kDenied));
  EXPECT_NE(memory.Find("C", {{"pk", "a"}, {"sk", "1"}}), nullptr);
}

TEST_F(LeadingKeysDispatchTest, StatementsWithOwnKeysPass) {
  for (const char* text :
       {"SELECT * FROM \"C\" WHERE pk = 'a'", "SELECT * FROM \"C\" WHERE pk IN ['a', 'a#1']",
        "SELECT * FROM \"C\" WHERE pk = 'a' AND sk = '1'"}) {
    EXPECT_THAT(As("ALICE", "ExecuteStatement", Statement(text)),
                HasSubstr(R"({"pk":{"S":"a"},"sk":{"S":"1"}})"));
  }
  EXPECT_EQ(As("ALICE", "ExecuteStatement", Statement("INSERT INTO \"H\" VALUE {'pk': 'a#1'}")),
            R"({"Items":[]})");
  EXPECT_EQ(Stored("a#1"), R"({"pk":{"S":"a#1"}})");
}

TEST_F(LeadingKeysDispatchTest, StatementsWithoutOwnKeysAreRefused) {
  for (const char* text : {
           "SELECT * FROM \"C\"",
           "SELECT * FROM \"C\" WHERE sk = '1'",
           "SELECT * FROM \"C\" WHERE pk > 'a'",
           "SELECT * FROM \"C\" WHERE begins_with(pk, 'a')",
           "SELECT * FROM \"C\" WHERE pk = 'a' OR sk = '1'",
           "SELECT * FROM \"C\" WHERE pk = 'ab'",
           "SELECT * FROM \"C\" WHERE pk IN ['a', 'ab']",
           "SELECT * FROM \"C\" WHERE pk = 'ab' AND sk = '1'",
           "INSERT INTO \"H\" VALUE {'pk': 'ab'}",
           "UPDATE \"H\" SET data = 'new' WHERE pk = 'x'",
           "DELETE FROM \"H\" WHERE pk = 'x'",
       }) {
    const std::string answer = As("ALICE", "ExecuteStatement", Statement(text));
    EXPECT_THAT(answer, HasSubstr(kDenied)) << text;
    EXPECT_THAT(answer, Not(HasSubstr("Items"))) << text;
  }
  EXPECT_EQ(Stored("ab"), "");
  EXPECT_EQ(Stored("x"), R"({"data":{"S":"old"},"pk":{"S":"x"}})");
  EXPECT_THAT(As("ALICE", "ExecuteStatement", Statement("SELECT * FROM \"Hidden\" WHERE pk = 'a'")),
              HasSubstr(R"(ResourceNotFoundException","message":"Requested resource not found"})"));
}

TEST_F(LeadingKeysDispatchTest, EachStatementOfABatchIsAnsweredForItself) {
  const std::string answer = As("ALICE", "BatchExecuteStatement",
                                List("Statements", {Statement("INSERT INTO \"H\" VALUE {'pk': 'a'}"),
                                                    Statement("INSERT INTO \"H\" VALUE {'pk': 'ab'}")}));
  EXPECT_THAT(answer, HasSubstr(R"({"Responses":[{"TableName":"H"},{"Error":{"Code":"AccessDenied")"));
  EXPECT_EQ(Stored("a"), R"({"pk":{"S":"a"}})");
  EXPECT_EQ(Stored("ab"), "");
}

TEST_F(LeadingKeysDispatchTest, OneOtherKeyRefusesATransactionOfStatements) {
  EXPECT_THAT(As("ALICE", "ExecuteTransaction",
                 List("TransactStatements", {Statement("INSERT INTO \"H\" VALUE {'pk': 'a'}"),
                                             Statement("INSERT INTO \"H\" VALUE {'pk': 'ab'}")})),
              HasSubstr(kDenied));
  EXPECT_THAT(As("ALICE", "ExecuteTransaction",
                 List("TransactStatements",
                      {Statement("INSERT INTO \"H\" VALUE {'pk': 'a'}"),
                       Statement("EXISTS(SELECT * FROM \"H\" WHERE pk = 'x' AND data = 'old')")})),
              HasSubstr(kDenied));
  EXPECT_EQ(Stored("a"), "");
}

}  // namespace
}  // namespace cairn::dynamodb
