// The data-plane verbs: requests and responses. Plain data; expressions arrive parsed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/projection.h"
#include "expr/update.h"
#include "item/attribute_value.h"
#include "item/packed_item.h"

namespace cairn::store {

inline constexpr size_t kPageBytesMax = 1024 * 1024;
inline constexpr size_t kBatchGetKeysMax = 100;
inline constexpr size_t kBatchWriteItemsMax = 25;
inline constexpr size_t kBatchBytesMax = 16 * 1024 * 1024;
inline constexpr size_t kTransactActionsMax = 100;
inline constexpr size_t kTransactBytesMax = 4 * 1024 * 1024;

enum class Consistency { kEventual, kStrong };
enum class ReturnCapacity { kNone, kTotal, kIndexes };
enum class ReturnValues { kNone, kAllOld, kUpdatedOld, kAllNew, kUpdatedNew };
enum class OnConditionFailure { kReturnNothing, kReturnOldItem };
enum class CollectionMetrics { kNone, kSize };
enum class Order { kAscending, kDescending };
enum class Select { kAllAttributes, kAllProjectedAttributes, kCount, kSpecificAttributes };

struct CapacityUnits {
  double read = 0;
  double write = 0;
  double total() const { return read + write; }
};

// What one request used of one table.
struct ConsumedCapacity {
  std::string table;
  CapacityUnits table_units;  // without indexes
  std::map<std::string, CapacityUnits> local_indexes;
  std::map<std::string, CapacityUnits> global_indexes;
  CapacityUnits Total() const;
};

// The collection (all items of one partition key) of a table with local indexes.
struct ItemCollection {
  item::Item partition_key;
  double size_gb_low = 0;
  double size_gb_high = 0;
};

struct GetItemRequest {
  std::string table;
  item::Item key;
  Consistency consistency = Consistency::kEventual;
  std::optional<expr::Projection> projection;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};
struct GetItemResponse {
  std::optional<item::PackedItem> item;
  std::optional<ConsumedCapacity> capacity;
};

struct PutItemRequest {
  std::string table;
  item::Item item;
  expr::ConditionPtr condition;                      // null: unconditional
  ReturnValues return_values = ReturnValues::kNone;  // kNone or kAllOld
  OnConditionFailure on_condition_failure = OnConditionFailure::kReturnNothing;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  CollectionMetrics collection_metrics = CollectionMetrics::kNone;
};

struct DeleteItemRequest {
  std::string table;
  item::Item key;
  expr::ConditionPtr condition;
  ReturnValues return_values = ReturnValues::kNone;  // kNone or kAllOld
  OnConditionFailure on_condition_failure = OnConditionFailure::kReturnNothing;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  CollectionMetrics collection_metrics = CollectionMetrics::kNone;
};

struct UpdateItemRequest {
  std::string table;
  item::Item key;
  expr::Update update;  // may be empty: creates the item with its key only
  expr::ConditionPtr condition;
  ReturnValues return_values = ReturnValues::kNone;
  OnConditionFailure on_condition_failure = OnConditionFailure::kReturnNothing;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  CollectionMetrics collection_metrics = CollectionMetrics::kNone;
};

// Answer of PutItem, DeleteItem and UpdateItem.
struct WriteResponse {
  std::optional<item::PackedItem> attributes;  // as return_values asked
  std::optional<ConsumedCapacity> capacity;
  std::optional<ItemCollection> collection;
};

// A failed write; with kConditionFailed and kReturnOldItem the item as it is.
struct WriteFailure {
  Error error;
  std::optional<item::PackedItem> existing = std::nullopt;

