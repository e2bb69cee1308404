#include "design/openapi_schemas.h"

#include <algorithm>
#include <optional>

#include "design/openapi_blocks.h"
#include "model/entity_access.h"

namespace cairn::design {
namespace {

using model::Attribute;
using model::Entity;
using model::Kind;
using model::ValueLimits;
using model::ValueType;

constexpr std::string_view kUuidPattern = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

// Type, format and pattern of the kinds that are one JSON scalar.
struct Scalar {
  Kind kind;
  std::string_view type, format = {}, pattern = {};
};

constexpr Scalar kScalars[] = {
    {Kind::kString, "string"},
    {Kind::kId, "string", "", R"(^[\x24-\x7e]{1,256}$)"},
    {Kind::kUlid, "string", "", "^[0-7][0-9A-HJKMNP-TV-Z]{25}$"},
    {Kind::kInt, "integer"},
    {Kind::kNumber, "number"},
    {Kind::kBool, "boolean"},
    {Kind::kDate, "string", "date"},
    {Kind::kInstant, "string", "date-time"},
    {Kind::kInstantMs, "string", "date-time"},
    {Kind::kEpochSeconds, "integer"},
    {Kind::kEmail, "string", "email"},
    {Kind::kSlug, "string", "", "^[a-z0-9]+(-[a-z0-9]+)*$"},
    {Kind::kTimeZone, "string"},
    {Kind::kRef, "string"},
};

// Braces and the like in a prefix would mean something else in a regular expression.
std::string Quoted(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (std::string_view(R"(\^$.|?*+()[]{})").find(c) != std::string_view::npos) quoted += '\\';
    quoted += c;
  }
  return quoted;
}

void WriteCount(JsonOutput& out, std::string_view name, const std::optional<int64_t>& count) {
  if (count) Member(out, name, *count);
}

// The limits are bytes of UTF-8, JSON Schema counts characters: no text of more characters has fewer bytes,
// but a minimum of bytes says only that there must be some.
void WriteLimits(JsonOutput& out, const ValueType& type, const ValueLimits& limits, bool has_pattern) {
  const item::Type stored = type.StoredType();
  if (stored == item::Type::kString) {
    if (limits.length_min && *limits.length_min > 0) WriteCount(out, "minLength", 1);
    WriteCount(out, "maxLength", limits.length_max);
  } else if (stored == item::Type::kMap) {
    WriteCount(out, "minProperties", limits.length_min);
    WriteCount(out, "maxProperties", limits.length_max);
  } else if (stored != item::Type::kNumber && stored != item::Type::kBoolean) {
    WriteCount(out, "minItems", limits.length_min);
    WriteCount(out, "maxItems", limits.length_max);
  }
  if (limits.min) out.Key("minimum"), out.Raw(limits.min->ToString());
  if (limits.max) out.Key("maximum"), out.Raw(limits.max->ToString());
  if (!limits.in.empty()) out.Strings("enum", limits.in);
  if (!limits.pattern.empty() && !has_pattern) out.Member("pattern", "^(?:" + limits.pattern + ")$");
}

void WriteScalar(JsonOutput& out, const ValueType& type, const ValueLimits& limits) {
  if (type.kind == Kind::kUuid) {
    out.Member("type", "string");
    if (type.prefix.empty()) out.Member("format", "uuid");
    out.Member("pattern", "^" + Quoted(type.prefix) + std::string(kUuidPattern) + "$");
    return WriteLimits(out, type, limits, true);
  }
  const auto scalar = std::ranges::find(kScalars, type.kind, &Scalar::kind);
  if (scalar == std::end(kScalars)) return;
  out.Member("type", scalar->type);
  if (!scalar->format.empty()) out.Member("format", scalar->format);
  if (!scalar->pattern.empty()) out.Member("pattern", scalar->pattern);
  WriteLimits(out, type, limits, !scalar->pattern.empty());
}

// Members of the schema object; the object itself is the caller's.
void WriteTypeMembers(JsonOutput& out, const ValueType& type, const ValueLimits& limits) {
  switch (type.kind) {
    case Kind::kEnum:
    case Kind::kShape: {
      const std::string prefix = type.kind == Kind::kEnum ? "enum." : "shape.";
      out.Member("$ref", "#/components/schemas/" + prefix + type.name);
      return;
    }
    case Kind::kMap:
      out.Member("type", "object");
      return WriteLimits(out, type, limits, false);
    case Kind::kList:
    case Kind::kSet:
      out.Member("type", "array");
      out.Key("items");
      WriteTypeSchema(out, *type.element);
      if (type.kind == Kind::kSet) Member(out, "uniqueItems", true);
      return WriteLimits(out, type, limits, false);
    default:
      return WriteScalar(out, type, limits);
  }
}

void WriteDefault(JsonOutput& out, const Attribute& attribute) {
  if (!attribute.default_value) return;
  const item::AttributeValue& value = *attribute.default_value;
  if (value.is(item::Type::kString)) {
    out.Member("default", value.string());
  } else if (value.is(item::Type::kNumber)) {
    out.Key("default"), out.Raw(value.number().ToString());
  } else if (value.is(item::Type::kBoolean)) {
    Member(out, "default", value.boolean());
  }
}

struct AttributeFacts {
  bool nullable = false;
  bool read_only = false;
  bool write_only = false;
  bool shows_default = false;
};

void WriteAttribute(JsonOutput& out, const Attribute& attribute, const AttributeFacts& facts) {
  Object(out, attribute.name, [&] {
    if (facts.nullable) {
      Array(out, "anyOf", [&] {
        WriteTypeSchema(out, attribute.type, attribute.limits);
        Object(out, [&] { out.Member("type", "null"); });
      });
    } else {
      WriteTypeMembers(out, attribute.type, attribute.limits);
    }
    if (!attribute.doc.empty()) out.Member("description", attribute.doc);
    if (facts.shows_default) WriteDefault(out, attribute);
    if (facts.read_only) Member(out, "readOnly", true);
    if (facts.write_only) Member(out, "writeOnly", true);
  });
}

// How the attributes of one entity appear in one of its schemas.
class EntityView {
 public:
  EntityView(const model::Model& model, const Entity& entity, Use use)
      : entity_(entity),
        use_(use),
        tenant_(model.TenantOf(entity)),
        key_(model::KeyAttributes(model, entity)) {}

