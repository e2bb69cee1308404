// Session::CreateMany and DeleteMany: batches of 25, repeated until the store has taken everything.
#include "base/together.h"
#include "model/entity_codec.h"
#include "model/session.h"
#include "model/staged.h"
#include "model/validate.h"

namespace cairn::model {
namespace {

// A store that is throttled leaves items over; one that takes nothing this often is not going to.
constexpr int kFruitlessRoundsMax = 8;
constexpr size_t kBatchesAtOnceMax = 64;

// What of one batch the store left over.
Task<Result<std::vector<store::BatchWriteAction>>> WriteBatch(const Database& database, std::string table,
                                                              std::vector<store::BatchWriteAction> batch) {
  store::BatchWriteItemRequest request;
  request.tables.push_back({std::move(table), batch});
  auto response = co_await database.store().BatchWriteItem(std::move(request));
  if (!response) co_return Fail(std::move(response).error());
  std::vector<store::BatchWriteAction> left;
  if (!response->unprocessed.empty()) {
    for (const size_t position : response->unprocessed.front()) left.push_back(std::move(batch[position]));
  }
  co_return left;
}

// Many batches at a time: the engine commits them as one group, a remote store takes them in parallel.
Task<Outcome<size_t>> WriteInBatches(const Database& database, size_t table,
                                     std::vector<store::BatchWriteAction> actions) {
  const size_t chunk_max = std::min<size_t>(store::kBatchWriteItemsMax,
                                            static_cast<size_t>(database.model().guard.batch_write_chunk));
  const size_t total = actions.size();
  int fruitless = 0;
  while (!actions.empty()) {
    std::vector<Task<Result<std::vector<store::BatchWriteAction>>>> batches;
    size_t taken = 0;
    while (taken < actions.size() && batches.size() < kBatchesAtOnceMax) {
      const size_t count = std::min(chunk_max, actions.size() - taken);
      const auto from = actions.begin() + static_cast<ptrdiff_t>(taken);
      std::vector<store::BatchWriteAction> batch(
          std::make_move_iterator(from), std::make_move_iterator(from + static_cast<ptrdiff_t>(count)));
      batches.push_back(WriteBatch(database, database.physical_name(table), std::move(batch)));
      taken += count;
    }
    auto leftovers = co_await Together(std::move(batches));
    actions.erase(actions.begin(), actions.begin() + static_cast<ptrdiff_t>(taken));
    size_t left_over = 0;
    for (auto& left : leftovers) {
      if (!left) co_return std::unexpected(Failure(std::move(left).error()));
      left_over += left->size();
      actions.insert(actions.end(), std::make_move_iterator(left->begin()),
                     std::make_move_iterator(left->end()));
    }
    fruitless = left_over == taken ? fruitless + 1 : 0;
    if (fruitless == kFruitlessRoundsMax) {
      co_return Fail(Code::kOverloaded, "the store took only " + std::to_string(total - actions.size()) +
                                            " of " + std::to_string(total) + " writes");
    }
  }
  co_return total;
}

}  // namespace

Task<Outcome<size_t>> Session::CreateMany(const Entity& entity, std::vector<item::Item> values) {
  CO_RETURN_IF_ERROR(MayWrite(entity));
  const bool unconditional = (entity.write == WriteMode::kOnce || entity.write == WriteMode::kUpsert) &&
                             !entity.lock.enabled() && entity.uniques.empty() && !entity.mirror &&
                             entity.owner_parent.empty();
  if (!unconditional)
    co_return Fail(Invalid(entity.name + " cannot be written in batches: its writes have conditions"));
  std::vector<store::BatchWriteAction> actions;
  actions.reserve(values.size());
  for (item::Item& one : values) {
    CO_RETURN_IF_ERROR(Own(entity, one));
    Complete(database_, entity, one);
    if (auto wrong = ValidateValues(entity, one); !wrong.empty())
      co_return std::unexpected(Failure(std::move(wrong)));
    CO_ASSIGN_OR_RETURN(item::Item item, StoredItem(database_.model(), entity, database_.TtlAfter(entity.ttl),
                                                    std::move(one)));
    actions.push_back(store::BatchPut{std::move(item)});
  }
  co_return co_await WriteInBatches(database_, entity.table, std::move(actions));
}

Task<Outcome<size_t>> Session::DeleteMany(const Entity& entity, std::vector<item::Item> keys) {
  CO_RETURN_IF_ERROR(MayWrite(entity));
  const Model& model = database_.model();
  const bool forbidden = entity.write == WriteMode::kAppend ||
                         model.TableOf(entity).delete_policy == DeletePolicy::kForbid ||
                         !entity.uniques.empty() || !model.IsTenantScoped(model.TableOf(entity), entity.pk);
  if (forbidden && !caller_.is_system())
    co_return Fail(Invalid(entity.name + " cannot be deleted in batches"));
  std::vector<store::BatchWriteAction> actions;
  actions.reserve(keys.size());
  for (item::Item& key : keys) {
    CO_RETURN_IF_ERROR(Own(entity, key));
    CO_ASSIGN_OR_RETURN(item::Item primary, PrimaryKey(model, entity, key));
    actions.push_back(store::BatchDelete{std::move(primary)});
  }
  co_return co_await WriteInBatches(database_, entity.table, std::move(actions));
}

}  // namespace cairn::model
