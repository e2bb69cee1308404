#include "dynamodb/table_description_json.h"

namespace cairn::dynamodb {
namespace {

constexpr Time kCreated{std::chrono::milliseconds(1'794'771'750'123)};

store::TableDescription Orders() {
  store::TableDescription table;
  table.definition.name = "Orders";
  table.definition.key_schema = {{{"pk", item::Type::kString}}, {{"sk", item::Type::kNumber}}};
  table.definition.attribute_definitions = {{"pk", item::Type::kString}, {"sk", item::Type::kNumber}};
  table.definition.throughput = {.read_units = 5, .write_units = 6};
  table.id = "9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f";
  table.created = kCreated;
  table.item_count = 2;
  table.size_bytes = 40;
  return table;
}

TEST(TableAnswer, ProvisionedTable) {
  EXPECT_EQ(
      TableAnswer("Table", Orders(), {}),
      R"({"Table":{"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
      R"({"AttributeName":"sk","AttributeType":"N"}],"TableName":"Orders",)"
      R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
      R"("TableStatus":"ACTIVE","CreationDateTime":1794771750.123,)"
      R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":5,"WriteCapacityUnits":6},)"
      R"("TableSizeBytes":40,"ItemCount":2,"TableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders",)"
      R"("TableId":"9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f","DeletionProtectionEnabled":false,)"
      R"("WarmThroughput":{"ReadUnitsPerSecond":5,"WriteUnitsPerSecond":6,"Status":"ACTIVE"}}})");
}

TEST(TableAnswer, OnDemandTableHasABillingModeSummary) {
  store::TableDescription table = Orders();
  table.definition.billing_mode = store::BillingMode::kPayPerRequest;
  table.billing_mode_changed = kCreated;
  const std::string answer = TableAnswer("Table", table, {});
  EXPECT_NE(answer.find(R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST",)"
                        R"("LastUpdateToPayPerRequestDateTime":1794771750.123})"),
            answer.npos)
      << answer;
  EXPECT_NE(answer.find(R"("ReadUnitsPerSecond":12000)"), answer.npos);
}

TEST(TableAnswer, Indexes) {
  store::TableDescription table = Orders();
  store::IndexDescription local;
  local.definition = {.name = "by-date",
                      .kind = store::IndexKind::kLocal,
                      .key_schema = {{{"pk", item::Type::kString}}, {{"date", item::Type::kString}}},
                      .projection = store::ProjectionType::kInclude,
                      .included = {"a", "b"}};
  store::IndexDescription global;
  global.definition = {.name = "by-customer",
                       .key_schema = {{{"customer", item::Type::kString}}, {}},
                       .projection = store::ProjectionType::kKeysOnly};
  global.status = store::IndexStatus::kCreating;
  global.backfilling = true;
  table.indexes = {global, local};
  const std::string answer = TableAnswer("Table", table, {});
  EXPECT_NE(
      answer.find(
          R"("LocalSecondaryIndexes":[{"IndexName":"by-date","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
          R"({"AttributeName":"date","KeyType":"RANGE"}],)"
          R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["a","b"]},"IndexSizeBytes":0,"ItemCount":0,)"
          R"("IndexArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders/index/by-date"}])"),
      answer.npos)
      << answer;
  EXPECT_NE(answer.find(R"("GlobalSecondaryIndexes":[{"IndexName":"by-customer")"), answer.npos) << answer;
  EXPECT_NE(
      answer.find(
          R"("Projection":{"ProjectionType":"KEYS_ONLY"},"IndexStatus":"CREATING","Backfilling":true,)"),
      answer.npos)
      << answer;
}

TEST(TableAnswer, StreamsEncryptionClassProtectionAndRestore) {
  store::TableDescription table = Orders();
  table.definition.stream = store::StreamSettings{store::StreamView::kNewImage};
  table.stream_enabled = true;
  table.stream_label = "2026-11-15T19:42:30.123";
  table.definition.sse_key = "";
  table.definition.table_class = "STANDARD_INFREQUENT_ACCESS";
  table.definition.deletion_protection = true;
  table.restored_from_table = "Source";
  table.restored_from_backup = "0179-ab";
  table.restored_at = kCreated;
  const std::string answer = TableAnswer("Table", table, {});
  for (
      const char* part :
      {R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"})",
       R"("LatestStreamLabel":"2026-11-15T19:42:30.123")",
       R"("LatestStreamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/2026-11-15T19:42:30.123")",
       R"("SSEDescription":{"Status":"ENABLED","SSEType":"KMS","KMSMasterKeyArn":)",
       R"("TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"})",
       R"("DeletionProtectionEnabled":true)",
       R"("RestoreSummary":{"SourceBackupArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Source/backup/0179-ab",)"
       R"("SourceTableArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Source",)"
       R"("RestoreDateTime":1794771750.123,"RestoreInProgress":false})"}) {
    EXPECT_NE(answer.find(part), answer.npos) << part << "\n" << answer;
  }
}

TEST(TableAnswer, ADisabledStreamLeavesItsLabel) {
  store::TableDescription table = Orders();
  table.stream_label = "2026-11-15T19:42:30.123";
  const std::string answer = TableAnswer("Table", table, {});
  EXPECT_EQ(answer.find("StreamSpecification"), answer.npos);
  EXPECT_NE(answer.find("LatestStreamArn"), answer.npos);
}

}  // namespace
}  // namespace cairn::dynamodb
