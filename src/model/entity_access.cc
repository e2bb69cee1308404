#include "model/entity_access.h"

#include <algorithm>

namespace cairn::model {

std::vector<const Attribute*> KeyAttributes(const Model& model, const Entity& entity) {
  const Tenant* tenant = model.TenantOf(entity);
  std::vector<const Attribute*> key;
  for (const Template* part_of_key : {&entity.pk, &entity.sk}) {
    for (const TemplatePart& part : part_of_key->parts()) {
      if (part.is_literal() || (tenant != nullptr && part.attribute == tenant->parameter)) continue;
      const Attribute* attribute = entity.Find(part.attribute);
      if (attribute != nullptr && std::ranges::find(key, attribute) == key.end()) key.push_back(attribute);
    }
  }
  return key;
}

UserAccess AccessOf(const Model& model, const Entity& entity) {
  if (entity.scope == Scope::kGlobal) return {.read = entity.public_read};
  UserAccess access{.read = true};
  if (entity.mirror) return access;  // kept by the list it mirrors
  access.create = true;
  access.change = entity.write != WriteMode::kAppend && entity.write != WriteMode::kOnce;
  const bool deletable =
      entity.write != WriteMode::kAppend && model.TableOf(entity).delete_policy == DeletePolicy::kAllow;
  access.remove = entity.tombstone ? access.change : deletable;
  return access;
}

bool MayRead(const Model& model, const Pattern& pattern) {
  if (pattern.scope != Scope::kGlobal) return true;
  for (const Read& step : pattern.steps) {
    for (const size_t entity : step.entities) {
      if (!model.entities[entity].public_read) return false;
    }
  }
  return true;
}

bool IsSetBySession(const Entity& entity, const Attribute& attribute) {
  return attribute.automatic != Auto::kNo ||
         (!entity.lock.version_attribute.empty() && attribute.name == entity.lock.version_attribute);
}

const Attribute* LockAttribute(const Entity& entity) {
  if (!entity.lock.enabled()) return nullptr;
  return entity.Find(entity.lock.version_attribute.empty() ? entity.lock.on_attribute
                                                           : entity.lock.version_attribute);
}

}  // namespace cairn::model