  bool Shows(const Attribute& attribute) const {
    if (IsAnswer()) return !attribute.secret;
    const bool fixed = model::IsSetBySession(entity_, attribute);
    if (use_ == Use::kReplace) return true;
    if (use_ == Use::kPatch) return !fixed && !attribute.immutable && !InKey(attribute);
    return !fixed;
  }

  bool Requires(const Attribute& attribute) const {
    const bool is_tenant = tenant_ != nullptr && attribute.name == tenant_->parameter;
    const bool made = attribute.generate != model::Generate::kNo || model::IsSetBySession(entity_, attribute);
    switch (use_) {
      case Use::kRead:
        return attribute.required || is_tenant || made || InKey(attribute);
      case Use::kCreate:
        return attribute.required && !attribute.default_value && !made && !is_tenant;
      case Use::kReplace:
        return attribute.required && !attribute.default_value && !made && !is_tenant && !InKey(attribute);
      default:
        return false;
    }
  }

  AttributeFacts Facts(const Attribute& attribute) const {
    const bool fixed = model::IsSetBySession(entity_, attribute);
    return {.nullable = attribute.nullable ||
                        (use_ == Use::kPatch && (!attribute.required || attribute.default_value)),
            .read_only = fixed && use_ != Use::kCreate && use_ != Use::kPatch,
            .write_only = attribute.secret,
            .shows_default = use_ == Use::kCreate};
  }

 private:
  bool IsAnswer() const { return use_ == Use::kRead || use_ == Use::kPartial; }
  bool InKey(const Attribute& attribute) const {
    return std::ranges::find(key_, &attribute) != key_.end() ||
           (tenant_ != nullptr && attribute.name == tenant_->parameter);
  }

  const Entity& entity_;
  const Use use_;
  const model::Tenant* tenant_;
  const std::vector<const Attribute*> key_;
};

void WriteRequired(JsonOutput& out, const std::vector<std::string>& names) {
  if (!names.empty()) out.Strings("required", names);
}

void WriteEnum(JsonOutput& out, const model::Enum& enumeration) {
  Object(out, "enum." + enumeration.name, [&] {
    out.Member("type", "string");
    // Other texts are allowed in an open one, so its values are only examples.
    out.Strings(enumeration.open ? "examples" : "enum", enumeration.values);
  });
}

void WriteShape(JsonOutput& out, const model::Shape& shape) {
  Object(out, "shape." + shape.name, [&] {
    out.Member("type", "object");
    std::vector<std::string> required;
    Object(out, "properties", [&] {
      for (const Attribute& member : shape.members) {
        WriteAttribute(out, member, {.nullable = member.nullable, .shows_default = true});
        if (member.required && !member.default_value) required.push_back(member.name);
      }
    });
    WriteRequired(out, required);
    Member(out, "additionalProperties", false);
  });
}

}  // namespace

std::string SchemaName(const Entity& entity, Use use) {
  switch (use) {
    case Use::kRead:
      return entity.name;
    case Use::kPartial:
      return entity.name + ".partial";
    case Use::kCreate:
      return entity.name + ".create";
    case Use::kReplace:
      return entity.name + ".replace";
    case Use::kPatch:
      return entity.name + ".patch";
  }
  return entity.name;
}

void WriteTypeSchema(JsonOutput& out, const ValueType& type, const ValueLimits& limits) {
  Object(out, [&] { WriteTypeMembers(out, type, limits); });
}

void WriteEntitySchema(JsonOutput& out, const model::Model& model, const Entity& entity, Use use) {
  const EntityView view(model, entity, use);
  Object(out, [&] {
    out.Member("type", "object");
    if (!entity.doc.empty()) out.Member("description", entity.doc);
    std::vector<std::string> required;
    Object(out, "properties", [&] {
      for (const Attribute& attribute : entity.attributes) {
        if (!view.Shows(attribute)) continue;
        WriteAttribute(out, attribute, view.Facts(attribute));
        if (view.Requires(attribute)) required.push_back(attribute.name);
      }
    });
    WriteRequired(out, required);
    // What is read may have the entity's name beside it, in a list; what is written has no other members.
    if (use != Use::kRead && use != Use::kPartial) Member(out, "additionalProperties", false);
  });
}

void WriteNamedTypes(JsonOutput& out, const model::Model& model) {
  for (const model::Enum& enumeration : model.enums) WriteEnum(out, enumeration);
  for (const model::Shape& shape : model.shapes) WriteShape(out, shape);
}

}  // namespace cairn::design
