// BatchWriteItem: up to 25 puts and deletes, each of them its own write; they share one commit, unless they
// are so large as stored, with their index rows, that others would wait for long.
#include <algorithm>
#include <span>

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

constexpr size_t kPortionBytes = 8 << 20;

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
  store::BatchWriteItemResponse response;
  response.unprocessed.resize(request.tables.size());
  size_t done = 0;
  auto work = [&](CommitGroup& group) -> Status {
    const std::span rest = std::span(writes).subspan(done);
    RETURN_IF_ERROR(internal::Refresh(rest, *catalog_));
    const size_t bytes_before = group.batch_bytes();
    for (ItemWrite& write : rest) {
      if (group.batch_bytes() - bytes_before >= kPortionBytes) break;
      auto ran = group.Run(write, store::OnConditionFailure::kReturnNothing);
      if (!ran) return Fail(std::move(ran).error().error);
      ++done;
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
    return {};
  };
  while (done < writes.size()) CO_RETURN_IF_ERROR(co_await writer_->Submit(work));
  co_return response;
}

}  // namespace cairn::engine
