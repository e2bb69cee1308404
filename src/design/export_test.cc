#include "design/export.h"

#include <gmock/gmock.h>

#include <simdjson.h>
#include "design/json_output.h"
#include "design/model_for_test.h"

namespace cairn::design {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Export : public testing::Test {
 protected:
  simdjson::dom::element Json(const std::string& text) {
    simdjson::dom::element element;
    const auto error = parser_.parse(text).get(element);
    EXPECT_EQ(error, simdjson::SUCCESS) << text;
    return element;
  }
  static std::string Text(simdjson::dom::element element) { return std::string(std::string_view(element)); }
  static std::vector<std::string> Texts(simdjson::dom::element array) {
    std::vector<std::string> texts;
    for (const simdjson::dom::element element : simdjson::dom::array(array)) texts.push_back(Text(element));
    return texts;
  }

  model::ModelPtr model_ = ParseForTest(kShopModel);
  simdjson::dom::parser parser_;
};

TEST_F(Export, PhysicalNameFillsTheStage) {
  EXPECT_EQ(PhysicalName(model_->tables[0], "prod"), "shop-prod");
  EXPECT_EQ(PhysicalName(model_->tables[1], "prod"), "shop-log");
}

TEST_F(Export, CloudFormationHasEveryTable) {
  const auto json = Json(CloudFormation(*model_, "dev"));
  EXPECT_EQ(Text(json["Parameters"]["Stage"]["Default"]), "dev");
  const auto main = json["Resources"]["MainTable"]["Properties"];
  EXPECT_EQ(Text(main["TableName"]["Fn::Sub"]), "shop-${Stage}");
  EXPECT_EQ(Text(main["BillingMode"]), "PAY_PER_REQUEST");
  EXPECT_EQ(Text(main["TimeToLiveSpecification"]["AttributeName"]), "expires");
  EXPECT_EQ(Text(main["StreamSpecification"]["StreamViewType"]), "NEW_AND_OLD_IMAGES");
  EXPECT_EQ(simdjson::dom::array(main["AttributeDefinitions"]).size(), 5u);
  EXPECT_EQ(Text(main["GlobalSecondaryIndexes"].at(1)["Projection"]["ProjectionType"]), "INCLUDE");
  // project = [], and yet what tells the entity, the owner and the time to live is there.
  EXPECT_EQ(Texts(main["GlobalSecondaryIndexes"].at(1)["Projection"]["NonKeyAttributes"]).front(),
            model_->tables[0].type_attribute);
  EXPECT_EQ(simdjson::dom::array(main["GlobalSecondaryIndexes"].at(1)["KeySchema"]).size(), 1u);
}

TEST_F(Export, CloudFormationKnowsProvisionedTablesWithoutStream) {
  const auto log = Json(CloudFormation(*model_, "dev"))["Resources"]["LogTable"]["Properties"];
  EXPECT_EQ(Text(log["TableName"]), "shop-log");
  EXPECT_EQ(Text(log["BillingMode"]), "PROVISIONED");
  EXPECT_EQ(Text(log["ProvisionedThroughput"]["ReadCapacityUnits"]["Ref"]), "ReadCapacity");
  EXPECT_NE(log["StreamSpecification"].error(), simdjson::SUCCESS);
}

TEST_F(Export, WorkbenchHasAFacetPerEntity) {
  const auto json = Json(Workbench(*model_, "dev"));
  EXPECT_EQ(Text(json["ModelName"]), "shop");
  const auto table = json["DataModel"].at(0);
  EXPECT_EQ(Text(table["TableName"]), "shop-dev");
  EXPECT_EQ(Text(table["KeyAttributes"]["PartitionKey"]["AttributeName"]), "PK");
  const auto facet = table["TableFacets"].at(0);
  EXPECT_EQ(Text(facet["FacetName"]), "Order");
  EXPECT_EQ(Text(facet["KeyAttributeAlias"]["SortKeyAlias"]), "ORDER#{orderId}");
}

// The samples are items as the store would have them: keys filled, type set, index keys there.
TEST_F(Export, WorkbenchSamplesAreWholeItems) {
  const auto item = Json(Workbench(*model_, "dev"))["DataModel"].at(0)["TableData"].at(0);
  EXPECT_EQ(Text(item["PK"]["S"]), "U#user-1");
  EXPECT_THAT(Text(item["SK"]["S"]), testing::StartsWith("ORDER#01"));
  EXPECT_EQ(Text(item["kind"]["S"]), "ORDER");
  EXPECT_EQ(Text(item["GSI1PK"]["S"]), "U#user-1#S#OPEN");
}

TEST_F(Export, PolicyHasTwoPatternsAndRefusesRequestsWithoutKey) {
  const auto statement = Json(CallerPolicy(*model_, {.variable = "cognito:sub"}).json)["Statement"].at(0);
  EXPECT_THAT(Texts(statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]),
              ElementsAre("U#${cognito:sub}", "U#${cognito:sub}#*"));
  EXPECT_EQ(Text(statement["Condition"]["Null"]["dynamodb:LeadingKeys"]), "false");
  // GSI2 mixes owners and is not granted.
  EXPECT_THAT(Texts(statement["Resource"]), ElementsAre("arn:aws:dynamodb:*:*:table/shop-dev",
                                                        "arn:aws:dynamodb:*:*:table/shop-dev/index/GSI1"));
}

