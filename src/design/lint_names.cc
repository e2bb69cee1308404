// NAME-1 to NAME-4: names that break the table's own conventions.
#include <algorithm>
#include <cctype>
#include <set>

#include "design/key_facts.h"
#include "design/lint_families.h"

namespace cairn::design {
namespace {

using model::NameCase;

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool All(std::string_view text, bool (*letter)(char), std::string_view more) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return letter(c) || IsDigit(c) || more.find(c) != std::string_view::npos;
  });
}

// dueUtc, not DUE: one word in capitals is no camel case.
bool HasWords(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return IsLower(c) || IsUpper(c) || IsDigit(c); });
}

bool Follows(std::string_view name, NameCase wanted) {
  if (name.empty()) return false;
  switch (wanted) {
    case NameCase::kAny:
      return true;
    case NameCase::kCamel:
      return IsLower(name.front()) && HasWords(name);
    case NameCase::kPascal:
      return IsUpper(name.front()) && HasWords(name);
    case NameCase::kUpper:
      return All(name, IsUpper, "_");
    case NameCase::kLower:
      return All(name, IsLower, "_-");
  }
  return true;
}

std::string_view CaseName(NameCase wanted) {
  switch (wanted) {
    case NameCase::kCamel:
      return "camelCase";
    case NameCase::kPascal:
      return "PascalCase";
    case NameCase::kUpper:
      return "UPPER_CASE";
    default:
      return "lower_case";
  }
}

std::set<std::string> KeyAttributes(const model::Table& table) {
  std::set<std::string> names{table.pk_attribute, table.sk_attribute};
  for (const model::Index& index : table.indexes) names.insert({index.pk_attribute, index.sk_attribute});
  return names;
}

void LintEntityNames(const model::Model& model, const model::Entity& entity, Findings& findings) {
  const model::Table& table = model.TableOf(entity);
  const std::set<std::string> exempt = KeyAttributes(table);
  for (const model::Attribute& attribute : entity.attributes) {
    if (attribute.in_key_only || exempt.contains(attribute.stored_as)) continue;
    if (Follows(attribute.stored_as, table.attribute_case)) continue;
    findings.Add("NAME-1", attribute.where, SubjectOf(model, entity, attribute),
                 "\"" + attribute.stored_as + "\" is not " + std::string(CaseName(table.attribute_case)));
  }
  if (!entity.type.empty() && !Follows(entity.type, table.type_case)) {
    findings.Add("NAME-2", entity.where, entity.name,
                 "type \"" + entity.type + "\" is not " + std::string(CaseName(table.type_case)));
  }
}

// The attributes of kind uuid that the entity's own key names, without the tenant's.
std::vector<const model::Attribute*> KeyIds(const model::Model& model, const model::Entity& entity) {
  std::vector<const model::Attribute*> ids;
  const model::Tenant* tenant = model.TenantOf(entity);
  for (const model::Template* key : {&entity.pk, &entity.sk}) {
    for (const model::TemplatePart& part : key->parts()) {
      const model::Attribute* attribute = AttributeOf(entity, part);
      if (attribute == nullptr || attribute->type.kind != model::Kind::kUuid) continue;
      if (tenant != nullptr && attribute->name == tenant->parameter) continue;
      ids.push_back(attribute);
    }
  }
  return ids;
}

void LintIdPrefixes(const model::Model& model, size_t table, Findings& findings) {
  std::string example;  // a prefix that a sibling has
  std::vector<std::pair<const model::Entity*, const model::Attribute*>> bare;
  for (const model::Entity& entity : model.entities) {
    if (entity.table != table) continue;
    for (const model::Attribute* id : KeyIds(model, entity)) {
      if (id->type.prefix.empty()) {
        bare.emplace_back(&entity, id);
      } else if (example.empty()) {
        example = entity.name + "." + id->name + " (" + id->type.prefix + ")";
      }
    }
  }
  if (example.empty()) return;
  for (const auto& [entity, id] : bare) {
    findings.Add("NAME-3", id->where, SubjectOf(model, *entity, *id),
                 id->name + " has no prefix; others in the table have one, such as " + example);
  }
}

// "1" of "GSI1" and "gsi1"; "" when the index is not called so.
std::string IndexNumber(std::string_view name) {
  if (name.size() < 4 || (name.substr(0, 3) != "GSI" && name.substr(0, 3) != "gsi")) return "";
  const std::string_view digits = name.substr(3);
  return std::all_of(digits.begin(), digits.end(), IsDigit) ? std::string(digits) : "";
}

void LintKeyNames(const model::Table& table, Findings& findings) {
  if (table.attribute_case != NameCase::kCamel || table.type_case != NameCase::kUpper) return;
  const bool lower = table.pk_attribute == "pk";
  const std::string pk = lower ? "pk" : "PK";
  const std::string sk = lower ? "sk" : "SK";
  if (table.pk_attribute != pk || (!table.sk_attribute.empty() && table.sk_attribute != sk)) {
    findings.Add("NAME-4", table.where, SubjectOf(table),
                 "keys " + table.pk_attribute +
                     (table.sk_attribute.empty() ? "" : " and " + table.sk_attribute) + " are not called " +
                     pk + " and " + sk);
  }
  for (const model::Index& index : table.indexes) {
    const std::string number = IndexNumber(index.name);
    const std::string stem = std::string(lower ? "gsi" : "GSI") + (number.empty() ? "<N>" : number);
    const bool right = !number.empty() && index.pk_attribute == stem + pk &&
                       (index.sk_attribute.empty() || index.sk_attribute == stem + sk);
    if (right) continue;
    findings.Add("NAME-4", index.where, SubjectOf(table, index),
                 "keys " + index.pk_attribute +
                     (index.sk_attribute.empty() ? "" : " and " + index.sk_attribute) + " of " + index.name +
                     " are not called " + stem + pk + " and " + stem + sk);
  }
}

}  // namespace

void LintNames(const model::Model& model, Findings& findings) {
  for (const model::Entity& entity : model.entities) LintEntityNames(model, entity, findings);
  for (size_t table = 0; table < model.tables.size(); ++table) {
    LintIdPrefixes(model, table, findings);
    LintKeyNames(model.tables[table], findings);
  }
}

}  // namespace cairn::design
