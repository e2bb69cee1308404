// The members of small JSON documents that others send: tokens and key sets. Reads strictly, so that nothing
// can be understood in two ways: a member that is there twice is a fault. Keeps simdjson out of the files
// that judge.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace cairn::identity {

// Neither a text nor a whole number of 64 bits.
struct OtherJson {};
using JsonValue = std::variant<OtherJson, std::string, int64_t>;
using JsonMembers = std::map<std::string, JsonValue, std::less<>>;

enum class JsonFault { kNoObject, kMemberTwice };

Result<JsonMembers, JsonFault> ReadJsonObject(std::string_view text);

// The objects of the array that the object `text` has under `name`. What else the outer object has is
// ignored.
Result<std::vector<JsonMembers>, JsonFault> ReadJsonObjects(std::string_view text, std::string_view name);

// The text under `name`; null when there is none, or no text.
const std::string* FindText(const JsonMembers& members, std::string_view name);

}  // namespace cairn::identity
