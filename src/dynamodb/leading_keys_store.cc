#include "dynamodb/leading_keys_store.h"

#include <algorithm>
#include <deque>
#include <map>

#include "expr/key_condition.h"

namespace cairn::dynamodb {
namespace {

using store::TableDescription;

template <class Response>
Task<Result<Response>> Refuse(std::string_view operation) {
  co_return Fail(NotWithLeadingKeys(operation));
}

std::string TableNotFound(const std::string& table) {
  return "Requested resource not found: Table: " + table + " not found";
}

// What others' items could be told from, and what only concerns the owner of the table.
void KeepOwnBusiness(TableDescription& table) {
  table.item_count = 0;
  table.size_bytes = 0;
  for (store::IndexDescription& index : table.indexes) {
    index.item_count = 0;
    index.size_bytes = 0;
  }
  table.definition.tags.clear();
  table.restored_from_backup.clear();
  table.restored_from_table.clear();
  table.restored_at.reset();
}

// The attributes by which an action of a transaction names its item.
template <class Action>
const item::Item& Named(const Action& action) {
  return action.key;
}
const item::Item& Named(const store::TransactPut& put) { return put.item; }

// The key schema that a Query uses; null for an index whose partitions are neither the table's own nor
// granted.
const item::KeySchema* SchemaOf(const store::TableDefinition& table,
                                const std::optional<std::string>& index_name, const LeadingKeys& limits) {
  if (!index_name) return &table.key_schema;
  const auto index = std::ranges::find(table.indexes, *index_name, &store::IndexDefinition::name);
  if (index == table.indexes.end()) return nullptr;
  const bool own = index->key_schema.partition == table.key_schema.partition;
  return own || limits.indexes.contains(*index_name) ? &index->key_schema : nullptr;
}

Error ForeignIndex(const std::string& index) {
  return {Code::kAccessDenied,
          "This access key is limited to some leading keys and may not use the index " + index +
              ", whose partition key is another attribute than the table's, unless its credential names it "
              "among its indexes. Query the table itself or a local index."};
}

Error ForeignKey() {
  return {Code::kAccessDenied,
          "This access key is limited to some leading keys, and the request has a partition key that is none "
          "of them, or no partition key at all. Nothing was done; use partition keys of your own only."};
}

Error ReadOnly() { return {Code::kAccessDenied, "This access key may only read. Nothing was done."}; }

}  // namespace

// How the subjects are checked.

Status LeadingKeysStore::CheckKey(const item::AttributeValue* partition_key) const {
  if (limits_.whole_tables()) return {};
  if (partition_key && limits_.Match(*partition_key)) return {};
  return Fail(ForeignKey());
}

Task<Result<TableDescription>> LeadingKeysStore::Open(std::string table) {
  if (limits_.tables.contains(table)) {
    auto description = co_await store_.DescribeTable(std::move(table));
    if (description || description.error().code != Code::kResourceNotFound) co_return description;
  }
  co_return Fail(Code::kResourceNotFound, "Requested resource not found");
}

Task<Status> LeadingKeysStore::CheckRead(std::string_view verb, Subjects subjects) {
  if (!limits_.Permits(verb)) co_return Fail(NotAmongActions(verb));
  if (subjects.empty()) co_return Fail(ForeignKey());       // of no keys at all, every one would match
  std::map<std::string_view, std::string> partition_names;  // by table
  for (const Subject& subject : subjects) {
    auto known = partition_names.find(*subject.table);
    if (known == partition_names.end()) {
      CO_ASSIGN_OR_RETURN(TableDescription table, co_await Open(*subject.table));
      std::string& name = table.definition.key_schema.partition.front().name;
      known = partition_names.emplace(*subject.table, std::move(name)).first;
    }
    CO_RETURN_IF_ERROR(CheckKey(subject.attributes->Find(known->second)));
  }
  co_return Status();
}

Task<Status> LeadingKeysStore::CheckWrite(std::string_view verb, Subjects subjects) {
  if (limits_.access != Access::kWrite) co_return Fail(ReadOnly());
  co_return co_await CheckRead(verb, std::move(subjects));
}

Status LeadingKeysStore::CheckQuery(const TableDescription& table, const store::QueryRequest& request) const {
  if (limits_.whole_tables()) return {};
  const item::KeySchema* schema = SchemaOf(table.definition, request.index, limits_);
  if (!schema) return Fail(ForeignIndex(*request.index));
  // Bound as the engine binds it, so that what is checked is what will be read.
  ASSIGN_OR_RETURN(const expr::BoundKeyCondition bound,
                   expr::BindKeyCondition(request.key_condition, *schema));
  RETURN_IF_ERROR(CheckKey(&bound.partition.front()));
  if (!request.exclusive_start_key) return {};
  return CheckKey(request.exclusive_start_key->Find(schema->partition.front().name));
}

// Items.

Task<Result<store::GetItemResponse>> LeadingKeysStore::GetItem(store::GetItemRequest request) {
  Subjects subjects = {{&request.table, &request.key}};
  CO_RETURN_IF_ERROR(co_await CheckRead("GetItem", std::move(subjects)));
  co_return co_await store_.GetItem(std::move(request));
}

Task<Result<store::WriteResponse, store::WriteFailure>> LeadingKeysStore::PutItem(
    store::PutItemRequest request) {
  Subjects subjects = {{&request.table, &request.item}};
  CO_RETURN_IF_ERROR(co_await CheckWrite("PutItem", std::move(subjects)));
  co_return co_await store_.PutItem(std::move(request));
}

Task<Result<store::WriteResponse, store::WriteFailure>> LeadingKeysStore::UpdateItem(
    store::UpdateItemRequest request) {
  Subjects subjects = {{&request.table, &request.key}};
  CO_RETURN_IF_ERROR(co_await CheckWrite("UpdateItem", std::move(subjects)));
  co_return co_await store_.UpdateItem(std::move(request));
}

Task<Result<store::WriteResponse, store::WriteFailure>> LeadingKeysStore::DeleteItem(
    store::DeleteItemRequest request) {
  Subjects subjects = {{&request.table, &request.key}};
  CO_RETURN_IF_ERROR(co_await CheckWrite("DeleteItem", std::move(subjects)));
  co_return co_await store_.DeleteItem(std::move(request));
}

Task<Result<store::PageResponse>> LeadingKeysStore::Query(store::QueryRequest request) {
  if (!limits_.Permits("Query")) co_return Fail(NotAmongActions("Query"));
  CO_ASSIGN_OR_RETURN(const TableDescription table, co_await Open(request.table));
  CO_RETURN_IF_ERROR(CheckQuery(table, request));
  co_return co_await store_.Query(std::move(request));
}

Task<Result<store::PageResponse>> LeadingKeysStore::Scan(store::ScanRequest request) {
  if (!limits_.whole_tables()) co_return Fail(NotWithLeadingKeys("Scan"));
  if (!limits_.Permits("Scan")) co_return Fail(NotAmongActions("Scan"));
  CO_RETURN_IF_ERROR(co_await Open(request.table));
  co_return co_await store_.Scan(std::move(request));
}

Task<Result<store::BatchGetItemResponse>> LeadingKeysStore::BatchGetItem(store::BatchGetItemRequest request) {
  Subjects subjects;
  for (const store::BatchGetTable& table : request.tables) {
    for (const item::Item& key : table.keys) subjects.push_back({&table.table, &key});
  }
  CO_RETURN_IF_ERROR(co_await CheckRead("BatchGetItem", std::move(subjects)));
  co_return co_await store_.BatchGetItem(std::move(request));
}

Task<Result<store::BatchWriteItemResponse>> LeadingKeysStore::BatchWriteItem(
    store::BatchWriteItemRequest request) {
  Subjects subjects;
  std::deque<item::Item> unpacked;
  for (const store::BatchWriteTable& table : request.tables) {
    for (const store::BatchWriteAction& action : table.actions) {
      const item::Item* subject = nullptr;
      if (const auto* put = std::get_if<store::BatchPut>(&action)) {
        subject = &put->item;
      } else if (const auto* packed = std::get_if<store::BatchPutPacked>(&action)) {
        subject = &unpacked.emplace_back(packed->item.Unpack());
      } else {
        subject = &std::get<store::BatchDelete>(action).key;
      }
      subjects.push_back({&table.table, subject});
    }
  }
  CO_RETURN_IF_ERROR(co_await CheckWrite("BatchWriteItem", std::move(subjects)));
  co_return co_await store_.BatchWriteItem(std::move(request));
}

Task<Result<store::TransactGetItemsResponse, store::TransactionFailure>> LeadingKeysStore::TransactGetItems(
    store::TransactGetItemsRequest request) {
  Subjects subjects;
  for (const store::TransactGet& get : request.gets) subjects.push_back({&get.table, &get.key});
  CO_RETURN_IF_ERROR(co_await CheckRead("TransactGetItems", std::move(subjects)));
  co_return co_await store_.TransactGetItems(std::move(request));
}

Task<Result<store::TransactWriteItemsResponse, store::TransactionFailure>>
LeadingKeysStore::TransactWriteItems(store::TransactWriteItemsRequest request) {
  Subjects subjects;
  for (const store::TransactAction& action : request.actions) {
    const auto subject_of = [](const auto& one) { return Subject{&one.table, &Named(one)}; };
    subjects.push_back(std::visit(subject_of, action.action));
  }
  CO_RETURN_IF_ERROR(co_await CheckWrite("TransactWriteItems", std::move(subjects)));
  // An access key id has no slash.
  if (!request.client_token.empty()) {
    request.client_token = std::string(access_key_id_) + "/" + request.client_token;
  }
  co_return co_await store_.TransactWriteItems(std::move(request));
}

// Tables.

Task<Result<TableDescription>> LeadingKeysStore::DescribeTable(std::string table) {
  if (!limits_.tables.contains(table)) co_return Fail(Code::kResourceNotFound, TableNotFound(table));
  CO_ASSIGN_OR_RETURN(TableDescription description, co_await store_.DescribeTable(std::move(table)));
  KeepOwnBusiness(description);
  co_return description;
}

Task<Result<store::ListTablesResponse>> LeadingKeysStore::ListTables(store::ListTablesRequest request) {
  store::ListTablesResponse response;
  for (auto name = limits_.tables.upper_bound(request.exclusive_start_name); name != limits_.tables.end();
       ++name) {
    const auto description = co_await store_.DescribeTable(*name);
    if (!description && description.error().code == Code::kResourceNotFound) continue;
    if (!description) co_return std::unexpected(description.error());
    if (response.names.size() == request.limit) {
      response.last_evaluated_name = response.names.back();
      break;
    }
    response.names.push_back(*name);
  }
  co_return response;
}

Task<Result<TableDescription>> LeadingKeysStore::CreateTable(store::TableDefinition) {
  return Refuse<TableDescription>("CreateTable");
}
Task<Result<TableDescription>> LeadingKeysStore::UpdateTable(store::UpdateTableRequest) {
  return Refuse<TableDescription>("UpdateTable");
}
Task<Result<TableDescription>> LeadingKeysStore::DeleteTable(std::string) {
  return Refuse<TableDescription>("DeleteTable");
}
Task<Result<store::TimeToLive>> LeadingKeysStore::UpdateTimeToLive(store::UpdateTimeToLiveRequest) {
  return Refuse<store::TimeToLive>("UpdateTimeToLive");
}
Task<Result<store::TimeToLive>> LeadingKeysStore::DescribeTimeToLive(std::string) {
  return Refuse<store::TimeToLive>("DescribeTimeToLive");
}
Task<Status> LeadingKeysStore::TagTable(std::string, std::map<std::string, std::string>) {
  return Refuse<void>("TagResource");
}
Task<Status> LeadingKeysStore::UntagTable(std::string, std::vector<std::string>) {
  return Refuse<void>("UntagResource");
}

// Streams carry the changes of all items, backups all items.

Task<Result<store::ListStreamsResponse>> LeadingKeysStore::ListStreams(store::ListStreamsRequest) {
  return Refuse<store::ListStreamsResponse>("ListStreams");
}
Task<Result<store::StreamDescription>> LeadingKeysStore::DescribeStream(store::StreamId) {
  return Refuse<store::StreamDescription>("DescribeStream");
}
Task<Result<store::ShardPosition>> LeadingKeysStore::GetShardPosition(store::GetShardPositionRequest) {
  return Refuse<store::ShardPosition>("GetShardIterator");
}
Task<Result<store::GetRecordsResponse>> LeadingKeysStore::GetRecords(store::GetRecordsRequest) {
  return Refuse<store::GetRecordsResponse>("GetRecords");
}
Task<Result<store::BackupDescription>> LeadingKeysStore::CreateBackup(store::CreateBackupRequest) {
  return Refuse<store::BackupDescription>("CreateBackup");
}
Task<Result<store::BackupDescription>> LeadingKeysStore::DescribeBackup(store::BackupId) {
  return Refuse<store::BackupDescription>("DescribeBackup");
}
Task<Result<store::BackupDescription>> LeadingKeysStore::DeleteBackup(store::BackupId) {
  return Refuse<store::BackupDescription>("DeleteBackup");
}
Task<Result<store::ListBackupsResponse>> LeadingKeysStore::ListBackups(store::ListBackupsRequest) {
  return Refuse<store::ListBackupsResponse>("ListBackups");
}
Task<Result<TableDescription>> LeadingKeysStore::RestoreTableFromBackup(store::RestoreTableRequest) {
  return Refuse<TableDescription>("RestoreTableFromBackup");
}

}  // namespace cairn::dynamodb
