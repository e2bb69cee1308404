// MemoryStore: the item verbs of a Store on plain maps, for tests of what runs above a store. One thread, no
// limits, no capacity beyond one unit per call; every verb that statements do not need is unavailable.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "expr/condition.h"
#include "expr/projection.h"
#include "item/key_bytes.h"
#include "store/store.h"

namespace cairn::partiql {

class MemoryStore : public store::Store {
 public:
  void AddTable(store::TableDefinition definition) {
    Table& table = tables_[definition.name];
    table.description.definition = std::move(definition);
  }
  void Put(const std::string& table, const item::Item& item) {
    tables_.at(table).rows[KeyBytes(Schema(table), item)] = item;
  }
  const item::Item* Find(const std::string& table, const item::Item& key) const {
    const auto& rows = tables_.at(table).rows;
    const auto row = rows.find(KeyBytes(Schema(table), key));
    return row == rows.end() ? nullptr : &row->second;
  }
  int calls = 0;  // of the verbs that read or write items

  Task<Result<store::GetItemResponse>> GetItem(store::GetItemRequest request) override {
    ++calls;
    store::GetItemResponse response{.capacity = Capacity(request.table, request.return_capacity)};
    if (const item::Item* item = Find(request.table, request.key)) {
      response.item = Projected(request.projection, *item);
    }
    co_return response;
  }

  Task<Result<store::WriteResponse, store::WriteFailure>> PutItem(store::PutItemRequest request) override {
    ++calls;
    const auto change = [&](const item::Item&) -> Result<item::Item> { return request.item; };
    co_return Write(request, item::KeyOf(Schema(request.table), request.item), {}, change);
  }
  Task<Result<store::WriteResponse, store::WriteFailure>> UpdateItem(
      store::UpdateItemRequest request) override {
    ++calls;
    const auto change = [&](const item::Item& old) { return expr::ApplyUpdate(request.update, old); };
    co_return Write(request, request.key, expr::UpdatedPaths(request.update), change);
  }
  Task<Result<store::WriteResponse, store::WriteFailure>> DeleteItem(
      store::DeleteItemRequest request) override {
    ++calls;
    const auto change = [](const item::Item&) -> Result<item::Item> { return item::Item(); };
    co_return Write(request, request.key, {}, change);
  }

  Task<Result<store::PageResponse>> Query(store::QueryRequest request) override {
    ++calls;
    const item::KeySchema& schema = Schema(request.table, request.index);
    CO_ASSIGN_OR_RETURN(const auto bound, expr::BindKeyCondition(request.key_condition, schema));
    const expr::KeyRange range = expr::SortRange(bound);
    const auto in_range = [&](const item::Item& item) {
      for (size_t i = 0; i < schema.partition.size(); ++i) {
        if (*item.Find(schema.partition[i].name) != bound.partition[i]) return false;
      }
      std::string sort;
      item::AppendSort(sort, schema, item);
      return sort >= range.start && (range.end.empty() || sort < range.end);
    };
    co_return ReadPage(request, in_range, request.order);
  }
  Task<Result<store::PageResponse>> Scan(store::ScanRequest request) override {
    ++calls;
    co_return ReadPage(
        request, [](const item::Item&) { return true; }, store::Order::kAscending);
  }

  Task<Result<store::TransactGetItemsResponse, store::TransactionFailure>> TransactGetItems(
      store::TransactGetItemsRequest request) override {
    ++calls;
    store::TransactGetItemsResponse response;
    for (const store::TransactGet& get : request.gets) {
      const item::Item* item = Find(get.table, get.key);
      response.items.push_back(item ? std::optional(Projected(get.projection, *item)) : std::nullopt);
    }
    co_return response;
  }
  // Conditions of all actions first, then all changes.
  Task<Result<store::TransactWriteItemsResponse, store::TransactionFailure>> TransactWriteItems(
      store::TransactWriteItemsRequest request) override {
    ++calls;
    last_transaction = request;
    std::vector<store::CancellationReason> reasons(request.actions.size());
    bool canceled = false;
    for (size_t i = 0; i < request.actions.size(); ++i) {
      if (std::visit([&](const auto& action) { return Holds(action); }, request.actions[i].action)) continue;
      reasons[i].error = Error{Code::kConditionFailed, "The conditional request failed"};
      canceled = true;
    }
    if (canceled) {
      co_return std::unexpected(
          store::TransactionFailure({Code::kTransactionCanceled, ""}, std::move(reasons)));
    }
    for (const store::TransactAction& action : request.actions) {
      std::visit([&](const auto& a) { Apply(a); }, action.action);
    }
    co_return store::TransactWriteItemsResponse{};
  }
  store::TransactWriteItemsRequest last_transaction;

