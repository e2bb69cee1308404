// JSON values in the form in which DynamoDB's messages quote them: [a, b], {k=v},
// KeySchemaElement(keyType=HASH).
#pragma once

#include <string>
#include <string_view>

namespace simdjson::dom {
class element;
}  // namespace simdjson::dom

namespace cairn::dynamodb {

// `type` is the name of the structure (or of the structures in the list); empty for plain maps. Long values
// are shortened, so that an answer does not repeat megabytes of a request.
std::string JsonAsJava(const simdjson::dom::element& json, std::string_view type);

// "KeySchema" -> "keySchema"
std::string LowerFirst(std::string_view name);

}  // namespace cairn::dynamodb
