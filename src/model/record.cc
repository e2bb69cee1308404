#include "model/record.h"

namespace cairn::model {
namespace {

// Adds what only the key tells.
void AddKeyAttributes(const Model& model, const Entity& entity, const item::PackedItem& packed,
                      item::Item& values) {
  const Table& table = model.TableOf(entity);
  item::Item told;
  const auto pk = packed.Find(table.pk_attribute);
  if (pk && pk->is(item::Type::kString)) entity.pk.Match(pk->string(), told);
  if (!table.sk_attribute.empty()) {
    const auto sk = packed.Find(table.sk_attribute);
    if (sk && sk->is(item::Type::kString)) entity.sk.Match(sk->string(), told);
  }
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.in_key_only) continue;
    if (item::AttributeValue* value = told.Find(attribute.stored_as))
      values.Set(attribute.stored_as, std::move(*value));
  }
}

bool HasKeyOnlyAttributes(const Entity& entity) {
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.in_key_only) return true;
  }
  return false;
}

}  // namespace

item::Item Record::Values() const {
  item::Item stored = packed_.Unpack();
  std::vector<item::Attribute> own;
  own.reserve(stored.size());
  for (item::Attribute& attribute : stored) {
    const Attribute* definition = entity_->FindStored(attribute.name);
    if (definition != nullptr && !definition->in_key_only) own.push_back(std::move(attribute));
  }
  item::Item values = item::Item::FromAttributes(std::move(own));
  if (HasKeyOnlyAttributes(*entity_)) AddKeyAttributes(*model_, *entity_, packed_, values);
  return values;
}

std::optional<item::AttributeValue> Record::Find(std::string_view stored_name) const {
  const Attribute* attribute = entity_->FindStored(stored_name);
  if (attribute == nullptr || !attribute->in_key_only) return packed_.Find(stored_name);
  item::Item values;
  AddKeyAttributes(*model_, *entity_, packed_, values);
  const item::AttributeValue* value = values.Find(stored_name);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<item::AttributeValue> Record::Version() const {
  const Lock& lock = entity_->lock;
  if (!lock.enabled()) return std::nullopt;
  const Attribute* attribute =
      entity_->Find(lock.version_attribute.empty() ? lock.on_attribute : lock.version_attribute);
  return packed_.Find(attribute->stored_as);
}

}  // namespace cairn::model
