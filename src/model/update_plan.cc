#include "model/update_plan.h"

#include <algorithm>

#include "base/check.h"
#include "model/conditions.h"
#include "model/entity_codec.h"
#include "model/validate.h"

namespace cairn::model {
namespace {

using Names = std::vector<std::string>;  // stored names, sorted, each once

bool Has(const Names& names, std::string_view name) {
  return std::binary_search(names.begin(), names.end(), name);
}

bool Intersects(const Names& a, const Names& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) { return Has(b, name); });
}

void SortUnique(Names& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

Names ChangedNames(const Entity& entity, const Changes& changes) {
  Names names;
  for (const item::Attribute& attribute : changes.set) names.push_back(attribute.name);
  for (const std::string& name : changes.remove) names.push_back(name);
  for (const auto& [name, amount] : changes.add) names.push_back(name);
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.automatic == Auto::kUpdate) names.push_back(attribute.stored_as);
  }
  SortUnique(names);
  return names;
}

Names KeyNames(const Entity& entity) {
  Names names = entity.pk.Dependencies();
  for (std::string& name : entity.sk.Dependencies()) names.push_back(std::move(name));
  SortUnique(names);
  return names;
}

// One rule of the entity: what it reads, and of what it needs the value before the change.
struct RuleReads {
  Names reads;
  Names old;  // values the change itself replaces, but the rule still wants to see
};

std::vector<RuleReads> RulesOf(const Model& model, const Entity& entity) {
  std::vector<RuleReads> rules;
  for (const EntityIndex& index : entity.indexes) rules.push_back({index.dependencies, {}});
  for (const Unique& unique : entity.uniques) rules.push_back({unique.dependencies, unique.dependencies});
  for (const RequireIf& rule : entity.require_if) {
    Names reads = rule.when.Dependencies();
    for (const std::string& name : rule.attributes) reads.push_back(entity.Find(name)->stored_as);
    SortUnique(reads);
    rules.push_back({std::move(reads), {}});
  }
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.after.empty()) continue;
    Names reads = {attribute.stored_as, entity.Find(attribute.after)->stored_as};
    SortUnique(reads);
    rules.push_back({std::move(reads), {}});
  }
  if (entity.transitions) {
    const Names attribute = {entity.Find(entity.transitions->attribute)->stored_as};
    rules.push_back({attribute, attribute});
  }
  for (const Entity* mirror : MirrorsOf(model, entity)) {
    const Names attribute = {entity.Find(mirror->mirror->attribute)->stored_as};
    rules.push_back({attribute, attribute});
  }
  if (entity.ttl.enabled()) rules.push_back({{entity.Find(entity.ttl.from)->stored_as}, {}});
  return rules;
}

// Keys, what is immutable, and what the model itself derives.
bool IsFixed(const Model& model, const Entity& entity, const Names& key_names, const std::string& stored) {
  const Attribute* attribute = entity.FindStored(stored);
  if (entity.ttl.enabled() && stored == model.TableOf(entity).ttl_attribute) return true;
  return Has(key_names, stored) || attribute->immutable || attribute->name == entity.lock.version_attribute ||
         attribute->automatic == Auto::kCreate;
}

// Adds bounds to a counter that is added to without knowing its value.
expr::ConditionPtr CounterBounds(const Attribute& attribute, const item::Number& amount) {
  expr::ConditionPtr low, high;
  const item::Number zero;
  if (attribute.limits.min && amount < zero) {
    const auto least = item::Number::Subtract(*attribute.limits.min, amount);
    if (least) low = Compare(attribute.stored_as, expr::Comparator::kGreaterOrEqual, *least);
  }
  if (attribute.limits.max && zero < amount) {
    const auto most = item::Number::Subtract(*attribute.limits.max, amount);
    if (most) {
      high = AnyOf(NotExists(attribute.stored_as),
                   Compare(attribute.stored_as, expr::Comparator::kLessOrEqual, *most));
    }
  }
  return AllOf({std::move(low), std::move(high)});
}

// The write itself, once it is known what changes.
class Planner {
 public:
  Planner(const Database& database, const Entity& entity, const item::Item& key_values, Changes changes,
          const item::Item* old_values, const ExpectedVersion& expected)
      : database_(database),
        model_(database.model()),
        entity_(entity),
        changes_(std::move(changes)),
        old_(old_values),
        expected_(expected),
        key_names_(KeyNames(entity)) {
    plan_.new_values = old_values == nullptr ? key_values : *old_values;
  }

