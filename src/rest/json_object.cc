#include "rest/json_object.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "item/item_size.h"

namespace cairn::rest {
namespace {

namespace json = simdjson::ondemand;

// What is wrong, and where; the path grows from the inside out.
struct Fault {
  Code code = Code::kMalformed;
  std::string message;
  std::string path = {};
};
template <class T>
using Read = Result<T, Fault>;

std::unexpected<Fault> Malformed(std::string message) {
  return std::unexpected(Fault{Code::kMalformed, std::move(message)});
}
std::unexpected<Fault> NotJson() { return Malformed("The body is not valid JSON"); }

// RFC 8259, section 6. The parser only finds where the token ends.
bool IsJsonNumber(std::string_view text) {
  size_t i = 0;
  const auto digits = [&] {
    const size_t from = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i > from;
  };
  if (i < text.size() && text[i] == '-') ++i;
  const size_t whole = i;
  if (!digits() || (text[whole] == '0' && i > whole + 1)) return false;
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (!digits()) return false;
  }
  if (i < text.size() && (text[i] | 0x20) == 'e') {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (!digits()) return false;
  }
  return i == text.size();
}

Read<item::AttributeValue> ReadNumber(json::value value) {
  std::string_view text = value.raw_json_token();
  while (!text.empty() && (text.back() == ' ' || (text.back() >= '\t' && text.back() <= '\r')))
    text.remove_suffix(1);
  if (!IsJsonNumber(text)) return NotJson();
  auto number = item::Number::Parse(text);
  if (number) return item::AttributeValue(*number);
  return std::unexpected(
      Fault{Code::kInvalidArgument,
            "must be a number of at most 38 digits, no larger than 1E+126 and, unless it is 0, no "
            "smaller than 1E-130"});
}

Read<item::AttributeValue> ReadValue(json::value value, int depth);

Read<item::Map> ReadObject(json::object object, int depth) {
  std::vector<item::Attribute> members;
  for (auto field : object) {
    std::string_view name;
    json::value value;
    if (field.unescaped_key().get(name) != simdjson::SUCCESS) return NotJson();
    std::string owned_name(name);
    if (field.value().get(value) != simdjson::SUCCESS) return NotJson();
    auto read = ReadValue(value, depth + 1);
    if (!read) {
      Fault fault = std::move(read).error();
      fault.path = "." + owned_name + fault.path;
      return std::unexpected(std::move(fault));
    }
    members.push_back({std::move(owned_name), *std::move(read)});
  }
  std::vector<std::string_view> names;
  names.reserve(members.size());
  for (const item::Attribute& member : members) names.push_back(member.name);
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end()) {
    return Malformed("The member '" + Shown(*twice) + "' is given twice");
  }
  return item::Map::FromAttributes(std::move(members));
}

Read<item::List> ReadArray(json::array array, int depth) {
  item::List list;
  for (auto element : array) {
    json::value value;
    if (element.get(value) != simdjson::SUCCESS) return NotJson();
    auto read = ReadValue(value, depth + 1);
    if (!read) {
      Fault fault = std::move(read).error();
      fault.path = "[" + std::to_string(list.size()) + "]" + fault.path;
      return std::unexpected(std::move(fault));
    }
    list.push_back(*std::move(read));
  }
  return list;
}

template <class T>
Read<item::AttributeValue> AsValue(Read<T> read) {
  if (!read) return std::unexpected(std::move(read).error());
  return item::AttributeValue(*std::move(read));
}

Read<item::AttributeValue> ReadValue(json::value value, int depth) {
  if (depth > item::kNestingMax) {
    return Malformed("The body nests deeper than " + std::to_string(item::kNestingMax) + " levels");
  }
  json::json_type type;
  if (value.type().get(type) != simdjson::SUCCESS) return NotJson();
  switch (type) {
    case json::json_type::object: {
      json::object object;
      if (value.get_object().get(object) != simdjson::SUCCESS) return NotJson();
      return AsValue(ReadObject(object, depth));
    }
    case json::json_type::array: {
      json::array array;
      if (value.get_array().get(array) != simdjson::SUCCESS) return NotJson();
      return AsValue(ReadArray(array, depth));
    }
    case json::json_type::string: {
      std::string_view text;
      if (value.get_string().get(text) != simdjson::SUCCESS) return NotJson();
      return item::AttributeValue(text);
    }
    case json::json_type::number:
      return ReadNumber(value);
    case json::json_type::boolean: {
      bool truth = false;
      if (value.get_bool().get(truth) != simdjson::SUCCESS) return NotJson();
      return item::AttributeValue(truth);
    }
    case json::json_type::null: {
      bool is_null = false;
      if (value.is_null().get(is_null) != simdjson::SUCCESS || !is_null) return NotJson();
      return item::AttributeValue(item::Null{});
    }
  }
  return NotJson();
}

Read<item::Map> ReadDocument(std::string_view text) {
  const simdjson::padded_string padded(text);
  json::parser parser;
  json::document document;
  if (parser.iterate(padded).get(document) != simdjson::SUCCESS) return NotJson();
  json::object object;
  if (document.get_object().get(object) != simdjson::SUCCESS)
    return Malformed("The body must be a JSON object");
  auto read = ReadObject(object, 1);
  if (!read) return read;
  // Behind the object nothing may follow: then the parser has no location left to tell.
  if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) return NotJson();
  return read;
}

}  // namespace

std::string Shown(std::string_view name) {
  constexpr size_t kShownBytesMax = 100;
  const std::string_view cut = CutUtf8(name, kShownBytesMax);
  return std::string(cut) + (cut.size() < name.size() ? "..." : "");
}

model::Outcome<item::Item> ParseJsonObject(std::string_view text) {
  auto read = ReadDocument(text);
  if (read) return *std::move(read);
  Fault& fault = read.error();
  if (fault.code == Code::kMalformed) return Fail(Code::kMalformed, std::move(fault.message));
  return std::unexpected(model::Failure({model::FieldError{fault.path.substr(1), std::move(fault.message)}}));
}

}  // namespace cairn::rest
