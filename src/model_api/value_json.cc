#include "model_api/value_json.h"

#include <algorithm>
#include <vector>

#include "base/json_text.h"
#include "base/utf8.h"
#include "item/item_json.h"
#include "model/definition.h"
#include "model/name_suggestion.h"
#include "rest/json_object.h"

namespace cairn::model_api {
namespace {

using item::AttributeValue;
using model::Kind;
using model::ValueType;

template <class Values, class Append>
void AppendArray(std::string& json, const Values& values, Append append) {
  json += '[';
  bool first = true;
  for (const auto& value : values) {
    if (!first) json += ',';
    first = false;
    append(value);
  }
  json += ']';
}

std::string_view Expected(const ValueType& type) {
  switch (type.StoredType()) {
    case item::Type::kNumber:
      return "must be a number";
    case item::Type::kBoolean:
      return "must be true or false";
    case item::Type::kMap:
      return "must be an object";
    case item::Type::kList:
      return "must be an array";
    case item::Type::kStringSet:
      return "must be an array of different texts";
    case item::Type::kNumberSet:
      return "must be an array of different numbers";
    default:
      return "must be a text";
  }
}

// "[2]" + ".order must be ..." or "[2]" + " must be ..."
std::unexpected<Error> Inside(const std::string& place, const Error& error) {
  const bool deeper = error.message.starts_with('[') || error.message.starts_with('.');
  return Fail(Invalid(place + (deeper ? "" : " ") + error.message));
}

Result<AttributeValue> TypedList(const ValueType& type, const item::List& json) {
  item::List list;
  list.reserve(json.size());
  for (const AttributeValue& element : json) {
    auto value = TypedValue(*type.element, element);
    if (!value) return Inside("[" + std::to_string(list.size()) + "]", value.error());
    list.push_back(*std::move(value));
  }
  return AttributeValue(std::move(list));
}

template <class Set, class Get>
Result<AttributeValue> TypedSet(const ValueType& type, const item::List& json, Get get) {
  if (json.empty()) return Fail(Invalid("must not be empty"));
  Set set;
  for (const AttributeValue& element : json) {
    auto value = TypedValue(*type.element, element);
    if (!value) return Inside("[" + std::to_string(set.values.size()) + "]", value.error());
    set.values.push_back(get(*value));
  }
  return AttributeValue(std::move(set));  // sorts, and an element given twice counts once
}

const model::Attribute* FindMember(const model::Shape& shape, std::string_view name) {
  const auto found = std::ranges::find(shape.members, name, &model::Attribute::name);
  return found == shape.members.end() ? nullptr : &*found;
}

Result<AttributeValue> TypedShape(const ValueType& type, const item::Map& json) {
  const model::Shape& shape = *type.shape;
  item::Map typed;
  for (const item::Attribute& given : json) {
    const std::string place = "." + rest::Shown(given.name);
    const model::Attribute* member = FindMember(shape, given.name);
    if (member == nullptr) {
      std::vector<std::string_view> names;
      for (const model::Attribute& known : shape.members) names.push_back(known.name);
      return Fail(
          Invalid(place + " is not a member of " + shape.name + model::DidYouMean(given.name, names)));
    }
    if (given.value.is(item::Type::kNull)) {
      if (!member->nullable) return Fail(Invalid(place + " must not be null"));
      typed.Set(given.name, given.value);
      continue;
    }
    if (IsEmptySet(member->type, given.value)) continue;
    auto value = TypedValue(member->type, given.value);
    if (!value) return Inside(place, value.error());
    typed.Set(given.name, *std::move(value));
  }
  return AttributeValue(std::move(typed));
}

}  // namespace

void AppendValue(std::string& json, const AttributeValue& value) {
  const auto append_text = [&](const std::string& text) { AppendJsonString(json, text); };
  const auto append_bytes = [&](const std::string& bytes) {
    json += '"';
    item::AppendBase64(json, bytes);
    json += '"';
  };
  switch (value.type()) {
    case item::Type::kString:
      return append_text(value.string());
    case item::Type::kNumber:
      return value.number().AppendTo(json);
    case item::Type::kBinary:
      return append_bytes(value.binary());
    case item::Type::kBoolean:
      json += value.boolean() ? "true" : "false";
      return;
    case item::Type::kNull:
      json += "null";
      return;
    case item::Type::kList:
      return AppendArray(json, value.list(),
                         [&](const AttributeValue& element) { AppendValue(json, element); });
    case item::Type::kStringSet:
      return AppendArray(json, value.string_set(), append_text);
    case item::Type::kNumberSet:
      return AppendArray(json, value.number_set(),
                         [&](const item::Number& number) { number.AppendTo(json); });
    case item::Type::kBinarySet:
      return AppendArray(json, value.binary_set(), append_bytes);
    case item::Type::kMap:
      break;
  }
  json += '{';
  bool first = true;
  for (const item::Attribute& member : value.map()) {
    if (!first) json += ',';
    first = false;
    AppendJsonString(json, member.name);
    json += ':';
    AppendValue(json, member.value);
  }
  json += '}';
}

Result<AttributeValue> TypedValue(const ValueType& type, const AttributeValue& json) {
  const item::Type stored = type.StoredType();
  const item::Type given = item::IsSet(stored) ? item::Type::kList : stored;  // what JSON has for it
  if (!json.is(given)) return Fail(Invalid(std::string(Expected(type))));
  switch (type.kind) {
    case Kind::kList:
      return TypedList(type, json.list());
    case Kind::kShape:
      return TypedShape(type, json.map());
    case Kind::kSet:
      if (stored == item::Type::kNumberSet) {
        return TypedSet<item::NumberSet>(type, json.list(),
                                         [](const AttributeValue& value) { return value.number(); });
      }
      return TypedSet<item::StringSet>(type, json.list(),
                                       [](const AttributeValue& value) { return value.string(); });
    default:
      return json;
  }
}

bool IsEmptySet(const ValueType& type, const AttributeValue& json) {
  return type.kind == Kind::kSet && json.is(item::Type::kList) && json.list().empty();
}

}  // namespace cairn::model_api