  WriteFailure(Error e) : error(std::move(e)) {}
  WriteFailure(Error e, std::optional<item::PackedItem> old)
      : error(std::move(e)), existing(std::move(old)) {}
};

// Query and Scan answer with pages.
struct PageRequest {
  std::string table;
  std::optional<std::string> index;
  expr::ConditionPtr filter;
  std::optional<expr::Projection> projection;
  std::optional<Select> select;
  std::optional<int64_t> limit;  // items inspected, before the filter
  std::optional<item::Item> exclusive_start_key;
  Consistency consistency = Consistency::kEventual;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};
struct QueryRequest : PageRequest {
  expr::KeyCondition key_condition;
  Order order = Order::kAscending;
};
struct ScanRequest : PageRequest {
  int64_t segment = 0;
  int64_t total_segments = 1;
};
struct PageResponse {
  std::vector<item::PackedItem> items;  // empty with Select::kCount
  int64_t count = 0;                    // items that passed the filter
  int64_t scanned_count = 0;
  std::optional<item::Item> last_evaluated_key;
  std::optional<ConsumedCapacity> capacity;
};

struct BatchGetTable {
  std::string table;
  std::vector<item::Item> keys;
  Consistency consistency = Consistency::kEventual;
  std::optional<expr::Projection> projection;
};
struct BatchGetItemRequest {
  std::vector<BatchGetTable> tables;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};
struct BatchGetItemResponse {
  std::vector<std::vector<item::PackedItem>> items;   // one list per table of the request, in its order
  std::vector<std::vector<size_t>> unprocessed_keys;  // positions in each table's keys
  std::vector<ConsumedCapacity> capacity;
};

struct BatchPut {
  item::Item item;
};
// The same for an item that is packed already: a store that keeps packed items need not build it.
struct BatchPutPacked {
  item::PackedItem item;
};
struct BatchDelete {
  item::Item key;
};
using BatchWriteAction = std::variant<BatchPut, BatchPutPacked, BatchDelete>;
struct BatchWriteTable {
  std::string table;
  std::vector<BatchWriteAction> actions;
};
struct BatchWriteItemRequest {
  std::vector<BatchWriteTable> tables;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  CollectionMetrics collection_metrics = CollectionMetrics::kNone;
};
struct BatchWriteItemResponse {
  std::vector<std::vector<size_t>> unprocessed;  // positions in each table's actions
  std::vector<ConsumedCapacity> capacity;
  std::map<std::string, std::vector<ItemCollection>> collections;  // by table
};

struct TransactGet {
  std::string table;
  item::Item key;
  std::optional<expr::Projection> projection;
};
struct TransactGetItemsRequest {
  std::vector<TransactGet> gets;
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
};
struct TransactGetItemsResponse {
  std::vector<std::optional<item::PackedItem>> items;
  std::vector<ConsumedCapacity> capacity;
};

struct ConditionCheck {
  std::string table;
  item::Item key;
  expr::ConditionPtr condition;
};
struct TransactPut {
  std::string table;
  item::Item item;
  expr::ConditionPtr condition;
};
struct TransactDelete {
  std::string table;
  item::Item key;
  expr::ConditionPtr condition;
};
struct TransactUpdate {
  std::string table;
  item::Item key;
  expr::Update update;
  expr::ConditionPtr condition;
};
struct TransactAction {
  std::variant<ConditionCheck, TransactPut, TransactDelete, TransactUpdate> action;
  OnConditionFailure on_condition_failure = OnConditionFailure::kReturnNothing;
};
struct TransactWriteItemsRequest {
  std::vector<TransactAction> actions;
  std::string client_token;       // empty: none
  std::string token_fingerprint;  // hash of the request; another one with the same token is a mismatch
  ReturnCapacity return_capacity = ReturnCapacity::kNone;
  CollectionMetrics collection_metrics = CollectionMetrics::kNone;
};
struct TransactWriteItemsResponse {
  std::vector<ConsumedCapacity> capacity;
  std::map<std::string, std::vector<ItemCollection>> collections;  // by table
};

// Why one action of a canceled transaction did not go through; an action without fault has no error.
struct CancellationReason {
  std::optional<Error> error;
  std::optional<item::PackedItem> existing;
};
// `reasons` is filled for kTransactionCanceled, in the order of the actions.
struct TransactionFailure {
  Error error;
  std::vector<CancellationReason> reasons = {};

  TransactionFailure(Error e) : error(std::move(e)) {}
  TransactionFailure(Error e, std::vector<CancellationReason> r)
      : error(std::move(e)), reasons(std::move(r)) {}
};

}  // namespace cairn::store
