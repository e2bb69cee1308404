// RULE-1: conditions that compare with what can never be.
#include <algorithm>

#include "design/key_facts.h"
#include "design/lint_families.h"
#include "model/name_suggestion.h"

namespace cairn::design {
namespace {

// The only texts the attribute may have; empty: any.
std::vector<std::string_view> Choices(const model::Attribute& attribute) {
  std::vector<std::string_view> choices(attribute.limits.in.begin(), attribute.limits.in.end());
  const model::Enum* enumeration = attribute.type.enumeration;
  if (choices.empty() && enumeration != nullptr && !enumeration->open)
    choices.assign(enumeration->values.begin(), enumeration->values.end());
  return choices;
}

// What is wrong with the value; "" when the attribute may have it.
std::string WhyNever(const model::Attribute& attribute, const item::AttributeValue& value) {
  if (value.is(item::Type::kNull)) return "";
  const model::ValueType& type = HeldType(attribute.type);
  if (value.type() != type.StoredType()) return "is " + attribute.type.ToString() + ", not such a value";
  if (!value.is(item::Type::kString)) return "";
  const std::vector<std::string_view> choices = Choices(attribute);
  if (choices.empty() || std::find(choices.begin(), choices.end(), value.string()) != choices.end())
    return "";
  return "is never '" + value.string() + "'" + model::DidYouMean(value.string(), choices);
}

void LintRule(const model::Entity& entity, const model::Rule& rule, model::Location where,
              const std::string& subject, Findings& findings) {
  for (const model::Rule::Comparison& comparison : rule.Comparisons()) {
    const model::Attribute* attribute = entity.FindStored(comparison.attribute);
    if (attribute == nullptr) continue;
    for (const item::AttributeValue& value : comparison.values) {
      const std::string why = WhyNever(*attribute, value);
      if (!why.empty())
        findings.Add("RULE-1", where, subject, "\"" + rule.text() + "\": " + attribute->name + " " + why);
    }
  }
}

}  // namespace

void LintRules(const model::Model& model, Findings& findings) {
  for (const model::Entity& entity : model.entities) {
    for (const model::EntityIndex& in : entity.indexes) {
      LintRule(entity, in.when, in.where, SubjectOf(entity, model.TableOf(entity).indexes[in.index]),
               findings);
    }
    for (const model::RequireIf& rule : entity.require_if)
      LintRule(entity, rule.when, rule.where, entity.name, findings);
  }
  for (const model::Pattern& pattern : model.patterns) {
    if (!pattern.lookback) continue;
    for (const size_t position : pattern.steps.back().entities) {
      LintRule(model.entities[position], pattern.lookback->keep_if, pattern.where, SubjectOf(pattern),
               findings);
    }
  }
}

}  // namespace cairn::design
