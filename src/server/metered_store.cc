#include "server/metered_store.h"

#include "base/metrics.h"

namespace cairn::server {
namespace {

// In the order of MeteredStore::Verb.
constexpr std::string_view kNames[] = {
    "GetItem",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "Query",
    "Scan",
    "BatchGetItem",
    "BatchWriteItem",
    "TransactGetItems",
    "TransactWriteItems",
    "CreateTable",
    "UpdateTable",
    "DeleteTable",
    "DescribeTable",
    "ListTables",
    "UpdateTimeToLive",
    "DescribeTimeToLive",
    "TagTable",
    "UntagTable",
    "ListStreams",
    "DescribeStream",
    "GetShardPosition",
    "GetRecords",
    "CreateBackup",
    "DescribeBackup",
    "DeleteBackup",
    "ListBackups",
    "RestoreTableFromBackup",
};

}  // namespace

std::vector<std::pair<std::string_view, uint64_t>> MeteredStore::Calls() const {
  static_assert(std::size(kNames) == static_cast<size_t>(Verb::kCount));
  std::vector<std::pair<std::string_view, uint64_t>> calls;
  for (size_t i = 0; i < calls_.size(); ++i)
    calls.emplace_back(kNames[i], calls_[i].load(std::memory_order_relaxed));
  return calls;
}

std::string MeteredStore::MetricsText() const {
  constexpr std::string_view kCalls = "cairn_model_store_calls_total";
  std::string text;
  metrics::AppendHead(text, kCalls, metrics::Kind::kCounter,
                      "Calls to the store on behalf of models, by operation.");
  uint64_t scans = 0;
  for (const auto& [operation, calls] : Calls()) {
    metrics::AppendSample(text, kCalls, metrics::Label("operation", operation), static_cast<double>(calls));
    if (operation == "Scan") scans = calls;
  }
  metrics::AppendMetric(text, "cairn_request_scans_total", metrics::Kind::kCounter,
                        "Scans on behalf of models: no request makes one.", static_cast<double>(scans));
  return text;
}

Task<Result<store::GetItemResponse>> MeteredStore::GetItem(store::GetItemRequest request) {
  Count(Verb::kGetItem);
  return inner_.GetItem(std::move(request));
}

Task<Result<store::WriteResponse, store::WriteFailure>> MeteredStore::PutItem(store::PutItemRequest request) {
  Count(Verb::kPutItem);
  return inner_.PutItem(std::move(request));
}

Task<Result<store::WriteResponse, store::WriteFailure>> MeteredStore::UpdateItem(
    store::UpdateItemRequest request) {
  Count(Verb::kUpdateItem);
  return inner_.UpdateItem(std::move(request));
}

Task<Result<store::WriteResponse, store::WriteFailure>> MeteredStore::DeleteItem(
    store::DeleteItemRequest request) {
  Count(Verb::kDeleteItem);
  return inner_.DeleteItem(std::move(request));
}

Task<Result<store::PageResponse>> MeteredStore::Query(store::QueryRequest request) {
  Count(Verb::kQuery);
  return inner_.Query(std::move(request));
}

Task<Result<store::PageResponse>> MeteredStore::Scan(store::ScanRequest request) {
  Count(Verb::kScan);
  return inner_.Scan(std::move(request));
}

Task<Result<store::BatchGetItemResponse>> MeteredStore::BatchGetItem(store::BatchGetItemRequest request) {
  Count(Verb::kBatchGetItem);
  return inner_.BatchGetItem(std::move(request));
}

Task<Result<store::BatchWriteItemResponse>> MeteredStore::BatchWriteItem(
    store::BatchWriteItemRequest request) {
  Count(Verb::kBatchWriteItem);
  return inner_.BatchWriteItem(std::move(request));
}

Task<Result<store::TransactGetItemsResponse, store::TransactionFailure>> MeteredStore::TransactGetItems(
    store::TransactGetItemsRequest request) {
  Count(Verb::kTransactGetItems);
  return inner_.TransactGetItems(std::move(request));
}

Task<Result<store::TransactWriteItemsResponse, store::TransactionFailure>> MeteredStore::TransactWriteItems(
    store::TransactWriteItemsRequest request) {
  Count(Verb::kTransactWriteItems);
  return inner_.TransactWriteItems(std::move(request));
}

Task<Result<store::TableDescription>> MeteredStore::CreateTable(store::TableDefinition definition) {
  Count(Verb::kCreateTable);
  return inner_.CreateTable(std::move(definition));
}

Task<Result<store::TableDescription>> MeteredStore::UpdateTable(store::UpdateTableRequest request) {
  Count(Verb::kUpdateTable);
  return inner_.UpdateTable(std::move(request));
}

Task<Result<store::TableDescription>> MeteredStore::DeleteTable(std::string table) {
  Count(Verb::kDeleteTable);
  return inner_.DeleteTable(std::move(table));
}

Task<Result<store::TableDescription>> MeteredStore::DescribeTable(std::string table) {
  Count(Verb::kDescribeTable);
  return inner_.DescribeTable(std::move(table));
}

Task<Result<store::ListTablesResponse>> MeteredStore::ListTables(store::ListTablesRequest request) {
  Count(Verb::kListTables);
  return inner_.ListTables(std::move(request));
}

Task<Result<store::TimeToLive>> MeteredStore::UpdateTimeToLive(store::UpdateTimeToLiveRequest request) {
  Count(Verb::kUpdateTimeToLive);
  return inner_.UpdateTimeToLive(std::move(request));
}

Task<Result<store::TimeToLive>> MeteredStore::DescribeTimeToLive(std::string table) {
  Count(Verb::kDescribeTimeToLive);
  return inner_.DescribeTimeToLive(std::move(table));
}

Task<Status> MeteredStore::TagTable(std::string table, std::map<std::string, std::string> tags) {
  Count(Verb::kTagTable);
  return inner_.TagTable(std::move(table), std::move(tags));
}

Task<Status> MeteredStore::UntagTable(std::string table, std::vector<std::string> tag_keys) {
  Count(Verb::kUntagTable);
  return inner_.UntagTable(std::move(table), std::move(tag_keys));
}

Task<Result<store::ListStreamsResponse>> MeteredStore::ListStreams(store::ListStreamsRequest request) {
  Count(Verb::kListStreams);
  return inner_.ListStreams(std::move(request));
}

Task<Result<store::StreamDescription>> MeteredStore::DescribeStream(store::StreamId stream) {
  Count(Verb::kDescribeStream);
  return inner_.DescribeStream(std::move(stream));
}

Task<Result<store::ShardPosition>> MeteredStore::GetShardPosition(store::GetShardPositionRequest request) {
  Count(Verb::kGetShardPosition);
  return inner_.GetShardPosition(std::move(request));
}

Task<Result<store::GetRecordsResponse>> MeteredStore::GetRecords(store::GetRecordsRequest request) {
  Count(Verb::kGetRecords);
  return inner_.GetRecords(std::move(request));
}

Task<Result<store::BackupDescription>> MeteredStore::CreateBackup(store::CreateBackupRequest request) {
  Count(Verb::kCreateBackup);
  return inner_.CreateBackup(std::move(request));
}

Task<Result<store::BackupDescription>> MeteredStore::DescribeBackup(store::BackupId backup) {
  Count(Verb::kDescribeBackup);
  return inner_.DescribeBackup(std::move(backup));
}

Task<Result<store::BackupDescription>> MeteredStore::DeleteBackup(store::BackupId backup) {
  Count(Verb::kDeleteBackup);
  return inner_.DeleteBackup(std::move(backup));
}

Task<Result<store::ListBackupsResponse>> MeteredStore::ListBackups(store::ListBackupsRequest request) {
  Count(Verb::kListBackups);
  return inner_.ListBackups(std::move(request));
}

Task<Result<store::TableDescription>> MeteredStore::RestoreTableFromBackup(
    store::RestoreTableRequest request) {
  Count(Verb::kRestoreTableFromBackup);
  return inner_.RestoreTableFromBackup(std::move(request));
}

}  // namespace cairn::server
