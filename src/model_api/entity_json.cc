#include "model_api/entity_json.h"

#include <algorithm>
#include <vector>

#include "model/entity_access.h"
#include "model/name_suggestion.h"
#include "model/validate.h"
#include "model_api/value_json.h"
#include "rest/json_object.h"

namespace cairn::model_api {
namespace {

using model::Attribute;
using model::Entity;
using model::FieldError;

std::string UnknownAttribute(const Entity& entity, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Attribute& attribute : entity.attributes) names.push_back(attribute.name);
  return "is not an attribute of " + entity.name + model::DidYouMean(name, names);
}

// Nobody reads more of them, and a hostile body could have a hundred thousand.
constexpr size_t kErrorsMax = 20;

// Goes through the members of a body; what is right is handed to `take`.
class BodyReader {
 public:
  BodyReader(const Entity& entity, const item::Item& json) : entity_(entity), json_(json) {}

  template <class Take>
  std::vector<FieldError> Read(Take take) {
    for (const item::Attribute& member : json_) {
      if (errors_.size() == kErrorsMax) break;
      const Attribute* attribute = entity_.Find(member.name);
      if (attribute == nullptr) {
        Refuse(rest::Shown(member.name), UnknownAttribute(entity_, member.name));
      } else {
        take(*attribute, member.value);
      }
    }
    return std::move(errors_);
  }

  void Refuse(const std::string& field, std::string message) {
    errors_.push_back({field, std::move(message)});
  }

  // Sets the stored attribute if the value is of its type.
  void Set(item::Item& values, const Attribute& attribute, const item::AttributeValue& json) {
    auto value = TypedValue(attribute.type, json);
    if (!value) return Refuse(attribute.name, std::move(value).error().message);
    values.Set(attribute.stored_as, *std::move(value));
  }

 private:
  const Entity& entity_;
  const item::Item& json_;
  std::vector<FieldError> errors_;
};

bool IsAbout(const std::vector<FieldError>& errors, const std::string& name) {
  return std::ranges::any_of(errors, [&](const FieldError& error) { return error.attribute == name; });
}

// A request with a wrong member is told everything else that is wrong with it, too: `values` is what could be
// read.
void AddBrokenRules(const Entity& entity, item::Item values, std::vector<FieldError>& errors) {
  for (FieldError& error : model::ValidatePart(entity, values)) {
    if (errors.size() < kErrorsMax && !IsAbout(errors, error.attribute)) errors.push_back(std::move(error));
  }
}

// What must be given and is not.
void AddMissing(const model::Model& model, const Entity& entity, const item::Item& values, Body body,
                std::vector<FieldError>& errors) {
  const model::Tenant* tenant = model.TenantOf(entity);
  for (const Attribute& attribute : entity.attributes) {
    const bool given_otherwise = attribute.default_value || attribute.generate != model::Generate::kNo ||
                                 model::IsSetBySession(entity, attribute) ||
                                 (tenant != nullptr && attribute.name == tenant->parameter) ||
                                 (body == Body::kReplace && attribute.immutable);
    if (!attribute.required || given_otherwise || values.Contains(attribute.stored_as)) continue;
    if (errors.size() < kErrorsMax && !IsAbout(errors, attribute.name))
      errors.push_back({attribute.name, "is required"});
  }
}

constexpr std::string_view kSetByServer = "is set by the server";

}  // namespace

void AppendMembers(JsonWriter& json, const Entity& entity, const item::Item& values) {
  for (const Attribute& attribute : entity.attributes) {
    if (attribute.secret) continue;
    const item::AttributeValue* value = values.Find(attribute.stored_as);
    if (value != nullptr) AppendValue(json.Key(attribute.name).RawValue(), *value);
  }
}

std::string EntityJson(const Entity& entity, const item::Item& values) {
  JsonWriter json;
  json.BeginObject();
  AppendMembers(json, entity, values);
  json.EndObject();
  return json.Take();
}

std::string_view EntityMember(const Entity& entity) {
  return entity.Find("entity") == nullptr ? "entity" : "$entity";
}

model::Outcome<item::Item> ReadValues(const model::Model& model, const Entity& entity, const item::Item& json,
                                      Body body) {
  item::Item values;
  BodyReader reader(entity, json);
  auto errors = reader.Read([&](const Attribute& attribute, const item::AttributeValue& value) {
    if (model::IsSetBySession(entity, attribute)) {
      if (body == Body::kCreate) reader.Refuse(attribute.name, std::string(kSetByServer));
    } else if (value.is(item::Type::kNull)) {
      if (!attribute.nullable) return reader.Refuse(attribute.name, "must not be null");
      values.Set(attribute.stored_as, value);
    } else if (!IsEmptySet(attribute.type, value)) {
      reader.Set(values, attribute, value);
    }
  });
  if (!errors.empty()) {
    AddBrokenRules(entity, values, errors);
    AddMissing(model, entity, values, body, errors);
  }
  if (!errors.empty()) return std::unexpected(model::Failure(std::move(errors)));
  return values;
}

model::Outcome<model::Changes> ReadChanges(const Entity& entity, const item::Item& json) {
  model::Changes changes;
  BodyReader reader(entity, json);
  auto errors = reader.Read([&](const Attribute& attribute, const item::AttributeValue& value) {
    const bool is_null = value.is(item::Type::kNull);
    if (model::IsSetBySession(entity, attribute)) {
      reader.Refuse(attribute.name, std::string(kSetByServer));
    } else if (is_null && attribute.nullable) {
      changes.set.Set(attribute.stored_as, value);
    } else if (is_null || IsEmptySet(attribute.type, value)) {
      changes.remove.push_back(attribute.stored_as);
    } else {
      reader.Set(changes.set, attribute, value);
    }
  });
  if (!errors.empty()) AddBrokenRules(entity, changes.set, errors);
  if (!errors.empty()) return std::unexpected(model::Failure(std::move(errors)));
  return changes;
}

}  // namespace cairn::model_api
