// Values of a model's types as JSON and back. Pure; the rules of a type beyond its JSON kind are checked by
// the session.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "item/attribute_value.h"
#include "model/value_type.h"

namespace cairn::model_api {

// Sets are arrays, binaries base64.
void AppendValue(std::string& json, const item::AttributeValue& value);

// Turns a value as JSON gives it (see ParseJsonObject) into one of the type: arrays of sets become sets.
// Fails when it is of another kind; the message follows the attribute's name, and begins with the path inside
// the value if the fault is there: "[2].order must be a number".
Result<item::AttributeValue> TypedValue(const model::ValueType& type, const item::AttributeValue& json);

// An empty array given for a set.
bool IsEmptySet(const model::ValueType& type, const item::AttributeValue& json);

}  // namespace cairn::model_api
