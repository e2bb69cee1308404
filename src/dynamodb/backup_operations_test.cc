#include "dynamodb/wire_fixture.h"

namespace cairn::dynamodb {
namespace {

constexpr const char* kArn = "arn:aws:dynamodb:eu-west-1:000000000000:table/Orders/backup/0179-ab";

class BackupOperationsTest : public WireTest {
 protected:
  static store::BackupDescription Backup() {
    store::BackupDescription backup;
    backup.id = "0179-ab";
    backup.name = "nightly";
    backup.created = kStart;
    backup.size_bytes = 99;
    backup.table.id = "9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f";
    backup.table.created = kStart;
    backup.table.definition.name = "Orders";
    backup.table.definition.billing_mode = store::BillingMode::kPayPerRequest;
    backup.table.definition.attribute_definitions = {{"pk", item::Type::kString},
                                                     {"sk", item::Type::kNumber}};
    backup.table.definition.key_schema = {{{"pk", item::Type::kString}}, {}};
    store::IndexDescription index;
    index.definition = {.name = "by-sk", .key_schema = {{{"sk", item::Type::kNumber}}, {}}};
    backup.table.indexes = {index};
    return backup;
  }
  static constexpr const char* kDetails =
      R"("BackupDetails":{"BackupArn":"arn:aws:dynamodb:eu-west-1:000000000000:table/Orders/backup/0179-ab",)"
      R"("BackupName":"nightly","BackupSizeBytes":99,"BackupStatus":"AVAILABLE","BackupType":"USER",)"
      R"("BackupCreationDateTime":1794771750.123})";
};

TEST_F(BackupOperationsTest, CreateBackup) {
  store.on_create_backup = [](store::CreateBackupRequest request) {
    EXPECT_EQ(request.table, "Orders");
    EXPECT_EQ(request.name, "nightly");
    return Backup();
  };
  EXPECT_EQ(Answer("CreateBackup", R"({"TableName":"Orders","BackupName":"nightly"})"),
            std::string("{") + kDetails + "}");
  EXPECT_EQ(Refusal("CreateBackup", R"({"TableName":"Orders"})"),
            "1 validation error detected: Value null at 'backupName' failed to satisfy constraint: Member "
            "must not be "
            "null");
}

TEST_F(BackupOperationsTest, DescribeAndDeleteBackup) {
  const auto found = [](store::BackupId id) -> Result<store::BackupDescription> {
    EXPECT_EQ(id.table, "Orders");
    EXPECT_EQ(id.id, "0179-ab");
    return Backup();
  };
  store.on_describe_backup = found;
  store.on_delete_backup = found;
  const std::string body = std::string(R"({"BackupArn":")") + kArn + "\"}";
  const std::string described = Answer("DescribeBackup", body);
  EXPECT_TRUE(described.starts_with(std::string(R"({"BackupDescription":{)") + kDetails)) << described;
  for (const char* part :
       {R"("SourceTableDetails":{"TableName":"Orders","TableId":"9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f",)",
        R"("BillingMode":"PAY_PER_REQUEST")",
        R"("SourceTableFeatureDetails":{"GlobalSecondaryIndexes":[{"IndexName":"by-sk",)"}) {
    EXPECT_NE(described.find(part), described.npos) << part << "\n" << described;
  }
  EXPECT_NE(Answer("DeleteBackup", body).find(R"("BackupStatus":"DELETED")"), std::string::npos);
  EXPECT_EQ(
      Refusal("DescribeBackup", R"({"BackupArn":"arn:aws:dynamodb:eu-west-1:000000000000:table/Orders"})"),
      "Invalid BackupArn: arn:aws:dynamodb:eu-west-1:000000000000:table/Orders");
}

TEST_F(BackupOperationsTest, ListBackups) {
  store::ListBackupsRequest asked;
  store.on_list_backups = [&asked](store::ListBackupsRequest request) {
    asked = request;
    return store::ListBackupsResponse{{Backup()}, "0179-ab"};
  };
  const std::string answer = Answer(
      "ListBackups", std::string(R"({"TableName":"Orders","Limit":1,"TimeRangeLowerBound":1794771750.5,)") +
                         R"("TimeRangeUpperBound":1e300,"ExclusiveStartBackupArn":")" + kArn + "\"}");
  EXPECT_TRUE(answer.starts_with(R"({"BackupSummaries":[{"TableName":"Orders",)")) << answer;
  EXPECT_NE(answer.find(std::string(R"("LastEvaluatedBackupArn":")") + kArn), answer.npos);
  EXPECT_EQ(asked.table, "Orders");
  EXPECT_EQ(asked.exclusive_start_id, "0179-ab");
  EXPECT_EQ(asked.created_from, Time(std::chrono::milliseconds(1'794'771'750'500)));
  EXPECT_EQ(Answer("ListBackups", R"({"BackupType":"SYSTEM"})"), R"({"BackupSummaries":[]})");
}

TEST_F(BackupOperationsTest, RestoreTableFromBackup) {
  store::RestoreTableRequest asked;
  store.on_describe_backup = [](store::BackupId) { return Backup(); };
  store.on_restore_table_from_backup = [&asked](store::RestoreTableRequest request) {
    asked = request;
    store::TableDescription table;
    table.definition.name = request.target_table;
    return table;
  };
  const std::string body = std::string(R"({"TargetTableName":"Copy","BackupArn":")") + kArn + "\"";
  EXPECT_TRUE(Answer("RestoreTableFromBackup", body + "}").starts_with(R"({"TableDescription":{)"));
  EXPECT_EQ(asked.target_table, "Copy");
  EXPECT_EQ(asked.backup.id, "0179-ab");
  EXPECT_FALSE(asked.global_indexes);

  Answer("RestoreTableFromBackup", body +
                                       R"(,"LocalSecondaryIndexOverride":[],"GlobalSecondaryIndexOverride":[)"
                                       R"({"IndexName":"by-sk","KeySchema":[{"AttributeName":"sk",)"
                                       R"("KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]})");
  ASSERT_TRUE(asked.global_indexes);
  EXPECT_EQ(asked.global_indexes->at(0).key_schema.partition.at(0).type, item::Type::kNumber);
  EXPECT_TRUE(asked.local_indexes->empty());
  EXPECT_EQ(
      Refusal("RestoreTableFromBackup",
              body + R"(,"GlobalSecondaryIndexOverride":[{"IndexName":"other","KeySchema":[)"
                     R"({"AttributeName":"sk","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]})"),
      "One or more parameter values were invalid: Index other is not an index of the backup");
  EXPECT_EQ(Refusal("RestoreTableFromBackup", std::string(R"({"BackupArn":")") + kArn + "\"}"),
            "The parameter 'TargetTableName' is required but was not present in the request");
}

}  // namespace
}  // namespace cairn::dynamodb
