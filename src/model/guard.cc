#include "model/guard.h"

namespace cairn::model {

std::string GuardedText(const Table& table, const item::Item& primary) {
  std::string text = primary.Find(table.pk_attribute)->string();
  if (!table.sk_attribute.empty()) text += '\n' + primary.Find(table.sk_attribute)->string();
  return text;
}

item::Item KeyOfGuarded(const Table& table, std::string_view guarded) {
  const size_t end = table.sk_attribute.empty() ? guarded.size() : guarded.find('\n');
  item::Item key{{table.pk_attribute, item::AttributeValue(std::string(guarded.substr(0, end)))}};
  if (!table.sk_attribute.empty()) {
    const std::string_view sort_key = end == guarded.npos ? "" : guarded.substr(end + 1);
    key.Set(table.sk_attribute, item::AttributeValue(std::string(sort_key)));
  }
  return key;
}

std::optional<std::string> GuardedOf(const item::PackedItem& guard) {
  const auto value = guard.Find(kGuardOf);
  if (!value || !value->is(item::Type::kString)) return std::nullopt;
  return std::string(value->string());
}

}  // namespace cairn::model
