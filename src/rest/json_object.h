// Reading the JSON object of a request body: strictly, and without losing a digit of a number.
#pragma once

#include <string>
#include <string_view>

#include "item/attribute_value.h"
#include "model/failure.h"

namespace cairn::rest {

// Objects become maps, arrays lists, numbers exact numbers; null becomes Null. Fails
// - with kMalformed when the text is not one JSON object, has a member twice anywhere, or nests deeper than
// an item may;
// - with a field error when a number cannot be stored: more than 38 digits, or out of range.
model::Outcome<item::Item> ParseJsonObject(std::string_view text);

// A name the client sent, for a message: long ones are cut, so that an answer stays small.
std::string Shown(std::string_view name);

}  // namespace cairn::rest