  Outcome<UpdatePlan> Plan() {
    RETURN_IF_ERROR(CheckFixed());
    if (old_ != nullptr) DropWhatIsSo();
    plan_.unchanged = changes_.empty();
    if (plan_.unchanged) {
      if (old_ != nullptr) FillDefaults(entity_, plan_.new_values);
      return std::move(plan_);
    }
    if (old_ != nullptr) WriteDefaults();
    changed_ = ChangedNames(entity_, changes_);
    Apply();
    RETURN_IF_ERROR(Validate());
    RETURN_IF_ERROR(WriteIndexKeys());
    WriteVersion();
    plan_.condition = AllOf({Lock(), ReliedUpon(), std::move(bounds_)});
    return std::move(plan_);
  }

 private:
  // Key attributes and immutable ones may be repeated, not changed.
  Outcome<void> CheckFixed() {
    std::vector<FieldError> wrong;
    const auto refuse = [&](const std::string& stored) {
      wrong.push_back({entity_.FindStored(stored)->name, "cannot be changed"});
    };
    for (const item::Attribute& attribute : changes_.set) {
      if (!IsFixed(model_, entity_, key_names_, attribute.name)) continue;
      const item::AttributeValue* known = plan_.new_values.Find(attribute.name);
      if (known == nullptr || !(*known == attribute.value)) refuse(attribute.name);
    }
    for (const std::string& name : changes_.remove) {
      if (IsFixed(model_, entity_, key_names_, name)) refuse(name);
    }
    for (const auto& [name, amount] : changes_.add) {
      if (IsFixed(model_, entity_, key_names_, name)) refuse(name);
    }
    if (!wrong.empty()) return std::unexpected(Failure(std::move(wrong)));
    Names fixed;
    for (const item::Attribute& attribute : changes_.set) {
      if (IsFixed(model_, entity_, key_names_, attribute.name)) fixed.push_back(attribute.name);
    }
    for (const std::string& name : fixed) changes_.set.Remove(name);
    return {};
  }

  void DropWhatIsSo() {
    Names same;
    for (const item::Attribute& attribute : changes_.set) {
      const Attribute* definition = entity_.FindStored(attribute.name);
      const item::AttributeValue* now = old_->Find(attribute.name);
      if (definition->automatic != Auto::kNo || (now != nullptr && *now == attribute.value)) {
        same.push_back(attribute.name);
      }
    }
    for (const std::string& name : same) changes_.set.Remove(name);
    std::erase_if(changes_.remove, [&](const std::string& name) { return old_->Find(name) == nullptr; });
    std::erase_if(changes_.add, [](const auto& change) { return change.second == item::Number(); });
  }

  // An item that is older than an attribute gets its default with the first write that reads the item, so
  // that index keys and rules that depend on it hold.
  void WriteDefaults() {
    for (const size_t position : entity_.defaulted) {
      const Attribute& attribute = entity_.attributes[position];
      const std::string& name = attribute.stored_as;
      if (old_->Contains(name) || changes_.set.Contains(name)) continue;
      const auto addition = std::ranges::find(changes_.add, name, [](const auto& add) { return add.first; });
      item::AttributeValue value = *attribute.default_value;
      if (addition != changes_.add.end()) {
        if (value.is(item::Type::kNumber) && value.number() == item::Number()) continue;  // as adding counts
        const auto sum = value.is(item::Type::kNumber) ? item::Number::Add(value.number(), addition->second)
                                                       : Fail(Invalid("no number"));
        if (!sum) continue;
        value = *sum;
        changes_.add.erase(addition);
      }
      changes_.set.Set(name, std::move(value));
      defaults_written_.push_back(name);
    }
  }

  void Set(const std::string& name, item::AttributeValue value) {
    auto operand = std::make_shared<const expr::SetValue>(expr::SetValue{std::move(value)});
    plan_.update.sets.push_back({{name, {}}, std::move(operand)});
  }
  void Remove(const std::string& name) { plan_.update.removes.push_back({{name, {}}}); }

