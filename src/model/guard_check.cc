#include "model/guard_check.h"

#include "model/conditions.h"
#include "model/entity_codec.h"
#include "model/guard.h"
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
      const auto wanted = GuardKey(table_, unique, values);
      if (!wanted || !*wanted) continue;
      const item::Item& guard_key = **wanted;
      CO_ASSIGN_OR_RETURN(const auto there, co_await Find(guard_key));
      const auto holder = there ? Guarded(*there) : std::nullopt;
      if (holder == key) continue;
      GuardFinding finding{.attribute = Join(unique.attributes), .message = {}, .repair = {}};
      CO_ASSIGN_OR_RETURN(const bool is_held, co_await Holds(entity, unique, holder, guard_key));
      if (is_held) {
        finding.message = "must be unique, and " + KeyText(*holder) + " has the same";
      } else {
        finding.message = "must be unique, and its guard " + KeyText(guard_key) +
                          (there ? " belongs to an item that does not have the value" : " is missing");
        finding.repair.push_back(Put(GuardItem(table_, guard_key, key), there ? &*there : nullptr));
      }
      findings.push_back(std::move(finding));
    }
    co_return findings;
  }

  Task<Result<std::vector<GuardFinding>>> OfGuard(item::PackedItem guard) {
    std::vector<GuardFinding> findings;
    const auto guarded = Guarded(guard);
    const item::Item guard_key = KeyOfItem(table_, guard.Unpack());
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
    gone.action = store::TransactDelete{database_.physical_name(position_), guard_key, Unchanged(guard)};
    finding.repair.push_back(std::move(gone));
    findings.push_back(std::move(finding));
    co_return findings;
  }

 private:
  std::optional<item::Item> Guarded(const item::PackedItem& guard) const {
    const auto text = GuardedOf(guard);
    return text ? KeyOfGuarded(table_, *text) : std::nullopt;
  }

  // That the guard still says what was found.
  static expr::ConditionPtr Unchanged(const item::PackedItem& guard) {
    const auto guarded = guard.Find(kGuardOf);
    return Is(std::string(kGuardOf), guarded ? &*guarded : nullptr);
  }

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
    const auto own = GuardKey(table_, unique, Record(model_, entity, *item).StoredValues());
    co_return own&&* own == guard_key;
  }

  store::TransactAction Put(item::Item guard, const item::PackedItem* there) const {
    expr::ConditionPtr condition = there != nullptr ? Unchanged(*there) : NotExists(table_.pk_attribute);
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
    co_return co_await check.OfGuard(item);
  }
  if (entity->uniques.empty() || IsExpired(model.tables[table], item, database.Now()))
    co_return std::vector<GuardFinding>();
  const Table& definition = model.tables[table];
  item::Item key = KeyOfItem(definition, item.Unpack());
  co_return co_await check.OfItem(*entity, Record(model, *entity, item).StoredValues(), std::move(key));
}

}  // namespace cairn::model
