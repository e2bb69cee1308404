#include "identity/json_members.h"

#include <simdjson.h>

#include <set>

namespace cairn::identity {
namespace {

using simdjson::dom::element;

JsonValue ValueOf(const element& value) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return std::string(text);
  int64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  simdjson::dom::array list;
  if (value.get(list) != simdjson::SUCCESS) return OtherJson{};
  JsonTexts texts;
  for (const element& entry : list) {
    if (entry.get(text) != simdjson::SUCCESS) return OtherJson{};
    texts.emplace_back(text);
  }
  return texts;
}

Result<JsonMembers, JsonFault> MembersOf(const simdjson::dom::object& object) {
  JsonMembers members;
  for (const auto& [name, value] : object) {
    if (!members.emplace(name, ValueOf(value)).second) return std::unexpected(JsonFault::kMemberTwice);
  }
  return members;
}

}  // namespace

Result<JsonMembers, JsonFault> ReadJsonObject(std::string_view text) {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(text.data(), text.size()).get_object().get(object) != simdjson::SUCCESS) {
    return std::unexpected(JsonFault::kNoObject);
  }
  return MembersOf(object);
}

Result<std::vector<JsonMembers>, JsonFault> ReadJsonObjects(std::string_view text, std::string_view name) {
  simdjson::dom::parser parser;
  simdjson::dom::object outer;
  if (parser.parse(text.data(), text.size()).get_object().get(outer) != simdjson::SUCCESS) {
    return std::unexpected(JsonFault::kNoObject);
  }
  std::set<std::string_view> names;
  for (const auto& member : outer) {
    if (!names.insert(member.key).second) return std::unexpected(JsonFault::kMemberTwice);
  }
  simdjson::dom::array list;
  if (outer[name].get_array().get(list) != simdjson::SUCCESS) return std::unexpected(JsonFault::kNoObject);
  std::vector<JsonMembers> objects;
  for (const element& entry : list) {
    simdjson::dom::object object;
    if (entry.get_object().get(object) != simdjson::SUCCESS) return std::unexpected(JsonFault::kNoObject);
    ASSIGN_OR_RETURN(JsonMembers members, MembersOf(object));
    objects.push_back(std::move(members));
  }
  return objects;
}

const std::string* FindText(const JsonMembers& members, std::string_view name) {
  const auto found = members.find(name);
  return found == members.end() ? nullptr : std::get_if<std::string>(&found->second);
}

const JsonTexts* FindTexts(const JsonMembers& members, std::string_view name) {
  const auto found = members.find(name);
  return found == members.end() ? nullptr : std::get_if<JsonTexts>(&found->second);
}

}  // namespace cairn::identity
