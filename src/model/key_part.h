// One placeholder of a key: its value to text and back. Private to Template.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "item/attribute_value.h"
#include "model/template.h"

namespace cairn::model {

// Whether the format of a bound placeholder fits its type; the error is a sentence about the placeholder.
Status CheckFormat(const TemplatePart& part);

// How many bytes every value of the placeholder takes in a key; 0 when that varies. Of an unbound
// placeholder, what its format alone says.
size_t FixedWidth(const TemplatePart& part);

// Appends the text of `value`. The error is a sentence about the value, without the attribute's name; `out`
// may then have changed.
Status AppendKeyPart(std::string& out, const TemplatePart& part, const item::AttributeValue& value);

// What a piece of a key says about the placeholder's attribute.
struct KeyPartReading {
  bool right = false;                         // could have been written by AppendKeyPart
  std::optional<item::AttributeValue> value;  // none: told in part only
};
KeyPartReading ReadKeyPart(const TemplatePart& part, std::string_view text);

}  // namespace cairn::model
