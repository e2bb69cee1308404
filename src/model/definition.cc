#include "model/definition.h"

#include <algorithm>

namespace cairn::model {
namespace {

template <class T, class Name>
const T* FindBy(const std::vector<T>& things, Name T::*member, std::string_view name) {
  const auto found = std::ranges::find(things, name, member);
  return found == things.end() ? nullptr : &*found;
}

bool SamePlaceholder(const TemplatePart& a, const TemplatePart& b) {
  return !a.is_literal() && !b.is_literal() && a.step == b.step && a.attribute == b.attribute &&
         a.format == b.format && a.width == b.width;
}

}  // namespace

const Attribute* Entity::Find(std::string_view attribute) const {
  return FindBy(attributes, &Attribute::name, attribute);
}

const Attribute* Entity::FindStored(std::string_view stored_name) const {
  // While the entity is being loaded, the order is not known yet.
  if (by_stored_name.size() != attributes.size())
    return FindBy(attributes, &Attribute::stored_as, stored_name);
  const auto stored = [this](size_t position) -> std::string_view { return attributes[position].stored_as; };
  const auto found = std::ranges::lower_bound(by_stored_name, stored_name, {}, stored);
  if (found == by_stored_name.end() || stored(*found) != stored_name) return nullptr;
  return &attributes[*found];
}

const Entity* Model::FindEntity(std::string_view entity_name) const {
  return FindBy(entities, &Entity::name, entity_name);
}

const Pattern* Model::FindPattern(std::string_view pattern_name) const {
  return FindBy(patterns, &Pattern::name, pattern_name);
}

const Table* Model::FindTable(std::string_view table_name) const {
  return FindBy(tables, &Table::name, table_name);
}

const Tenant* Model::TenantOf(const Entity& entity) const {
  const Table& table = TableOf(entity);
  return entity.scope == Scope::kGlobal || !table.tenant ? nullptr : &*table.tenant;
}

bool Model::IsTenantScoped(const Table& table, const Template& pk) const {
  if (!table.tenant || table.tenant->leading.empty()) return false;
  const std::vector<TemplatePart>& leading = table.tenant->leading.parts();
  const std::vector<TemplatePart>& parts = pk.parts();
  if (parts.size() < leading.size()) return false;
  std::string_view rest;  // of the literal in which the leading template ends
  for (size_t i = 0; i < leading.size(); ++i) {
    if (!leading[i].is_literal()) {
      if (!SamePlaceholder(leading[i], parts[i])) return false;
      continue;
    }
    if (!parts[i].literal.starts_with(leading[i].literal)) return false;
    rest = std::string_view(parts[i].literal).substr(leading[i].literal.size());
    if (!rest.empty() && i + 1 < leading.size()) return false;
  }
  if (leading.back().is_literal() && leading.back().literal.ends_with('#')) return true;
  if (!rest.empty()) return rest.starts_with('#');
  return parts.size() == leading.size() || parts[leading.size()].literal.starts_with('#');
}

}  // namespace cairn::model
