// LOCK-1: updates that overwrite one another.
#include <algorithm>

#include "design/key_facts.h"
#include "design/lint_families.h"

namespace cairn::design {
namespace {

// Whether two updates could disagree about the attribute: counters add up, and what never changes cannot be
// lost.
bool CanBeOverwritten(const model::Entity& entity, const model::Attribute& attribute) {
  if (attribute.immutable || attribute.counter || attribute.in_key_only) return false;
  if (attribute.automatic != model::Auto::kNo || attribute.stored_as == entity.lock.version_attribute)
    return false;
  for (const model::Template* key : {&entity.pk, &entity.sk}) {
    for (const model::TemplatePart& part : key->parts()) {
      if (AttributeOf(entity, part) == &attribute) return false;
    }
  }
  return true;
}

}  // namespace

void LintLocks(const model::Model& model, Findings& findings) {
  for (const model::Entity& entity : model.entities) {
    if (entity.write != model::WriteMode::kMutable || entity.lock.enabled()) continue;
    const model::Tenant* tenant = model.TenantOf(entity);
    const bool at_risk =
        std::any_of(entity.attributes.begin(), entity.attributes.end(), [&](const auto& attribute) {
          if (tenant != nullptr && attribute.name == tenant->parameter) return false;
          if (attribute.stored_as == model.TableOf(entity).ttl_attribute) return false;
          if (attribute.stored_as == model.TableOf(entity).type_attribute) return false;
          return CanBeOverwritten(entity, attribute);
        });
    if (!at_risk) continue;
    findings.Add("LOCK-1", entity.where, entity.name,
                 "items change without a lock: of two concurrent updates the later silently wins");
  }
}

}  // namespace cairn::design
