// The actions of a commit: what each staged write asks of the store.
#include <algorithm>

#include "model/commit.h"
#include "model/conditions.h"
#include "model/entity_codec.h"
#include "model/guard.h"
#include "model/validate.h"

namespace cairn::model {
namespace {

bool UpsertReadsFirst(const Model& model, const Entity& entity) {
  if (entity.lock.enabled() || !entity.uniques.empty() || !MirrorsOf(model, entity).empty()) return true;
  return std::any_of(entity.attributes.begin(), entity.attributes.end(), [](const Attribute& attribute) {
    return attribute.immutable || attribute.automatic == Auto::kCreate || attribute.generate != Generate::kNo;
  });
}

std::vector<std::string> Elements(const item::Item* values, const std::string& stored) {
  std::vector<std::string> elements;
  const item::AttributeValue* list = values == nullptr ? nullptr : values->Find(stored);
  if (list == nullptr || !list->is(item::Type::kList)) return elements;
  for (const item::AttributeValue& element : list->list()) {
    if (element.is(item::Type::kString)) elements.push_back(element.string());
  }
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return elements;
}

// The attribute of an entity that others refer to: the last one its key names.
const Attribute* IdAttribute(const Entity& entity) {
  const Attribute* id = nullptr;
  for (const Template* key : {&entity.pk, &entity.sk}) {
    for (const TemplatePart& part : key->parts()) {
      if (!part.is_literal()) id = entity.FindStored(part.lookup);
    }
  }
  return id;
}

const Attribute* ReferenceTo(const Entity& entity, const std::string& target) {
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.type.kind == Kind::kRef && attribute.type.name == target) return &attribute;
  }
  return nullptr;
}

}  // namespace

Task<Outcome<Record>> CommitRun::OldRecord(size_t position) {
  const Staged& staged = staged_[position];
  CO_ASSIGN_OR_RETURN(item::Item primary, PrimaryKey(model_, *staged.entity, staged.values));
  if (attempt_ == 0) {
    const auto loaded = session_.loaded_.find(StagedKey(model_, *staged.entity, primary));
    if (loaded != session_.loaded_.end()) {
      caller_read_[position] = true;
      co_return loaded->second;
    }
  }
  caller_read_[position] = false;
  auto record = co_await LoadRecord(session_, *staged.entity, primary);
  if (!record) co_return std::unexpected(std::move(record).error());
  if (!*record) {
    co_return std::unexpected(
        Failure(Conflict{ConflictKind::kNotFound, staged.entity, std::move(primary), {}}));
  }
  co_return **std::move(record);
}

Task<Outcome<void>> CommitRun::PrepareCreate(size_t position) {
  const Staged& staged = staged_[position];
  const Entity& entity = *staged.entity;
  if (entity.write != WriteMode::kUpsert) co_return AddCreate(position, Absent(entity));
  if (!UpsertReadsFirst(model_, entity)) {
    expr::ConditionPtr owned = Owned(entity);
    co_return AddCreate(position, owned == nullptr ? nullptr : AnyOf(Absent(entity), std::move(owned)));
  }
  auto old = co_await OldRecord(position);
  if (!old && old.error().error.code != Code::kResourceNotFound)
    co_return std::unexpected(std::move(old).error());
  if (!old) co_return AddCreate(position, Absent(entity));
  const item::Item old_values = old->StoredValues();
  item::Item values = staged.values;
  for (const Attribute& attribute : entity.attributes) {  // what the first create fixed stays
    const bool fixed = attribute.immutable || attribute.automatic == Auto::kCreate ||
                       attribute.generate != Generate::kNo || attribute.name == entity.lock.version_attribute;
    const item::AttributeValue* before = old_values.Find(attribute.stored_as);
    if (fixed && before != nullptr) values.Set(attribute.stored_as, *before);
  }
  co_return AddChange(position, ChangesBetween(model_, entity, old_values, values), &old_values);
}

