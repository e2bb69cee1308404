#include "domains/nexus/item_json.h"

#include "base/json_writer.h"

namespace cairn::nexus {
namespace {

// Sets are arrays. There are no binaries in this model.
void Append(JsonWriter& json, const item::AttributeValue& value) {
  switch (value.type()) {
    case item::Type::kString:
      json.Value(value.string());
      return;
    case item::Type::kNumber:
      value.number().AppendTo(json.RawValue());
      return;
    case item::Type::kBoolean:
      json.Value(value.boolean());
      return;
    case item::Type::kList:
      json.BeginArray();
      for (const item::AttributeValue& element : value.list()) Append(json, element);
      json.EndArray();
      return;
    case item::Type::kMap:
      json.BeginObject();
      for (const item::Attribute& member : value.map()) {
        json.Key(member.name);
        Append(json, member.value);
      }
      json.EndObject();
      return;
    case item::Type::kStringSet:
      json.BeginArray();
      for (const std::string& element : value.string_set()) json.Value(element);
      json.EndArray();
      return;
    case item::Type::kNumberSet:
      json.BeginArray();
      for (const item::Number& element : value.number_set()) element.AppendTo(json.RawValue());
      json.EndArray();
      return;
    case item::Type::kNull:
    case item::Type::kBinary:
    case item::Type::kBinarySet:
      json.Null();
      return;
  }
}

}  // namespace

std::string ItemJson(const model::Entity& entity, const item::Item& values) {
  JsonWriter json;
  json.BeginObject();
  for (const model::Attribute& attribute : entity.attributes) {
    const item::AttributeValue* value = values.Find(attribute.stored_as);
    // Whose it is goes without saying.
    if (value == nullptr || attribute.secret || attribute.name == "userId") continue;
    json.Key(attribute.name);
    Append(json, *value);
  }
  return json.EndObject().Take();
}

}  // namespace cairn::nexus
