#include "dynamodb/wire_fixture.h"

namespace cairn::dynamodb {
namespace {

// The members of a CreateTable request; tests replace single ones.
struct Request {
  std::string name = R"("Orders")";
  std::string definitions = Definitions({"a", "b"});
  std::string keys = Keys({"a HASH", "b RANGE"});
  std::string capacity = R"("BillingMode":"PAY_PER_REQUEST")";
  std::string rest;  // ,"LocalSecondaryIndexes":[...]

  std::string Body() const {
    return R"({"TableName":)" + name + R"(,"AttributeDefinitions":)" + definitions + R"(,"KeySchema":)" +
           keys + "," + capacity + rest + "}";
  }

  static std::string Definitions(std::initializer_list<std::string> names) {
    std::string json;
    for (const std::string& attribute : names) {
      json += (json.empty() ? "" : ",") + (R"({"AttributeName":")" + attribute + R"(","AttributeType":"S"})");
    }
    return "[" + json + "]";
  }
  // "a HASH"
  static std::string Keys(std::initializer_list<std::string> elements) {
    std::string json;
    for (const std::string& element : elements) {
      const size_t space = element.find(' ');
      json += (json.empty() ? "" : ",") + (R"({"AttributeName":")" + element.substr(0, space) +
                                           R"(","KeyType":")" + element.substr(space + 1) + R"("})");
    }
    return "[" + json + "]";
  }
  static std::string Index(const std::string& index_name, const std::string& index_keys,
                           const std::string& projection = R"({"ProjectionType":"ALL"})",
                           const std::string& more = "") {
    return R"({"IndexName":")" + index_name + R"(","KeySchema":)" + index_keys + R"(,"Projection":)" +
           projection + more + "}";
  }
};

constexpr const char* kUnits = R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1})";

std::string Local(const std::string& indexes) { return R"(,"LocalSecondaryIndexes":[)" + indexes + "]"; }
std::string Global(const std::string& indexes) { return R"(,"GlobalSecondaryIndexes":[)" + indexes + "]"; }

class CreateTableTest : public WireTest {
 protected:
  CreateTableTest() {
    store.on_create_table = [this](store::TableDefinition definition) -> Result<store::TableDescription> {
      created = definition;
      store::TableDescription table;
      for (const store::IndexDefinition& index : definition.indexes)
        table.indexes.push_back({.definition = index});
      table.definition = std::move(definition);
      table.status = store::TableStatus::kCreating;
      table.created = clock.Now();
      return table;
    };
  }
  store::TableDefinition created;
};

TEST_F(CreateTableTest, DefinesTheTable) {
  Request request;
  request.definitions = Request::Definitions({"a", "b", "c", "d", "e"});
  request.rest = Local(Request::Index("local", Request::Keys({"a HASH", "c RANGE"}),
                                      R"({"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]})")) +
                 Global(Request::Index("global", Request::Keys({"c HASH", "d HASH", "e RANGE", "a RANGE"}))) +
                 R"(,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"OLD_IMAGE"},)"
                 R"("SSESpecification":{"Enabled":true},"Tags":[{"Key":"k","Value":"v"}],)"
                 R"("TableClass":"STANDARD","DeletionProtectionEnabled":true)";
  const std::string answer = Answer("CreateTable", request.Body());
  EXPECT_TRUE(answer.starts_with(R"({"TableDescription":{)")) << answer;
  EXPECT_NE(answer.find(R"("TableStatus":"CREATING")"), answer.npos);
  EXPECT_NE(answer.find(R"("TableArn":"arn:aws:dynamodb:eu-west-1:000000000000:table/Orders")"), answer.npos);
  EXPECT_EQ(created.name, "Orders");
  EXPECT_EQ(created.key_schema.partition.at(0).name, "a");
  EXPECT_EQ(created.key_schema.sort.at(0).name, "b");
  ASSERT_EQ(created.indexes.size(), 2u);
  EXPECT_EQ(created.indexes[0].kind, store::IndexKind::kLocal);
  EXPECT_EQ(created.indexes[0].included, std::vector<std::string>{"x"});
  EXPECT_EQ(created.indexes[1].key_schema.partition.size(), 2u);
  EXPECT_EQ(created.indexes[1].key_schema.sort.size(), 2u);
  EXPECT_EQ(created.stream->view, store::StreamView::kOldImage);
  EXPECT_EQ(created.sse_key, "");
  EXPECT_EQ(created.tags.at("k"), "v");
  EXPECT_EQ(created.table_class, "STANDARD");
  EXPECT_TRUE(created.deletion_protection);
  EXPECT_EQ(created.billing_mode, store::BillingMode::kPayPerRequest);
}

TEST_F(CreateTableTest, TheStoresErrorsPassThrough) {
  store.on_create_table = [](store::TableDefinition definition) {
    return Fail(Code::kResourceInUse, "Table already exists: " + definition.name);
  };
  EXPECT_EQ(Call("CreateTable", Request().Body()).body,
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceInUseException",)"
            R"("message":"Table already exists: Orders"})");
}

