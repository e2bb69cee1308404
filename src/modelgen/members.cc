#include "modelgen/members.h"

#include <algorithm>

#include "model/entity_access.h"
#include "modelgen/names.h"

namespace cairn::modelgen {
namespace {

using model::Kind;

bool IsSmall(const model::ValueType& type) {
  const std::string cpp = CppType(type);
  return cpp == "int64_t" || cpp == "bool" || (type.kind == Kind::kEnum && cpp != "std::string");
}

// Whether the C++ type says all there is to know of the type.
bool IsEvident(const model::ValueType& type) {
  switch (type.kind) {
    case Kind::kString:
    case Kind::kInt:
    case Kind::kNumber:
    case Kind::kBool:
    case Kind::kMap:
    case Kind::kShape:
      return true;
    case Kind::kEnum:
      return !type.enumeration->open;
    case Kind::kList:
    case Kind::kSet:
      return IsEvident(*type.element);
    default:
      return false;
  }
}

std::string TypeNote(const model::ValueType& type) {
  if (IsEvident(type)) return "";
  std::string note = type.ToString();
  if (type.kind == Kind::kUuid && !type.prefix.empty()) note = type.prefix + "<uuid>";
  if (type.kind == Kind::kEnum) note = type.name + " or another text";
  return note;
}

std::string DefaultText(const item::AttributeValue& value) {
  switch (value.type()) {
    case item::Type::kString:
      return value.string().empty() ? "\"\"" : value.string();
    case item::Type::kNumber:
      return value.number().ToString();
    case item::Type::kBoolean:
      return value.boolean() ? "true" : "false";
    default:
      return "as in the model";
  }
}

void AddNote(std::string& note, const std::string& text) {
  if (text.empty()) return;
  if (!note.empty()) note += "; ";
  note += text;
}

// What is the same wherever an attribute appears.
Member MemberOf(const model::Attribute& attribute) {
  Member member;
  member.name = SnakeCase(attribute.name);
  member.type = CppType(attribute.type);
  member.stored_as = attribute.stored_as;
  member.needs_initializer = IsSmall(attribute.type);
  member.doc = attribute.doc;
  member.note = TypeNote(attribute.type);
  return member;
}

void SetPresence(const model::Attribute& attribute, bool given_by_caller, Member& member) {
  member.nullable = attribute.nullable;
  member.null_when_empty = attribute.nullable && attribute.required && !attribute.default_value;
  member.optional = !attribute.required || attribute.nullable || attribute.default_value || !given_by_caller;
  if (attribute.default_value) AddNote(member.note, "default " + DefaultText(*attribute.default_value));
  if (member.null_when_empty) AddNote(member.note, "null when empty");
}

}  // namespace

std::string CppType(const model::ValueType& type) {
  switch (type.kind) {
    case Kind::kInt:
    case Kind::kEpochSeconds:
      return "int64_t";
    case Kind::kNumber:
      return "item::Number";
    case Kind::kBool:
      return "bool";
    case Kind::kMap:
      return "item::Map";
    case Kind::kList:
      return "std::vector<" + CppType(*type.element) + ">";
    case Kind::kSet:
      return "typed::Set<" + CppType(*type.element) + ">";
    case Kind::kEnum:
      return type.enumeration->open ? "std::string" : PascalCase(type.name);
    case Kind::kShape:
      return PascalCase(type.name);
    case Kind::kRef:
      return type.element ? CppType(*type.element) : "std::string";
    default:
      return "std::string";
  }
}

Member ShapeMember(const model::Attribute& attribute) {
  Member member = MemberOf(attribute);
  SetPresence(attribute, true, member);
  return member;
}

Member EntityMember(const model::Model& model, const model::Entity& entity,
                    const model::Attribute& attribute) {
  Member member = MemberOf(attribute);
  const model::Tenant* tenant = model.TenantOf(entity);
  const bool is_tenant = tenant != nullptr && attribute.name == tenant->parameter;
  const bool is_generated = attribute.generate != model::Generate::kNo;
  const bool is_automatic = model::IsSetBySession(entity, attribute);
  if (is_tenant) AddNote(member.note, "the caller's");
  if (is_generated) AddNote(member.note, "generated");
  if (attribute.automatic == model::Auto::kCreate) AddNote(member.note, "set by every create");
  if (attribute.automatic == model::Auto::kUpdate) AddNote(member.note, "set by every write");
  if (is_automatic && attribute.automatic == model::Auto::kNo) AddNote(member.note, "counts the writes");
  SetPresence(attribute, !is_tenant && !is_generated && !is_automatic, member);
  if (attribute.secret) AddNote(member.note, "secret");
  member.in_key_only = attribute.in_key_only;
  return member;
}

Member KeyMember(const model::Attribute& attribute) { return MemberOf(attribute); }

Member ParameterMember(const model::Parameter& parameter) {
  Member member;
  member.name = SnakeCase(parameter.name);
  member.type = CppType(parameter.type);
  member.stored_as = parameter.name;
  member.optional = !parameter.required;
  member.needs_initializer = IsSmall(parameter.type);
  member.note = TypeNote(parameter.type);
  if (parameter.date_too) AddNote(member.note, "or a date");
  return member;
}

Change ChangeOf(const model::Model& model, const model::Entity& entity, const model::Attribute& attribute) {
  Change change;
  const std::vector<const model::Attribute*> key = model::KeyAttributes(model, entity);
  const model::Tenant* tenant = model.TenantOf(entity);
  const bool is_fixed = attribute.immutable || attribute.in_key_only ||
                        model::IsSetBySession(entity, attribute) ||
                        std::ranges::find(key, &attribute) != key.end() ||
                        (tenant != nullptr && attribute.name == tenant->parameter);
  if (is_fixed) return change;
  change.method = PascalCase(attribute.name);
  change.type = CppType(attribute.type);
  change.stored_as = attribute.stored_as;
  change.by_value = IsSmall(attribute.type);
  change.add = attribute.type.kind == Kind::kInt || attribute.type.kind == Kind::kNumber;
  // A counter changes by adding only: whoever sets it loses what others have added meanwhile.
  change.set = !attribute.counter;
  change.clear_to_null = attribute.required && attribute.nullable;
  change.clear = !attribute.counter && (!attribute.required || attribute.nullable);
  return change;
}

}  // namespace cairn::modelgen
