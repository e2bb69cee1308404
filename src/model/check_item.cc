#include "model/check_item.h"

#include "model/conditions.h"
#include "model/entity_codec.h"
#include "model/guard.h"
#include "model/record.h"
#include "model/validate.h"

namespace cairn::model {
namespace {

std::string KeyText(const item::Item& item, const std::string& attribute) {
  const item::AttributeValue* value = item.Find(attribute);
  return value != nullptr && value->is(item::Type::kString) ? value->string() : "";
}

bool IsGuard(const Model& model, size_t table, const item::Item& item) {
  const Table& definition = model.tables[table];
  for (const Entity& entity : model.entities) {
    if (entity.table != table) continue;
    for (const Unique& unique : entity.uniques) {
      item::Item told;
      if (unique.pk.Match(KeyText(item, definition.pk_attribute), told) &&
          (definition.sk_attribute.empty() ||
           unique.sk.Match(KeyText(item, definition.sk_attribute), told)) &&
          item.Contains(kGuardOf)) {
        return true;
      }
    }
  }
  return false;
}

std::string WhyMislaid(const Model& model, const Entity& entity, const item::Item& values,
                       const item::Item& stored) {
  const auto key = PrimaryKey(model, entity, values);
  if (!key) {
    return model.TableOf(entity).pk_attribute +
           " cannot be built from the attributes: " + key.error().message;
  }
  for (const item::Attribute& part : *key) {
    const item::AttributeValue* there = stored.Find(part.name);
    if (there == nullptr || !(*there == part.value))
      return part.name + " should be " + part.value.string() + " by the attributes";
  }
  return "";
}

class Checker {
 public:
  Checker(const Database& database, const Entity& entity, const item::PackedItem& item, ItemCheck& check)
      : database_(database),
        model_(database.model()),
        entity_(entity),
        table_(model_.TableOf(entity)),
        stored_(item.Unpack()),
        values_(Record(model_, entity, item).Values()),
        check_(check) {}

  void Run() {
    item::Item canonical = values_;
    for (const FieldError& error : ValidateValues(entity_, canonical)) Report(error.attribute, error.message);
    for (const item::Attribute& attribute : values_) {
      const item::AttributeValue* right = canonical.Find(attribute.name);
      if (right != nullptr && !(*right == attribute.value))
        Report(attribute.name, "is not in canonical form");
    }
    CheckUnknown();
    CheckKey();
    for (const Index& index : table_.indexes) CheckIndex(index);
    CheckExpiry();
    CheckVersion();
    TakeCondition();
  }

  void RunIndexes(const std::vector<size_t>& indexes) {
    for (const size_t index : indexes) CheckIndex(table_.indexes[index]);
    TakeCondition();
  }

 private:
  void TakeCondition() {
    if (check_.repair.empty()) return;
    check_.repair_condition = AllOf({Exists(table_.pk_attribute), std::move(condition_)});
  }

  // Without its version an item has no tag, and no change of it can say which state it means.
  void CheckVersion() {
    if (entity_.lock.version_attribute.empty()) return;
    const std::string& name = entity_.Find(entity_.lock.version_attribute)->stored_as;
    if (stored_.Contains(name)) return;
    Report(name, "is missing: the lock's version", true);
    auto first =
        std::make_shared<const expr::SetValue>(expr::SetValue{item::AttributeValue(item::Number(1))});
    check_.repair.sets.push_back({{name, {}}, std::move(first)});
    condition_ = AllOf({std::move(condition_), NotExists(name)});
  }

  void Report(const std::string& attribute, std::string message, bool repairable = false) {
    check_.findings.push_back({attribute, std::move(message), repairable});
  }

  bool IsKeyAttribute(const std::string& name) const {
    if (name == table_.pk_attribute || name == table_.sk_attribute || name == table_.type_attribute ||
        name == table_.ttl_attribute) {
      return true;
    }
    for (const Index& index : table_.indexes) {
      if (name == index.pk_attribute || name == index.sk_attribute) return true;
    }
    return false;
  }

  void CheckUnknown() {
    for (const item::Attribute& attribute : stored_) {
      if (!IsKeyAttribute(attribute.name) && entity_.FindStored(attribute.name) == nullptr) {
        Report(attribute.name, "is not an attribute of " + entity_.name);
      }
    }
  }

  void CheckKey() {
    const std::string why = WhyMislaid(model_, entity_, values_, stored_);
    if (!why.empty()) Report("", why);
  }