  void Apply() {
    for (const Attribute& attribute : entity_.attributes) {
      if (attribute.automatic == Auto::kUpdate) {
        changes_.set.Set(attribute.stored_as, TimeValue(attribute.type.kind, database_.Now()));
      }
    }
    for (const item::Attribute& attribute : changes_.set) {
      plan_.new_values.Set(attribute.name, attribute.value);
    }
    for (const std::string& name : changes_.remove) plan_.new_values.Remove(name);
    for (const auto& [name, amount] : changes_.add) {
      plan_.update.adds.push_back({{name, {}}, amount});
      if (auto bound = CounterBounds(*entity_.FindStored(name), amount)) {
        bounds_ = AllOf({std::move(bounds_), std::move(bound)});
      }
      if (old_ == nullptr) continue;
      const item::AttributeValue* now = old_->Find(name);
      const item::Number start =
          now != nullptr && now->is(item::Type::kNumber) ? now->number() : item::Number();
      if (const auto sum = item::Number::Add(start, amount)) plan_.new_values.Set(name, *sum);
    }
  }

  Outcome<void> Validate() {
    std::vector<FieldError> wrong = old_ == nullptr ? ValidateChange(entity_, plan_.new_values, changed_)
                                                    : ValidateValues(entity_, plan_.new_values);
    if (wrong.empty() && old_ != nullptr) wrong = ValidateTransition(entity_, *old_, plan_.new_values);
    if (!wrong.empty()) return std::unexpected(Failure(std::move(wrong)));
    for (const item::Attribute& attribute : changes_.set) {
      // Validation may have brought the value into canonical form, or left an empty one out.
      if (const item::AttributeValue* value = plan_.new_values.Find(attribute.name)) {
        Set(attribute.name, *value);
      } else {
        Remove(attribute.name);
      }
    }
    for (const std::string& name : changes_.remove) Remove(name);
    return {};
  }

  // Recomputes the keys of every index the change touches; an item that leaves an index loses both
  // attributes.
  Outcome<void> WriteIndexKeys() {
    const Table& table = model_.TableOf(entity_);
    for (const EntityIndex& index : entity_.indexes) {
      if (!Intersects(index.dependencies, changed_)) continue;
      item::Item keys;
      RETURN_IF_ERROR(SetIndexKeys(model_, index, entity_, plan_.new_values, keys));
      const Index& definition = table.indexes[index.index];
      for (const std::string* name : {&definition.pk_attribute, &definition.sk_attribute}) {
        if (name->empty()) continue;
        const item::AttributeValue* value = keys.Find(*name);
        value == nullptr ? Remove(*name) : Set(*name, *value);
      }
    }
    if (entity_.ttl.enabled() && Has(changed_, entity_.Find(entity_.ttl.from)->stored_as)) {
      item::Item expiry;
      RETURN_IF_ERROR(
          SetTimeToLive(model_, entity_, database_.TtlAfter(entity_.ttl), plan_.new_values, expiry));
      const item::AttributeValue* value = expiry.Find(table.ttl_attribute);
      value == nullptr ? Remove(table.ttl_attribute) : Set(table.ttl_attribute, *value);
    }
    return {};
  }

  const item::AttributeValue* LockValue(const std::string& stored) const {
    if (expected_) return &*expected_;
    return old_ == nullptr ? nullptr : old_->Find(stored);
  }

  void WriteVersion() {
    if (entity_.lock.version_attribute.empty()) return;
    const std::string& stored = entity_.Find(entity_.lock.version_attribute)->stored_as;
    const item::AttributeValue* before = LockValue(stored);
    const item::Number count =
        before != nullptr && before->is(item::Type::kNumber) ? before->number() : item::Number();
    const auto next = item::Number::Add(count, item::Number(1));
    if (!next) return;  // 10^125 writes
    Set(stored, *next);
    plan_.new_values.Set(stored, *next);
  }

  expr::ConditionPtr Lock() const {
    if (!entity_.lock.enabled()) return nullptr;
    const std::string& name =
        entity_.lock.version_attribute.empty() ? entity_.lock.on_attribute : entity_.lock.version_attribute;
    const std::string& stored = entity_.Find(name)->stored_as;
    return Is(stored, LockValue(stored));
  }

