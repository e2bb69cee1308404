#include "design/key_facts.h"

#include <algorithm>

#include "design/findings.h"

namespace cairn::design {
namespace {

using model::Format;
using model::Kind;

// Whether the attribute's time is the time of the write, so that all writers of a moment share a bucket.
bool IsWriteTime(const model::Entity& entity, const model::TemplatePart& part) {
  const model::Attribute* attribute = AttributeOf(entity, part);
  if (attribute == nullptr) return false;
  if (attribute->generate == model::Generate::kNow || attribute->automatic != model::Auto::kNo) return true;
  // Records of what happened are written when it happens; a plain date in them is what they are about.
  return entity.write == model::WriteMode::kAppend && part.format != Format::kPlain;
}

}  // namespace

std::vector<KeyTemplate> PartitionKeys(const model::Model& model, const model::Entity& entity) {
  std::vector<KeyTemplate> keys{{&entity.pk, entity.pk_where, entity.name, "pk"}};
  for (const model::EntityIndex& in : entity.indexes) {
    const model::Index& index = model.TableOf(entity).indexes[in.index];
    keys.push_back({&in.pk, in.where, SubjectOf(entity, index), index.name + " pk"});
  }
  return keys;
}

std::vector<KeyTemplate> SortKeys(const model::Model& model, const model::Entity& entity) {
  std::vector<KeyTemplate> keys;
  if (!entity.sk.empty()) keys.push_back({&entity.sk, entity.sk_where, entity.name, "sk"});
  for (const model::EntityIndex& in : entity.indexes) {
    const model::Index& index = model.TableOf(entity).indexes[in.index];
    if (!in.sk.empty()) keys.push_back({&in.sk, in.where, SubjectOf(entity, index), index.name + " sk"});
  }
  return keys;
}

const model::EntityIndex* FindIndex(const model::Entity& entity, size_t index) {
  const auto found = std::find_if(entity.indexes.begin(), entity.indexes.end(),
                                  [&](const model::EntityIndex& in) { return in.index == index; });
  return found == entity.indexes.end() ? nullptr : &*found;
}

const model::Attribute* AttributeOf(const model::Entity& entity, const model::TemplatePart& part) {
  if (part.is_literal() || !part.step.empty()) return nullptr;
  return entity.Find(part.attribute);
}

const model::ValueType& HeldType(const model::ValueType& type) {
  return type.kind == Kind::kRef && type.element ? *type.element : type;
}

bool IsFewValued(const model::Entity& entity, const model::TemplatePart& part) {
  if (part.is_literal()) return true;
  if (part.type.kind == Kind::kBool || part.type.kind == Kind::kEnum) return true;
  const model::Attribute* attribute = AttributeOf(entity, part);
  return attribute != nullptr && !attribute->limits.in.empty();
}

bool IsTimeBucket(const model::TemplatePart& part) {
  if (part.is_literal()) return false;
  switch (part.format) {
    case Format::kYear:
    case Format::kYearMonth:
    case Format::kYearMonthDay:
      return true;
    default:
      return part.type.kind == Kind::kDate;
  }
}

bool IsTimestamp(const model::TemplatePart& part) {
  if (part.is_literal() || IsTimeBucket(part)) return false;
  return model::IsTemporal(part.type.kind);
}

bool IsFixedWidth(const model::TemplatePart& part) {
  if (part.is_literal()) return true;
  if (part.format != Format::kPlain) return part.format != Format::kEndOfDay;
  switch (HeldType(part.type).kind) {
    case Kind::kUuid:
    case Kind::kUlid:
    case Kind::kDate:
    case Kind::kInstant:
    case Kind::kInstantMs:
      return true;
    default:
      return false;
  }
}

bool IsUnpaddedNumber(const model::TemplatePart& part) {
  // Epoch seconds have ten digits from 2001 to 2286.
  const Kind kind = HeldType(part.type).kind;
  return !part.is_literal() && part.format == Format::kPlain && (kind == Kind::kInt || kind == Kind::kNumber);
}

Spread SpreadOf(const model::Model& model, const model::Entity& entity, const model::Template& partition) {
  const model::Tenant* tenant = model.TenantOf(entity);
  bool tenant_seen = false;
  bool bucket_seen = false;
  for (const model::TemplatePart& part : partition.parts()) {
    if (IsFewValued(entity, part)) continue;
    if (tenant != nullptr && part.attribute == tenant->parameter) {
      tenant_seen = true;
    } else if (IsTimeBucket(part) && IsWriteTime(entity, part)) {
      bucket_seen = true;
    } else {
      return Spread::kMany;
    }
  }
  if (bucket_seen) return Spread::kTimeBucket;
  return tenant_seen ? Spread::kMany : Spread::kFew;
}

}  // namespace cairn::design
