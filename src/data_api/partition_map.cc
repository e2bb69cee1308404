#include "data_api/partition_map.h"

#include <algorithm>

namespace cairn::data_api {
namespace {

// Whether `whole` goes on behind `beginning`, with a part of its own: U#{userId} and U#{userId}#PLAN#{day}.
bool GoesOn(const model::Template& beginning, const model::Template& whole) {
  return whole.text().starts_with(beginning.text() + "#");
}

std::string TextAttribute(const item::PackedItem& item, const std::string& name) {
  const auto value = item.Find(name);
  return value && value->is(item::Type::kString) ? value->string() : "";
}

}  // namespace

PartitionMap::PartitionMap(const model::Model& model) : model_(model) {
  AddForms();
  for (const model::Entity& entity : model.entities) AddNested(entity);
  for (const model::Pattern& pattern : model.patterns) AddSteps(pattern);
}

// Partitions that name no owner are nobody's to look at.
void PartitionMap::AddForms() {
  for (const model::Entity& entity : model_.entities) {
    if (entity.scope != model::Scope::kTenant || !model_.IsTenantScoped(model_.TableOf(entity), entity.pk))
      continue;
    auto known = std::ranges::find_if(forms_, [&](const Form& form) {
      return form.table == entity.table && form.pk.text() == entity.pk.text();
    });
    if (known == forms_.end())
      known = forms_.insert(forms_.end(), {.table = entity.table, .pk = entity.pk, .entities = {}});
    known->entities.push_back(entity.name);
  }
}

void PartitionMap::AddNested(const model::Entity& entity) {
  for (const Form& form : forms_) {
    if (form.table == entity.table && GoesOn(entity.pk, form.pk))
      AddWay(entity, form.table, form.pk, form.entities);
  }
}

void PartitionMap::AddSteps(const model::Pattern& pattern) {
  for (const model::Read& step : pattern.steps) {
    if (step.index || !model_.IsTenantScoped(model_.tables[step.table], step.pk)) continue;
    std::vector<std::string> entities;
    for (const size_t position : step.entities) entities.push_back(model_.entities[position].name);
    for (const model::Read& earlier : pattern.steps) {
      const auto refers = [&](const model::TemplatePart& part) {
        return !part.is_literal() && !part.step.empty() && part.step == earlier.alias;
      };
      if (earlier.get && std::ranges::any_of(step.pk.parts(), refers))
        AddWay(model_.entities[earlier.entities.front()], step.table, step.pk, entities);
    }
  }
}

// Only if the entity has everything the key is made of.
void PartitionMap::AddWay(const model::Entity& entity, size_t table, const model::Template& pk,
                          std::vector<std::string> entities) {
  Way way{.table = table, .pk = pk, .values = {}, .entities = std::move(entities)};
  for (const model::TemplatePart& part : pk.parts()) {
    if (part.is_literal()) continue;
    const model::Attribute* attribute = entity.Find(part.attribute);
    if (attribute == nullptr || attribute->secret) return;
    way.values.emplace_back(attribute->stored_as, part.lookup);
  }
  ways_[&entity].push_back(std::move(way));
}

std::vector<Link> PartitionMap::LinksOf(const model::Record& record) const {
  std::vector<Link> links;
  const auto ways = ways_.find(&record.entity());
  if (ways == ways_.end()) return links;
  const item::Item values = record.Values();
  const model::Table& table = model_.TableOf(record.entity());
  const std::string own = TextAttribute(record.packed(), table.pk_attribute);
  for (const Way& way : ways->second) {
    item::Item parts;
    for (const auto& [stored, lookup] : way.values) {
      if (const item::AttributeValue* value = values.Find(stored)) parts.Set(lookup, *value);
    }
    auto partition = way.pk.Build(parts);  // fails when a value is missing or null
    if (!partition || (*partition == own && way.table == record.entity().table)) continue;
    const bool known = std::ranges::any_of(
        links, [&](const Link& link) { return link.table == way.table && link.partition == *partition; });
    if (!known) links.push_back({way.table, *std::move(partition), way.entities});
  }
  return links;
}

std::vector<Link> PartitionMap::ParentsOf(size_t table, std::string_view partition) const {
  std::vector<Link> parents;
  for (const Form& form : forms_) {
    item::Item told;
    if (form.table != table || !form.pk.Match(partition, told)) continue;
    for (const Form& outer : forms_) {
      if (outer.table != table || !GoesOn(outer.pk, form.pk)) continue;
      if (auto key = outer.pk.Build(told)) parents.push_back({table, *std::move(key), outer.entities});
    }
    break;
  }
  std::ranges::sort(parents, {}, [](const Link& link) { return link.partition.size(); });
  return parents;
}

}  // namespace cairn::data_api
