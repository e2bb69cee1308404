#include "dynamodb/wire_fixture.h"

namespace cairn::dynamodb {
namespace {

class UpdateTableTest : public WireTest {
 protected:
  UpdateTableTest() {
    store.on_update_table = [this](store::UpdateTableRequest request) -> Result<store::TableDescription> {
      store::TableDescription table;
      table.definition.name = request.table;
      table.status = store::TableStatus::kUpdating;
      updated = std::move(request);
      return table;
    };
    store.on_describe_table = [](std::string name) -> Result<store::TableDescription> {
      store::TableDescription table;
      table.definition.name = name;
      table.definition.attribute_definitions = {{"pk", item::Type::kString}, {"sk", item::Type::kNumber}};
      return table;
    };
  }
  // One GlobalSecondaryIndexUpdates list.
  static std::string Indexes(const std::string& updates, const std::string& definitions = "[]") {
    return R"({"TableName":"Orders","AttributeDefinitions":)" + definitions +
           R"(,"GlobalSecondaryIndexUpdates":[)" + updates + "]}";
  }
  static std::string Create(const std::string& attribute) {
    return R"({"Create":{"IndexName":"new","KeySchema":[{"AttributeName":")" + attribute +
           R"(","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}})";
  }
  store::UpdateTableRequest updated;
};

TEST_F(UpdateTableTest, PassesOnWhatIsSet) {
  const std::string answer =
      Answer("UpdateTable", R"({"TableName":"Orders","BillingMode":"PROVISIONED",)"
                            R"("ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4},)"
                            R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},)"
                            R"("DeletionProtectionEnabled":false,"TableClass":"STANDARD"})");
  EXPECT_NE(answer.find(R"("TableStatus":"UPDATING")"), answer.npos);
  EXPECT_EQ(updated.table, "Orders");
  EXPECT_EQ(updated.billing_mode, store::BillingMode::kProvisioned);
  EXPECT_EQ(updated.throughput, (store::Throughput{3, 4}));
  EXPECT_EQ(std::get<store::StreamSettings>(*updated.stream).view, store::StreamView::kKeysOnly);
  EXPECT_EQ(updated.deletion_protection, false);
  EXPECT_EQ(updated.table_class, "STANDARD");
  EXPECT_FALSE(updated.encryption);
}

TEST_F(UpdateTableTest, DisablesAStream) {
  Answer("UpdateTable", R"({"TableName":"Orders","StreamSpecification":{"StreamEnabled":false}})");
  ASSERT_TRUE(updated.stream);
  EXPECT_TRUE(std::holds_alternative<store::DisableStream>(*updated.stream));
}

TEST_F(UpdateTableTest, CreatesUpdatesAndDeletesIndexes) {
  Answer("UpdateTable",
         Indexes(Create("customer") +
                     R"(,{"Update":{"IndexName":"old",)"
                     R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}}})",
                 R"([{"AttributeName":"customer","AttributeType":"N"}])"));
  ASSERT_EQ(updated.index_changes.size(), 2u);
  const auto& created = std::get<store::CreateIndex>(updated.index_changes[0]).index;
  EXPECT_EQ(created.name, "new");
  EXPECT_EQ(created.key_schema.partition.at(0).type, item::Type::kNumber);
  EXPECT_EQ(std::get<store::UpdateIndex>(updated.index_changes[1]).throughput, (store::Throughput{1, 2}));
  Answer("UpdateTable", Indexes(R"({"Update":{"IndexName":"old","WarmThroughput":{"ReadUnitsPerSecond":7},)"
                                R"("OnDemandThroughput":{"MaxWriteRequestUnits":-1}}})"));
  const auto& changed = std::get<store::UpdateIndex>(updated.index_changes.at(0));
  EXPECT_FALSE(changed.throughput);
  EXPECT_EQ(changed.warm, (store::Throughput{7, 0}));
  EXPECT_EQ(changed.on_demand->max_write_units, -1);
  Answer("UpdateTable", Indexes(R"({"Delete":{"IndexName":"old"}})"));
  EXPECT_EQ(std::get<store::DeleteIndex>(updated.index_changes.at(0)).name, "old");
}

TEST_F(UpdateTableTest, AnIndexOnAnAttributeThatTheRequestDoesNotDefineIsRefused) {
  // Also on one that the table has defined.
  for (const char* attribute : {"unknown", "sk"}) {
    EXPECT_EQ(
        Refusal("UpdateTable", Indexes(Create(attribute))),
        std::string("One or more parameter values were invalid: Some index key attributes are not defined "
                    "in AttributeDefinitions. Keys: [") +
            attribute + "], AttributeDefinitions: []");
  }
}

TEST_F(UpdateTableTest, RulesBetweenMembers) {
  const std::pair<std::string, const char*> cases[] = {
      {R"({"TableName":"Orders"})",
       "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates "
       "or "
       "SSESpecification or ReplicaUpdates is required"},
      {Indexes(""),
       "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates "
       "or "
       "SSESpecification or ReplicaUpdates is required"},
      {R"({"TableName":"Orders","BillingMode":"PROVISIONED"})",
       "One or more parameter values were invalid: ProvisionedThroughput must be specified when BillingMode "
       "is "
       "PROVISIONED"},
      {R"({"TableName":"Orders","BillingMode":"PAY_PER_REQUEST",)"
       R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}})",
       "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be "
       "specified "
       "when BillingMode is PAY_PER_REQUEST"},
      {R"({"TableName":"Orders","ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":5}})",
       "1 validation error detected: Value '0' at 'provisionedThroughput.readCapacityUnits' failed to "
       "satisfy "
       "constraint: Member must have value greater than or equal to 1"},
      {Indexes("{}"),
       "One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate.Update, "
       "GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null"},
      {Indexes(R"({"Delete":{"IndexName":"abc"}},{"Delete":{"IndexName":"abc"}})"),
       "One or more parameter values were invalid: Only one global secondary index update per index is "
       "allowed "
       "simultaneously. Index: abc"},
      {Indexes(R"({"Update":{}})"),
       "1 validation error detected: Value null at 'globalSecondaryIndexUpdates.1.member.update.indexName' "
       "failed to satisfy constraint: Member must not be null"},
      {R"({"TableName":"Orders","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]})",
       "One or more parameter values were invalid: ReplicaUpdates is not supported by this server"},
  };
  for (const auto& [body, message] : cases) EXPECT_EQ(Refusal("UpdateTable", body), message) << body;
}

TEST_F(UpdateTableTest, OnlyOneIndexIsCreatedOrDeletedAtATime) {
  EXPECT_EQ(
      Call("UpdateTable", Indexes(R"({"Delete":{"IndexName":"abc"}},{"Delete":{"IndexName":"abd"}})")).body,
      R"({"__type":"com.amazonaws.dynamodb.v20120810#LimitExceededException","message":"Subscriber limit )"
      R"(exceeded: Only 1 online index can be created or deleted simultaneously per table"})");
}

}  // namespace
}  // namespace cairn::dynamodb