TEST_F(CreateTableTest, ConstraintFindings) {
  Request invalid_key_type;
  invalid_key_type.keys = Request::Keys({"a INVALID"});
  EXPECT_EQ(Refusal("CreateTable", invalid_key_type.Body()),
            "1 validation error detected: Value 'INVALID' at 'keySchema.1.member.keyType' failed to satisfy "
            "constraint: Member must satisfy enum value set: [HASH, RANGE]");
  Request three_keys;
  three_keys.keys = Request::Keys({"a HASH", "b RANGE", "c RANGE"});
  EXPECT_EQ(Refusal("CreateTable", three_keys.Body()),
            "1 validation error detected: Value '[KeySchemaElement(attributeName=a, keyType=HASH), "
            "KeySchemaElement(attributeName=b, keyType=RANGE), KeySchemaElement(attributeName=c, "
            "keyType=RANGE)]' at "
            "'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2");
  Request bad_type;
  bad_type.definitions = R"([{"AttributeName":"a","AttributeType":"X"}])";
  EXPECT_EQ(
      Refusal("CreateTable", bad_type.Body()),
      "1 validation error detected: Value 'X' at 'attributeDefinitions.1.member.attributeType' failed to "
      "satisfy constraint: Member must satisfy enum value set: [B, N, S]");
  EXPECT_EQ(
      Refusal("CreateTable", R"({"TableName":"abc","AttributeDefinitions":[],"ProvisionedThroughput":{},)"
                             R"("BillingMode":"A"})"),
      "4 validation errors detected: Value 'A' at 'billingMode' failed to satisfy constraint: Member must "
      "satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]; Value null at "
      "'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must not be null; "
      "Value "
      "null at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must not be "
      "null; "
      "Value null at 'keySchema' failed to satisfy constraint: Member must not be null");
  EXPECT_EQ(Refusal("CreateTable", "{}"),
            "The parameter 'TableName' is required but was not present in the request");
}

