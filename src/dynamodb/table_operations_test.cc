// The operations on tables that have no test file of their own.
#include "dynamodb/wire_fixture.h"

namespace cairn::dynamodb {
namespace {

constexpr const char* kOrdersArn = "arn:aws:dynamodb:eu-west-1:000000000000:table/Orders";

class TableOperationsTest : public WireTest {
 protected:
  TableOperationsTest() {
    const auto found = [](std::string name) -> Result<store::TableDescription> {
      if (name != "Orders") {
        return Fail(Code::kResourceNotFound, "Requested resource not found: Table: " + name + " not found");
      }
      store::TableDescription table;
      table.definition.name = name;
      table.definition.tags = {{"env", "test"}, {"team", "a\"b"}};
      return table;
    };
    store.on_describe_table = found;
    store.on_delete_table = found;
  }
};

TEST_F(TableOperationsTest, DescribeTableAndDeleteTableTakeNamesAndArns) {
  for (const std::string& table : {std::string("Orders"), std::string(kOrdersArn)}) {
    EXPECT_TRUE(Answer("DescribeTable", R"({"TableName":")" + table + "\"}").starts_with(R"({"Table":{)"));
    EXPECT_TRUE(
        Answer("DeleteTable", R"({"TableName":")" + table + "\"}").starts_with(R"({"TableDescription":{)"));
  }
}

TEST_F(TableOperationsTest, MissingTablesAreNotFound) {
  EXPECT_EQ(Call("DescribeTable", R"({"TableName":"Nothing"})").body,
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",)"
            R"("message":"Requested resource not found: Table: Nothing not found"})");
}

TEST_F(TableOperationsTest, ListTablesPages) {
  store::ListTablesRequest asked;
  store.on_list_tables = [&asked](store::ListTablesRequest request) {
    asked = request;
    return store::ListTablesResponse{{"Customers", "Orders"}, "Orders"};
  };
  EXPECT_EQ(Answer("ListTables", R"({"Limit":2,"ExclusiveStartTableName":"Aaa"})"),
            R"({"TableNames":["Customers","Orders"],"LastEvaluatedTableName":"Orders"})");
  EXPECT_EQ(asked.limit, 2u);
  EXPECT_EQ(asked.exclusive_start_name, "Aaa");
  EXPECT_EQ(
      Refusal("ListTables", R"({"Limit":101,"ExclusiveStartTableName":"a"})"),
      "2 validation errors detected: Value '101' at 'limit' failed to satisfy constraint: Member must have "
      "value less than or equal to 100; Value 'a' at 'exclusiveStartTableName' failed to satisfy constraint: "
      "Member must have length greater than or equal to 3");
}

TEST_F(TableOperationsTest, TimeToLive) {
  store.on_update_time_to_live = [](store::UpdateTimeToLiveRequest request) { return request.setting; };
  EXPECT_EQ(
      Answer(
          "UpdateTimeToLive",
          R"({"TableName":"Orders","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"expires"}})"),
      R"({"TimeToLiveSpecification":{"AttributeName":"expires","Enabled":true}})");
  store.on_describe_time_to_live = [](std::string) { return store::TimeToLive{true, "expires"}; };
  EXPECT_EQ(Answer("DescribeTimeToLive", R"({"TableName":"Orders"})"),
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"expires"}})");
  store.on_describe_time_to_live = [](std::string) { return store::TimeToLive{}; };
  EXPECT_EQ(Answer("DescribeTimeToLive", R"({"TableName":"Orders"})"),
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})");
  EXPECT_EQ(
      Refusal("UpdateTimeToLive",
              R"({"TableName":"Orders","TimeToLiveSpecification":{"Enabled":true,"AttributeName":""}})"),
      "1 validation error detected: Value '' at 'timeToLiveSpecification.attributeName' failed to satisfy "
      "constraint: Member must have length greater than or equal to 1");
  EXPECT_EQ(
      Refusal("UpdateTimeToLive", R"({"TableName":"Orders"})"),
      "1 validation error detected: Value null at 'timeToLiveSpecification' failed to satisfy constraint: "
      "Member must not be null");
}

