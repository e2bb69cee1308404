// BatchWriteItem: up to 25 puts and deletes, each of them its own write; they share one commit.
#include <set>

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
    ASSIGN_OR_RETURN(ItemWrite write, internal::PreparePut(table, std::move(put->item), nullptr));
    return write;
  }
  ASSIGN_OR_RETURN(ItemWrite write,
                   internal::PrepareDelete(table, std::get<store::BatchDelete>(action).key, nullptr));
  return write;
}

}  // namespace

Task<Result<store::BatchWriteItemResponse>> Engine::BatchWriteItem(store::BatchWriteItemRequest request) {
  std::vector<ItemWrite> writes;
  std::set<std::string> seen;
  for (store::BatchWriteTable& part : request.tables) {
    CO_ASSIGN_OR_RETURN(const TableRef table, catalog_->Find(part.table));
    for (store::BatchWriteAction& action : part.actions) {
      CO_ASSIGN_OR_RETURN(ItemWrite write, Prepare(table, std::move(action)));
      if (!seen.insert(internal::KeyOf(write)).second) {
        co_return Fail(Invalid("Provided list of item keys contains duplicates"));
      }
      writes.push_back(std::move(write));
    }
  }
  auto work = [&](CommitGroup& group) -> Result<store::BatchWriteItemResponse> {
    store::BatchWriteItemResponse response;
    response.unprocessed.resize(request.tables.size());
    for (ItemWrite& write : writes) RETURN_IF_ERROR(internal::Refresh(write, *catalog_));
    for (ItemWrite& write : writes) {
      auto change = group.Run(write, store::OnConditionFailure::kReturnNothing);
      if (!change) return Fail(std::move(change).error().error);
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
