// PutItem: stores an item under its key, replacing the one that is there.
#include "engine/engine.h"
#include "engine/internal/catalog.h"
#include "engine/internal/item_write.h"
#include "engine/internal/write_response.h"
#include "engine/internal/writer.h"
#include "item/item_size.h"
#include "item/key_schema.h"

namespace cairn::engine {
namespace internal {

namespace {

Status CheckKeys(const Table& table, const item::Item& item) {
  RETURN_IF_ERROR(item::ValidateKeyInItem(table.key_schema(), item));
  for (const Index& index : table.indexes) {
    RETURN_IF_ERROR(item::ValidateIndexKeyInItem(index.definition.key_schema, index.definition.name, item));
  }
  return {};
}

// `keys` has at least the attributes of the table's key.
Result<PutWrite> Put(TableRef table, const item::Item& keys, item::PackedItem item,
                     expr::ConditionPtr condition) {
  if (item.ItemBytes() > item::kItemBytesMax) {
    return Fail(Invalid("Item size has exceeded the maximum allowed size"));
  }
  std::string key = ItemKey(*table, keys);
  return PutWrite{std::move(table), std::move(key), std::move(item), std::move(condition)};
}

}  // namespace

Result<PutWrite> PreparePut(TableRef table, const item::Item& item, expr::ConditionPtr condition) {
  RETURN_IF_ERROR(CheckKeys(*table, item));
  return Put(std::move(table), item, item::PackedItem::Pack(item), std::move(condition));
}

Result<PutWrite> PreparePut(TableRef table, item::PackedItem item, expr::ConditionPtr condition) {
  const item::Item keys = item.UnpackOnly(table->all_key_names);
  RETURN_IF_ERROR(CheckKeys(*table, keys));
  return Put(std::move(table), keys, std::move(item), std::move(condition));
}

Result<ItemChange> DecidePut(PutWrite& write, OldItem& old_item) {
  RETURN_IF_ERROR(CheckCondition(write.condition, old_item));
  return ItemChange{.table = std::move(write.table),
                    .key = std::move(write.key),
                    .old_item = std::move(old_item),
                    .new_item = std::move(write.item)};
}

}  // namespace internal

using internal::CommitGroup;
using internal::ItemWrite;

Task<Result<store::WriteResponse, store::WriteFailure>> Engine::PutItem(store::PutItemRequest request) {
  CO_ASSIGN_OR_RETURN(internal::TableRef table, catalog_->Find(request.table));
  CO_ASSIGN_OR_RETURN(ItemWrite write, internal::PreparePut(table, request.item, request.condition));
  auto work = [&](CommitGroup& group) -> Result<store::WriteResponse, store::WriteFailure> {
    RETURN_IF_ERROR(internal::Refresh(write, *catalog_));
    ASSIGN_OR_RETURN(const auto* change, group.Run(write, request.on_condition_failure));
    store::WriteResponse response;
    if (request.return_values == store::ReturnValues::kAllOld) response.attributes = change->old_item;
    internal::AddUsage(response, *change, request.return_capacity, request.collection_metrics, *database_);
    return response;
  };
  co_return co_await writer_->Submit(work);
}

}  // namespace cairn::engine
