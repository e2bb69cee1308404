// FakeStore: a Store whose verbs are scripted by the test. For tests of the wire protocol only.
//
//   store.on_describe_table = [](std::string table) { return Fail(Code::kResourceNotFound, table); };
//
// A verb without a script answers kInternal.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace cairn::dynamodb {

class FakeStore : public store::Store {
 public:
  template <class Response, class Failure, class... Arguments>
  using Script = std::function<Result<Response, Failure>(Arguments...)>;

  Script<store::GetItemResponse, Error, store::GetItemRequest> on_get_item;
  Script<store::WriteResponse, store::WriteFailure, store::PutItemRequest> on_put_item;
  Script<store::WriteResponse, store::WriteFailure, store::UpdateItemRequest> on_update_item;
  Script<store::WriteResponse, store::WriteFailure, store::DeleteItemRequest> on_delete_item;
  Script<store::PageResponse, Error, store::QueryRequest> on_query;
  Script<store::PageResponse, Error, store::ScanRequest> on_scan;
  Script<store::BatchGetItemResponse, Error, store::BatchGetItemRequest> on_batch_get_item;
  Script<store::BatchWriteItemResponse, Error, store::BatchWriteItemRequest> on_batch_write_item;
  Script<store::TransactGetItemsResponse, store::TransactionFailure, store::TransactGetItemsRequest>
      on_transact_get_items;
  Script<store::TransactWriteItemsResponse, store::TransactionFailure, store::TransactWriteItemsRequest>
      on_transact_write_items;
  Script<store::TableDescription, Error, store::TableDefinition> on_create_table;
  Script<store::TableDescription, Error, store::UpdateTableRequest> on_update_table;
  Script<store::TableDescription, Error, std::string> on_delete_table;
  Script<store::TableDescription, Error, std::string> on_describe_table;
  Script<store::ListTablesResponse, Error, store::ListTablesRequest> on_list_tables;
  Script<store::TimeToLive, Error, store::UpdateTimeToLiveRequest> on_update_time_to_live;
  Script<store::TimeToLive, Error, std::string> on_describe_time_to_live;
  Script<void, Error, std::string, std::map<std::string, std::string>> on_tag_table;
  Script<void, Error, std::string, std::vector<std::string>> on_untag_table;
  Script<store::ListStreamsResponse, Error, store::ListStreamsRequest> on_list_streams;
  Script<store::StreamDescription, Error, store::StreamId> on_describe_stream;
  Script<store::ShardPosition, Error, store::GetShardPositionRequest> on_get_shard_position;
  Script<store::GetRecordsResponse, Error, store::GetRecordsRequest> on_get_records;
  Script<store::BackupDescription, Error, store::CreateBackupRequest> on_create_backup;
  Script<store::BackupDescription, Error, store::BackupId> on_describe_backup;
  Script<store::BackupDescription, Error, store::BackupId> on_delete_backup;
  Script<store::ListBackupsResponse, Error, store::ListBackupsRequest> on_list_backups;
  Script<store::TableDescription, Error, store::RestoreTableRequest> on_restore_table_from_backup;

