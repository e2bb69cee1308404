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

// None of the others.
struct OtherJson {};
using JsonTexts = std::vector<std::string>;  // an array of texts only
using JsonValue = std::variant<OtherJson, std::string, int64_t, JsonTexts>;
using JsonMembers = std::map<std::string, JsonValue, std::less<>>;

enum class JsonFault { kNoObject, kMemberTwice };

Result<JsonMembers, JsonFault> ReadJsonObject(std::string_view text);

// The objects of the array that the object `text` has under `name`. What else the outer object has is
// ignored.
Result<std::vector<JsonMembers>, JsonFault> ReadJsonObjects(std::string_view text, std::string_view name);

// The text under `name`; null when there is none, or no text.
const std::string* FindText(const JsonMembers& members, std::string_view name);
// The texts of the array under `name`; null when there is none, or it holds anything else.
const JsonTexts* FindTexts(const JsonMembers& members, std::string_view name);

}  // namespace cairn::identity
