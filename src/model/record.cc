#include "model/record.h"

#include <algorithm>

#include "item/packed_fields.h"

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

std::optional<std::string_view> TextOf(const item::PackedItem& item, std::string_view name) {
  std::optional<item::PackedField> field;
  item::ReadFields(item, std::span(&name, 1), std::span(&field, 1));
  if (!field || field->type != item::Type::kString) return std::nullopt;
  return field->text;
}

}  // namespace

item::Item Record::Values() const {
  item::Item values = StoredValues();
  for (const size_t position : entity_->defaulted) {
    const Attribute& attribute = entity_->attributes[position];
    if (!values.Contains(attribute.stored_as) && IsRead(attribute.stored_as))
      values.Set(attribute.stored_as, *attribute.default_value);
  }
  return values;
}

bool Record::IsRead(std::string_view stored_name) const {
  return read_ == nullptr || std::ranges::find(*read_, stored_name) != read_->end();
}

const item::AttributeValue* Record::DefaultOf(std::string_view stored_name) const {
  for (const size_t position : entity_->defaulted) {
    const Attribute& attribute = entity_->attributes[position];
    if (attribute.stored_as == stored_name) return IsRead(stored_name) ? &*attribute.default_value : nullptr;
  }
  return nullptr;
}

item::Item Record::StoredValues() const {
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
  if (attribute == nullptr || !attribute->in_key_only) {
    auto stored = packed_.Find(stored_name);
    const item::AttributeValue* absent = stored || attribute == nullptr ? nullptr : DefaultOf(stored_name);
    return absent == nullptr ? stored : std::optional(*absent);
  }
  item::Item values;
  AddKeyAttributes(*model_, *entity_, packed_, values);
  const item::AttributeValue* value = values.Find(stored_name);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

const item::Item& KeyReader::ToldByPartitionKey(const Entity& entity, std::string_view pk) {
  auto told = std::ranges::find(latest_, &entity, &Told::entity);
  if (told == latest_.end()) told = latest_.insert(told, {&entity, "", {}});
  if (told->pk != pk) {
    told->pk = pk;
    told->values = {};
    entity.pk.Match(pk, told->values);
  }
  return told->values;
}

const item::AttributeValue* KeyReader::Find(const Record& record, std::string_view stored_name) {
  const Entity& entity = record.entity();
  const Table& table = record.model().TableOf(entity);
  const auto pk = TextOf(record.packed(), table.pk_attribute);
  if (!pk) return nullptr;
  if (const item::AttributeValue* told = ToldByPartitionKey(entity, *pk).Find(stored_name)) return told;
  const auto sk = table.sk_attribute.empty() ? std::nullopt : TextOf(record.packed(), table.sk_attribute);
  if (!sk) return nullptr;
  told_by_sk_ = {};
  entity.sk.Match(*sk, told_by_sk_);
  return told_by_sk_.Find(stored_name);
}

std::optional<item::AttributeValue> Record::Version() const {
  const Lock& lock = entity_->lock;
  if (!lock.enabled()) return std::nullopt;
  const Attribute* attribute =
      entity_->Find(lock.version_attribute.empty() ? lock.on_attribute : lock.version_attribute);
  return packed_.Find(attribute->stored_as);
}

}  // namespace cairn::model
