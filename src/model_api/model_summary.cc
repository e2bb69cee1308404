#include "model_api/model_summary.h"

#include "base/json_writer.h"
#include "http/percent.h"
#include "model/entity_access.h"
#include "model_api/entity_key.h"

namespace cairn::model_api {
namespace {

std::string Home(const model::Model& model) { return "/api/m/" + http::EncodeSegment(model.name); }

void MemberUnlessEmpty(JsonWriter& json, std::string_view name, const std::string& text) {
  if (!text.empty()) json.Member(name, text);
}

void AppendEntity(JsonWriter& json, const model::Model& model, const model::Entity& entity) {
  json.BeginObject().Member("name", entity.name);
  MemberUnlessEmpty(json, "doc", entity.doc);
  json.Member("href", Home(model) + "/" + http::EncodeSegment(entity.name));
  json.Member("item", AddressPattern(model, entity)).Key("key").BeginArray();
  for (const model::Attribute* attribute : model::KeyAttributes(model, entity)) json.Value(attribute->name);
  json.EndArray().Key("methods").BeginArray();
  const auto collection = CollectionMethods(model, entity);
  for (const std::string& method : collection) json.Value(method);
  if (!model::KeyAttributes(model, entity).empty()) {
    for (const std::string& method : ItemMethods(model, entity)) json.Value(method);
  }
  json.EndArray();
  if (const model::Attribute* lock = model::LockAttribute(entity)) json.Member("lock", lock->name);
  json.EndObject();
}

void AppendPattern(JsonWriter& json, const model::Model& model, const model::Pattern& pattern) {
  json.BeginObject().Member("name", pattern.name);
  MemberUnlessEmpty(json, "doc", pattern.doc);
  json.Member("href", Home(model) + "/patterns/" + http::EncodeSegment(pattern.name));
  json.Key("returns").BeginArray();
  for (const size_t entity : pattern.steps.back().entities) json.Value(model.entities[entity].name);
  json.EndArray().Key("parameters").BeginArray();
  for (const model::Parameter& parameter : pattern.parameters) {
    json.BeginObject().Member("name", parameter.name).Member("type", parameter.type.ToString());
    json.Member("required", parameter.required).EndObject();
  }
  json.EndArray().EndObject();
}

}  // namespace

std::vector<std::string> ItemMethods(const model::Model& model, const model::Entity& entity) {
  const model::UserAccess access = model::AccessOf(model, entity);
  std::vector<std::string> methods;
  if (access.read) methods.insert(methods.end(), {"GET", "HEAD"});
  if (access.change) methods.insert(methods.end(), {"PUT", "PATCH"});
  if (access.remove) methods.push_back("DELETE");
  return methods;
}

std::vector<std::string> CollectionMethods(const model::Model& model, const model::Entity& entity) {
  std::vector<std::string> methods;
  if (model::AccessOf(model, entity).create) methods.push_back("POST");
  if (!model::KeyAttributes(model, entity).empty()) return methods;
  for (std::string& method : ItemMethods(model, entity)) methods.push_back(std::move(method));
  return methods;
}

std::string ModelListJson(const std::vector<const model::Model*>& models) {
  JsonWriter json;
  json.BeginObject().Key("models").BeginArray();
  for (const model::Model* model : models) {
    json.BeginObject().Member("name", model->name);
    MemberUnlessEmpty(json, "doc", model->doc);
    json.Member("href", Home(*model)).EndObject();
  }
  json.EndArray().EndObject();
  return json.Take();
}

std::string ModelSummaryJson(const model::Model& model) {
  JsonWriter json;
  json.BeginObject().Member("name", model.name);
  MemberUnlessEmpty(json, "doc", model.doc);
  json.Member("version", model.hash).Member("openapi", Home(model) + "/openapi.json");
  json.Key("entities").BeginArray();
  for (const model::Entity& entity : model.entities) {
    if (model::AccessOf(model, entity).any()) AppendEntity(json, model, entity);
  }
  json.EndArray().Key("patterns").BeginArray();
  for (const model::Pattern& pattern : model.patterns) {
    if (model::MayRead(model, pattern)) AppendPattern(json, model, pattern);
  }
  json.EndArray().EndObject();
  return json.Take();
}

}  // namespace cairn::model_api
