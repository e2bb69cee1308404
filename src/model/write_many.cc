// Session::CreateMany and DeleteMany: batches of 25, repeated until the store has taken everything.
#include "model/entity_codec.h"
#include "model/session.h"
#include "model/staged.h"
#include "model/validate.h"

namespace cairn::model {
namespace {

// A store that is throttled leaves items over; one that takes nothing this often is not going to.
constexpr int kFruitlessRoundsMax = 8;

Task<Outcome<size_t>> WriteInBatches(const Database& database, size_t table,
                                     std::vector<store::BatchWriteAction> actions) {
  const size_t chunk_max = std::min<size_t>(store::kBatchWriteItemsMax,
                                            static_cast<size_t>(database.model().guard.batch_write_chunk));
  const size_t total = actions.size();
  int fruitless = 0;
  while (!actions.empty()) {
    const size_t taken = std::min(chunk_max, actions.size());
    store::BatchWriteItemRequest request;
    request.tables.push_back({database.physical_name(table), {}});
    auto& chunk = request.tables.front().actions;
    chunk.assign(std::make_move_iterator(actions.end() - static_cast<ptrdiff_t>(taken)),
                 std::make_move_iterator(actions.end()));
    actions.resize(actions.size() - taken);
    std::vector<store::BatchWriteAction> sent = chunk;
    auto response = co_await database.store().BatchWriteItem(std::move(request));
    if (!response) co_return std::unexpected(Failure(std::move(response).error()));
    const std::vector<size_t> left =
        response->unprocessed.empty() ? std::vector<size_t>() : response->unprocessed.front();
    for (const size_t position : left) actions.push_back(std::move(sent[position]));
    fruitless = left.size() == taken ? fruitless + 1 : 0;
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