Outcome<void> CommitRun::AddCreate(size_t position, expr::ConditionPtr condition) {
  const Staged& staged = staged_[position];
  const Entity& entity = *staged.entity;
  ASSIGN_OR_RETURN(item::Item item,
                   StoredItem(model_, entity, database_.TtlAfter(entity.ttl), staged.values));
  const Table& table = model_.TableOf(entity);
  item::Item key{{table.pk_attribute, *item.Find(table.pk_attribute)}};
  if (!table.sk_attribute.empty()) key.Set(table.sk_attribute, *item.Find(table.sk_attribute));
  Add(position, Purpose::kMain, entity, std::move(key),
      store::TransactPut{database_.physical_name(entity.table), std::move(item), std::move(condition)});
  RETURN_IF_ERROR(AddParentCheck(position, entity, staged.values));
  RETURN_IF_ERROR(AddGuards(position, nullptr, &staged.values));
  return AddMirrors(position, nullptr, &staged.values);
}

Task<Outcome<void>> CommitRun::PrepareChange(size_t position) {
  const Staged& staged = staged_[position];
  const Entity& entity = *staged.entity;
  const bool replace = staged.op == Operation::kReplace;
  const bool blind = !replace && (staged.expected || !entity.lock.enabled()) &&
                     !NeedsOldValues(model_, entity, staged.values, staged.changes);
  if (blind) co_return AddChange(position, staged.changes, nullptr);
  CO_ASSIGN_OR_RETURN(const Record old, co_await OldRecord(position));
  const item::Item old_values = old.StoredValues();
  const auto version = old.Version();
  if (staged.expected && entity.lock.enabled() && version != staged.expected) {
    CO_ASSIGN_OR_RETURN(item::Item primary, PrimaryKey(model_, entity, staged.values));
    co_return std::unexpected(Failure(Conflict{ConflictKind::kVersion, &entity, std::move(primary), {}}));
  }
  co_return AddChange(position,
                      replace ? ChangesBetween(model_, entity, old_values, staged.values) : staged.changes,
                      &old_values);
}

Outcome<void> CommitRun::AddChange(size_t position, Changes changes, const item::Item* old_values) {
  const Staged& staged = staged_[position];
  const Entity& entity = *staged.entity;
  ASSIGN_OR_RETURN(UpdatePlan plan, PlanUpdate(database_, entity, staged.values, std::move(changes),
                                               old_values, staged.expected));
  committed_.values[position] = plan.new_values;
  committed_.unchanged[position] = plan.unchanged;
  if (plan.unchanged && old_values != nullptr) return {};
  ASSIGN_OR_RETURN(item::Item key, PrimaryKey(model_, entity, staged.values));
  Add(position, Purpose::kMain, entity, key,
      store::TransactUpdate{database_.physical_name(entity.table), key, std::move(plan.update),
                            AllOf({Live(entity), std::move(plan.condition)})});
  if (old_values == nullptr) return {};
  RETURN_IF_ERROR(AddGuards(position, old_values, &plan.new_values));
  return AddMirrors(position, old_values, &plan.new_values);
}

Task<Outcome<void>> CommitRun::PrepareDelete(size_t position) {
  const Staged& staged = staged_[position];
  const Entity& entity = *staged.entity;
  const bool reads = (entity.lock.enabled() && !staged.expected) || !entity.uniques.empty() ||
                     !MirrorsOf(model_, entity).empty();
  expr::ConditionPtr lock;
  item::Item old_values;
  CO_ASSIGN_OR_RETURN(item::Item key, PrimaryKey(model_, entity, staged.values));
  ExpectedVersion version = staged.expected;
  if (reads) {
    CO_ASSIGN_OR_RETURN(const Record old, co_await OldRecord(position));
    old_values = old.StoredValues();
    if (staged.expected && old.Version() != staged.expected) {
      co_return std::unexpected(Failure(Conflict{ConflictKind::kVersion, &entity, std::move(key), {}}));
    }
    version = old.Version();
  }
  if (entity.lock.enabled()) {
    const std::string& name =
        entity.lock.version_attribute.empty() ? entity.lock.on_attribute : entity.lock.version_attribute;
    lock = Is(entity.Find(name)->stored_as, version ? &*version : nullptr);
  }
  std::vector<expr::ConditionPtr> conditions = {Live(entity), std::move(lock)};
  if (reads && entity.lock.version_attribute.empty()) {
    // Guards and mirrors follow from these values, so they must still be so.
    for (const Unique& unique : entity.uniques) {
      for (const std::string& name : unique.dependencies) {
        if (!entity.FindStored(name)->in_key_only) conditions.push_back(Is(name, old_values.Find(name)));
      }
    }
    for (const Entity* mirror : MirrorsOf(model_, entity)) {
      const std::string& name = entity.Find(mirror->mirror->attribute)->stored_as;
      conditions.push_back(Is(name, old_values.Find(name)));
    }
  }
  Add(position, Purpose::kMain, entity, key,
      store::TransactDelete{database_.physical_name(entity.table), key, AllOf(std::move(conditions))});
  if (!reads) co_return Outcome<void>();
  CO_RETURN_IF_ERROR(AddGuards(position, &old_values, nullptr));
  co_return AddMirrors(position, &old_values, nullptr);
}

