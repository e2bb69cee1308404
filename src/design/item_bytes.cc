#include "design/item_bytes.h"

#include <algorithm>

#include "design/key_facts.h"

namespace cairn::design {
namespace {

using model::Kind;

constexpr double kUsualText = 48;
constexpr double kUsualTextMost = 512;
constexpr int64_t kInnerTextMost = 1024;
constexpr double kUsualElements = 4;
constexpr int64_t kNumberMost = 21;  // 38 digits, two each, and the exponent
constexpr int64_t kContainer = 3;    // DynamoDB's overhead of a list or map
constexpr int64_t kOverflowPointer = 256;

ByteEstimate Exactly(int64_t bytes) { return {static_cast<double>(bytes), bytes}; }

void AddTo(ByteEstimate& total, const ByteEstimate& part) {
  total.usual += part.usual;
  if (total.most && part.most) {
    *total.most += *part.most;
  } else {
    total.most.reset();
  }
}

int64_t Longest(const std::vector<std::string>& texts) {
  size_t longest = 0;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  return static_cast<int64_t>(longest);
}

ByteEstimate Text(const model::ValueLimits& limits, std::optional<int64_t> type_most, double usual) {
  std::optional<int64_t> most = type_most;
  if (limits.length_max) most = std::min(most.value_or(*limits.length_max), *limits.length_max);
  if (!limits.in.empty()) most = Longest(limits.in);
  if (limits.length_max && !type_most)
    usual = std::min(static_cast<double>(*limits.length_max) / 2, kUsualTextMost);
  if (most) usual = std::min(usual, static_cast<double>(*most));
  return {usual, most};
}

ByteEstimate EnumText(const model::ValueType& type, const model::ValueLimits& limits) {
  if (type.enumeration == nullptr) return Text(limits, kInnerTextMost, 10);
  const int64_t longest = Longest(type.enumeration->values);
  const int64_t most = type.enumeration->open ? std::max<int64_t>(longest, 64) : longest;
  return Text(limits, most, std::min(10.0, static_cast<double>(longest)));
}

ByteEstimate ShapeBytes(const model::ValueType& type) {
  ByteEstimate total = Exactly(kContainer);
  if (type.shape == nullptr) return total;
  for (const model::Attribute& member : type.shape->members) {
    AddTo(total, Exactly(static_cast<int64_t>(member.name.size()) + 1));
    AddTo(total, EstimateValue(member.type, member.limits));
  }
  return total;
}

// Elements of a list or set, entries of a map.
ByteEstimate Elements(const model::ValueLimits& limits, ByteEstimate element) {
  if (!element.most) element.most = kInnerTextMost;
  const double usual = limits.length_max
                           ? std::min(static_cast<double>(*limits.length_max) / 2, 2 * kUsualElements)
                           : kUsualElements;
  ByteEstimate total{kContainer + usual * (element.usual + 1), std::nullopt};
  if (limits.length_max) total.most = kContainer + *limits.length_max * (*element.most + 1);
  return total;
}

bool MayBeAbsent(const model::Attribute& attribute) {
  return !attribute.required && !attribute.default_value && attribute.generate == model::Generate::kNo &&
         attribute.automatic == model::Auto::kNo;
}

ByteEstimate AttributeBytes(const model::Entity& entity, const model::Attribute& attribute) {
  ByteEstimate bytes = Exactly(static_cast<int64_t>(attribute.stored_as.size()));
  AddTo(bytes, attribute.name == entity.overflow_attribute ? Exactly(kOverflowPointer)
                                                           : EstimateValue(attribute.type, attribute.limits));
  if (MayBeAbsent(attribute)) bytes.usual /= 2;
  return bytes;
}

ByteEstimate KeyAttribute(const model::Entity& entity, const std::string& name, const model::Template& key) {
  ByteEstimate bytes;
  bytes.most = 0;
  if (name.empty()) return bytes;
  AddTo(bytes, Exactly(static_cast<int64_t>(name.size())));
  AddTo(bytes, EstimateKey(entity, key));
  return bytes;
}

ByteEstimate PrimaryKey(const model::Model& model, const model::Entity& entity) {
  const model::Table& table = model.TableOf(entity);
  ByteEstimate bytes = KeyAttribute(entity, table.pk_attribute, entity.pk);
  AddTo(bytes, KeyAttribute(entity, table.sk_attribute, entity.sk));
  return bytes;
}

ByteEstimate IndexKey(const model::Model& model, const model::Entity& entity, const model::EntityIndex& in) {
  const model::Index& index = model.TableOf(entity).indexes[in.index];
  ByteEstimate bytes = KeyAttribute(entity, index.pk_attribute, in.pk);
  AddTo(bytes, KeyAttribute(entity, index.sk_attribute, in.sk));
  return bytes;
}

}  // namespace

ByteEstimate EstimateValue(const model::ValueType& type, const model::ValueLimits& limits) {
  switch (type.kind) {
    case Kind::kString:
      return Text(limits, std::nullopt, kUsualText);
    case Kind::kRef:
      if (type.element) return EstimateValue(*type.element, limits);
      [[fallthrough]];
    case Kind::kId:
      return Text(limits, 256, 26);
    case Kind::kUuid:
      return Exactly(36 + static_cast<int64_t>(type.prefix.size()));
    case Kind::kUlid:
      return Exactly(26);
    case Kind::kInt:
    case Kind::kNumber:
      return {4, kNumberMost};
    case Kind::kEpochSeconds:
      return Exactly(6);
    case Kind::kBool:
      return Exactly(1);
    case Kind::kDate:
      return Exactly(10);
    case Kind::kInstant:
      return Exactly(20);
    case Kind::kInstantMs:
      return Exactly(24);
    case Kind::kEmail:
      return Text(limits, 254, 24);
    case Kind::kSlug:
      return Text(limits, 128, 24);
    case Kind::kTimeZone:
      return Text(limits, 64, 16);
    case Kind::kEnum:
      return EnumText(type, limits);
    case Kind::kShape:
      return ShapeBytes(type);
    case Kind::kMap:
      return Elements(limits, {10 + kUsualText / 2, std::nullopt});
    case Kind::kList:
    case Kind::kSet:
      return Elements(
          limits, type.element ? EstimateValue(*type.element, {}) : ByteEstimate{kUsualText, std::nullopt});
  }
  return {};
}

ByteEstimate EstimateKey(const model::Entity& entity, const model::Template& key) {
  ByteEstimate total = Exactly(0);
  for (const model::TemplatePart& part : key.parts()) {
    if (part.is_literal()) {
      AddTo(total, Exactly(static_cast<int64_t>(part.literal.size())));
      continue;
    }
    const model::Attribute* attribute = AttributeOf(entity, part);
    ByteEstimate value =
        EstimateValue(part.type, attribute == nullptr ? model::ValueLimits{} : attribute->limits);
    if (part.format == model::Format::kZeroPadded) value = Exactly(part.width);
    // DynamoDB's own bounds of keys: 2,048 bytes for partitions, 1,024 for sort keys.
    if (!value.most) value.most = 2048;
    AddTo(total, value);
  }
  return total;
}

ItemEstimate EstimateItem(const model::Model& model, const model::Entity& entity) {
  const model::Table& table = model.TableOf(entity);
  ItemEstimate item{PrimaryKey(model, entity), {}};
  for (const model::EntityIndex& in : entity.indexes) {
    ByteEstimate key = IndexKey(model, entity, in);
    if (!in.when.always()) key.usual /= 2;
    AddTo(item.bytes, key);
  }
  if (!table.type_attribute.empty()) {
    AddTo(item.bytes, Exactly(static_cast<int64_t>(table.type_attribute.size() + entity.type.size())));
  }
  if (entity.ttl.enabled() && entity.FindStored(table.ttl_attribute) == nullptr) {
    AddTo(item.bytes, Exactly(static_cast<int64_t>(table.ttl_attribute.size()) + 6));
  }
  for (const model::Attribute& attribute : entity.attributes) {
    if (attribute.in_key_only || attribute.stored_as == table.type_attribute) continue;
    ByteEstimate bytes = AttributeBytes(entity, attribute);
    if (!bytes.most) {
      item.unbounded.push_back(&attribute);
      bytes.most = 0;
    }
    AddTo(item.bytes, bytes);
  }
  return item;
}

ByteEstimate EstimateIndexEntry(const model::Model& model, const model::Entity& entity,
                                const model::EntityIndex& in) {
  const model::Index& index = model.TableOf(entity).indexes[in.index];
  if (index.project_all) return EstimateItem(model, entity).bytes;
  ByteEstimate bytes = PrimaryKey(model, entity);
  AddTo(bytes, IndexKey(model, entity, in));
  for (const std::string& name : index.included) {
    const model::Attribute* attribute = entity.FindStored(name);
    if (attribute == nullptr) attribute = entity.Find(name);
    if (attribute != nullptr) AddTo(bytes, AttributeBytes(entity, *attribute));
  }
  return bytes;
}

}  // namespace cairn::design