  void CheckIndex(const Index& index) {
    item::Item right;
    for (const EntityIndex& candidate : entity_.indexes) {
      if (&table_.indexes[candidate.index] != &index) continue;
      if (auto set = SetIndexKeys(model_, candidate, entity_, values_, right); !set) {
        Report(index.pk_attribute, "cannot be built: " + set.error().message);
        return;
      }
      const bool wrong_pk = Repairs(right, index.pk_attribute);
      const bool wrong_sk = Repairs(right, index.sk_attribute);
      if (!wrong_pk && !wrong_sk) return;
      for (const std::string& name : candidate.dependencies) DependOn(name);
      return;
    }
    Repairs(right, index.pk_attribute);
    Repairs(right, index.sk_attribute);
  }

  void CheckExpiry() {
    if (!entity_.ttl.enabled()) return;
    item::Item right;
    if (!SetTimeToLive(model_, entity_, database_.TtlAfter(entity_.ttl), values_, right)) return;
    if (Repairs(right, table_.ttl_attribute)) DependOn(entity_.Find(entity_.ttl.from)->stored_as);
  }

  // Compares one derived attribute; adds its repair. Whether there was one.
  bool Repairs(const item::Item& right, const std::string& name) {
    if (name.empty()) return false;
    const item::AttributeValue* wanted = right.Find(name);
    const item::AttributeValue* stored = stored_.Find(name);
    if (wanted == nullptr && stored == nullptr) return false;
    if (wanted != nullptr && stored != nullptr && *wanted == *stored) return false;
    if (wanted == nullptr) {
      Report(name, "should not be there: the item does not belong into this index", true);
      check_.repair.removes.push_back({{name, {}}});
    } else {
      const std::string text =
          wanted->is(item::Type::kString) ? wanted->string() : wanted->number().ToString();
      Report(name, (stored == nullptr ? "is missing: should be " : "is stale: should be ") + text, true);
      auto value = std::make_shared<const expr::SetValue>(expr::SetValue{*wanted});
      check_.repair.sets.push_back({{name, {}}, std::move(value)});
    }
    return true;
  }

  void DependOn(const std::string& name) {
    if (!entity_.FindStored(name)->in_key_only)
      condition_ = AllOf({std::move(condition_), Is(name, stored_.Find(name))});
  }

  const Database& database_;
  const Model& model_;
  const Entity& entity_;
  const Table& table_;
  const item::Item stored_;
  const item::Item values_;
  ItemCheck& check_;
  expr::ConditionPtr condition_;
};

}  // namespace

std::vector<size_t> EntitiesOf(const Model& model, size_t table) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < model.entities.size(); ++i) {
    if (model.entities[i].table == table) positions.push_back(i);
  }
  return positions;
}

ItemRepair RepairIndexKeys(const Database& database, size_t table, const item::PackedItem& item,
                           const std::vector<size_t>& indexes) {
  const Model& model = database.model();
  ItemCheck check;
  check.entity = EntityOf(model, EntitiesOf(model, table), item);
  if (check.entity == nullptr) return {};
  Checker(database, *check.entity, item, check).RunIndexes(indexes);
  ItemRepair repair{std::move(check.repair), std::move(check.repair_condition), ""};
  for (const ItemFinding& finding : check.findings) {
    if (!finding.repairable && repair.failure.empty())
      repair.failure = finding.attribute + " " + finding.message;
  }
  return repair;
}

bool IsKnownItem(const Model& model, size_t table, const item::PackedItem& item) {
  return EntityOf(model, EntitiesOf(model, table), item) != nullptr || IsGuard(model, table, item.Unpack());
}

std::string WhyMislaid(const Model& model, const Entity& entity, const item::PackedItem& item) {
  return WhyMislaid(model, entity, Record(model, entity, item).Values(), item.Unpack());
}

ItemCheck CheckItem(const Database& database, size_t table, const item::PackedItem& item) {
  const Model& model = database.model();
  ItemCheck check;
  check.entity = EntityOf(model, EntitiesOf(model, table), item);
  if (check.entity != nullptr) {
    Checker(database, *check.entity, item, check).Run();
    return check;
  }
  const item::Item stored = item.Unpack();
  check.guard = IsGuard(model, table, stored);
  if (check.guard) return check;
  const std::string& type_attribute = model.tables[table].type_attribute;
  const std::string type = type_attribute.empty() ? "" : KeyText(stored, type_attribute);
  check.findings.push_back({type_attribute,
                            type_attribute.empty() ? "no entity of the model has a key like this"
                            : type.empty()         ? "the type attribute is missing"
                                                   : "no entity of the model has the type " + type,
                            false});
  return check;
}

}  // namespace cairn::model
