// BatchWriteItem: up to 25 puts and deletes, each of them its own write; they share one commit.
#include <algorithm>

#include "base/slice.h"
#include "engine/engine.h"
#include "engine/internal/capacity.h"
#include "engine/internal/catalog.h"
#include "engine/internal/item_write.h"
#include "engine/internal/write_response.h"
#include "engine/internal/writer.h"

namespace cairn::engine {
namespace {

using internal::CommitGroup;
using internal::ItemWrite;
using internal::TableRef;

Result<ItemWrite> Prepare(const TableRef& table, store::BatchWriteAction action) {
  if (auto* put = std::get_if<store::BatchPut>(&action)) {
    ASSIGN_OR_RETURN(ItemWrite write, internal::PreparePut(table, put->item, nullptr));
    return write;
  }
  if (auto* put = std::get_if<store::BatchPutPacked>(&action)) {
    ASSIGN_OR_RETURN(ItemWrite write, internal::PreparePut(table, std::move(put->item), nullptr));
    return write;
  }
  ASSIGN_OR_RETURN(ItemWrite write,
                   internal::PrepareDelete(table, std::get<store::BatchDelete>(action).key, nullptr));
  return write;
}

bool HasDuplicates(const std::vector<ItemWrite>& writes) {
  std::vector<std::string_view> keys;
  keys.reserve(writes.size());
  for (const ItemWrite& write : writes) keys.push_back(internal::KeyOf(write));
  std::ranges::sort(keys);
  return std::ranges::adjacent_find(keys) != keys.end();
}

}  // namespace

Task<Result<store::BatchWriteItemResponse>> Engine::BatchWriteItem(store::BatchWriteItemRequest request) {
  std::vector<ItemWrite> writes;
  for (store::BatchWriteTable& part : request.tables) {
    CO_ASSIGN_OR_RETURN(const TableRef table, catalog_->Find(part.table));
    for (store::BatchWriteAction& action : part.actions) {
      CO_ASSIGN_OR_RETURN(ItemWrite write, Prepare(table, std::move(action)));
      writes.push_back(std::move(write));
      co_await Breathe();
    }
  }
  if (HasDuplicates(writes)) co_return Fail(Invalid("Provided list of item keys contains duplicates"));
  auto work = [&](CommitGroup& group) -> Result<store::BatchWriteItemResponse> {
    store::BatchWriteItemResponse response;
    response.unprocessed.resize(request.tables.size());
    RETURN_IF_ERROR(internal::Refresh(writes, *catalog_));
    for (ItemWrite& write : writes) {
      auto ran = group.Run(write, store::OnConditionFailure::kReturnNothing);
      if (!ran) return Fail(std::move(ran).error().error);
      const internal::ItemChange* change = *ran;
      if (request.return_capacity != store::ReturnCapacity::kNone) {
        internal::AddCapacity(response.capacity,
                              internal::WriteCapacity(*change, internal::Multiplier::kPlain));
      }
      if (request.collection_metrics == store::CollectionMetrics::kSize) {
        if (auto collection = internal::CollectionOf(*change, *database_)) {
          response.collections[change->table->name()].push_back(*std::move(collection));
        }
      }
    }
    return response;
  };
  co_return co_await writer_->Submit(work);
}

}  // namespace cairn::engine
