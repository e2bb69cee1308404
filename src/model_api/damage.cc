#include "model_api/damage.h"

#include <algorithm>

#include "model/value_form.h"

namespace cairn::model_api {
namespace {

using item::AttributeValue;
using model::Kind;
using model::ValueType;

std::string Inside(std::string place, const std::string& problem) {
  const bool deeper = problem.starts_with('[') || problem.starts_with('.');
  return std::move(place) + (deeper ? "" : " ") + problem;
}

// "" when the value is of the type.
std::string ProblemOf(const ValueType& type, const AttributeValue& value);

std::string ProblemOfList(const ValueType& type, const item::List& list) {
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string problem = ProblemOf(*type.element, list[i]);
    if (!problem.empty()) return Inside("[" + std::to_string(i) + "]", problem);
  }
  return "";
}

std::string ProblemOfShape(const model::Shape& shape, const item::Map& map) {
  for (const model::Attribute& member : shape.members) {
    const AttributeValue* value = map.Find(member.name);
    if (value == nullptr && member.required && !member.default_value)
      return "." + member.name + " is missing";
    if (value == nullptr || (member.nullable && value->is(item::Type::kNull))) continue;
    const std::string problem = ProblemOf(member.type, *value);
    if (!problem.empty()) return Inside("." + member.name, problem);
  }
  return "";
}

std::string ProblemOf(const ValueType& type, const AttributeValue& value) {
  if (value.type() != type.StoredType())
    return "is stored as " + std::string(item::TypeName(value.type())) + ", which is not " + type.ToString();
  switch (type.kind) {
    case Kind::kEnum: {
      const bool listed =
          type.enumeration->open ||
          std::ranges::find(type.enumeration->values, value.string()) != type.enumeration->values.end();
      return listed ? "" : "is stored as '" + value.string() + "', which is not one of " + type.name;
    }
    case Kind::kInt:
    case Kind::kEpochSeconds:
      return model::IsRightNumber(type, value.number()) ? "" : "is stored with a fraction";
    case Kind::kList:
      return ProblemOfList(type, value.list());
    case Kind::kShape:
      return ProblemOfShape(*type.shape, value.map());
    default:
      return "";
  }
}

}  // namespace

std::vector<model::FieldError> DamageOf(const model::Entity& entity, const item::Item& values,
                                        Extent extent) {
  std::vector<model::FieldError> damage;
  for (const model::Attribute& attribute : entity.attributes) {
    const AttributeValue* value = values.Find(attribute.stored_as);
    if (value == nullptr) {
      if (extent == Extent::kWhole && attribute.required && !attribute.secret)
        damage.push_back({attribute.name, "is missing"});
      continue;
    }
    if (attribute.nullable && value->is(item::Type::kNull)) continue;
    std::string problem = ProblemOf(attribute.type, *value);
    if (!problem.empty()) damage.push_back({attribute.name, std::move(problem)});
  }
  return damage;
}

}  // namespace cairn::model_api
