#include "item/item_json.h"

#include <simdjson.h>

#include <algorithm>

#include "item/attribute_name.h"
#include "item/item_size.h"

namespace cairn::item {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

constexpr std::string_view kWereInvalid = "One or more parameter values were invalid: ";

std::unexpected<Error> Malformed(std::string message) { return Fail(Code::kMalformed, std::move(message)); }
std::unexpected<Error> Refused(std::string_view message) { return Fail(Invalid(std::string(message))); }
std::unexpected<Error> Broken(std::string_view rule) {
  return Refused(std::string(kWereInvalid).append(rule));
}

std::unexpected<Error> StructureNotExpected() {
  return Malformed("Start of structure or map found where not expected");
}

// What the service calls a scalar JSON token.
std::string_view TokenName(element_type type, const element& json) {
  switch (type) {
    case element_type::BOOL:
      return json.get_bool().value_unsafe() ? "TRUE_VALUE" : "FALSE_VALUE";
    case element_type::DOUBLE:
      return "DECIMAL_VALUE";
    case element_type::STRING:
      return "STRING_VALUE";
    default:
      return "NUMBER_VALUE";
  }
}

std::unexpected<Error> CannotConvert(const element& json, std::string_view target,
                                     std::string_view java_class) {
  const element_type type = json.type();
  if (type == element_type::OBJECT) return StructureNotExpected();
  if (type == element_type::ARRAY)
    return Malformed("Unrecognized collection type class " + std::string(java_class));
  return Malformed(std::string(TokenName(type, json)) + " cannot be converted to " + std::string(target));
}

Result<std::string_view> ReadText(const element& json) {
  std::string_view text;
  if (json.get(text) != simdjson::SUCCESS) return CannotConvert(json, "String", "java.lang.String");
  return text;
}

Result<Number> ReadNumber(const element& json) {
  ASSIGN_OR_RETURN(const std::string_view text, ReadText(json));
  return Number::Parse(text);
}

Result<std::string> ReadBinary(const element& json) {
  std::string_view text;
  if (json.get(text) == simdjson::SUCCESS) return DecodeBase64(text);
  if (json.is_object()) return StructureNotExpected();
  if (json.is_array()) return Malformed("Unrecognized collection type class java.nio.ByteBuffer");
  return Malformed("only base-64-encoded strings are convertible to bytes");
}

Result<bool> ReadBoolean(const element& json) {
  bool truth = false;
  if (json.get(truth) == simdjson::SUCCESS) return truth;
  std::string_view text;
  if (json.get(text) != simdjson::SUCCESS) return CannotConvert(json, "Boolean", "java.lang.Boolean");
  // The service takes these words in any case.
  const auto is_one_of = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) {
      return std::ranges::equal(text, word,
                                [](char a, char b) { return a == b || (a >= 'A' && (a | 0x20) == b); });
    });
  };
  if (is_one_of({"true", "yes", "1"})) return true;
  if (is_one_of({"false", "no", "0"})) return false;
  return Malformed("Unexpected token received from parser");
}

Result<simdjson::dom::array> ReadArray(const element& json) {
  simdjson::dom::array array;
  if (json.get(array) == simdjson::SUCCESS) return array;
  if (json.is_object()) return StructureNotExpected();
  return Malformed("Unexpected field type");
}

// All elements of a set; `read` turns one JSON element into a T.
template <class T, class Read>
Result<std::vector<T>> ReadElements(const element& json, std::string_view when_empty, Read read) {
  ASSIGN_OR_RETURN(const simdjson::dom::array array, ReadArray(json));
  std::vector<T> values;
  values.reserve(array.size());
  for (const element member : array) {
    ASSIGN_OR_RETURN(auto value, read(member));
    values.push_back(T(std::move(value)));
  }
  if (values.empty()) return Broken(when_empty);
  return values;
}

// "[a, b]", the elements as they came.
std::string JoinTexts(const element& array) {
  std::string joined = "[";
  const simdjson::dom::array members = array.get_array().value_unsafe();
  for (const element member : members) {
    if (joined.size() > 1) joined += ", ";
    joined += member.get_string().value_unsafe();
  }
  return joined + "]";
}

Result<AttributeValue> ReadStringSet(const element& json) {
  ASSIGN_OR_RETURN(auto values, ReadElements<std::string>(json, "An string set  may not be empty", ReadText));
  const size_t given = values.size();
  AttributeValue set(StringSet{std::move(values)});
  if (set.string_set().size() != given) {
    return Broken("Input collection " + JoinTexts(json) + " contains duplicates.");
  }
  return set;
}

Result<AttributeValue> ReadNumberSet(const element& json) {
  ASSIGN_OR_RETURN(auto values, ReadElements<Number>(json, "An number set  may not be empty", ReadNumber));
  const size_t given = values.size();
  AttributeValue set(NumberSet{std::move(values)});
  if (set.number_set().size() != given) return Refused("Input collection contains duplicates");
  return set;
}

