// GetItem, BatchGetItem and TransactGetItems: items by key. Each call reads one snapshot.
#include <set>

#include "base/slice.h"
#include "engine/engine.h"
#include "engine/internal/capacity.h"
#include "engine/internal/catalog.h"
#include "engine/internal/database.h"
#include "engine/internal/key_paths.h"
#include "expr/projection.h"
#include "item/key_schema.h"

namespace cairn::engine {
namespace {

using internal::Family;
using internal::Multiplier;
using internal::TableRef;
using item::PackedItem;

Result<std::optional<PackedItem>> Read(const internal::Database& database, const std::string& key,
                                       const internal::SnapshotRef& snapshot = nullptr) {
  ASSIGN_OR_RETURN(std::optional<std::string> bytes, database.Get(Family::kItems, key, snapshot));
  if (!bytes) return std::optional<PackedItem>();
  return std::optional<PackedItem>(PackedItem::Trusted(*std::move(bytes)));
}

PackedItem Projected(PackedItem item, const std::optional<expr::Projection>& projection) {
  if (!projection) return item;
  return PackedItem::Pack(
      expr::Project(*projection, item.UnpackSorted(expr::ReferencedAttributes(*projection))));
}

size_t BytesOf(const std::optional<PackedItem>& item) { return item ? item->ItemBytes() : 0; }

}  // namespace

Task<Result<store::GetItemResponse>> Engine::GetItem(store::GetItemRequest request) {
  CO_ASSIGN_OR_RETURN(const TableRef table, catalog_->Find(request.table));
  CO_RETURN_IF_ERROR(item::ValidateKey(table->key_schema(), request.key));
  CO_RETURN_IF_ERROR(internal::CheckKeyPaths(*table, request.projection));
  CO_ASSIGN_OR_RETURN(std::optional<PackedItem> found,
                      Read(*database_, internal::ItemKey(*table, request.key)));
  store::GetItemResponse response;
  if (request.return_capacity != store::ReturnCapacity::kNone) {
    const double units = internal::ReadUnits(BytesOf(found), request.consistency, Multiplier::kPlain);
    response.capacity = internal::ReadCapacity(*table, units);
  }
  if (found) response.item = Projected(*std::move(found), request.projection);
  co_return response;
}

Task<Result<store::BatchGetItemResponse>> Engine::BatchGetItem(store::BatchGetItemRequest request) {
  struct Prepared {
    TableRef table;
    std::vector<std::string> keys;
  };
  std::vector<Prepared> prepared;
  for (const store::BatchGetTable& wanted : request.tables) {
    CO_ASSIGN_OR_RETURN(TableRef table, catalog_->Find(wanted.table));
    CO_RETURN_IF_ERROR(internal::CheckKeyPaths(*table, wanted.projection));
    std::vector<std::string> keys;
    std::set<std::string> seen;
    for (const item::Item& key : wanted.keys) {
      CO_RETURN_IF_ERROR(item::ValidateKey(table->key_schema(), key));
      keys.push_back(internal::ItemKey(*table, key));
      if (!seen.insert(keys.back()).second) {
        co_return Fail(Invalid("Provided list of item keys contains duplicates"));
      }
    }
    prepared.push_back({std::move(table), std::move(keys)});
  }

  const internal::SnapshotRef snapshot = database_->Snapshot();
  store::BatchGetItemResponse response;
  size_t bytes = 0;
  for (size_t t = 0; t < prepared.size(); ++t) {
    const store::BatchGetTable& wanted = request.tables[t];
    std::vector<PackedItem> items;
    std::vector<size_t> unprocessed;
    double units = 0;
    for (size_t k = 0; k < prepared[t].keys.size(); ++k) {
      if (bytes > store::kBatchBytesMax) {
        unprocessed.push_back(k);
        continue;
      }
      CO_ASSIGN_OR_RETURN(std::optional<PackedItem> found, Read(*database_, prepared[t].keys[k], snapshot));
      if (bytes + BytesOf(found) > store::kBatchBytesMax) {
        bytes = store::kBatchBytesMax + 1;  // the answer is full: the rest is left for the next call
        unprocessed.push_back(k);
        continue;
      }
      bytes += BytesOf(found);
      units += internal::ReadUnits(BytesOf(found), wanted.consistency, Multiplier::kPlain);
      if (found) items.push_back(Projected(*std::move(found), wanted.projection));
      co_await Breathe();
    }
    response.items.push_back(std::move(items));
    response.unprocessed_keys.push_back(std::move(unprocessed));
    if (request.return_capacity != store::ReturnCapacity::kNone) {
      internal::AddCapacity(response.capacity, internal::ReadCapacity(*prepared[t].table, units));
    }
  }
  co_return response;
}

Task<Result<store::TransactGetItemsResponse, store::TransactionFailure>> Engine::TransactGetItems(
    store::TransactGetItemsRequest request) {
  std::vector<TableRef> tables;
  std::vector<store::CancellationReason> reasons(request.gets.size());
  bool refused = false;
  for (size_t i = 0; i < request.gets.size(); ++i) {
    CO_ASSIGN_OR_RETURN(TableRef table, catalog_->Find(request.gets[i].table));
    auto valid = item::ValidateKey(table->key_schema(), request.gets[i].key);
    if (valid) valid = internal::CheckKeyPaths(*table, request.gets[i].projection);
    if (!valid) {
      reasons[i].error = std::move(valid).error();
      refused = true;
    }
    tables.push_back(std::move(table));
  }
  if (refused) {
    Error error{Code::kTransactionCanceled, "Transaction cancelled"};
    co_return std::unexpected(store::TransactionFailure(std::move(error), std::move(reasons)));
  }
  std::set<std::string> seen;
  for (size_t i = 0; i < request.gets.size(); ++i) {
    if (!seen.insert(internal::ItemKey(*tables[i], request.gets[i].key)).second) {
      co_return Fail(Invalid("Transaction request cannot include multiple operations on one item"));
    }
  }

  const internal::SnapshotRef snapshot = database_->Snapshot();
  store::TransactGetItemsResponse response;
  size_t bytes = 0;
  for (size_t i = 0; i < request.gets.size(); ++i) {
    const store::TransactGet& get = request.gets[i];
    const std::string key = internal::ItemKey(*tables[i], get.key);
    CO_ASSIGN_OR_RETURN(std::optional<PackedItem> found, Read(*database_, key, snapshot));
    bytes += BytesOf(found);
    if (request.return_capacity != store::ReturnCapacity::kNone) {
      const double units =
          internal::ReadUnits(BytesOf(found), store::Consistency::kStrong, Multiplier::kTransaction);
      internal::AddCapacity(response.capacity, internal::ReadCapacity(*tables[i], units));
    }
    if (found) found = Projected(*std::move(found), get.projection);
    // Unlike GetItem, which answers an empty item.
    if (get.projection && found && found->ItemBytes() == 0) found.reset();
    response.items.push_back(std::move(found));
    co_await Breathe();
  }
  if (bytes > store::kTransactBytesMax) {
    co_return Fail(Invalid("Aggregated size of all items in the transaction has exceeded the 4 MB limit"));
  }
  co_return response;
}

}  // namespace cairn::engine
