#include "model/entity_codec.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cairn::model {
namespace {

bool IsInKeyOnly(const Entity& entity, std::string_view stored_name) {
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.in_key_only && attribute.stored_as == stored_name) return true;
  }
  return false;
}

bool HasAll(const Template& key, const item::Item& values) {
  for (const TemplatePart& part : key.parts()) {
    if (part.is_literal()) continue;
    const item::AttributeValue* value = values.Find(part.lookup);
    if (value == nullptr || value->is(item::Type::kNull)) return false;
  }
  return true;
}

bool MatchesKey(const Table& table, const Entity& entity, const ItemFacts& facts) {
  if (!facts.pk->starts_with(entity.pk.LiteralPrefix())) return false;
  if (!table.sk_attribute.empty() && (!facts.sk || !facts.sk->starts_with(entity.sk.LiteralPrefix())))
    return false;
  item::Item told;
  return entity.pk.Match(*facts.pk, told) && (table.sk_attribute.empty() || entity.sk.Match(*facts.sk, told));
}

}  // namespace

Result<item::Item> PrimaryKey(const Model& model, const Entity& entity, const item::Item& values) {
  const Table& table = model.TableOf(entity);
  item::Item key;
  key.reserve(2);
  ASSIGN_OR_RETURN(std::string pk, entity.pk.Build(values));
  key.Set(table.pk_attribute, std::move(pk));
  if (!table.sk_attribute.empty()) {
    ASSIGN_OR_RETURN(std::string sk, entity.sk.Build(values));
    key.Set(table.sk_attribute, std::move(sk));
  }
  return key;
}

Status SetIndexKeys(const Model& model, const EntityIndex& index, const Entity& entity,
                    const item::Item& values, item::Item& item) {
  const Index& definition = model.TableOf(entity).indexes[index.index];
  if (!HasAll(index.pk, values) || !HasAll(index.sk, values) || !index.when.Holds(values)) return {};
  ASSIGN_OR_RETURN(std::string pk, index.pk.Build(values));
  if (!definition.sk_attribute.empty()) {
    ASSIGN_OR_RETURN(std::string sk, index.sk.Build(values));
    item.Set(definition.sk_attribute, std::move(sk));
  }
  item.Set(definition.pk_attribute, std::move(pk));
  return {};
}

Status SetTimeToLive(const Model& model, const Entity& entity, std::chrono::seconds after,
                     const item::Item& values, item::Item& item) {
  if (!entity.ttl.enabled()) return {};
  const Attribute* from = entity.Find(entity.ttl.from);
  const item::AttributeValue* start = values.Find(from->stored_as);
  if (start == nullptr || start->is(item::Type::kNull)) return {};
  ASSIGN_OR_RETURN(const Time time, ParseTime(from->type.kind, *start));
  item.Set(model.TableOf(entity).ttl_attribute, item::Number(EpochSeconds(time + after)));
  return {};
}

Result<item::Item> StoredItem(const Model& model, const Entity& entity, std::chrono::seconds ttl_after,
                              item::Item values) {
  const Table& table = model.TableOf(entity);
  ASSIGN_OR_RETURN(item::Item item, PrimaryKey(model, entity, values));
  for (const EntityIndex& index : entity.indexes) {
    RETURN_IF_ERROR(SetIndexKeys(model, index, entity, values, item));
  }
  RETURN_IF_ERROR(SetTimeToLive(model, entity, ttl_after, values, item));
  if (!table.type_attribute.empty()) item.Set(table.type_attribute, entity.type);
  // Both are sorted by name; what is derived replaces what was given.
  std::vector<item::Attribute> all;
  all.reserve(item.size() + values.size());
  const auto keep = [&](item::Attribute& given) {
    if (!IsInKeyOnly(entity, given.name)) all.push_back(std::move(given));
  };
  item::Attribute* given = values.begin();
  for (item::Attribute& derived : item) {
    for (; given != values.end() && given->name < derived.name; ++given) keep(*given);
    if (given != values.end() && given->name == derived.name) ++given;
    all.push_back(std::move(derived));
  }
  for (; given != values.end(); ++given) keep(*given);
  return item::Item::FromAttributes(std::move(all));
}

FactReader::FactReader(const Table& table, std::string_view owner_attribute) {
  const auto look_for = [&](std::string_view name, std::optional<std::string_view> ItemFacts::*target) {
    if (name.empty()) return;
    size_t at = count_++;
    for (; at > 0 && names_[at - 1] > name; --at) {
      names_[at] = names_[at - 1];
      targets_[at] = targets_[at - 1];
    }
    names_[at] = name;
    targets_[at] = target;
  };
  expiry_name_ = table.ttl_attribute;
  if (!expiry_name_.empty()) expiry_.emplace(expiry_name_);
  look_for(owner_attribute, &ItemFacts::owner);
  look_for(table.type_attribute, &ItemFacts::type);
  if (!table.type_attribute.empty()) return;
  look_for(table.pk_attribute, &ItemFacts::pk);
  look_for(table.sk_attribute, &ItemFacts::sk);
}

ItemFacts FactReader::Read(const item::PackedItem& item) const {
  std::array<std::optional<item::PackedField>, kFactsMax> fields;
  item::ReadFields(item, std::span(names_.data(), count_), fields);
  ItemFacts facts;
  for (size_t i = 0; i < count_; ++i) {
    if (fields[i] && fields[i]->type == item::Type::kString) facts.*targets_[i] = fields[i]->text;
  }
  if (expiry_ && expiry_->MayHave(item)) {
    item::ReadFields(item, std::span(&expiry_name_, 1), fields);
    if (fields[0] && fields[0]->type == item::Type::kNumber) facts.expiry = fields[0]->text;
  }
  return facts;
}

const Entity* EntityOf(const Model& model, std::span<const size_t> candidates, const ItemFacts& facts) {
  if (candidates.empty()) return nullptr;
  const Table& table = model.TableOf(model.entities[candidates.front()]);
  const bool typed = !table.type_attribute.empty();
  if (typed ? !facts.type : !facts.pk) return nullptr;
  for (const size_t candidate : candidates) {
    const Entity& entity = model.entities[candidate];
    if (typed ? entity.type == *facts.type : MatchesKey(table, entity, facts)) return &entity;
  }
  return nullptr;
}

const Entity* EntityOf(const Model& model, std::span<const size_t> candidates, const item::PackedItem& item) {
  if (candidates.empty()) return nullptr;
  const FactReader reader(model.TableOf(model.entities[candidates.front()]), "");
  return EntityOf(model, candidates, reader.Read(item));
}

bool IsExpired(const ItemFacts& facts, int64_t now_seconds) {
  if (!facts.expiry) return false;
  int64_t seconds = 0;
  const auto [end, error] =
      std::from_chars(facts.expiry->data(), facts.expiry->data() + facts.expiry->size(), seconds);
  if (error == std::errc() && end == facts.expiry->data() + facts.expiry->size())
    return seconds <= now_seconds;
  const auto number = item::Number::Parse(*facts.expiry);  // a fraction, or out of 64 bits
  return number && *number <= item::Number(now_seconds);
}

bool IsExpired(const Table& table, const item::PackedItem& item, Time now) {
  return !table.ttl_attribute.empty() && IsExpired(FactReader(table, "").Read(item), EpochSeconds(now));
}

}  // namespace cairn::model
