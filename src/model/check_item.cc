#include "model/check_item.h"

#include "model/conditions.h"
#include "model/entity_codec.h"
#include "model/record.h"
#include "model/validate.h"

namespace cairn::model {
namespace {

std::vector<size_t> EntitiesOf(const Model& model, size_t table) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < model.entities.size(); ++i) {
    if (model.entities[i].table == table) positions.push_back(i);
  }
  return positions;
}

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
          item.Contains("guardOf")) {
        return true;
      }
    }
  }
  return false;
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
    check_.repair_condition = AllOf({std::move(condition_)});
  }

 private:
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
    const auto key = PrimaryKey(model_, entity_, values_);
    if (!key) {
      Report(table_.pk_attribute, "cannot be built from the attributes: " + key.error().message);
      return;
    }
    for (const item::Attribute& part : *key) {
      const item::AttributeValue* stored = stored_.Find(part.name);
      if (stored == nullptr || !(*stored == part.value)) {
        Report(part.name, "should be " + part.value.string() + " by the attributes");
      }
    }
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
