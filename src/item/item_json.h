// DynamoDB JSON: {"pk": {"S": "a"}, "n": {"N": "1"}} to items and back.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "item/attribute_value.h"
#include "item/packed_item.h"

namespace simdjson::dom {
class element;
class object;
}  // namespace simdjson::dom

namespace cairn::item {

// Reads one attribute value, e.g. {"S": "a"}. Fails with DynamoDB's own error (kMalformed for JSON of the
// wrong shape, kInvalidArgument for a value that breaks a rule: empty set, bad number, nesting above 32).
Result<AttributeValue> ReadValue(const simdjson::dom::element& json);
Result<Item> ReadItem(const simdjson::dom::element& json);
// Reads a whole text; for imports and tests.
Result<Item> ParseItemJson(std::string_view json);

void AppendValueJson(std::string& out, const AttributeValue& value);
void AppendItemJson(std::string& out, const Item& item);
void AppendItemJson(std::string& out, const PackedItem& item);

// Standard base64 with padding. Decode refuses everything DynamoDB refuses.
void AppendBase64(std::string& out, std::string_view bytes);
Result<std::string> DecodeBase64(std::string_view text);

}  // namespace cairn::item
