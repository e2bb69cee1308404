// ReservedTablesStore: a Store without the tables of the server itself, in front of the real one.
//
// What the server keeps for itself (accounts, sessions, receipts, jobs) lies in tables like any other. A key
// of the DynamoDB endpoint reaches them only if its credential names them (then it is a limited key, and
// LeadingKeysStore decides). Dispatch puts this under the operations of all other keys. Operations, PartiQL
// among them, reach data through Store's verbs only, so it is enough that every verb decides here, and a verb
// that is added to Store does not compile until it has:
//
// - A verb that names a reserved table, be it as one of many, as the target of a restore, or by a stream or
//   backup of it, is refused as a whole with kAccessDenied.
// - Lists leave them out.
//
// Keeps no state; thread-safe. What is not refused goes on without a coroutine of its own.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "store/store.h"

namespace cairn::dynamodb {

using TableNames = std::set<std::string, std::less<>>;

class ReservedTablesStore final : public store::Store {
 public:
  // Both outlive this.
  ReservedTablesStore(store::Store& store, const TableNames& reserved) : store_(store), reserved_(reserved) {}

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
  bool IsReserved(std::string_view table) const { return reserved_.contains(table); }

  store::Store& store_;
  const TableNames& reserved_;
};

}  // namespace cairn::dynamodb
