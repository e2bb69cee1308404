// LeadingKeysStore: a Store that does only what a limited access key may do (leading_keys.h), in front of the
// real one.
//
// Dispatch puts it under the operations of requests that such a key has signed; requests of other keys never
// meet it. Operations, PartiQL among them, reach data through Store's verbs only, so it is enough that every
// verb decides here, and a verb that is added to Store does not compile until it has:
//
// - A verb that the key's actions do not name is refused, also when a PartiQL statement comes down to it.
// - Item verbs: every partition key of the request must match a pattern, those of a whole batch or
//   transaction, of condition checks and of a Query's start key included. A request that names one other key,
//   or none, is refused with kAccessDenied before anything is done.
// - Query goes through the table, an index with the table's own partition key, or one that the limits name:
// then it
//   is the index's partition key that must match.
// - Scan, all verbs about tables, streams and backups are refused with kAccessDenied.
// - A key without leading keys has its tables as a whole: no key is asked for, and Scan and all indexes are
// its.
// - DescribeTable and ListTables know the limits' tables only, and tell nothing of others' items.
// - To every verb, other tables are not there: kResourceNotFound, in the words the engine has for it.
//
// Keeps no state. Which attribute is a table's partition key is asked of the store for every request, once
// per table: to know whether a remembered table is still the same one, it would have to be asked as well.
// What it does not notice is a table that is deleted and made again, with its key attributes swapped, between
// the question and the deed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/leading_keys.h"
#include "store/store.h"

namespace cairn::dynamodb {

class LeadingKeysStore final : public store::Store {
 public:
  // All three outlive this. Client tokens of transactions are kept apart by `access_key_id`: nobody can learn
  // which ones others have used, or use them up.
  LeadingKeysStore(store::Store& store, const LeadingKeys& limits, std::string_view access_key_id)
      : store_(store), limits_(limits), access_key_id_(access_key_id) {}

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
  // An item that a request names, by its key or as it shall be stored. Points into the request.
  struct Subject {
    const std::string* table;
    const item::Item* attributes;
  };
  using Subjects = std::vector<Subject>;

  // Whether `verb` is allowed and all subjects lie under leading keys; no subject at all is refused too.
  Task<Status> CheckRead(std::string_view verb, Subjects subjects);
  // The same, by an access key that may write.
  Task<Status> CheckWrite(std::string_view verb, Subjects subjects);
  Status CheckKey(const item::AttributeValue* partition_key) const;  // null: absent
  Status CheckQuery(const store::TableDescription& table, const store::QueryRequest& request) const;

  // The description of one of the limits' tables, for the item verbs.
  Task<Result<store::TableDescription>> Open(std::string table);

  store::Store& store_;
  const LeadingKeys& limits_;
  const std::string_view access_key_id_;
};

}  // namespace cairn::dynamodb