Outcome<void> CommitRun::PrepareCheck(size_t position) {
  const Staged& staged = staged_[position];
  const Entity& entity = *staged.entity;
  ASSIGN_OR_RETURN(item::Item key, PrimaryKey(model_, entity, staged.values));
  expr::ConditionPtr lock;
  if (staged.expected && entity.lock.enabled()) {
    const std::string& name =
        entity.lock.version_attribute.empty() ? entity.lock.on_attribute : entity.lock.version_attribute;
    lock = Equals(entity.Find(name)->stored_as, *staged.expected);
  }
  Add(position, Purpose::kMain, entity, key,
      store::ConditionCheck{database_.physical_name(entity.table), key,
                            AllOf({Live(entity), std::move(lock)})});
  return {};
}

Status CommitRun::AddParentCheck(size_t position, const Entity& child, const item::Item& child_values) {
  if (child.owner_parent.empty()) return {};
  const Entity& parent = *model_.FindEntity(child.owner_parent);
  item::Item values;
  if (const Tenant* tenant = model_.TenantOf(parent)) {
    const item::AttributeValue* owner = child_values.Find(child.Find(tenant->parameter)->stored_as);
    if (owner != nullptr) values.Set(parent.Find(tenant->parameter)->stored_as, *owner);
  }
  const item::AttributeValue* id = child_values.Find(ReferenceTo(child, parent.name)->stored_as);
  if (id != nullptr) values.Set(IdAttribute(parent)->stored_as, *id);
  ASSIGN_OR_RETURN(item::Item key, PrimaryKey(model_, parent, values));
  const std::string known = StagedKey(model_, parent, key);
  for (const Action& action : actions_) {
    const bool same_table = action.entity->table == parent.table;
    if (same_table && StagedKey(model_, *action.entity, action.key) == known) return {};
  }
  for (const Staged& other : staged_) {  // a parent that this very commit writes needs no check
    if (other.entity != &parent) continue;
    const auto other_key = PrimaryKey(model_, parent, other.values);
    if (other_key && StagedKey(model_, parent, *other_key) == known) return {};
  }
  Add(position, Purpose::kParent, parent, key,
      store::ConditionCheck{database_.physical_name(parent.table), key, Live(parent)});
  return {};
}

