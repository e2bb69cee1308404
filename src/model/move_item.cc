#include "model/move_item.h"

#include "model/check_item.h"
#include "model/entity_codec.h"
#include "model/record.h"
#include "model/validate.h"

namespace cairn::model {
namespace {

bool IsDerived(const Table& table, std::string_view name) {
  if (name == table.pk_attribute || name == table.sk_attribute || name == table.type_attribute) return true;
  for (const Index& index : table.indexes) {
    if (name == index.pk_attribute || name == index.sk_attribute) return true;
  }
  return false;
}

// The entity of now that items of one of before become: that of the same type, or of the same name.
const Entity* Successor(const Model& model, size_t table, const Entity& before) {
  for (const Entity& entity : model.entities) {
    if (entity.table == table && !entity.type.empty() && entity.type == before.type) return &entity;
  }
  const Entity* namesake = model.FindEntity(before.name);
  return namesake != nullptr && namesake->table == table ? namesake : nullptr;
}

}  // namespace

Result<std::optional<item::Item>> MovedItem(const Model& before, size_t before_table,
                                            const Database& database, size_t table,
                                            const item::PackedItem& item) {
  const Model& model = database.model();
  const Entity* now = EntityOf(model, EntitiesOf(model, table), item);
  if (now != nullptr && WhyMislaid(model, *now, item).empty()) return std::nullopt;
  const Entity* was = EntityOf(before, EntitiesOf(before, before_table), item);
  if (was == nullptr || !WhyMislaid(before, *was, item).empty()) return std::nullopt;
  if (now == nullptr) now = Successor(model, table, *was);
  if (now == nullptr) return std::nullopt;

  item::Item values = Record(before, *was, item).Values();
  for (const Attribute& attribute : now->attributes) {  // stored under another name since
    const Attribute* old = was->Find(attribute.name);
    if (old == nullptr || old->stored_as == attribute.stored_as || values.Contains(attribute.stored_as))
      continue;
    const item::AttributeValue* value = values.Find(old->stored_as);
    if (value == nullptr) continue;
    values.Set(attribute.stored_as, item::AttributeValue(*value));
    if (now->FindStored(old->stored_as) == nullptr) values.Remove(old->stored_as);
  }
  item::Item known;
  for (const item::Attribute& value : values) {
    if (now->FindStored(value.name) != nullptr) known.Set(value.name, value.value);
  }
  if (const auto wrong = ValidateValues(*now, known); !wrong.empty())
    return Fail(Invalid(wrong.front().attribute + " " + wrong.front().message));
  // What neither model knows, and what the one of now has given up, is kept.
  const item::Item stored = item.Unpack();
  for (const item::Attribute& attribute : stored) {
    const bool derived = IsDerived(model.tables[table], attribute.name) ||
                         IsDerived(before.tables[before_table], attribute.name);
    if (!derived && was->FindStored(attribute.name) == nullptr && !known.Contains(attribute.name))
      known.Set(attribute.name, attribute.value);
  }
  for (const item::Attribute& value : values) {
    const Attribute* attribute = was->FindStored(value.name);
    if (!known.Contains(value.name) && attribute != nullptr && !attribute->in_key_only &&
        !IsDerived(model.tables[table], value.name) && stored.Contains(value.name) &&
        now->Find(attribute->name) == nullptr)
      known.Set(value.name, value.value);
  }
  ASSIGN_OR_RETURN(item::Item moved, StoredItem(model, *now, database.TtlAfter(now->ttl), std::move(known)));
  return moved;
}

}  // namespace cairn::model
