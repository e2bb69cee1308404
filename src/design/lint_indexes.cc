// IDX-1, IDX-2, TTL-1, TTL-2: index keys that are never complete, indexes without use, times that do not
// expire anything.
#include <algorithm>

#include "design/key_facts.h"
#include "design/lint_families.h"

namespace cairn::design {
namespace {

// Whether every item has the attribute once it is created.
bool IsAlwaysThere(const model::Attribute& attribute) {
  return attribute.required || attribute.in_key_only || attribute.default_value.has_value() ||
         attribute.generate != model::Generate::kNo || attribute.automatic != model::Auto::kNo;
}

bool Reads(const model::Rule& rule, const std::string& stored_name) {
  const std::vector<std::string> names = rule.Dependencies();
  return std::find(names.begin(), names.end(), stored_name) != names.end();
}

bool IsKeyAttribute(const model::Entity& entity, const model::Attribute& attribute) {
  for (const model::Template* key : {&entity.pk, &entity.sk}) {
    for (const model::TemplatePart& part : key->parts()) {
      if (AttributeOf(entity, part) == &attribute) return true;
    }
  }
  return false;
}

void LintHalfKeys(const model::Model& model, const model::Entity& entity, const model::EntityIndex& in,
                  Findings& findings) {
  const model::Index& index = model.TableOf(entity).indexes[in.index];
  const std::string subject = SubjectOf(entity, index);
  if (in.pk.empty() || (in.sk.empty() && !index.sk_attribute.empty())) {
    findings.Add("IDX-1", in.where, subject,
                 std::string(in.pk.empty() ? "pk" : "sk") + " is missing: " + index.name + " has the keys " +
                     index.pk_attribute + (index.sk_attribute.empty() ? "" : " and " + index.sk_attribute) +
                     ", and an item with one of them is not in the index");
    return;
  }
  for (const model::Template* key : {&in.pk, &in.sk}) {
    for (const model::TemplatePart& part : key->parts()) {
      const model::Attribute* attribute = AttributeOf(entity, part);
      if (attribute == nullptr || IsAlwaysThere(*attribute) || IsKeyAttribute(entity, *attribute)) continue;
      if (Reads(in.when, attribute->stored_as)) continue;
      findings.Add("IDX-1", model::Severity::kWarning, in.where, subject,
                   attribute->name +
                       " may be absent, and no `when` says so: such items are silently not in " + index.name);
    }
  }
}

void LintUse(const model::Model& model, size_t table_position, Findings& findings) {
  const model::Table& table = model.tables[table_position];
  for (size_t position = 0; position < table.indexes.size(); ++position) {
    const model::Index& index = table.indexes[position];
    const bool filled =
        std::any_of(model.entities.begin(), model.entities.end(), [&](const model::Entity& entity) {
          return entity.table == table_position && FindIndex(entity, position) != nullptr;
        });
    const bool queried =
        std::any_of(model.patterns.begin(), model.patterns.end(), [&](const model::Pattern& pattern) {
          return std::any_of(pattern.steps.begin(), pattern.steps.end(), [&](const model::Read& read) {
            return read.table == table_position && read.index == position;
          });
        });
    if (!filled) {
      findings.Add("IDX-2", index.where, SubjectOf(table, index), "no entity fills " + index.name);
    } else if (!queried) {
      findings.Add("IDX-2", index.where, SubjectOf(table, index), "no pattern queries " + index.name);
    }
  }
}

void LintTimeToLive(const model::Model& model, const model::Entity& entity, Findings& findings) {
  const std::string& name = model.TableOf(entity).ttl_attribute;
  if (name.empty()) return;
  const model::Attribute* attribute = entity.FindStored(name);
  if (attribute == nullptr || attribute->type.kind == model::Kind::kEpochSeconds) return;
  const bool numeric = attribute->type.StoredType() == item::Type::kNumber;
  findings.Add("TTL-1", attribute->where, SubjectOf(model, entity, *attribute),
               name + " has the type " + attribute->type.ToString() +
                   (numeric ? "" : ", which is no number") + ": items expire by epoch seconds only");
}

bool Expires(const model::Model& model, const model::Entity& entity) {
  return entity.ttl.enabled() || entity.FindStored(model.TableOf(entity).ttl_attribute) != nullptr;
}

void LintTtlUse(const model::Model& model, size_t position, Findings& findings) {
  const model::Table& table = model.tables[position];
  if (table.ttl_attribute.empty()) return;
  const bool used = std::any_of(
      model.entities.begin(), model.entities.end(),
      [&](const model::Entity& entity) { return entity.table == position && Expires(model, entity); });
  if (used) return;
  findings.Add("TTL-2", table.where, SubjectOf(table),
               "no entity ever sets " + table.ttl_attribute + ": nothing expires");
}

}  // namespace

void LintIndexes(const model::Model& model, Findings& findings) {
  for (const model::Entity& entity : model.entities) {
    for (const model::EntityIndex& in : entity.indexes) LintHalfKeys(model, entity, in, findings);
    LintTimeToLive(model, entity, findings);
  }
  for (size_t table = 0; table < model.tables.size(); ++table) {
    LintUse(model, table, findings);
    LintTtlUse(model, table, findings);
  }
}

}  // namespace cairn::design
