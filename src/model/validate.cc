#include "model/validate.h"

#include <algorithm>

#include "expr/condition.h"

namespace cairn::model {
namespace {

const item::AttributeValue* Present(const item::Item& values, std::string_view stored_name) {
  const item::AttributeValue* value = values.Find(stored_name);
  return value == nullptr || value->is(item::Type::kNull) ? nullptr : value;
}

bool IsEmpty(const item::AttributeValue& value) {
  switch (value.type()) {
    case item::Type::kString:
      return value.string().empty();
    case item::Type::kList:
      return value.list().empty();
    case item::Type::kMap:
      return value.map().empty();
    case item::Type::kStringSet:
      return value.string_set().empty();
    case item::Type::kNumberSet:
      return value.number_set().empty();
    default:
      return false;
  }
}

enum class Fate { kKeep, kLeaveOut };

Fate CheckAttribute(const Attribute& attribute, item::AttributeValue& value,
                    std::vector<FieldError>& errors) {
  if (value.is(item::Type::kNull)) {
    if (!attribute.nullable) errors.push_back({attribute.name, "must not be null"});
    return Fate::kKeep;
  }
  // DynamoDB has no empty sets.
  if (IsEmpty(value) && (attribute.omit_empty || item::IsSet(value.type()))) return Fate::kLeaveOut;
  if (auto fine = CheckValue(attribute.type, attribute.limits, value); !fine) {
    errors.push_back({attribute.name, fine.error().message});
  }
  return Fate::kKeep;
}

// Which attributes a change touches; null: all of them.
using Touched = const std::vector<std::string>*;
bool IsTouched(Touched touched, const std::string& stored_name) {
  return touched == nullptr || std::ranges::find(*touched, stored_name) != touched->end();
}

void CheckOrder(const Entity& entity, const item::Item& values, Touched touched,
                std::vector<FieldError>& errors) {
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.after.empty()) continue;
    const Attribute* other = entity.Find(attribute.after);
    if (!IsTouched(touched, attribute.stored_as) && !IsTouched(touched, other->stored_as)) continue;
    const item::AttributeValue* later = Present(values, attribute.stored_as);
    const item::AttributeValue* earlier = Present(values, other->stored_as);
    if (later && earlier && !(expr::CompareValues(*earlier, *later) < 0)) {
      errors.push_back({attribute.name, "must be after " + other->name});
    }
  }
}

bool IsTouched(Touched touched, const Entity& entity, const RequireIf& rule) {
  const auto is_touched = [&](const std::string& stored_name) { return IsTouched(touched, stored_name); };
  return std::ranges::any_of(rule.when.Dependencies(), is_touched) ||
         std::ranges::any_of(rule.attributes, [&](const std::string& name) {
           return is_touched(entity.Find(name)->stored_as);
         });
}

void CheckRequireIf(const Entity& entity, const item::Item& values, Touched touched,
                    std::vector<FieldError>& errors) {
  for (const RequireIf& rule : entity.require_if) {
    if (!IsTouched(touched, entity, rule)) continue;
    const bool holds = rule.when.Holds(values);
    for (const std::string& name : rule.attributes) {
      const bool there = Present(values, entity.Find(name)->stored_as) != nullptr;
      if (holds && !there) errors.push_back({name, "is required when " + rule.when.text()});
      if (!holds && there && rule.forbid_otherwise) {
        errors.push_back({name, "is allowed only when " + rule.when.text()});
      }
    }
  }
}

}  // namespace

std::vector<FieldError> ValidatePart(const Entity& entity, item::Item& values) {
  std::vector<FieldError> errors;
  std::vector<std::string> left_out;
  // Both are in order of the stored names, so one walk finds them all.
  auto known = entity.by_stored_name.begin();
  for (item::Attribute& given : values) {
    int order = 1;
    while (known != entity.by_stored_name.end() &&
           (order = given.name.compare(entity.attributes[*known].stored_as)) > 0)
      ++known;
    if (known == entity.by_stored_name.end() || order != 0) {
      errors.push_back({given.name, "is not an attribute of " + entity.name});
    } else if (CheckAttribute(entity.attributes[*known], given.value, errors) == Fate::kLeaveOut) {
      left_out.push_back(given.name);
    }
  }
  for (const std::string& name : left_out) values.Remove(name);
  return errors;
}

void FillDefaults(const Entity& entity, item::Item& values) {
  for (const size_t position : entity.defaulted) {
    const Attribute& attribute = entity.attributes[position];
    if (!values.Contains(attribute.stored_as)) values.Set(attribute.stored_as, *attribute.default_value);
  }
}

std::vector<FieldError> ValidateValues(const Entity& entity, item::Item& values) {
  std::vector<FieldError> errors = ValidatePart(entity, values);
  FillDefaults(entity, values);
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.required && values.Find(attribute.stored_as) == nullptr) {
      errors.push_back({attribute.name, "is required"});
    }
  }
  if (!errors.empty()) return errors;
  CheckOrder(entity, values, nullptr, errors);
  CheckRequireIf(entity, values, nullptr, errors);
  return errors;
}

std::vector<FieldError> ValidateChange(const Entity& entity, item::Item& values,
                                       const std::vector<std::string>& touched) {
  std::vector<FieldError> errors = ValidatePart(entity, values);
  if (!errors.empty()) return errors;
  CheckOrder(entity, values, &touched, errors);
  CheckRequireIf(entity, values, &touched, errors);
  return errors;
}

std::vector<FieldError> ValidateTransition(const Entity& entity, const item::Item& old_values,
                                           const item::Item& new_values) {
  if (!entity.transitions) return {};
  const Transitions& transitions = *entity.transitions;
  const Attribute& attribute = *entity.Find(transitions.attribute);
  const std::string& stored = attribute.stored_as;
  const item::AttributeValue* from = Present(old_values, stored);
  if (!old_values.Contains(stored) && attribute.default_value) from = &*attribute.default_value;
  const item::AttributeValue* to = Present(new_values, stored);
  if (from == nullptr || (to != nullptr && *from == *to)) return {};
  if (to == nullptr) return {{transitions.attribute, "cannot be removed once it is set"}};
  const auto allowed = transitions.allowed.find(from->string());
  if (allowed != transitions.allowed.end()) {
    for (const std::string& value : allowed->second) {
      if (value == to->string()) return {};
    }
  }
  return {{transitions.attribute, "cannot go from " + from->string() + " to " + to->string()}};
}

}  // namespace cairn::model
