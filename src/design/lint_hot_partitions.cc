// HOT-1, HOT-2: partitions that take more than their share. One key takes about 1,000 writes a second.
#include "design/key_facts.h"
#include "design/lint_families.h"

namespace cairn::design {
namespace {

// "the values of status (6)" for the sentence about a few-valued key.
std::string FewValues(const model::Template& partition) {
  std::vector<std::string> sources;
  for (const model::TemplatePart& part : partition.parts()) {
    if (part.is_literal()) continue;
    std::string source = part.attribute;
    if (part.type.enumeration != nullptr) {
      source += " (" + std::to_string(part.type.enumeration->values.size()) +
                (part.type.enumeration->open ? " usual values)" : " values)");
    }
    sources.push_back(std::move(source));
  }
  return Enumerate(sources);
}

void LintPartition(const model::Model& model, const model::Entity& entity, const KeyTemplate& partition,
                   Findings& findings) {
  const std::string text = "\"" + partition.key->text() + "\"";
  switch (SpreadOf(model, entity, *partition.key)) {
    case Spread::kMany:
      return;
    case Spread::kFew:
      findings.Add("HOT-1", partition.where, partition.subject,
                   partition.key->IsConstant()
                       ? partition.role + " " + text + " is the same for all items: they share one partition"
                       : partition.role + " " + text + " has only the values of " +
                             FewValues(*partition.key) + ": a few partitions hold everything");
      return;
    case Spread::kTimeBucket:
      findings.Add("HOT-2", partition.where, partition.subject,
                   partition.role + " " + text + " changes with the time of writing only: all writes " +
                       (model.TenantOf(entity) != nullptr ? "of a tenant " : "") +
                       "in a period go to one partition");
  }
}

}  // namespace

void LintHotPartitions(const model::Model& model, Findings& findings) {
  for (const model::Entity& entity : model.entities) {
    for (const KeyTemplate& partition : PartitionKeys(model, entity)) {
      // One item of fixed key is a setting, not a partition that grows.
      if (partition.key == &entity.pk && entity.pk.IsConstant() &&
          (entity.sk.empty() || entity.sk.IsConstant()))
        continue;
      LintPartition(model, entity, partition, findings);
    }
  }
}

}  // namespace cairn::design
