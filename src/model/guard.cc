#include "model/guard.h"

namespace cairn::model {

Result<std::optional<item::Item>> GuardKey(const Table& table, const Unique& unique,
                                           const item::Item& values) {
  for (const std::string& name : unique.dependencies) {
    const item::AttributeValue* value = values.Find(name);
    if (value == nullptr || value->is(item::Type::kNull)) return std::nullopt;
  }
  item::Item key;
  ASSIGN_OR_RETURN(std::string pk, unique.pk.Build(values));
  key.Set(table.pk_attribute, std::move(pk));
  if (!table.sk_attribute.empty()) {
    ASSIGN_OR_RETURN(std::string sk, unique.sk.Build(values));
    key.Set(table.sk_attribute, std::move(sk));
  }
  return key;
}

item::Item GuardItem(const Table& table, item::Item guard_key, const item::Item& primary_key) {
  item::Item guard = std::move(guard_key);
  guard.Set(kGuardOf, GuardedText(table, primary_key));
  if (!table.type_attribute.empty()) guard.Set(table.type_attribute, std::string("unique"));
  return guard;
}

std::string GuardedText(const Table& table, const item::Item& primary_key) {
  std::string text = primary_key.Find(table.pk_attribute)->string();
  if (!table.sk_attribute.empty()) text += '\n' + primary_key.Find(table.sk_attribute)->string();
  return text;
}

std::optional<item::Item> KeyOfGuarded(const Table& table, std::string_view guarded) {
  if (table.sk_attribute.empty()) return item::Item{{table.pk_attribute, std::string(guarded)}};
  const size_t end = guarded.find('\n');
  if (end == guarded.npos) return std::nullopt;
  return item::Item{{table.pk_attribute, std::string(guarded.substr(0, end))},
                    {table.sk_attribute, std::string(guarded.substr(end + 1))}};
}

std::optional<std::string> GuardedOf(const item::PackedItem& guard) {
  const auto value = guard.Find(kGuardOf);
  if (!value || !value->is(item::Type::kString)) return std::nullopt;
  return std::string(value->string());
}

item::Item KeyOfItem(const Table& table, const item::Item& item) {
  item::Item key{{table.pk_attribute, *item.Find(table.pk_attribute)}};
  if (!table.sk_attribute.empty()) key.Set(table.sk_attribute, *item.Find(table.sk_attribute));
  return key;
}

}  // namespace cairn::model
