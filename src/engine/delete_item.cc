// DeleteItem: removes the item under a key; deleting what is not there is no error.
#include "engine/engine.h"
#include "engine/internal/catalog.h"
#include "engine/internal/item_write.h"
#include "engine/internal/write_response.h"
#include "engine/internal/writer.h"
#include "item/key_schema.h"

namespace cairn::engine {
namespace internal {

Result<DeleteWrite> PrepareDelete(TableRef table, const item::Item& key, expr::ConditionPtr condition) {
  RETURN_IF_ERROR(item::ValidateKey(table->key_schema(), key));
  std::string bytes = ItemKey(*table, key);
  return DeleteWrite{std::move(table), std::move(bytes), std::move(condition)};
}

Result<ItemChange> DecideDelete(DeleteWrite& write, OldItem& old_item) {
  RETURN_IF_ERROR(CheckCondition(write.condition, old_item));
  return ItemChange{.table = std::move(write.table),
                    .key = std::move(write.key),
                    .old_item = std::move(old_item),
                    .new_item = std::nullopt};
}

}  // namespace internal

using internal::CommitGroup;
using internal::ItemWrite;

Task<Result<store::WriteResponse, store::WriteFailure>> Engine::DeleteItem(store::DeleteItemRequest request) {
  CO_ASSIGN_OR_RETURN(internal::TableRef table, catalog_->Find(request.table));
  CO_ASSIGN_OR_RETURN(ItemWrite write, internal::PrepareDelete(table, request.key, request.condition));
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