  // A version covers everything; without one, each attribute that was read and mattered must still be so.
  expr::ConditionPtr ReliedUpon() const {
    if (old_ == nullptr || !entity_.lock.version_attribute.empty()) return nullptr;
    Names names;
    for (const RuleReads& rule : RulesOf(model_, entity_)) {
      if (!Intersects(rule.reads, changed_)) continue;
      for (const std::string& name : rule.reads) {
        if (!Has(changed_, name)) names.push_back(name);
      }
      for (const std::string& name : rule.old) names.push_back(name);
      for (const auto& [name, amount] : changes_.add) {
        if (Has(rule.reads, name)) names.push_back(name);
      }
    }
    names.insert(names.end(), defaults_written_.begin(), defaults_written_.end());
    SortUnique(names);
    std::vector<expr::ConditionPtr> conditions;
    for (const std::string& name : names) {
      if (!entity_.FindStored(name)->in_key_only) conditions.push_back(Is(name, old_->Find(name)));
    }
    return AllOf(std::move(conditions));
  }

  const Database& database_;
  const Model& model_;
  const Entity& entity_;
  Changes changes_;
  const item::Item* old_;
  const ExpectedVersion& expected_;
  const Names key_names_;
  Names changed_;
  Names defaults_written_;  // the item had none
  expr::ConditionPtr bounds_;
  UpdatePlan plan_;
};

}  // namespace

std::vector<const Entity*> MirrorsOf(const Model& model, const Entity& entity) {
  std::vector<const Entity*> mirrors;
  for (const Entity& other : model.entities) {
    if (other.mirror && other.mirror->entity == entity.name) mirrors.push_back(&other);
  }
  return mirrors;
}

bool NeedsOldValues(const Model& model, const Entity& entity, const item::Item& key_values,
                    const Changes& changes) {
  const Names changed = ChangedNames(entity, changes);
  const Names key_names = KeyNames(entity);
  const auto is_told = [&](const std::string& name) {
    if (Has(key_names, name)) return key_values.Find(name) != nullptr;
    const bool added = std::any_of(changes.add.begin(), changes.add.end(),
                                   [&](const auto& change) { return change.first == name; });
    return Has(changed, name) && !added;
  };
  for (const item::Attribute& attribute : changes.set) {
    if (IsFixed(model, entity, key_names, attribute.name) && !Has(key_names, attribute.name)) return true;
  }
  for (const auto& [name, amount] : changes.add) {  // counts from the default where the item has no value
    const auto& from = entity.FindStored(name)->default_value;
    if (from && !(*from == item::AttributeValue(item::Number()))) return true;
  }
  for (const RuleReads& rule : RulesOf(model, entity)) {
    if (!Intersects(rule.reads, changed)) continue;
    if (!rule.old.empty() || !std::all_of(rule.reads.begin(), rule.reads.end(), is_told)) return true;
  }
  return false;
}

Outcome<UpdatePlan> PlanUpdate(const Database& database, const Entity& entity, const item::Item& key_values,
                               Changes changes, const item::Item* old_values,
                               const ExpectedVersion& expected) {
  return Planner(database, entity, key_values, std::move(changes), old_values, expected).Plan();
}

Changes ChangesBetween(const Model& model, const Entity& entity, const item::Item& old_values,
                       const item::Item& new_values) {
  Changes changes;
  changes.set = new_values;
  for (const Attribute& attribute : entity.attributes) {
    const bool derived = entity.ttl.enabled() && attribute.stored_as == model.TableOf(entity).ttl_attribute;
    const bool kept = derived || attribute.immutable || attribute.automatic != Auto::kNo ||
                      attribute.in_key_only || attribute.generate != Generate::kNo ||
                      attribute.name == entity.lock.version_attribute;
    if (derived || attribute.automatic != Auto::kNo || attribute.name == entity.lock.version_attribute) {
      changes.set.Remove(attribute.stored_as);
    }
    if (kept || new_values.Contains(attribute.stored_as)) continue;
    if (attribute.default_value) {
      changes.set.Set(attribute.stored_as, *attribute.default_value);
    } else if (old_values.Contains(attribute.stored_as)) {
      changes.remove.push_back(attribute.stored_as);
    }
  }
  return changes;
}

}  // namespace cairn::model