TEST_F(CreateTableTest, RulesBetweenMembers) {
  struct Case {
    const char* message;
    Request request;
  };
  const std::string invalid = "One or more parameter values were invalid: ";
  std::string six_local, twenty_one_global;
  for (int i = 0; i < 6; ++i) {
    six_local +=
        (i ? "," : "") + Request::Index("lsi" + std::to_string(i), Request::Keys({"a HASH", "b RANGE"}));
  }
  for (int i = 0; i < 21; ++i) {
    twenty_one_global +=
        (i ? "," : "") + Request::Index("gsi" + std::to_string(i), Request::Keys({"b HASH"}));
  }
  const Case cases[] = {
      {"One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be "
       "specified "
       "when BillingMode is PROVISIONED",
       {.capacity = R"("BillingMode":"PROVISIONED")"}},
      {"One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be "
       "specified "
       "when BillingMode is PAY_PER_REQUEST",
       {.capacity = std::string(R"("BillingMode":"PAY_PER_REQUEST",)") + kUnits}},
      {"Given value 1000000000001 for ReadCapacityUnits is out of bounds",
       {.capacity = R"("ProvisionedThroughput":{"ReadCapacityUnits":1000000000001,"WriteCapacityUnits":1})"}},
      {"Invalid KeySchema: Some index key attribute have no definition",
       {.definitions = Request::Definitions({"a"}), .keys = Request::Keys({"a HASH", "a RANGE"})}},
      {"One or more parameter values were invalid: Some index key attributes are not defined in "
       "AttributeDefinitions. "
       "Keys: [a, c], AttributeDefinitions: [a, b]",
       {.keys = Request::Keys({"a HASH", "c RANGE"})}},
      {"Both the Hash Key and the Range Key element in the KeySchema have the same name",
       {.keys = Request::Keys({"a HASH", "a RANGE"})}},
      {"Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
       {.keys = Request::Keys({"a RANGE", "b HASH"})}},
      {"Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
       {.keys = Request::Keys({"a HASH", "b HASH"})}},
      {"One or more parameter values were invalid: Number of attributes in KeySchema does not exactly match "
       "number of "
       "attributes defined in AttributeDefinitions",
       {.keys = Request::Keys({"a HASH"})}},
      {"One or more parameter values were invalid: List of LocalSecondaryIndexes is empty",
       {.rest = Local("")}},
      {"One or more parameter values were invalid: Table KeySchema does not have a range key, which is "
       "required when "
       "specifying a LocalSecondaryIndex",
       {.keys = Request::Keys({"a HASH"}),
        .rest = Local(Request::Index("abc", Request::Keys({"a HASH", "b RANGE"})))}},
      {"One or more parameter values were invalid: Index KeySchema does not have a range key for index: abc",
       {.rest = Local(Request::Index("abc", Request::Keys({"b HASH"})))}},
      {"One or more parameter values were invalid: Index KeySchema does not have the same leading hash key "
       "as table "
       "KeySchema for index: abc. index hash key: b, table hash key: a",
       {.rest = Local(Request::Index("abc", Request::Keys({"b HASH", "a RANGE"})))}},
      {"One or more parameter values were invalid: Unknown ProjectionType: null",
       {.rest = Local(Request::Index("abc", Request::Keys({"a HASH", "b RANGE"}), "{}"))}},
      {"One or more parameter values were invalid: ProjectionType is ALL, but NonKeyAttributes is specified",
       {.rest = Local(Request::Index("abc", Request::Keys({"a HASH", "b RANGE"}),
                                     R"({"ProjectionType":"ALL","NonKeyAttributes":["x"]})"))}},
      {"One or more parameter values were invalid: ProjectionType is INCLUDE, but NonKeyAttributes is not "
       "specified",
       {.rest = Global(Request::Index("abc", Request::Keys({"b HASH"}), R"({"ProjectionType":"INCLUDE"})"))}},
      {"One or more parameter values were invalid: Number of LocalSecondaryIndexes exceeds per-table limit "
       "of 5",
       {.rest = Local(six_local)}},
      {"One or more parameter values were invalid: List of GlobalSecondaryIndexes is empty",
       {.rest = Global("")}},
      {"One or more parameter values were invalid: GlobalSecondaryIndex count exceeds the per-table limit of "
       "20",
       {.rest = Global(twenty_one_global)}},
      {"One or more parameter values were invalid: Duplicate index name: same",
       {.rest = Local(Request::Index("same", Request::Keys({"a HASH", "b RANGE"}))) +
                Global(Request::Index("same", Request::Keys({"b HASH"})))}},
      {"One or more parameter values were invalid: ProvisionedThroughput should not be specified for index: "
       "abc when "
       "BillingMode is PAY_PER_REQUEST",
       {.rest = Global(Request::Index("abc", Request::Keys({"b HASH"}), R"({"ProjectionType":"ALL"})",
                                      std::string(",") + kUnits))}},
      {"One or more parameter values were invalid: ProvisionedThroughput must be specified for index: abc",
       {.capacity = kUnits, .rest = Global(Request::Index("abc", Request::Keys({"b HASH"})))}},
      {"One or more parameter values were invalid: Some AttributeDefinitions are not used. "
       "AttributeDefinitions: "
       "[a, b, c], keys used: [a, b]",
       {.definitions = Request::Definitions({"a", "b", "c"}),
        .rest = Global(Request::Index("abc", Request::Keys({"b HASH"})))}},
      {"Invalid KeySchema: A HASH key type follows a RANGE key type",
       {.definitions = Request::Definitions({"a", "b", "c"}),
        .rest = Global(Request::Index("abc", Request::Keys({"a HASH", "b RANGE", "c HASH"})))}},
      {"Invalid KeySchema: More than 4 HASH key elements",
       {.definitions = Request::Definitions({"a", "b", "c", "d", "e"}),
        .rest = Global(
            Request::Index("abc", Request::Keys({"a HASH", "b HASH", "c HASH", "d HASH", "e HASH"})))}},
      {"One or more parameter values were invalid: StreamViewType must be specified when StreamEnabled is "
       "true",
       {.rest = R"(,"StreamSpecification":{"StreamEnabled":true})"}},
  };
  for (const Case& c : cases)
    EXPECT_EQ(Refusal("CreateTable", c.request.Body()), c.message) << c.request.Body();
}

TEST_F(CreateTableTest, OneTooFewElementsIsFoundBeforeTheRules) {
  Request empty;
  empty.keys = "[]";
  EXPECT_EQ(
      Refusal("CreateTable", empty.Body()),
      "1 validation error detected: Value '[]' at 'keySchema' failed to satisfy constraint: Member must have "
      "length greater than or equal to 1");
}

TEST_F(CreateTableTest, IndexFindingsNameTheIndex) {
  Request request;
  request.rest = Local(R"({"IndexName":"h;","KeySchema":[],"Projection":{}},{})");
  EXPECT_EQ(
      Refusal("CreateTable", request.Body()),
      "6 validation errors detected: Value 'h;' at 'localSecondaryIndexes.1.member.indexName' failed to "
      "satisfy "
      "constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value 'h;' at "
      "'localSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must have length "
      "greater "
      "than or equal to 3; Value '[]' at 'localSecondaryIndexes.1.member.keySchema' failed to satisfy "
      "constraint: Member must have length greater than or equal to 1; Value null at "
      "'localSecondaryIndexes.2.member.indexName' failed to satisfy constraint: Member must not be null; "
      "Value "
      "null at 'localSecondaryIndexes.2.member.keySchema' failed to satisfy constraint: Member must not be "
      "null; Value null at 'localSecondaryIndexes.2.member.projection' failed to satisfy constraint: Member "
      "must not be null");
}

}  // namespace
}  // namespace cairn::dynamodb
