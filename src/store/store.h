// Store: THE NARROW WAIST. DynamoDB's verbs as typed, awaitable calls.
//
// Everything above (wire protocol, models, domains) speaks only this; below it are the embedded engine and,
// for larger installations, a remote DynamoDB endpoint. Parameter rules that need no table (lengths, enums,
// batch sizes) are checked by the caller; everything that needs a table's schema is checked here.
//
// Implementations are thread-safe. A Task may finish on another executor's thread only if the caller has none
// (base/executor.h).
#pragma once

#include "base/result.h"
#include "base/task.h"
#include "store/backup_requests.h"
#include "store/item_requests.h"
#include "store/stream_requests.h"
#include "store/table_requests.h"

namespace cairn::store {

class Store {
 public:
  virtual ~Store() = default;

  // Items.
  virtual Task<Result<GetItemResponse>> GetItem(GetItemRequest request) = 0;
  virtual Task<Result<WriteResponse, WriteFailure>> PutItem(PutItemRequest request) = 0;
  virtual Task<Result<WriteResponse, WriteFailure>> UpdateItem(UpdateItemRequest request) = 0;
  virtual Task<Result<WriteResponse, WriteFailure>> DeleteItem(DeleteItemRequest request) = 0;
  virtual Task<Result<PageResponse>> Query(QueryRequest request) = 0;
  virtual Task<Result<PageResponse>> Scan(ScanRequest request) = 0;
  virtual Task<Result<BatchGetItemResponse>> BatchGetItem(BatchGetItemRequest request) = 0;
  virtual Task<Result<BatchWriteItemResponse>> BatchWriteItem(BatchWriteItemRequest request) = 0;
  virtual Task<Result<TransactGetItemsResponse, TransactionFailure>> TransactGetItems(
      TransactGetItemsRequest request) = 0;
  virtual Task<Result<TransactWriteItemsResponse, TransactionFailure>> TransactWriteItems(
      TransactWriteItemsRequest request) = 0;

  // Tables.
  virtual Task<Result<TableDescription>> CreateTable(TableDefinition definition) = 0;
  virtual Task<Result<TableDescription>> UpdateTable(UpdateTableRequest request) = 0;
  virtual Task<Result<TableDescription>> DeleteTable(std::string table) = 0;
  virtual Task<Result<TableDescription>> DescribeTable(std::string table) = 0;
  virtual Task<Result<ListTablesResponse>> ListTables(ListTablesRequest request) = 0;
  virtual Task<Result<TimeToLive>> UpdateTimeToLive(UpdateTimeToLiveRequest request) = 0;
  virtual Task<Result<TimeToLive>> DescribeTimeToLive(std::string table) = 0;
  virtual Task<Status> TagTable(std::string table, std::map<std::string, std::string> tags) = 0;
  virtual Task<Status> UntagTable(std::string table, std::vector<std::string> tag_keys) = 0;

  // Streams.
  virtual Task<Result<ListStreamsResponse>> ListStreams(ListStreamsRequest request) = 0;
  virtual Task<Result<StreamDescription>> DescribeStream(StreamId stream) = 0;
  virtual Task<Result<ShardPosition>> GetShardPosition(GetShardPositionRequest request) = 0;
  virtual Task<Result<GetRecordsResponse>> GetRecords(GetRecordsRequest request) = 0;

  // Backups.
  virtual Task<Result<BackupDescription>> CreateBackup(CreateBackupRequest request) = 0;
  virtual Task<Result<BackupDescription>> DescribeBackup(BackupId backup) = 0;
  virtual Task<Result<BackupDescription>> DeleteBackup(BackupId backup) = 0;
  virtual Task<Result<ListBackupsResponse>> ListBackups(ListBackupsRequest request) = 0;
  virtual Task<Result<TableDescription>> RestoreTableFromBackup(RestoreTableRequest request) = 0;
};

}  // namespace cairn::store
