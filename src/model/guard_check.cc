#include "model/guard_check.h"

#include "model/conditions.h"
#include "model/entity_codec.h"
#include "model/guard_item.h"
#include "model/record.h"

namespace cairn::model {
namespace {

std::string Join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string KeyText(const item::Item& key) {
  std::string text;
  for (const item::Attribute& part : key) text += (text.empty() ? "" : " / ") + part.value.string();
  return text;
}

class GuardCheck {
 public:
  GuardCheck(const Database& database, size_t table)
      : database_(database), model_(database.model()), position_(table), table_(model_.tables[table]) {}

  Task<Result<std::vector<GuardFinding>>> OfItem(const Entity& entity, item::Item values, item::Item key) {
    std::vector<GuardFinding> findings;
    for (const Unique& unique : entity.uniques) {
      const auto wanted = GuardOf(model_, entity, unique, values, key);
      if (!wanted || !*wanted) continue;
      const item::Item guard_key = GuardKeyOf(table_, **wanted);
      CO_ASSIGN_OR_RETURN(const auto there, co_await Find(guard_key));
      const auto holder = there ? GuardedKey(table_, there->Unpack()) : std::nullopt;
      if (holder == key) continue;
      GuardFinding finding{.attribute = Join(unique.attributes), .message = {}, .repair = {}};
      CO_ASSIGN_OR_RETURN(const bool is_held, co_await Holds(entity, unique, holder, guard_key));
      if (is_held) {
        finding.message = "must be unique, and " + KeyText(*holder) + " has the same";
      } else {
        finding.message = "must be unique, and its guard " + KeyText(guard_key) +
                          (there ? " belongs to an item that does not have the value" : " is missing");
        finding.repair.push_back(Put(**wanted, there ? &*there : nullptr));
      }
      findings.push_back(std::move(finding));
    }
    co_return findings;
  }

  Task<Result<std::vector<GuardFinding>>> OfGuard(item::Item guard) {
    std::vector<GuardFinding> findings;
    const auto guarded = GuardedKey(table_, guard);
    const item::Item guard_key = GuardKeyOf(table_, guard);
    for (const Entity& entity : model_.entities) {
      if (entity.table != position_) continue;
      for (const Unique& unique : entity.uniques) {
        CO_ASSIGN_OR_RETURN(const bool is_held, co_await Holds(entity, unique, guarded, guard_key));
        if (is_held) co_return findings;
      }
    }
    GuardFinding finding{.attribute = "",
                         .message = "guards a value of " + (guarded ? KeyText(*guarded) : "no item") +
                                    ", which does not have it",
                         .repair = {}};
    store::TransactAction gone;
    gone.action = store::TransactDelete{database_.physical_name(position_), guard_key,
                                        Is("guardOf", guard.Find("guardOf"))};
    finding.repair.push_back(std::move(gone));
    findings.push_back(std::move(finding));
    co_return findings;
  }

 private:
  Task<Result<std::optional<item::PackedItem>>> Find(item::Item key) const {
    store::GetItemRequest request{.table = database_.physical_name(position_),
                                  .key = std::move(key),
                                  .consistency = store::Consistency::kStrong,
                                  .projection = std::nullopt};
    auto response = co_await database_.upkeep().GetItem(request);
    if (!response) co_return Fail(std::move(response).error());
    co_return std::move(response->item);
  }

  // Whether the item of this key is of the entity and has the value that this guard keeps.
  Task<Result<bool>> Holds(const Entity& entity, const Unique& unique, std::optional<item::Item> key,
                           item::Item guard_key) const {
    if (!key) co_return false;
    CO_ASSIGN_OR_RETURN(const auto item, co_await Find(*key));
    if (!item || IsExpired(table_, *item, database_.Now())) co_return false;
    const auto position = static_cast<size_t>(&entity - model_.entities.data());
    if (EntityOf(model_, std::span(&position, 1), *item) == nullptr) co_return false;
    const auto guard = GuardOf(model_, entity, unique, Record(model_, entity, *item).StoredValues(), *key);
    co_return guard&&* guard&& GuardKeyOf(table_, **guard) == guard_key;
  }

  store::TransactAction Put(item::Item guard, const item::PackedItem* there) const {
    expr::ConditionPtr condition = NotExists(table_.pk_attribute);
    if (there != nullptr) {
      const auto holder = there->Find("guardOf");
      condition = Is("guardOf", holder ? &*holder : nullptr);
    }
    store::TransactAction action;
    action.action =
        store::TransactPut{database_.physical_name(position_), std::move(guard), std::move(condition)};
    return action;
  }

  const Database& database_;
  const Model& model_;
  const size_t position_;
  const Table& table_;
};

}  // namespace

Task<Result<std::vector<GuardFinding>>> CheckGuards(const Database& database, size_t table,
                                                    const item::PackedItem& item) {
  const Model& model = database.model();
  GuardCheck check(database, table);
  const Entity* entity = EntityOf(model, EntitiesOf(model, table), item);
  if (entity == nullptr) {
    if (!IsKnownItem(model, table, item)) co_return std::vector<GuardFinding>();
    co_return co_await check.OfGuard(item.Unpack());
  }
  if (entity->uniques.empty() || IsExpired(model.tables[table], item, database.Now()))
    co_return std::vector<GuardFinding>();
  const Table& definition = model.tables[table];
  item::Item key = GuardKeyOf(definition, item.Unpack());
  co_return co_await check.OfItem(*entity, Record(model, *entity, item).StoredValues(), std::move(key));
}

}  // namespace cairn::model
