#include "dynamodb/reserved_tables_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dynamodb/fake_store.h"
#include "dynamodb/item_verbs_for_test.h"
#include "dynamodb/statement_fixture.h"

namespace cairn::dynamodb {
namespace {

using item::Item;
using testing::ElementsAre;
using testing::HasSubstr;

// Every verb of Store has a decision here: without one, ReservedTablesStore would be abstract.
static_assert(!std::is_abstract_v<ReservedTablesStore>);

class ReservedTablesStoreTest : public testing::Test {
 protected:
  ReservedTablesStoreTest() { RecordVerbs(fake, reached); }

  FakeStore fake;
  const TableNames reserved = {"Own", "Own2"};
  ReservedTablesStore open{fake, reserved};
  std::vector<Item> reached;
};

TEST_F(ReservedTablesStoreTest, ItemVerbsDoNotReachThem) {
  const std::vector<Item> keys = {{{"pk", "a"}}};
  for (const ItemVerb& verb : kItemVerbs) {
    const Status own = verb.run(open, "Own", keys);
    ASSERT_FALSE(own) << verb.name;
    EXPECT_EQ(own.error().code, Code::kAccessDenied) << verb.name;
    EXPECT_TRUE(reached.empty()) << verb.name;
    EXPECT_TRUE(verb.run(open, "App", keys)) << verb.name;
    EXPECT_EQ(reached.size(), 1u) << verb.name;
    reached.clear();
  }
  store::ScanRequest scan;
  scan.table = "Own";
  EXPECT_EQ(SyncWait(open.Scan(scan)).error().code, Code::kAccessDenied);
  scan.table = "App";
  EXPECT_TRUE(SyncWait(open.Scan(scan)));
}

TEST_F(ReservedTablesStoreTest, OneAmongManyRefusesAll) {
  store::BatchGetItemRequest get;
  get.tables.push_back({.table = "App", .keys = {{{"pk", "a"}}}});
  get.tables.push_back({.table = "Own2", .keys = {{{"pk", "a"}}}});
  EXPECT_EQ(SyncWait(open.BatchGetItem(get)).error().code, Code::kAccessDenied);
  store::TransactWriteItemsRequest write;
  write.actions.push_back({store::TransactPut{"App", {{"pk", "a"}}, nullptr}});
  write.actions.push_back({store::ConditionCheck{"Own", {{"pk", "a"}}, nullptr}});
  EXPECT_EQ(SyncWait(open.TransactWriteItems(write)).error().error.code, Code::kAccessDenied);
  EXPECT_TRUE(reached.empty());
}

TEST_F(ReservedTablesStoreTest, VerbsAboutTablesStreamsAndBackupsDoNotReachThem) {
  const auto code = [](auto result) { return result.error().code; };
  EXPECT_EQ(code(SyncWait(open.CreateTable({.name = "Own"}))), Code::kAccessDenied);
  EXPECT_EQ(code(SyncWait(open.UpdateTable({.table = "Own"}))), Code::kAccessDenied);
  EXPECT_EQ(code(SyncWait(open.DeleteTable("Own"))), Code::kAccessDenied);
  EXPECT_EQ(code(SyncWait(open.DescribeTable("Own"))), Code::kAccessDenied);
  EXPECT_EQ(code(SyncWait(open.UpdateTimeToLive({.table = "Own"}))), Code::kAccessDenied);
  EXPECT_EQ(code(SyncWait(open.DescribeTimeToLive("Own"))), Code::kAccessDenied);
  EXPECT_EQ(code(SyncWait(open.TagTable("Own", {}))), Code::kAccessDenied);
  EXPECT_EQ(code(SyncWait(open.UntagTable("Own", {}))), Code::kAccessDenied);
  EXPECT_EQ(code(SyncWait(open.ListStreams({.table = "Own"}))), Code::kAccessDenied);
  EXPECT_EQ(code(SyncWait(open.DescribeStream({.table = "Own", .label = "l"}))), Code::kAccessDenied);
  EXPECT_EQ(code(SyncWait(open.GetShardPosition({.stream = {"Own", "l"}, .shard_id = "s"}))),
            Code::kAccessDenied);
  EXPECT_EQ(code(SyncWait(open.GetRecords({.position = {.stream = {"Own", "l"}}}))), Code::kAccessDenied);
  EXPECT_EQ(code(SyncWait(open.CreateBackup({.table = "Own", .name = "b"}))), Code::kAccessDenied);
  EXPECT_EQ(code(SyncWait(open.DescribeBackup({.table = "Own", .id = "b"}))), Code::kAccessDenied);
  EXPECT_EQ(code(SyncWait(open.DeleteBackup({.table = "Own", .id = "b"}))), Code::kAccessDenied);
  EXPECT_EQ(code(SyncWait(open.ListBackups({.table = "Own"}))), Code::kAccessDenied);
  store::RestoreTableRequest from_own;
  from_own.backup = {"Own", "b"};
  from_own.target_table = "Copy";
  EXPECT_EQ(code(SyncWait(open.RestoreTableFromBackup(from_own))), Code::kAccessDenied);
  store::RestoreTableRequest to_own;
  to_own.backup = {"App", "b"};
  to_own.target_table = "Own";
  EXPECT_EQ(code(SyncWait(open.RestoreTableFromBackup(to_own))), Code::kAccessDenied);
}

TEST_F(ReservedTablesStoreTest, ListsLeaveThemOutAndNeverEndAtOne) {
  const std::vector<std::string> names = {"App", "Own", "Own2", "Zoo"};
  fake.on_list_tables = [&](store::ListTablesRequest request) {
    store::ListTablesResponse page;
    for (const std::string& name : names) {
      if (name <= request.exclusive_start_name) continue;
      if (page.names.size() == request.limit) {
        page.last_evaluated_name = page.names.back();
        break;
      }
      page.names.push_back(name);
    }
    return page;
  };
  for (size_t limit = 1; limit <= 5; ++limit) {
    std::vector<std::string> seen;
    store::ListTablesRequest request{.exclusive_start_name = "", .limit = limit};
    do {
      const auto page = SyncWait(open.ListTables(request));
      ASSERT_TRUE(page);
      EXPECT_LE(page->names.size(), limit);
      seen.insert(seen.end(), page->names.begin(), page->names.end());
      request.exclusive_start_name = page->last_evaluated_name;
      EXPECT_FALSE(reserved.contains(page->last_evaluated_name));
    } while (!request.exclusive_start_name.empty());
    EXPECT_THAT(seen, ElementsAre("App", "Zoo")) << limit;
  }
  fake.on_list_streams = [](store::ListStreamsRequest request) {
    store::ListStreamsResponse page;
    if (!request.exclusive_start) {
      page.streams = {{"App", "l"}, {"Own", "l"}};
      page.last_evaluated = page.streams.back();
    } else {
      page.streams = {{"Zoo", "l"}};
    }
    return page;
  };
  const auto streams = SyncWait(open.ListStreams({}));
  ASSERT_TRUE(streams);
  EXPECT_THAT(streams->streams, ElementsAre(store::StreamId{"App", "l"}, store::StreamId{"Zoo", "l"}));
  EXPECT_FALSE(streams->last_evaluated);
  fake.on_list_backups = [](store::ListBackupsRequest) {
    store::ListBackupsResponse page;
    for (const char* table : {"App", "Own"}) {
      store::BackupDescription& backup = page.backups.emplace_back();
      backup.table.definition.name = table;
    }
    return page;
  };
  EXPECT_EQ(SyncWait(open.ListBackups({}))->backups.size(), 1u);
}

constexpr const char* kCredentials = R"({"credentials": [
    {"accessKeyId": "OWNER", "secretAccessKey": "s0"},
    {"accessKeyId": "NAMED", "secretAccessKey": "s1", "tables": ["C"]}]})";

