#include "model_api/entity_key.h"

#include "base/check.h"
#include "http/percent.h"
#include "model/entity_access.h"

namespace cairn::model_api {
namespace {

std::unexpected<Error> NamesNothing(std::string why) { return Fail(Code::kResourceNotFound, std::move(why)); }

std::string TextOf(const item::AttributeValue& value) {
  switch (value.type()) {
    case item::Type::kString:
      return value.string();
    case item::Type::kNumber:
      return value.number().ToString();
    case item::Type::kBoolean:
      return value.boolean() ? "true" : "false";
    default:
      break;
  }
  CHECK(false, "keys are made of texts, numbers and booleans");
  return {};
}

std::string Collection(const model::Model& model, const model::Entity& entity) {
  return "/api/m/" + http::EncodeSegment(model.name) + "/" + http::EncodeSegment(entity.name);
}

}  // namespace

Result<item::Item> ReadKey(const model::Model& model, const model::Entity& entity,
                           const std::vector<std::string>& segments) {
  const auto attributes = model::KeyAttributes(model, entity);
  if (attributes.size() != segments.size()) {
    return NamesNothing("The address of one " + entity.name + " is " + AddressPattern(model, entity));
  }
  item::Item key;
  for (size_t i = 0; i < segments.size(); ++i) {
    auto value = model::ParseText(attributes[i]->type, segments[i]);
    if (!value) return NamesNothing(attributes[i]->name + " " + value.error().message);
    key.Set(attributes[i]->stored_as, *std::move(value));
  }
  return key;
}

std::string AddressOf(const model::Model& model, const model::Entity& entity, const item::Item& values) {
  std::string address = Collection(model, entity);
  for (const model::Attribute* attribute : model::KeyAttributes(model, entity)) {
    const item::AttributeValue* value = values.Find(attribute->stored_as);
    CHECK(value != nullptr, "an item has its key attributes");
    address += "/" + http::EncodeSegment(TextOf(*value));
  }
  return address;
}

std::string AddressPattern(const model::Model& model, const model::Entity& entity) {
  std::string address = Collection(model, entity);
  for (const model::Attribute* attribute : model::KeyAttributes(model, entity))
    address += "/{" + attribute->name + "}";
  return address;
}

}  // namespace cairn::model_api