TEST_F(Export, PolicyNeverGrantsScanOrPartiQl) {
  const std::string json = CallerPolicy(*model_, {}).json;
  EXPECT_THAT(json, Not(HasSubstr("Scan")));
  EXPECT_THAT(json, Not(HasSubstr("PartiQL")));
  EXPECT_THAT(json, HasSubstr("U#${aws:PrincipalTag/sub}#*"));
}

TEST_F(Export, PolicyReadsPublicGlobalsOnly) {
  const IamPolicy policy = CallerPolicy(*model_, {});
  const auto shared = Json(policy.json)["Statement"].at(2);
  EXPECT_EQ(Text(shared["Sid"]), "SharedMain");
  EXPECT_THAT(Texts(shared["Action"]),
              ElementsAre("dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"));
  EXPECT_THAT(Texts(shared["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"]),
              ElementsAre("PRODUCT#*"));
  EXPECT_THAT(policy.remarks, Contains(HasSubstr("Setting is global")));
  EXPECT_THAT(policy.remarks, Contains(HasSubstr("table log has no tenant")));
  EXPECT_THAT(policy.remarks, Contains(HasSubstr("can read its note")));
}

TEST_F(Export, PolicyWithoutDeletesGrantsNone) {
  std::string text = kShopModel;
  text.insert(text.find("type_attr"), "delete = \"forbid\"\n");
  const model::ModelPtr model = ParseForTest(text);
  ASSERT_TRUE(model);
  const std::string json = CallerPolicy(*model, {}).json;
  EXPECT_THAT(json, Not(HasSubstr("DeleteItem")));
  EXPECT_THAT(json, Not(HasSubstr("BatchWriteItem")));
}

TEST_F(Export, PolicyLeavesHistoryToTheService) {
  const model::ModelPtr model = ParseForTest(R"toml(
format = "cairn-model/1"
name = "audit"
[table.main]
name = "audit"
pk = "PK"
sk = "SK"
discriminate = "key"
tenant = { param = "userId", leading = "U#{userId}", claim = "sub" }
[entity.Entry]
pk = "U#{userId}"
sk = "E#{id}"
write = "append"
[entity.Entry.attr]
userId = "id!"
id = { type = "ulid", generate = true }
)toml");
  ASSERT_TRUE(model);
  const IamPolicy policy = CallerPolicy(*model, {});
  EXPECT_THAT(policy.json, Not(HasSubstr("PutItem")));
  EXPECT_THAT(policy.json, HasSubstr("dynamodb:Query"));
  EXPECT_THAT(policy.remarks, ElementsAre(HasSubstr("only ever grows")));
}

TEST(JsonOutput, IndentsAndEscapes) {
  JsonOutput out;
  out.BeginObject();
  out.Member("a\"b", "c\n");
  out.Key("empty");
  out.BeginArray();
  out.EndArray();
  out.Strings("list", {"x", "y"});
  out.EndObject();
  EXPECT_EQ(out.Take(),
            "{\n  \"a\\\"b\": \"c\\n\",\n  \"empty\": [],\n  \"list\": [\n    \"x\",\n    \"y\"\n  ]\n}\n");
}

}  // namespace
}  // namespace cairn::design
