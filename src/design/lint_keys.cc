// KEY-1 to KEY-5, SORT-1: keys that collide, that refuse values, that fix what should change, or that sort
// wrongly.
#include <algorithm>

#include "design/key_facts.h"
#include "design/lint_families.h"

namespace cairn::design {
namespace {

using model::Kind;
using model::WriteMode;

// Whether the key holds an id made for this very item, so that no second item has it.
bool HasIdOfItsOwn(const model::Entity& entity, const model::Template& key) {
  return std::any_of(key.parts().begin(), key.parts().end(), [&](const model::TemplatePart& part) {
    const model::Attribute* attribute = AttributeOf(entity, part);
    return attribute != nullptr &&
           (attribute->generate == model::Generate::kUlid || attribute->generate == model::Generate::kUuid);
  });
}

void LintTimestampAtEnd(const model::Entity& entity, Findings& findings) {
  // Writing again is what upsert and idempotent are for.
  if (entity.write == WriteMode::kUpsert || entity.write == WriteMode::kIdempotent) return;
  const bool hash_only = entity.sk.empty();
  const model::Template& key = hash_only ? entity.pk : entity.sk;
  const auto& parts = key.parts();
  if (parts.empty() || !IsTimestamp(parts.back())) return;
  if (HasIdOfItsOwn(entity, entity.pk) || HasIdOfItsOwn(entity, entity.sk)) return;
  if (entity.on_key_conflict == model::OnKeyConflict::kBumpMillisecond) return;
  findings.Add("KEY-1", hash_only ? entity.pk_where : entity.sk_where, entity.name,
               "key \"" + key.text() + "\" ends in the time " + parts.back().attribute +
                   ": two items of one moment have the same key");
}

// What describes an item rather than names it: people will want to change it.
bool LooksChangeable(const model::Attribute& attribute) {
  switch (attribute.type.kind) {
    case Kind::kInt:
    case Kind::kNumber:
    case Kind::kBool:
    case Kind::kEnum:
    case Kind::kString:
      return attribute.generate == model::Generate::kNo && attribute.automatic == model::Auto::kNo;
    default:
      return false;
  }
}

void LintChangeableKeys(const model::Model& model, const model::Entity& entity, Findings& findings) {
  if (entity.write != WriteMode::kMutable) return;
  const model::Tenant* tenant = model.TenantOf(entity);
  std::vector<std::string> names;
  for (const model::Attribute& attribute : entity.attributes) {
    if (!attribute.fixed_by_key || !LooksChangeable(attribute)) continue;
    if (tenant != nullptr && tenant->parameter == attribute.name) continue;
    if (attribute.stored_as == model.TableOf(entity).type_attribute) continue;
    names.push_back(attribute.name + " (" + attribute.type.ToString() + ")");
  }
  if (names.empty()) return;
  findings.Add("KEY-4", entity.sk.empty() ? entity.pk_where : entity.sk_where, entity.name,
               Enumerate(names) + (names.size() == 1 ? " stands" : " stand") +
                   " in the primary key: no update can change " + (names.size() == 1 ? "it" : "them"));
}

// Numbers whose values may not fit the digits they have in a key.
void LintDigits(const model::Entity& entity, const KeyTemplate& key, Findings& findings) {
  for (const model::TemplatePart& part : key.key->parts()) {
    const model::Attribute* attribute = AttributeOf(entity, part);
    if (attribute == nullptr || part.format != model::Format::kZeroPadded) continue;
    int64_t room = 1;  // at most 18 digits
    for (int i = 0; i < part.width; ++i) room *= 10;
    const auto& min = attribute->limits.min;
    const auto& max = attribute->limits.max;
    const std::string place = "{" + part.attribute + ":0" + std::to_string(part.width) + "d} of " + key.role;
    const auto find = [&](model::Severity severity, const std::string& what) {
      findings.Add("KEY-5", severity, key.where, key.subject,
                   place + " has room for whole numbers of 0 to " +
                       std::string(static_cast<size_t>(part.width), '9') + ", and " + part.attribute + " " +
                       what + ": such writes are refused");
    };
    const Kind kind = HeldType(part.type).kind;
    if (kind == Kind::kNumber) {
      find(model::Severity::kError, "may have a fraction");
    } else if (max && !(*max < item::Number(room))) {
      find(model::Severity::kError, "may be " + max->ToString());
    } else if (min && *min < item::Number()) {
      find(model::Severity::kError, "may be " + min->ToString());
    } else if (kind == Kind::kInt && (!max || !min)) {
      find(model::Severity::kWarning, std::string("has no ") + (!max ? "max" : "min"));
    }
  }
}

// Something that has a primary key: an entity, or the guard of its unique values.
struct KeyOwner {
  const model::Entity* entity;
  const model::Template* pk;
  const model::Template* sk;
  model::Location where;
  std::string name;
};

std::vector<KeyOwner> KeyOwners(const model::Model& model, size_t table) {
  std::vector<KeyOwner> owners;
  for (const model::Entity& entity : model.entities) {
    if (entity.table != table) continue;
    owners.push_back({&entity, &entity.pk, &entity.sk, entity.sk.empty() ? entity.pk_where : entity.sk_where,
                      entity.name});
  }
  for (const model::Entity& entity : model.entities) {
    if (entity.table != table) continue;
    for (const model::Unique& unique : entity.uniques) {
      owners.push_back({&entity, &unique.pk, &unique.sk, unique.where,
                        "the guard of " + entity.name + "'s unique " + Enumerate(unique.attributes)});
    }
  }
  return owners;
}

bool CanHaveSameKey(const KeyOwner& a, const KeyOwner& b) {
  if (!a.pk->Overlaps(*b.pk)) return false;
  return (a.sk->empty() && b.sk->empty()) || a.sk->Overlaps(*b.sk);
}

void LintSharedKeys(const model::Model& model, size_t table, Findings& findings) {
  const std::vector<KeyOwner> owners = KeyOwners(model, table);
  for (size_t later = 1; later < owners.size(); ++later) {
    for (size_t earlier = 0; earlier < later; ++earlier) {
      if (!CanHaveSameKey(owners[earlier], owners[later])) continue;
      const KeyOwner& owner = owners[later];
      findings.Add("KEY-2", owner.where, owner.entity->name,
                   owner.name + " and " + owners[earlier].name + " can have the same key: \"" +
                       owner.pk->text() + "\"" + (owner.sk->empty() ? "" : ", \"" + owner.sk->text() + "\"") +
                       " and \"" + owners[earlier].pk->text() + "\"" +
                       (owners[earlier].sk->empty() ? "" : ", \"" + owners[earlier].sk->text() + "\""));
      break;
    }
  }
}

bool IsFreeText(const model::Entity& entity, const model::TemplatePart& part) {
  const model::Attribute* attribute = AttributeOf(entity, part);
  if (attribute == nullptr || part.escape == model::Escape::kPercent) return false;
  if (!attribute->limits.in.empty() || !attribute->limits.pattern.empty()) return false;
  if (part.type.kind == Kind::kEnum) return part.type.enumeration != nullptr && part.type.enumeration->open;
  return part.type.kind == Kind::kString;
}

void LintParts(const model::Entity& entity, const KeyTemplate& key, Findings& findings) {
  const auto& parts = key.key->parts();
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    if (!IsFreeText(entity, parts[i])) continue;
    findings.Add("KEY-3", key.where, key.subject,
                 parts[i].attribute + " (" + parts[i].type.ToString() + ") stands before another part of " +
                     key.role + " \"" + key.key->text() + "\": a value with '#' is refused");
  }
}

void LintOrder(const KeyTemplate& key, Findings& findings) {
  for (const model::TemplatePart& part : key.key->parts()) {
    if (!IsUnpaddedNumber(part)) continue;
    findings.Add("SORT-1", key.where, key.subject,
                 "number " + part.attribute + " has no fixed width in " + key.role + " \"" + key.key->text() +
                     "\": 10 sorts before 9");
  }
}

}  // namespace

void LintKeys(const model::Model& model, Findings& findings) {
  for (const model::Entity& entity : model.entities) {
    LintTimestampAtEnd(entity, findings);
    LintChangeableKeys(model, entity, findings);
    for (const KeyTemplate& key : PartitionKeys(model, entity)) {
      LintParts(entity, key, findings);
      LintDigits(entity, key, findings);
    }
    for (const KeyTemplate& key : SortKeys(model, entity)) {
      LintParts(entity, key, findings);
      LintDigits(entity, key, findings);
      LintOrder(key, findings);
    }
  }
  for (size_t table = 0; table < model.tables.size(); ++table) LintSharedKeys(model, table, findings);
}

}  // namespace cairn::design