// StatementTest's table C stands for one of the server itself.
class ReservedTablesDispatchTest : public StatementTest {
 protected:
  std::string As(std::string_view access_key_id, std::string_view operation, std::string body) {
    const std::string target = "DynamoDB_20120810." + std::string(operation);
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
    return Send(strict, headers, std::move(body)).body;
  }

  const Credentials credentials = LoadCredentials(kCredentials, "keys.json").value();
  Dispatch strict{store, clock, random, credentials, {"C"}};
};

TEST_F(ReservedTablesDispatchTest, AKeyWithoutLimitsIsNotAGrantByName) {
  EXPECT_THAT(As("OWNER", "Scan", R"({"TableName": "C"})"), HasSubstr("belongs to the server itself"));
  EXPECT_THAT(As("OWNER", "ExecuteStatement", R"({"Statement": "SELECT * FROM C"})"),
              HasSubstr("AccessDenied"));
  EXPECT_THAT(As("OWNER", "BatchExecuteStatement",
                 R"({"Statements": [{"Statement": "SELECT * FROM C WHERE pk='a' AND sk='1'"}]})"),
              HasSubstr("AccessDenied"));
  EXPECT_THAT(As("OWNER", "Scan", R"({"TableName": "H"})"), HasSubstr("\"Items\""));
}

TEST_F(ReservedTablesDispatchTest, ACredentialThatNamesItReachesIt) {
  EXPECT_THAT(As("NAMED", "Scan", R"({"TableName": "C"})"), HasSubstr("\"Items\""));
}

TEST_F(ReservedTablesDispatchTest, WithoutCredentialsThereIsNoKeyToLimit) {
  Dispatch open(store, clock, random, {}, {"C"});
  const auto response = Send(open, SignedHeaders("DynamoDB_20120810.Scan"), R"({"TableName": "C"})");
  EXPECT_THAT(response.body, HasSubstr("\"Items\""));
}

}  // namespace
}  // namespace cairn::dynamodb
