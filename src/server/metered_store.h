// MeteredStore: a store that counts what is asked of another one, verb by verb. The models' databases work on
// one, so that the server can show what requests cost, and that none of them scans.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "store/store.h"

namespace cairn::server {

class MeteredStore final : public store::Store {
 public:
  explicit MeteredStore(store::Store& inner) : inner_(inner) {}

  // Calls since the start, for every verb, by its name.
  std::vector<std::pair<std::string_view, uint64_t>> Calls() const;
  // The same as Prometheus reads it.
  std::string MetricsText() const;

  Task<Result<store::GetItemResponse>> GetItem(store::GetItemRequest request) override;
  Task<Result<store::WriteResponse, store::WriteFailure>> PutItem(store::PutItemRequest request) override;
  Task<Result<store::WriteResponse, store::WriteFailure>> UpdateItem(
      store::UpdateItemRequest request) override;
  Task<Result<store::WriteResponse, store::WriteFailure>> DeleteItem(
      store::DeleteItemRequest request) override;
  Task<Result<store::PageResponse>> Query(store::QueryRequest request) override;
  Task<Result<store::PageResponse>> Scan(store::ScanRequest request) override;
  Task<Result<store::BatchGetItemResponse>> BatchGetItem(store::BatchGetItemRequest request) override;
  Task<Result<store::BatchWriteItemResponse>> BatchWriteItem(store::BatchWriteItemRequest request) override;
  Task<Result<store::TransactGetItemsResponse, store::TransactionFailure>> TransactGetItems(
      store::TransactGetItemsRequest request) override;
  Task<Result<store::TransactWriteItemsResponse, store::TransactionFailure>> TransactWriteItems(
      store::TransactWriteItemsRequest request) override;
  Task<Result<store::TableDescription>> CreateTable(store::TableDefinition definition) override;
  Task<Result<store::TableDescription>> UpdateTable(store::UpdateTableRequest request) override;
  Task<Result<store::TableDescription>> DeleteTable(std::string table) override;
  Task<Result<store::TableDescription>> DescribeTable(std::string table) override;
  Task<Result<store::ListTablesResponse>> ListTables(store::ListTablesRequest request) override;
  Task<Result<store::TimeToLive>> UpdateTimeToLive(store::UpdateTimeToLiveRequest request) override;
  Task<Result<store::TimeToLive>> DescribeTimeToLive(std::string table) override;
  Task<Status> TagTable(std::string table, std::map<std::string, std::string> tags) override;
  Task<Status> UntagTable(std::string table, std::vector<std::string> tag_keys) override;
  Task<Result<store::ListStreamsResponse>> ListStreams(store::ListStreamsRequest request) override;
  Task<Result<store::StreamDescription>> DescribeStream(store::StreamId stream) override;
  Task<Result<store::ShardPosition>> GetShardPosition(store::GetShardPositionRequest request) override;
  Task<Result<store::GetRecordsResponse>> GetRecords(store::GetRecordsRequest request) override;
  Task<Result<store::BackupDescription>> CreateBackup(store::CreateBackupRequest request) override;
  Task<Result<store::BackupDescription>> DescribeBackup(store::BackupId backup) override;
  Task<Result<store::BackupDescription>> DeleteBackup(store::BackupId backup) override;
  Task<Result<store::ListBackupsResponse>> ListBackups(store::ListBackupsRequest request) override;
  Task<Result<store::TableDescription>> RestoreTableFromBackup(store::RestoreTableRequest request) override;

 private:
  enum class Verb : size_t {
    kGetItem,
    kPutItem,
    kUpdateItem,
    kDeleteItem,
    kQuery,
    kScan,
    kBatchGetItem,
    kBatchWriteItem,
    kTransactGetItems,
    kTransactWriteItems,
    kCreateTable,
    kUpdateTable,
    kDeleteTable,
    kDescribeTable,
    kListTables,
    kUpdateTimeToLive,
    kDescribeTimeToLive,
    kTagTable,
    kUntagTable,
    kListStreams,
    kDescribeStream,
    kGetShardPosition,
    kGetRecords,
    kCreateBackup,
    kDescribeBackup,
    kDeleteBackup,
    kListBackups,
    kRestoreTableFromBackup,
    kCount,  // of verbs
  };
  void Count(Verb verb) { calls_[static_cast<size_t>(verb)].fetch_add(1, std::memory_order_relaxed); }

  store::Store& inner_;
  std::array<std::atomic<uint64_t>, static_cast<size_t>(Verb::kCount)> calls_{};
};

}  // namespace cairn::server