Result<AttributeValue> ReadBinarySet(const element& json) {
  ASSIGN_OR_RETURN(auto values,
                   ReadElements<std::string>(json, "Binary sets should not be empty", ReadBinary));
  const size_t given = values.size();
  AttributeValue set(BinarySet{std::move(values)});
  if (set.binary_set().size() != given) {
    return Broken("Input collection " + JoinTexts(json) + "of type BS contains duplicates.");
  }
  return set;
}

// Precondition: CheckAttributeName refuses it.
std::unexpected<Error> BadName(std::string_view name) {
  return Broken(CheckAttributeName(name).error().message);
}

Result<AttributeValue> ReadValueAt(const element& json, int depth);

// `depth`: how many containers enclose the values of the map.
Result<Map> ReadMapAt(const element& json, int depth) {
  simdjson::dom::object object;
  if (json.get(object) != simdjson::SUCCESS) {
    if (!json.is_array()) return Malformed("Unexpected field type");
    return Malformed(
        "Unrecognized collection type java.util.Map<java.lang.String, "
        "com.amazonaws.dynamodb.v20120810.AttributeValue>");
  }
  std::vector<Attribute> attributes;
  attributes.reserve(object.size());
  for (const auto& [name, member] : object) {
    ASSIGN_OR_RETURN(AttributeValue value, ReadValueAt(member, depth));
    if (name.size() > kAttributeNameBytesMax) return BadName(name);
    attributes.push_back({std::string(name), std::move(value)});
  }
  return Map::FromAttributes(std::move(attributes));
}

Result<List> ReadListAt(const element& json, int depth) {
  ASSIGN_OR_RETURN(const simdjson::dom::array array, ReadArray(json));
  List list;
  list.reserve(array.size());
  for (const element member : array) {
    ASSIGN_OR_RETURN(AttributeValue value, ReadValueAt(member, depth));
    list.push_back(std::move(value));
  }
  return list;
}

std::optional<Type> ParseTypeName(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(Type::kBinarySet); ++i) {
    if (TypeName(static_cast<Type>(i)) == name) return static_cast<Type>(i);
  }
  return std::nullopt;
}

Result<AttributeValue> ReadTyped(Type type, const element& json, int depth) {
  switch (type) {
    case Type::kString:
      return ReadText(json);
    case Type::kNumber:
      return ReadNumber(json);
    case Type::kBinary: {
      ASSIGN_OR_RETURN(std::string bytes, ReadBinary(json));
      return Binary{std::move(bytes)};
    }
    case Type::kBoolean: {
      ASSIGN_OR_RETURN(const bool truth, ReadBoolean(json));
      return AttributeValue(truth);
    }
    case Type::kNull: {
      ASSIGN_OR_RETURN(const bool truth, ReadBoolean(json));
      if (!truth) return Broken("Null attribute value types must have the value of true");
      return Null{};
    }
    case Type::kMap:
      return ReadMapAt(json, depth + 1);
    case Type::kList:
      return ReadListAt(json, depth + 1);
    case Type::kStringSet:
      return ReadStringSet(json);
    case Type::kNumberSet:
      return ReadNumberSet(json);
    case Type::kBinarySet:
      return ReadBinarySet(json);
  }
  return Refused("unknown type");
}

// `depth`: how many containers enclose the value, its item counted. Bounds the recursion.
Result<AttributeValue> ReadValueAt(const element& json, int depth) {
  if (depth > kNestingMax) return Fail(NestingError());
  simdjson::dom::object object;
  if (json.get(object) != simdjson::SUCCESS && !json.is_null()) {
    if (!json.is_array()) return Malformed("Unexpected value type in payload");
    return Malformed("Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue");
  }
  std::optional<AttributeValue> value;
  bool several = false;
  if (!json.is_null()) {
    for (const auto& [name, member] : object) {
      const std::optional<Type> type = ParseTypeName(name);
      if (!type || member.is_null()) continue;  // the service ignores what it does not know
      ASSIGN_OR_RETURN(AttributeValue read, ReadTyped(*type, member, depth));
      several = value.has_value();
      value = std::move(read);
    }
  }
  if (!value) {
    return Refused("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  }
  if (several) {
    return Refused(
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
        "datatypes");
  }
  return *std::move(value);
}

}  // namespace

Result<AttributeValue> ReadValue(const element& json) { return ReadValueAt(json, 1); }

Result<Item> ReadItem(const element& json) {
  ASSIGN_OR_RETURN(Item item, ReadMapAt(json, 1));
  if (!item.empty() && item.begin()->name.empty()) return BadName({});  // they are sorted
  return item;
}

Result<Item> ParseItemJson(std::string_view json) {
  simdjson::dom::parser parser;
  element root;
  const auto error = parser.parse(json.data(), json.size()).get(root);  // copies, for the padding it needs
  if (error != simdjson::SUCCESS) return Malformed(simdjson::error_message(error));
  return ReadItem(root);
}

}  // namespace cairn::item
