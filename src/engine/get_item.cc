// GetItem, BatchGetItem and TransactGetItems: items by key. Each call reads one snapshot.
#include <algorithm>
#include <set>

#include "base/slice.h"
#include "engine/engine.h"
#include "engine/internal/capacity.h"
#include "engine/internal/catalog.h"
#include "engine/internal/database.h"
#include "engine/internal/key_paths.h"
#include "expr/projection.h"
#include "item/item_json_bytes.h"
#include "item/key_schema.h"
#include "store/answer_bytes.h"

namespace cairn::engine {
namespace {

using internal::Family;
using internal::Multiplier;
using internal::TableRef;
using item::JsonBytes;
using item::kJsonPerPackedByteMax;
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

// What the items of an answer take as JSON. They are measured only when they might take too much.
class AnswerBytes {
 public:
  void Add(const PackedItem& item) {
    bytes_ += is_measured_ ? JsonBytes(item) : kJsonPerPackedByteMax * item.bytes().size();
  }
  // `answer` calls what it is given with every item that was added.
  template <class Answer>
  bool IsFull(const Answer& answer) {
    if (bytes_ < store::kAnswerBytesMax) return false;
    if (!is_measured_) {
      is_measured_ = true;
      bytes_ = 0;
      answer([&](const PackedItem& item) { Add(item); });
    }
    return bytes_ >= store::kAnswerBytesMax;
  }

 private:
  size_t bytes_ = 0;
  bool is_measured_ = false;
};

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
  AnswerBytes answer_bytes;
  bool is_full = false;  // the rest is left for the next call
  const auto each_item = [&](const auto& visit) {
    for (const auto& items : response.items) std::ranges::for_each(items, visit);
  };
  for (size_t t = 0; t < prepared.size(); ++t) {
    const store::BatchGetTable& wanted = request.tables[t];
    std::vector<PackedItem>& items = response.items.emplace_back();
    std::vector<size_t>& unprocessed = response.unprocessed_keys.emplace_back();
    double units = 0;
    for (size_t k = 0; k < prepared[t].keys.size(); ++k) {
      if (is_full) {
        unprocessed.push_back(k);
        continue;
      }
      CO_ASSIGN_OR_RETURN(std::optional<PackedItem> found, Read(*database_, prepared[t].keys[k], snapshot));
      if (bytes + BytesOf(found) > store::kBatchBytesMax) {
        is_full = true;
        unprocessed.push_back(k);
        continue;
      }
      bytes += BytesOf(found);
      units += internal::ReadUnits(BytesOf(found), wanted.consistency, Multiplier::kPlain);
      if (found) {
        items.push_back(Projected(*std::move(found), wanted.projection));
        answer_bytes.Add(items.back());
        is_full = answer_bytes.IsFull(each_item);
      }
      co_await Breathe();
    }
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
  AnswerBytes answer_bytes;
  const auto each_item = [&](const auto& visit) {
    for (const auto& item : response.items) {
      if (item) visit(*item);
    }
  };
  for (size_t i = 0; i < request.gets.size(); ++i) {
    const store::TransactGet& get = request.gets[i];
    const std::string key = internal::ItemKey(*tables[i], get.key);
    CO_ASSIGN_OR_RETURN(std::optional<PackedItem> found, Read(*database_, key, snapshot));
    bytes += BytesOf(found);
    if (bytes > store::kTransactBytesMax) {
      co_return Fail(Invalid("Aggregated size of all items in the transaction has exceeded the 4 MB limit"));
    }
    if (request.return_capacity != store::ReturnCapacity::kNone) {
      const double units =
          internal::ReadUnits(BytesOf(found), store::Consistency::kStrong, Multiplier::kTransaction);
      internal::AddCapacity(response.capacity, internal::ReadCapacity(*tables[i], units));
    }
    if (found) found = Projected(*std::move(found), get.projection);
    // Unlike GetItem, which answers an empty item.
    if (get.projection && found && found->ItemBytes() == 0) found.reset();
    response.items.push_back(std::move(found));
    if (const auto& added = response.items.back()) {
      answer_bytes.Add(*added);
      if (answer_bytes.IsFull(each_item)) {
        co_return Fail(
            Invalid("The items of the transaction take more than 32 MB as JSON: read fewer at once"));
      }
    }
    co_await Breathe();
  }
  co_return response;
}

}  // namespace cairn::engine
