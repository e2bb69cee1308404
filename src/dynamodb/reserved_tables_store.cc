#include "dynamodb/reserved_tables_store.h"

#include <algorithm>
#include <variant>

namespace cairn::dynamodb {
namespace {

using store::TableDescription;

template <class Response, class Failure = Error>
Task<Result<Response, Failure>> Refuse(std::string table) {
  co_return std::unexpected<Failure>(Error{
      Code::kAccessDenied, "The table " + table +
                               " belongs to the server itself. Only an access key whose credential names it "
                               "in \"tables\" can use it. Nothing was done."});
}

const std::string& TableOf(const store::TransactAction& action) {
  return std::visit([](const auto& one) -> const std::string& { return one.table; }, action.action);
}

}  // namespace

// Items.

Task<Result<store::GetItemResponse>> ReservedTablesStore::GetItem(store::GetItemRequest request) {
  if (IsReserved(request.table)) return Refuse<store::GetItemResponse>(request.table);
  return store_.GetItem(std::move(request));
}

Task<Result<store::WriteResponse, store::WriteFailure>> ReservedTablesStore::PutItem(
    store::PutItemRequest request) {
  if (IsReserved(request.table)) return Refuse<store::WriteResponse, store::WriteFailure>(request.table);
  return store_.PutItem(std::move(request));
}

Task<Result<store::WriteResponse, store::WriteFailure>> ReservedTablesStore::UpdateItem(
    store::UpdateItemRequest request) {
  if (IsReserved(request.table)) return Refuse<store::WriteResponse, store::WriteFailure>(request.table);
  return store_.UpdateItem(std::move(request));
}

Task<Result<store::WriteResponse, store::WriteFailure>> ReservedTablesStore::DeleteItem(
    store::DeleteItemRequest request) {
  if (IsReserved(request.table)) return Refuse<store::WriteResponse, store::WriteFailure>(request.table);
  return store_.DeleteItem(std::move(request));
}

Task<Result<store::PageResponse>> ReservedTablesStore::Query(store::QueryRequest request) {
  if (IsReserved(request.table)) return Refuse<store::PageResponse>(request.table);
  return store_.Query(std::move(request));
}

Task<Result<store::PageResponse>> ReservedTablesStore::Scan(store::ScanRequest request) {
  if (IsReserved(request.table)) return Refuse<store::PageResponse>(request.table);
  return store_.Scan(std::move(request));
}

Task<Result<store::BatchGetItemResponse>> ReservedTablesStore::BatchGetItem(
    store::BatchGetItemRequest request) {
  for (const store::BatchGetTable& each : request.tables) {
    if (IsReserved(each.table)) return Refuse<store::BatchGetItemResponse>(each.table);
  }
  return store_.BatchGetItem(std::move(request));
}

Task<Result<store::BatchWriteItemResponse>> ReservedTablesStore::BatchWriteItem(
    store::BatchWriteItemRequest request) {
  for (const store::BatchWriteTable& each : request.tables) {
    if (IsReserved(each.table)) return Refuse<store::BatchWriteItemResponse>(each.table);
  }
  return store_.BatchWriteItem(std::move(request));
}

Task<Result<store::TransactGetItemsResponse, store::TransactionFailure>>
ReservedTablesStore::TransactGetItems(store::TransactGetItemsRequest request) {
  for (const store::TransactGet& each : request.gets) {
    if (IsReserved(each.table))
      return Refuse<store::TransactGetItemsResponse, store::TransactionFailure>(each.table);
  }
  return store_.TransactGetItems(std::move(request));
}

Task<Result<store::TransactWriteItemsResponse, store::TransactionFailure>>
ReservedTablesStore::TransactWriteItems(store::TransactWriteItemsRequest request) {
  for (const store::TransactAction& each : request.actions) {
    if (IsReserved(TableOf(each)))
      return Refuse<store::TransactWriteItemsResponse, store::TransactionFailure>(TableOf(each));
  }
  return store_.TransactWriteItems(std::move(request));
}

// Tables.

Task<Result<TableDescription>> ReservedTablesStore::CreateTable(store::TableDefinition definition) {
  if (IsReserved(definition.name)) return Refuse<TableDescription>(definition.name);
  return store_.CreateTable(std::move(definition));
}

Task<Result<TableDescription>> ReservedTablesStore::UpdateTable(store::UpdateTableRequest request) {
  if (IsReserved(request.table)) return Refuse<TableDescription>(request.table);
  return store_.UpdateTable(std::move(request));
}

Task<Result<TableDescription>> ReservedTablesStore::DeleteTable(std::string table) {
  if (IsReserved(table)) return Refuse<TableDescription>(std::move(table));
  return store_.DeleteTable(std::move(table));
}

Task<Result<TableDescription>> ReservedTablesStore::DescribeTable(std::string table) {
  if (IsReserved(table)) return Refuse<TableDescription>(std::move(table));
  return store_.DescribeTable(std::move(table));
}

Task<Result<store::ListTablesResponse>> ReservedTablesStore::ListTables(store::ListTablesRequest request) {
  store::ListTablesResponse all;
  do {
    store::ListTablesRequest next = request;
    CO_ASSIGN_OR_RETURN(store::ListTablesResponse page, co_await store_.ListTables(std::move(next)));
    for (std::string& name : page.names) {
      if (!IsReserved(name)) all.names.push_back(std::move(name));
    }
    request.exclusive_start_name = all.last_evaluated_name = std::move(page.last_evaluated_name);
    request.limit = std::max<size_t>(1, request.limit - std::min(request.limit, all.names.size()));
  } while (IsReserved(all.last_evaluated_name));  // a name that the caller is not told
  co_return all;
}

Task<Result<store::TimeToLive>> ReservedTablesStore::UpdateTimeToLive(
    store::UpdateTimeToLiveRequest request) {
  if (IsReserved(request.table)) return Refuse<store::TimeToLive>(request.table);
  return store_.UpdateTimeToLive(std::move(request));
}

Task<Result<store::TimeToLive>> ReservedTablesStore::DescribeTimeToLive(std::string table) {
  if (IsReserved(table)) return Refuse<store::TimeToLive>(std::move(table));
  return store_.DescribeTimeToLive(std::move(table));
}

Task<Status> ReservedTablesStore::TagTable(std::string table, std::map<std::string, std::string> tags) {
  if (IsReserved(table)) return Refuse<void>(std::move(table));
  return store_.TagTable(std::move(table), std::move(tags));
}

Task<Status> ReservedTablesStore::UntagTable(std::string table, std::vector<std::string> tag_keys) {
  if (IsReserved(table)) return Refuse<void>(std::move(table));
  return store_.UntagTable(std::move(table), std::move(tag_keys));
}

// Streams.

Task<Result<store::ListStreamsResponse>> ReservedTablesStore::ListStreams(store::ListStreamsRequest request) {
  if (IsReserved(request.table)) co_return co_await Refuse<store::ListStreamsResponse>(request.table);
  store::ListStreamsResponse all;
  do {
    store::ListStreamsRequest next = request;
    CO_ASSIGN_OR_RETURN(store::ListStreamsResponse page, co_await store_.ListStreams(std::move(next)));
    for (store::StreamId& stream : page.streams) {
      if (!IsReserved(stream.table)) all.streams.push_back(std::move(stream));
    }
    request.exclusive_start = all.last_evaluated = std::move(page.last_evaluated);
    request.limit = std::max<size_t>(1, request.limit - std::min(request.limit, all.streams.size()));
  } while (all.last_evaluated && IsReserved(all.last_evaluated->table));
  co_return all;
}

Task<Result<store::StreamDescription>> ReservedTablesStore::DescribeStream(store::StreamId stream) {
  if (IsReserved(stream.table)) return Refuse<store::StreamDescription>(std::move(stream.table));
  return store_.DescribeStream(std::move(stream));
}

Task<Result<store::ShardPosition>> ReservedTablesStore::GetShardPosition(
    store::GetShardPositionRequest request) {
  if (IsReserved(request.stream.table)) return Refuse<store::ShardPosition>(request.stream.table);
  return store_.GetShardPosition(std::move(request));
}

Task<Result<store::GetRecordsResponse>> ReservedTablesStore::GetRecords(store::GetRecordsRequest request) {
  if (IsReserved(request.position.stream.table))
    return Refuse<store::GetRecordsResponse>(request.position.stream.table);
  return store_.GetRecords(std::move(request));
}

// Backups.

Task<Result<store::BackupDescription>> ReservedTablesStore::CreateBackup(store::CreateBackupRequest request) {
  if (IsReserved(request.table)) return Refuse<store::BackupDescription>(request.table);
  return store_.CreateBackup(std::move(request));
}

Task<Result<store::BackupDescription>> ReservedTablesStore::DescribeBackup(store::BackupId backup) {
  if (IsReserved(backup.table)) return Refuse<store::BackupDescription>(std::move(backup.table));
  return store_.DescribeBackup(std::move(backup));
}

Task<Result<store::BackupDescription>> ReservedTablesStore::DeleteBackup(store::BackupId backup) {
  if (IsReserved(backup.table)) return Refuse<store::BackupDescription>(std::move(backup.table));
  return store_.DeleteBackup(std::move(backup));
}

Task<Result<store::ListBackupsResponse>> ReservedTablesStore::ListBackups(store::ListBackupsRequest request) {
  if (IsReserved(request.table)) co_return co_await Refuse<store::ListBackupsResponse>(request.table);
  CO_ASSIGN_OR_RETURN(store::ListBackupsResponse page, co_await store_.ListBackups(std::move(request)));
  std::erase_if(page.backups, [this](const store::BackupDescription& backup) {
    return IsReserved(backup.table.definition.name);
  });
  co_return page;
}

Task<Result<TableDescription>> ReservedTablesStore::RestoreTableFromBackup(
    store::RestoreTableRequest request) {
  if (IsReserved(request.backup.table)) return Refuse<TableDescription>(request.backup.table);
  if (IsReserved(request.target_table)) return Refuse<TableDescription>(request.target_table);
  return store_.RestoreTableFromBackup(std::move(request));
}

}  // namespace cairn::dynamodb