Outcome<void> CommitRun::AddGuards(size_t position, const item::Item* old_values,
                                   const item::Item* new_values) {
  const Entity& entity = *staged_[position].entity;
  if (entity.uniques.empty()) return {};
  const Table& table = model_.TableOf(entity);
  const std::string& physical = database_.physical_name(entity.table);
  ASSIGN_OR_RETURN(const item::Item primary, PrimaryKey(model_, entity, staged_[position].values));
  const std::string guarded = GuardedText(table, primary);
  for (const Unique& unique : entity.uniques) {
    std::optional<item::Item> before, after;
    if (old_values != nullptr) {
      ASSIGN_OR_RETURN(before, GuardKey(table, unique, *old_values));
    }
    if (new_values != nullptr) {
      ASSIGN_OR_RETURN(after, GuardKey(table, unique, *new_values));
    }
    if (before == after) continue;
    const expr::ConditionPtr ours =
        AnyOf(NotExists(table.pk_attribute), Equals(std::string(kGuardOf), guarded));
    if (before)
      Add(position, Purpose::kFreed, entity, *before, store::TransactDelete{physical, *before, ours});
    if (after) {
      expr::ConditionPtr free = ours;
      const auto stale = stale_guards_.find(GuardedText(table, *after));
      if (stale != stale_guards_.end()) {
        free = AnyOf(std::move(free), Equals(std::string(kGuardOf), stale->second));
        item::Item gone = *KeyOfGuarded(table, stale->second);
        Add(position, Purpose::kStale, entity, gone, store::ConditionCheck{physical, gone, Absent(entity)});
      }
      item::Item guard = GuardItem(table, *after, primary);
      Add(position, Purpose::kGuard, entity, *std::move(after),
          store::TransactPut{physical, std::move(guard), std::move(free)});
      actions_.back().unique = &unique;
    }
  }
  return {};
}

Outcome<void> CommitRun::AddMirrors(size_t position, const item::Item* old_values,
                                    const item::Item* new_values) {
  const Entity& entity = *staged_[position].entity;
  for (const Entity* mirror : MirrorsOf(model_, entity)) {
    const std::string& stored = entity.Find(mirror->mirror->attribute)->stored_as;
    const std::vector<std::string> before = Elements(old_values, stored);
    const std::vector<std::string> after = Elements(new_values, stored);
    const item::Item& values = new_values == nullptr ? *old_values : *new_values;
    for (const std::string& element : before) {
      if (!std::binary_search(after.begin(), after.end(), element)) {
        RETURN_IF_ERROR(AddMirrorWrite(position, *mirror, values, element, false));
      }
    }
    for (const std::string& element : after) {
      if (!std::binary_search(before.begin(), before.end(), element)) {
        RETURN_IF_ERROR(AddMirrorWrite(position, *mirror, values, element, true));
      }
    }
  }
  return {};
}

Status CommitRun::AddMirrorWrite(size_t position, const Entity& mirror, const item::Item& values,
                                 const std::string& element, bool there) {
  const Entity& entity = *staged_[position].entity;
  const Attribute& list = *entity.Find(mirror.mirror->attribute);
  item::Item link;
  link.Set(ReferenceTo(mirror, list.type.element->name)->stored_as, element);
  if (const Attribute* back = ReferenceTo(mirror, entity.name)) {
    link.Set(back->stored_as, *values.Find(IdAttribute(entity)->stored_as));
  }
  if (const Tenant* tenant = model_.TenantOf(mirror)) {
    const item::AttributeValue* owner = values.Find(entity.Find(tenant->parameter)->stored_as);
    if (owner != nullptr) link.Set(mirror.Find(tenant->parameter)->stored_as, *owner);
  }
  Complete(database_, mirror, link);
  const std::string& physical = database_.physical_name(mirror.table);
  ASSIGN_OR_RETURN(item::Item key, PrimaryKey(model_, mirror, link));
  expr::ConditionPtr owned = Owned(mirror);
  if (owned != nullptr) owned = AnyOf(NotExists(model_.TableOf(mirror).pk_attribute), std::move(owned));
  if (!there) {
    Add(position, Purpose::kMirror, mirror, key, store::TransactDelete{physical, key, std::move(owned)});
    return {};
  }
  if (auto wrong = ValidateValues(mirror, link); !wrong.empty()) return Fail(Failure(std::move(wrong)).error);
  RETURN_IF_ERROR(AddParentCheck(position, mirror, link));
  ASSIGN_OR_RETURN(item::Item item,
                   StoredItem(model_, mirror, database_.TtlAfter(mirror.ttl), std::move(link)));
  Add(position, Purpose::kMirror, mirror, std::move(key),
      store::TransactPut{physical, std::move(item), std::move(owned)});
  return {};
}

}  // namespace cairn::model