  Task<Result<store::TableDescription>> DescribeTable(std::string table) override {
    const auto found = tables_.find(table);
    if (found == tables_.end()) {
      co_return Fail(Code::kResourceNotFound, "Requested resource not found: Table: " + table + " not found");
    }
    co_return found->second.description;
  }

  template <class T>
  Task<Result<T>> NotHere() {
    co_return Fail(Code::kUnavailable, "not in this test");
  }
  Task<Result<store::BatchGetItemResponse>> BatchGetItem(store::BatchGetItemRequest) override {
    return NotHere<store::BatchGetItemResponse>();
  }
  Task<Result<store::BatchWriteItemResponse>> BatchWriteItem(store::BatchWriteItemRequest) override {
    return NotHere<store::BatchWriteItemResponse>();
  }
  Task<Result<store::TableDescription>> CreateTable(store::TableDefinition) override {
    return NotHere<store::TableDescription>();
  }
  Task<Result<store::TableDescription>> UpdateTable(store::UpdateTableRequest) override {
    return NotHere<store::TableDescription>();
  }
  Task<Result<store::TableDescription>> DeleteTable(std::string) override {
    return NotHere<store::TableDescription>();
  }
  Task<Result<store::ListTablesResponse>> ListTables(store::ListTablesRequest) override {
    return NotHere<store::ListTablesResponse>();
  }
  Task<Result<store::TimeToLive>> UpdateTimeToLive(store::UpdateTimeToLiveRequest) override {
    return NotHere<store::TimeToLive>();
  }
  Task<Result<store::TimeToLive>> DescribeTimeToLive(std::string) override {
    return NotHere<store::TimeToLive>();
  }
  Task<Status> TagTable(std::string, std::map<std::string, std::string>) override { return NotHere<void>(); }
  Task<Status> UntagTable(std::string, std::vector<std::string>) override { return NotHere<void>(); }
  Task<Result<store::ListStreamsResponse>> ListStreams(store::ListStreamsRequest) override {
    return NotHere<store::ListStreamsResponse>();
  }
  Task<Result<store::StreamDescription>> DescribeStream(store::StreamId) override {
    return NotHere<store::StreamDescription>();
  }
  Task<Result<store::ShardPosition>> GetShardPosition(store::GetShardPositionRequest) override {
    return NotHere<store::ShardPosition>();
  }
  Task<Result<store::GetRecordsResponse>> GetRecords(store::GetRecordsRequest) override {
    return NotHere<store::GetRecordsResponse>();
  }
  Task<Result<store::BackupDescription>> CreateBackup(store::CreateBackupRequest) override {
    return NotHere<store::BackupDescription>();
  }
  Task<Result<store::BackupDescription>> DescribeBackup(store::BackupId) override {
    return NotHere<store::BackupDescription>();
  }
  Task<Result<store::BackupDescription>> DeleteBackup(store::BackupId) override {
    return NotHere<store::BackupDescription>();
  }
  Task<Result<store::ListBackupsResponse>> ListBackups(store::ListBackupsRequest) override {
    return NotHere<store::ListBackupsResponse>();
  }
  Task<Result<store::TableDescription>> RestoreTableFromBackup(store::RestoreTableRequest) override {
    return NotHere<store::TableDescription>();
  }

 private:
  struct Table {
    store::TableDescription description;
    std::map<std::string, item::Item> rows;  // by key bytes
  };

  const item::KeySchema& Schema(const std::string& table,
                                const std::optional<std::string>& index = {}) const {
    const store::TableDefinition& definition = tables_.at(table).description.definition;
    for (const store::IndexDefinition& candidate : definition.indexes) {
      if (index && candidate.name == *index) return candidate.key_schema;
    }
    return definition.key_schema;
  }

  static std::string KeyBytes(const item::KeySchema& schema, const item::Item& item) {
    std::string bytes;
    item::AppendPartition(bytes, schema, item);
    item::AppendSort(bytes, schema, item);
    return bytes;
  }

  static std::optional<store::ConsumedCapacity> Capacity(const std::string& table,
                                                         store::ReturnCapacity detail) {
    if (detail == store::ReturnCapacity::kNone) return std::nullopt;
    return store::ConsumedCapacity{.table = table, .table_units = {.read = 1}};
  }

  static item::PackedItem Projected(const std::optional<expr::Projection>& projection,
                                    const item::Item& item) {
    return item::PackedItem::Pack(projection ? expr::Project(*projection, item) : item);
  }

