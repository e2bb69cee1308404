#include "model/guard_item.h"

namespace cairn::model {
namespace {

constexpr std::string_view kGuardedKey = "guardOf";
constexpr std::string_view kType = "unique";

}  // namespace

Result<std::optional<item::Item>> GuardOf(const Model& model, const Entity& entity, const Unique& unique,
                                          const item::Item& values, const item::Item& primary_key) {
  for (const std::string& name : unique.dependencies) {
    const item::AttributeValue* value = values.Find(name);
    if (value == nullptr || value->is(item::Type::kNull)) return std::nullopt;
  }
  const Table& table = model.TableOf(entity);
  item::Item guard;
  std::string guarded = primary_key.Find(table.pk_attribute)->string();
  ASSIGN_OR_RETURN(std::string pk, unique.pk.Build(values));
  guard.Set(table.pk_attribute, std::move(pk));
  if (!table.sk_attribute.empty()) {
    guarded += '\n' + primary_key.Find(table.sk_attribute)->string();
    ASSIGN_OR_RETURN(std::string sk, unique.sk.Build(values));
    guard.Set(table.sk_attribute, std::move(sk));
  }
  guard.Set(kGuardedKey, std::move(guarded));
  if (!table.type_attribute.empty()) guard.Set(table.type_attribute, std::string(kType));
  return guard;
}

item::Item GuardKeyOf(const Table& table, const item::Item& guard) {
  item::Item key{{table.pk_attribute, *guard.Find(table.pk_attribute)}};
  if (!table.sk_attribute.empty()) key.Set(table.sk_attribute, *guard.Find(table.sk_attribute));
  return key;
}

std::optional<item::Item> GuardedKey(const Table& table, const item::Item& guard) {
  const item::AttributeValue* guarded = guard.Find(kGuardedKey);
  if (guarded == nullptr || !guarded->is(item::Type::kString)) return std::nullopt;
  const std::string& text = guarded->string();
  if (table.sk_attribute.empty()) return item::Item{{table.pk_attribute, text}};
  const size_t end = text.find('\n');
  if (end == std::string::npos) return std::nullopt;
  return item::Item{{table.pk_attribute, text.substr(0, end)}, {table.sk_attribute, text.substr(end + 1)}};
}

}  // namespace cairn::model