TEST_F(TableOperationsTest, TagResourcePassesTagsOn) {
  std::map<std::string, std::string> tagged;
  store.on_tag_table = [&tagged](std::string table, std::map<std::string, std::string> tags) -> Status {
    if (table != "Orders") return Fail(Code::kResourceNotFound, "no");
    tagged = tags;
    return {};
  };
  EXPECT_EQ(Answer("TagResource", std::string(R"({"ResourceArn":")") + kOrdersArn +
                                      R"(","Tags":[{"Key":"a","Value":"1"},{"Key":"b","Value":""}]})"),
            "{}");
  EXPECT_EQ(tagged, (std::map<std::string, std::string>{{"a", "1"}, {"b", ""}}));
  EXPECT_EQ(Refusal("TagResource", R"({"ResourceArn":"not-a-valid-arn","Tags":[{"Key":"a","Value":"1"}]})"),
            "Invalid TableArn: Invalid ResourceArn provided as input not-a-valid-arn");
  EXPECT_EQ(Refusal("TagResource", std::string(R"({"ResourceArn":")") + kOrdersArn + R"(","Tags":[]})"),
            "Atleast one Tag needs to be provided as Input.");
  EXPECT_EQ(
      Call("TagResource",
           std::string(R"({"ResourceArn":")") + kOrdersArn + R"(x","Tags":[{"Key":"a","Value":"1"}]})")
          .body,
      R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource )"
      R"(not found: ResourcArn: arn:aws:dynamodb:eu-west-1:000000000000:table/Ordersx not found"})");
}

TEST_F(TableOperationsTest, UntagResourcePassesKeysOn) {
  std::vector<std::string> untagged;
  store.on_untag_table = [&untagged](std::string, std::vector<std::string> keys) -> Status {
    untagged = keys;
    return {};
  };
  Answer("UntagResource", std::string(R"({"ResourceArn":")") + kOrdersArn + R"(","TagKeys":["a","b"]})");
  EXPECT_EQ(untagged, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(Refusal("UntagResource", std::string(R"({"ResourceArn":")") + kOrdersArn + R"(","TagKeys":[]})"),
            "Atleast one Tag Key needs to be provided as Input.");
}

TEST_F(TableOperationsTest, ListTagsOfResource) {
  EXPECT_EQ(Answer("ListTagsOfResource", std::string(R"({"ResourceArn":")") + kOrdersArn + "\"}"),
            R"({"Tags":[{"Key":"env","Value":"test"},{"Key":"team","Value":"a\"b"}]})");
  EXPECT_NE(
      Call("ListTagsOfResource", R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Nothing"})")
          .body.find("AccessDeniedException"),
      std::string::npos);
}

TEST_F(TableOperationsTest, LimitsAndEndpoints) {
  EXPECT_EQ(Answer("DescribeLimits", "{}"),
            R"({"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,)"
            R"("TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000})");
  EXPECT_EQ(Answer("DescribeEndpoints", "{}"),
            R"({"Endpoints":[{"Address":"localhost:8000","CachePeriodInMinutes":1440}]})");
}

TEST_F(TableOperationsTest, ContinuousBackupsAreOff) {
  EXPECT_EQ(Answer("DescribeContinuousBackups", R"({"TableName":"Orders"})"),
            R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"DISABLED",)"
            R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}})");
  EXPECT_EQ(
      Call("DescribeContinuousBackups", R"({"TableName":"Nothing"})").body,
      R"({"__type":"com.amazonaws.dynamodb.v20120810#TableNotFoundException","message":"Table not found: )"
      R"(Nothing"})");
}

}  // namespace
}  // namespace cairn::dynamodb