  Task<Result<store::GetItemResponse>> GetItem(store::GetItemRequest request) override {
    return Run(on_get_item, std::move(request));
  }
  Task<Result<store::WriteResponse, store::WriteFailure>> PutItem(store::PutItemRequest request) override {
    return Run(on_put_item, std::move(request));
  }
  Task<Result<store::WriteResponse, store::WriteFailure>> UpdateItem(
      store::UpdateItemRequest request) override {
    return Run(on_update_item, std::move(request));
  }
  Task<Result<store::WriteResponse, store::WriteFailure>> DeleteItem(
      store::DeleteItemRequest request) override {
    return Run(on_delete_item, std::move(request));
  }
  Task<Result<store::PageResponse>> Query(store::QueryRequest request) override {
    return Run(on_query, std::move(request));
  }
  Task<Result<store::PageResponse>> Scan(store::ScanRequest request) override {
    return Run(on_scan, std::move(request));
  }
  Task<Result<store::BatchGetItemResponse>> BatchGetItem(store::BatchGetItemRequest request) override {
    return Run(on_batch_get_item, std::move(request));
  }
  Task<Result<store::BatchWriteItemResponse>> BatchWriteItem(store::BatchWriteItemRequest request) override {
    return Run(on_batch_write_item, std::move(request));
  }
  Task<Result<store::TransactGetItemsResponse, store::TransactionFailure>> TransactGetItems(
      store::TransactGetItemsRequest request) override {
    return Run(on_transact_get_items, std::move(request));
  }
  Task<Result<store::TransactWriteItemsResponse, store::TransactionFailure>> TransactWriteItems(
      store::TransactWriteItemsRequest request) override {
    return Run(on_transact_write_items, std::move(request));
  }
  Task<Result<store::TableDescription>> CreateTable(store::TableDefinition definition) override {
    return Run(on_create_table, std::move(definition));
  }
  Task<Result<store::TableDescription>> UpdateTable(store::UpdateTableRequest request) override {
    return Run(on_update_table, std::move(request));
  }
  Task<Result<store::TableDescription>> DeleteTable(std::string table) override {
    return Run(on_delete_table, std::move(table));
  }
  Task<Result<store::TableDescription>> DescribeTable(std::string table) override {
    return Run(on_describe_table, std::move(table));
  }
  Task<Result<store::ListTablesResponse>> ListTables(store::ListTablesRequest request) override {
    return Run(on_list_tables, std::move(request));
  }
  Task<Result<store::TimeToLive>> UpdateTimeToLive(store::UpdateTimeToLiveRequest request) override {
    return Run(on_update_time_to_live, std::move(request));
  }
  Task<Result<store::TimeToLive>> DescribeTimeToLive(std::string table) override {
    return Run(on_describe_time_to_live, std::move(table));
  }
  Task<Status> TagTable(std::string table, std::map<std::string, std::string> tags) override {
    return Run(on_tag_table, std::move(table), std::move(tags));
  }
  Task<Status> UntagTable(std::string table, std::vector<std::string> tag_keys) override {
    return Run(on_untag_table, std::move(table), std::move(tag_keys));
  }
  Task<Result<store::ListStreamsResponse>> ListStreams(store::ListStreamsRequest request) override {
    return Run(on_list_streams, std::move(request));
  }
  Task<Result<store::StreamDescription>> DescribeStream(store::StreamId stream) override {
    return Run(on_describe_stream, std::move(stream));
  }
  Task<Result<store::ShardPosition>> GetShardPosition(store::GetShardPositionRequest request) override {
    return Run(on_get_shard_position, std::move(request));
  }
  Task<Result<store::GetRecordsResponse>> GetRecords(store::GetRecordsRequest request) override {
    return Run(on_get_records, std::move(request));
  }
  Task<Result<store::BackupDescription>> CreateBackup(store::CreateBackupRequest request) override {
    return Run(on_create_backup, std::move(request));
  }
  Task<Result<store::BackupDescription>> DescribeBackup(store::BackupId backup) override {
    return Run(on_describe_backup, std::move(backup));
  }
  Task<Result<store::BackupDescription>> DeleteBackup(store::BackupId backup) override {
    return Run(on_delete_backup, std::move(backup));
  }
  Task<Result<store::ListBackupsResponse>> ListBackups(store::ListBackupsRequest request) override {
    return Run(on_list_backups, std::move(request));
  }
  Task<Result<store::TableDescription>> RestoreTableFromBackup(store::RestoreTableRequest request) override {
    return Run(on_restore_table_from_backup, std::move(request));
  }

 private:
  template <class Response, class Failure, class... Arguments>
  static Task<Result<Response, Failure>> Run(Script<Response, Failure, Arguments...> script,
                                             std::type_identity_t<Arguments>... arguments) {
    if (!script) co_return std::unexpected(Failure(Error{Code::kInternal, "the test scripts no such verb"}));
    co_return script(std::move(arguments)...);
  }
};

}  // namespace cairn::dynamodb
