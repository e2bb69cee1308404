#include "dynamodb/dispatch.h"

#include <algorithm>
#include <set>

#include "dynamodb/operation_table.h"
#include "dynamodb/wire_fixture.h"

namespace cairn::dynamodb {
namespace {

class DispatchTest : public WireTest {
 protected:
  DispatchTest() {
    store.on_list_tables = [](store::ListTablesRequest) { return store::ListTablesResponse{{"Orders"}, ""}; };
  }
  static void Replace(Headers& headers, std::string_view name, std::string_view value) {
    for (http::HeaderField& field : headers) {
      if (field.name == name) field.value = value;
    }
  }
};

TEST_F(DispatchTest, AnswersAnOperation) {
  const http::Response response = Call("ListTables", "{}");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, R"({"TableNames":["Orders"]})");
  EXPECT_EQ(response.content_type, "application/x-amz-json-1.0");
  EXPECT_TRUE(response.crc32_header);
}

TEST_F(DispatchTest, RequestIdsAreFiftyTwoUpperCaseLettersOrDigitsAndDiffer) {
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) {
    const http::Response response = Call("ListTables", "{}");
    ASSERT_EQ(response.headers.at(0).first, "x-amzn-RequestId");
    const std::string& id = response.headers.at(0).second;
    EXPECT_EQ(id.size(), 52u);
    EXPECT_TRUE(
        std::ranges::all_of(id, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }));
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 100u);
}

TEST_F(DispatchTest, UnknownTargetsAreUnknownOperations) {
  for (const char* target :
       {"DynamoDB_20120810.Nonsense", "DynamoDB_20120810", "ListTables.", "", "DynamoDB_20111205.ListTables",
        "DynamoDB_20120810.CreateGlobalTable", "DynamoDB_20120810.ExportTableToPointInTime",
        "DynamoDB_20120810.ImportTable", "DynamoDB_20120810.UpdateContinuousBackups",
        "DynamoDB_20120810.EnableKinesisStreamingDestination"}) {
    const http::Response response = Send(dispatch, SignedHeaders(target), "{}");
    EXPECT_EQ(response.status, 400) << target;
    EXPECT_EQ(response.body, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})") << target;
  }
}

TEST_F(DispatchTest, WrongMethodOrContentTypeIsNotFound) {
  Headers headers = SignedHeaders("DynamoDB_20120810.ListTables");
  EXPECT_EQ(Send(dispatch, headers, "{}", "PUT").status, 404);
  Replace(headers, "Content-Type", "text/html");
  const http::Response response = Send(dispatch, headers, "{}");
  EXPECT_EQ(response.status, 404);
  EXPECT_EQ(response.body, "<UnknownOperationException/>\n");
}

TEST_F(DispatchTest, PlainJsonIsAnsweredAsPlainJson) {
  Headers headers = SignedHeaders("DynamoDB_20120810.ListTables");
  Replace(headers, "Content-Type", "application/json; charset=utf-8");
  const http::Response response = Send(dispatch, headers, "{}");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "application/json");
}

TEST_F(DispatchTest, GetSaysHealthy) {
  const http::Response response = Send(dispatch, {{"Host", "localhost"}}, "", "GET");
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(response.body.starts_with("healthy: "));
}

TEST_F(DispatchTest, BodiesThatAreNoJsonObjectAreSerializationErrors) {
  for (const char* body : {"", "{", "[]", "not json", "{\"a\":1}}"}) {
    const http::Response response = Call("ListTables", body);
    EXPECT_EQ(response.status, 400) << body;
    EXPECT_EQ(response.body, R"({"__type":"com.amazon.coral.service#SerializationException"})") << body;
  }
}

TEST_F(DispatchTest, WrongJsonTypesAreSerializationErrorsWithACapitalMessage) {
  EXPECT_EQ(Call("ListTables", R"({"Limit":"1"})").body,
            R"({"__type":"com.amazon.coral.service#SerializationException",)"
            R"("Message":"STRING_VALUE cannot be converted to Integer"})");
}

TEST_F(DispatchTest, RequestsWithoutAuthorizationAreRefused) {
  Headers headers = SignedHeaders("DynamoDB_20120810.ListTables");
  headers.pop_back();
  const http::Response response = Send(dispatch, headers, "{}");
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.body, R"({"__type":"com.amazon.coral.service#MissingAuthenticationTokenException",)"
                           R"("message":"Request is missing Authentication Token"})");
  Replace(headers = SignedHeaders("DynamoDB_20120810.ListTables"), "Authorization",
          "AWS4-HMAC-SHA256 nothing");
  EXPECT_NE(Send(dispatch, headers, "{}").body.find("IncompleteSignatureException"), std::string::npos);
}

TEST_F(DispatchTest, WithCredentialsSignaturesAreVerified) {
  Dispatch strict(store, clock, random, {{"AKIDEXAMPLE", {"wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}}});
  EXPECT_NE(Send(strict, SignedHeaders("DynamoDB_20120810.ListTables"), "{}")
                .body.find("InvalidSignatureException"),
            std::string::npos);
  Headers headers = SignedHeaders("DynamoDB_20120810.ListTables");
  Replace(headers, "Authorization",
          "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261115/eu-west-1/dynamodb/aws4_request, "
          "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
          "Signature=e826b943be9896d59ba457522444c69941941b856e4d5afea4871c0021e58f3a");
  EXPECT_EQ(Send(strict, headers, R"({"Limit": 10})").status, 200);
}

TEST_F(DispatchTest, StoreErrorsBecomeExceptions) {
  store.on_list_tables = [](store::ListTablesRequest) { return Fail(Code::kOverloaded, "try again later"); };
  const http::Response busy = Call("ListTables", "{}");
  EXPECT_EQ(busy.status, 503);
  EXPECT_NE(busy.body.find("try again later"), std::string::npos);
  store.on_list_tables = [](store::ListTablesRequest) { return Fail(Code::kInternal, "secret path"); };
  const http::Response broken = Call("ListTables", "{}");
  EXPECT_EQ(broken.status, 500);
  EXPECT_EQ(broken.body, R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError",)"
                         R"("message":"Internal server error"})");
}

TEST(OperationTable, TargetsAreUniqueAndWellFormed) {
  std::set<std::string_view> targets;
  for (const Operation& operation : AllOperations()) {
    EXPECT_TRUE(targets.insert(operation.target).second) << operation.target;
    EXPECT_TRUE(operation.target.starts_with("DynamoDB_20120810.") ||
                operation.target.starts_with("DynamoDBStreams_20120810."));
    EXPECT_EQ(FindOperation(operation.target), &operation);
    EXPECT_NE(operation.handler, nullptr);
  }
  EXPECT_EQ(FindOperation("DynamoDB_20120810.GetRecords"), nullptr);  // a stream operation
}

}  // namespace
}  // namespace cairn::dynamodb
