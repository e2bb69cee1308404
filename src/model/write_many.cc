// Session::CreateMany and DeleteMany: batches of 25, repeated until the store has taken everything.
#include <algorithm>
#include <numeric>

#include "base/slice.h"
#include "base/together.h"
#include "model/entity_codec.h"
#include "model/session.h"
#include "model/staged.h"
#include "model/validate.h"
#include "model/write_fence.h"

namespace cairn::model {
namespace {

// A store that is throttled leaves items over; one that takes nothing this often is not going to.
constexpr int kFruitlessRoundsMax = 8;
constexpr size_t kBatchesAtOnceMax = 64;

// Makes one write anew whenever it is asked for: what a store leaves over is made again, instead of keeping a
// copy of everything for a case that hardly ever happens.
using MakeAction = std::function<Outcome<store::BatchWriteAction>(size_t position)>;

// Who writes, and the fence that may be in the way: none for deletions.
struct WriteParty {
  const Caller& caller;
  WriteFence* fence;
};

// The positions of one batch that the store left over.
Task<Outcome<std::vector<size_t>>> WriteBatch(const Database& database, const WriteParty& party, size_t table,
                                              std::vector<size_t> positions, const MakeAction& make) {
  store::BatchWriteItemRequest request;
  request.tables.push_back({database.physical_name(table), {}});
  auto& actions = request.tables.front().actions;
  actions.reserve(positions.size());
  for (const size_t position : positions) {
    CO_ASSIGN_OR_RETURN(store::BatchWriteAction action, make(position));
    actions.push_back(std::move(action));
    co_await Breathe();
  }
  std::optional<WriteFence::Passage> passage;
  if (party.fence != nullptr) {
    auto entered = party.fence->Enter(party.caller);
    if (!entered) co_return Fail(WriteFence::Deleted());
    passage.emplace(*std::move(entered));
  }
  auto response = co_await database.store().BatchWriteItem(std::move(request));
  if (!response) co_return std::unexpected(Failure(std::move(response).error()));
  std::vector<size_t> left;
  if (!response->unprocessed.empty()) {
    for (const size_t in_batch : response->unprocessed.front()) left.push_back(positions[in_batch]);
  }
  co_return left;
}

// Many batches at a time: the engine commits them as one group, a remote store takes them in parallel.
Task<Outcome<size_t>> WriteInBatches(const Database& database, WriteParty party, size_t table, size_t total,
                                     MakeAction make) {
  const size_t chunk_max = std::min<size_t>(store::kBatchWriteItemsMax,
                                            static_cast<size_t>(database.model().guard.batch_write_chunk));
  std::vector<size_t> waiting(total);
  std::iota(waiting.begin(), waiting.end(), 0);
  int fruitless = 0;
  while (!waiting.empty()) {
    std::vector<Task<Outcome<std::vector<size_t>>>> batches;
    size_t taken = 0;
    while (taken < waiting.size() && batches.size() < kBatchesAtOnceMax) {
      const size_t count = std::min(chunk_max, waiting.size() - taken);
      const auto from = waiting.begin() + static_cast<ptrdiff_t>(taken);
      std::vector<size_t> batch(from, from + static_cast<ptrdiff_t>(count));
      batches.push_back(WriteBatch(database, party, table, std::move(batch), make));
      taken += count;
    }
    auto leftovers = co_await Together(std::move(batches));
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<ptrdiff_t>(taken));
    size_t left_over = 0;
    for (auto& left : leftovers) {
      if (!left) co_return std::unexpected(std::move(left).error());
      left_over += left->size();
      waiting.insert(waiting.end(), left->begin(), left->end());
    }
    fruitless = left_over == taken ? fruitless + 1 : 0;
    if (fruitless == kFruitlessRoundsMax) {
      co_return Fail(Code::kOverloaded, "the store took only " + std::to_string(total - waiting.size()) +
                                            " of " + std::to_string(total) + " writes");
    }
  }
  co_return total;
}

// Whether the partition key is all that differs between an item and the same one in another partition of its
// owner.
bool IsPartitionInKeyOnly(const Model& model, const Entity& entity) {
  if (!entity.indexes.empty() || entity.ttl.enabled()) return false;
  const Tenant* tenant = model.TenantOf(entity);
  const std::vector<std::string> in_sort_key = entity.sk.Dependencies();
  return std::ranges::all_of(entity.pk.Dependencies(), [&](const std::string& name) {
    const auto attribute = std::ranges::find(entity.attributes, name, &Attribute::stored_as);
    if (attribute == entity.attributes.end()) return false;
    if (tenant != nullptr && attribute->name == tenant->parameter) return true;
    return attribute->in_key_only && std::ranges::find(in_sort_key, name) == in_sort_key.end();
  });
}

}  // namespace