  // `change` gives the new item; an empty one means that nothing stays.
  template <class Request, class Change>
  Result<store::WriteResponse, store::WriteFailure> Write(const Request& request, const item::Item& key,
                                                          std::vector<expr::DocumentPath> paths,
                                                          Change change) {
    const item::Item* found = Find(request.table, key);
    const item::Item old = found ? *found : item::Item();
    if (request.condition && !expr::EvaluateCondition(*request.condition, old)) {
      std::optional<item::PackedItem> existing;
      if (found && request.on_condition_failure == store::OnConditionFailure::kReturnOldItem) {
        existing = item::PackedItem::Pack(old);
      }
      return std::unexpected(store::WriteFailure({Code::kConditionFailed, "The conditional request failed"},
                                                 std::move(existing)));
    }
    Result<item::Item> changed = change(old);
    if (!changed) return std::unexpected(store::WriteFailure(changed.error()));
    auto& rows = tables_.at(request.table).rows;
    if (changed->empty()) {
      rows.erase(KeyBytes(Schema(request.table), key));
    } else {
      for (const item::Attribute& attribute : key) changed->Set(attribute.name, attribute.value);
      rows[KeyBytes(Schema(request.table), key)] = *changed;
    }
    store::WriteResponse response{.capacity = Capacity(request.table, request.return_capacity)};
    const expr::Projection updated{std::move(paths)};
    switch (request.return_values) {
      case store::ReturnValues::kNone:
        break;
      case store::ReturnValues::kAllOld:
        if (found) response.attributes = item::PackedItem::Pack(old);
        break;
      case store::ReturnValues::kAllNew:
        response.attributes = item::PackedItem::Pack(*changed);
        break;
      case store::ReturnValues::kUpdatedOld:
        response.attributes = Projected(updated, old);
        break;
      case store::ReturnValues::kUpdatedNew:
        response.attributes = Projected(updated, *changed);
        break;
    }
    return response;
  }

  template <class InRange>
  store::PageResponse ReadPage(const store::PageRequest& request, InRange in_range,
                               store::Order order) const {
    const item::KeySchema& schema = Schema(request.table, request.index);
    const item::KeySchema& table_schema = Schema(request.table);
    std::vector<std::pair<std::string, const item::Item*>> rows;
    const auto order_bytes = [&](const item::Item& item) {
      return KeyBytes(schema, item) + KeyBytes(table_schema, item);
    };
    for (const auto& [bytes, item] : tables_.at(request.table).rows) {
      if (item::HasKey(schema, item) && in_range(item)) rows.emplace_back(order_bytes(item), &item);
    }
    const bool descending = order == store::Order::kDescending;
    std::ranges::sort(rows);
    if (descending) std::ranges::reverse(rows);
    store::PageResponse page{.capacity = Capacity(request.table, request.return_capacity)};
    for (const auto& [bytes, item] : rows) {
      if (request.exclusive_start_key) {
        const std::string start = order_bytes(*request.exclusive_start_key);
        if (descending ? bytes >= start : bytes <= start) continue;
      }
      ++page.scanned_count;
      if (!request.filter || expr::EvaluateCondition(*request.filter, *item)) {
        page.items.push_back(Projected(request.projection, *item));
        ++page.count;
      }
      if (request.limit && page.scanned_count == *request.limit) {
        page.last_evaluated_key = item::KeyOf(schema, *item);
        for (const item::Attribute& attribute : item::KeyOf(table_schema, *item)) {
          page.last_evaluated_key->Set(attribute.name, attribute.value);
        }
        break;
      }
    }
    return page;
  }

  template <class Action>
  bool Holds(const Action& action) const {
    if (!action.condition) return true;
    const item::Item* item = Find(action.table, KeyOf(action));
    return expr::EvaluateCondition(*action.condition, item ? *item : item::Item());
  }
  item::Item KeyOf(const store::TransactPut& put) const { return item::KeyOf(Schema(put.table), put.item); }
  template <class Action>
  item::Item KeyOf(const Action& action) const {
    return action.key;
  }

  void Apply(const store::ConditionCheck&) {}
  void Apply(const store::TransactPut& put) { Put(put.table, put.item); }
  void Apply(const store::TransactDelete& deletion) {
    tables_.at(deletion.table).rows.erase(KeyBytes(Schema(deletion.table), deletion.key));
  }
  void Apply(const store::TransactUpdate& update) {
    const item::Item* old = Find(update.table, update.key);
    Result<item::Item> changed = expr::ApplyUpdate(update.update, old ? *old : update.key);
    if (changed) Put(update.table, *changed);
  }

  std::map<std::string, Table> tables_;
};

}  // namespace cairn::partiql