Outcome<void> Session::MayCreateMany(const Entity& entity) const {
  RETURN_IF_ERROR(MayWrite(entity));
  const bool unconditional = (entity.write == WriteMode::kOnce || entity.write == WriteMode::kUpsert) &&
                             !entity.lock.enabled() && entity.uniques.empty() && !entity.mirror &&
                             entity.owner_parent.empty();
  if (!unconditional)
    return Fail(Invalid(entity.name + " cannot be written in batches: its writes have conditions"));
  return {};
}

Outcome<item::Item> Session::MakeItem(const Entity& entity, std::chrono::seconds ttl_after,
                                      item::Item values) const {
  RETURN_IF_ERROR(Own(entity, values));
  Complete(database_, entity, values);
  if (auto wrong = ValidateValues(entity, values); !wrong.empty())
    return std::unexpected(Failure(std::move(wrong)));
  ASSIGN_OR_RETURN(item::Item item, StoredItem(database_.model(), entity, ttl_after, std::move(values)));
  return item;
}

Task<Outcome<size_t>> Session::CreateMany(const Entity& entity, size_t count, MakeValues make) {
  CO_RETURN_IF_ERROR(MayCreateMany(entity));
  const std::chrono::seconds ttl_after = database_.TtlAfter(entity.ttl);
  const auto put = [&](size_t position) -> Outcome<store::BatchWriteAction> {
    ASSIGN_OR_RETURN(item::Item item, MakeItem(entity, ttl_after, make(position)));
    return store::BatchWriteAction(store::BatchPut{std::move(item)});
  };
  const WriteParty party{caller_, database_.fence()};
  co_return co_await WriteInBatches(database_, party, entity.table, count, put);
}

Task<Outcome<size_t>> Session::CreateMany(const Entity& entity, Repetition repetition, MakeValues make) {
  CO_RETURN_IF_ERROR(MayCreateMany(entity));
  if (!IsPartitionInKeyOnly(database_.model(), entity))
    co_return Fail(Invalid("items of " + entity.name + " cannot be repeated: they tell their partition"));
  CO_RETURN_IF_ERROR(Own(entity, repetition.partition));
  CO_ASSIGN_OR_RETURN(const std::string partition, entity.pk.Build(repetition.partition));
  const std::string& name = database_.model().TableOf(entity).pk_attribute;
  const std::chrono::seconds ttl_after = database_.TtlAfter(entity.ttl);
  repetition.written.resize(repetition.known.size());
  const auto put = [&](size_t position) -> Outcome<store::BatchWriteAction> {
    item::PackedItem& item = repetition.written[position];
    if (const item::PackedItem* known = repetition.known[position]) {
      item = known->WithText(name, partition);
    } else {
      ASSIGN_OR_RETURN(const item::Item made, MakeItem(entity, ttl_after, make(position)));
      item = item::PackedItem::Pack(made);
    }
    return store::BatchWriteAction(store::BatchPutPacked{item});
  };
  const WriteParty party{caller_, database_.fence()};
  co_return co_await WriteInBatches(database_, party, entity.table, repetition.known.size(), put);
}

Task<Outcome<size_t>> Session::CreateMany(const Entity& entity, std::vector<item::Item> values) {
  const auto make = [&values](size_t position) { return values[position]; };
  co_return co_await CreateMany(entity, values.size(), make);
}

Task<Outcome<size_t>> Session::DeleteMany(const Entity& entity, std::vector<item::Item> keys) {
  CO_RETURN_IF_ERROR(MayWrite(entity));
  const Model& model = database_.model();
  const bool forbidden = entity.write == WriteMode::kAppend ||
                         model.TableOf(entity).delete_policy == DeletePolicy::kForbid ||
                         !entity.uniques.empty() || !model.IsTenantScoped(model.TableOf(entity), entity.pk);
  if (forbidden && !caller_.is_system())
    co_return Fail(Invalid(entity.name + " cannot be deleted in batches"));
  const auto remove = [&](size_t position) -> Outcome<store::BatchWriteAction> {
    item::Item key = keys[position];
    RETURN_IF_ERROR(Own(entity, key));
    ASSIGN_OR_RETURN(item::Item primary, PrimaryKey(model, entity, key));
    return store::BatchWriteAction(store::BatchDelete{std::move(primary)});
  };
  const WriteParty party{caller_, nullptr};
  co_return co_await WriteInBatches(database_, party, entity.table, keys.size(), remove);
}

}  // namespace cairn::model
