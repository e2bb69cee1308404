#include "dynamodb/request_reader.h"

#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "dynamodb/arn.h"
#include "dynamodb/json_as_java.h"
#include "item/item_json.h"

namespace cairn::dynamodb {
namespace {

namespace dom = simdjson::dom;
using Node = std::array<uint64_t, 2>;

static_assert(sizeof(dom::element) == sizeof(Node) && std::is_trivially_copyable_v<dom::element>,
              "readers keep elements as bytes");

dom::element Element(const Node& node) { return std::bit_cast<dom::element>(node); }
Node NodeOf(const dom::element& element) { return std::bit_cast<Node>(element); }

// By value: iterating over a part of a temporary result would outlive it. Precondition: the element's type.
dom::array ArrayOf(const dom::element& element) { return element.get_array().value_unsafe(); }
dom::object ObjectOf(const dom::element& element) { return element.get_object().value_unsafe(); }

constexpr std::string_view kPackage = "com.amazonaws.dynamodb.v20120810.";

// The name DynamoDB's parser gives to a scalar token.
std::string_view TokenName(const dom::element& json) {
  switch (json.type()) {
    case dom::element_type::BOOL:
      return json.get_bool().value_unsafe() ? "TRUE_VALUE" : "FALSE_VALUE";
    case dom::element_type::STRING:
      return "STRING_VALUE";
    case dom::element_type::DOUBLE:
      return "DECIMAL_VALUE";
    default:
      return "NUMBER_VALUE";
  }
}

// What DynamoDB says when a scalar of Java type `wanted` was expected.
std::string NotAScalar(const dom::element& json, std::string_view wanted) {
  if (json.is_array()) return "Unrecognized collection type class java.lang." + std::string(wanted);
  if (json.is_object()) return "Start of structure or map found where not expected";
  return std::string(TokenName(json)) + " cannot be converted to " + std::string(wanted);
}

std::string NotAnObject(const dom::element& json, std::string_view type, std::string_view scalar_message) {
  if (!json.is_array()) return std::string(scalar_message);
  return "Unrecognized collection type class " + std::string(kPackage) + std::string(type);
}

// Java counts UTF-16 units.
size_t Utf16Length(std::string_view text) {
  size_t length = 0;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if ((byte & 0xc0) != 0x80) ++length;  // not a continuation byte
    if (byte >= 0xf0) ++length;           // a surrogate pair
  }
  return length;
}

// Numbers as Java reads them into an int or a long: fractions are cut off, what is too large is clamped.
int64_t ClampedInteger(const dom::element& json, NumberWidth width) {
  const int64_t low = width == NumberWidth::kInteger ? INT32_MIN : INT64_MIN;
  const int64_t high = width == NumberWidth::kInteger ? INT32_MAX : INT64_MAX;
  if (json.is_int64()) return std::clamp(json.get_int64().value_unsafe(), low, high);
  if (json.is_uint64()) return high;
  const double number = std::floor(json.get_double().value_unsafe());
  if (number >= static_cast<double>(high)) return high;
  if (number <= static_cast<double>(low)) return low;
  return static_cast<int64_t>(number);
}

std::optional<bool> BooleanOfText(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  if (lower == "true" || lower == "yes" || lower == "1") return true;
  if (lower == "false" || lower == "no" || lower == "0") return false;
  return std::nullopt;
}

std::string LengthAtLeast(size_t n) {
  return "Member must have length greater than or equal to " + std::to_string(n);
}
std::string LengthAtMost(size_t n) {
  return "Member must have length less than or equal to " + std::to_string(n);
}

std::string OneViolation(std::string_view value, std::string_view path, std::string_view constraint) {
  return "1 validation error detected: " + ViolationText(value, path, constraint);
}

}  // namespace

bool MatchesNamePattern(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  });
}

RequestReader::RequestReader(const dom::element& json, Findings& findings)
    : node_(NodeOf(json)), findings_(&findings) {}

RequestReader::RequestReader(const Node& node, Findings& findings, std::string path)
    : node_(node), findings_(&findings), path_(std::move(path)) {}

std::optional<Node> RequestReader::Find(std::string_view name) const {
  const auto member = ObjectOf(Element(node_)).at_key(name);
  if (member.error() || member.value_unsafe().is_null()) return std::nullopt;
  return NodeOf(member.value_unsafe());
}

std::optional<Node> RequestReader::Find(std::string_view name, Presence presence) const {
  const auto node = Find(name);
  if (!node && presence == Presence::kRequired) findings_->MissingMember(PathOf(name));
  return node;
}

bool RequestReader::Has(std::string_view name) const { return Find(name).has_value(); }

std::vector<std::string_view> RequestReader::Names() const {
  std::vector<std::string_view> names;
  for (const dom::key_value_pair field : ObjectOf(Element(node_))) names.push_back(field.key);
  return names;
}

std::string RequestReader::PathOf(std::string_view name) const {
  return path_.empty() ? LowerFirst(name) : path_ + "." + LowerFirst(name);
}

std::string RequestReader::PathOfMember(std::string_view name, size_t member) const {
  return member == 0 ? PathOf(name) : PathOf(name) + "." + std::to_string(member) + ".member";
}

std::string RequestReader::TextOf(std::string_view name) const {
  const auto node = Find(name);
  return node ? JsonAsJava(Element(*node), {}) : "null";
}

std::string RequestReader::TableName(TableNameKind kind, std::string_view name) const {
  const auto node = Find(name);
  if (!node && kind == TableNameKind::kData) findings_->MissingMember(PathOf(name));
  if (!node && kind == TableNameKind::kControl) {
    findings_->BadTableName("The parameter '" + std::string(name) +
                            "' is required but was not present in the request");
  }
  if (!node) return {};
  const auto text = ReadString(*node, {}, name);
  if (!text) return {};
  if (auto table = TableOfArn(*text)) return *std::move(table);
  const size_t length = Utf16Length(*text);
  const size_t length_min = kind == TableNameKind::kData ? 1 : 3;
  if (length < length_min) {
    findings_->BadTableName(OneViolation(*text, PathOf(name), LengthAtLeast(length_min)));
  } else if (length > 255) {
    findings_->BadTableName(OneViolation(*text, PathOf(name), LengthAtMost(255)));
  } else if (!MatchesNamePattern(*text)) {
    findings_->BadTableName(OneViolation(
        *text, PathOf(name), "Member must satisfy regular expression pattern: " + std::string(kNamePattern)));
  }
  return std::string(*text);
}

std::optional<std::string_view> RequestReader::ReadString(const Node& node, const StringRules& rules,
                                                          std::string_view name, size_t member) const {
  const dom::element json = Element(node);
  if (!json.is_string()) {
    findings_->Malformed(NotAScalar(json, "String"));
    return std::nullopt;
  }
  const std::string_view text = json.get_string().value_unsafe();
  if (rules.matches != nullptr && !rules.matches(text)) {
    findings_->Violation(text, PathOfMember(name, member),
                         "Member must satisfy regular expression pattern: " + std::string(rules.pattern));
  }
  const bool has_length_rule = rules.length_min > 0 || rules.length_max != kAnyLength;
  const size_t length = has_length_rule ? Utf16Length(text) : 0;
  if (length < rules.length_min) {
    findings_->Violation(text, PathOfMember(name, member), LengthAtLeast(rules.length_min));
  }
  if (length > rules.length_max) {
    findings_->Violation(text, PathOfMember(name, member), LengthAtMost(rules.length_max));
  }
  return text;
}

std::optional<std::string_view> RequestReader::String(std::string_view name, const StringRules& rules) const {
  const auto node = Find(name, rules.presence);
  return node ? ReadString(*node, rules, name) : std::nullopt;
}

std::optional<int64_t> RequestReader::Integer(std::string_view name, const IntegerRules& rules) const {
  const auto node = Find(name, rules.presence);
  if (!node) return std::nullopt;
  const dom::element json = Element(*node);
  if (!json.is_number()) {
    findings_->Malformed(NotAScalar(json, rules.width == NumberWidth::kInteger ? "Integer" : "Long"));
    return std::nullopt;
  }
  const int64_t number = ClampedInteger(json, rules.width);
  if (rules.min && number < *rules.min) {
    findings_->Violation(std::to_string(number), PathOf(name),
                         "Member must have value greater than or equal to " + std::to_string(*rules.min));
  }
  if (rules.max && number > *rules.max) {
    findings_->Violation(std::to_string(number), PathOf(name),
                         "Member must have value less than or equal to " + std::to_string(*rules.max));
  }
  return number;
}

std::optional<double> RequestReader::Double(std::string_view name) const {
  const auto node = Find(name);
  if (!node) return std::nullopt;
  const dom::element json = Element(*node);
  if (json.is_number()) return json.get_double().value_unsafe();
  findings_->Malformed(NotAScalar(json, "Double"));
  return std::nullopt;
}

std::optional<bool> RequestReader::Boolean(std::string_view name, Presence presence) const {
  const auto node = Find(name, presence);
  if (!node) return std::nullopt;
  const dom::element json = Element(*node);
  if (json.is_bool()) return json.get_bool().value_unsafe();
  if (json.is_string()) {
    const auto truth = BooleanOfText(json.get_string().value_unsafe());
    if (!truth) findings_->Malformed("Unexpected token received from parser");
    return truth;
  }
  findings_->Malformed(NotAScalar(json, "Boolean"));
  return std::nullopt;
}

void RequestReader::EnumViolation(std::string_view name, std::string_view given,
                                  std::span<const std::string_view> names) const {
  std::string constraint = "Member must satisfy enum value set: [";
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) constraint += ", ";
    constraint += names[i];
  }
  findings_->Violation(given, PathOf(name), constraint + "]");
}

void RequestReader::CheckLength(size_t length, const Node& node, std::string_view name, std::string_view type,
                                const ListRules& rules) const {
  if (length < rules.length_min) {
    findings_->Violation(JsonAsJava(Element(node), type), PathOf(name), LengthAtLeast(rules.length_min));
  }
  if (length > rules.length_max) {
    findings_->Violation(JsonAsJava(Element(node), type), PathOf(name), LengthAtMost(rules.length_max));
  }
}

std::optional<std::vector<Node>> RequestReader::List(std::string_view name, std::string_view type,
                                                     const ListRules& rules) const {
  const auto node = Find(name, rules.presence);
  if (!node) return std::nullopt;
  const dom::element json = Element(*node);
  if (!json.is_array()) {
    findings_->Malformed(json.is_object() ? "Start of structure or map found where not expected"
                                          : "Unexpected field type");
    return std::nullopt;
  }
  std::vector<Node> members;
  for (const dom::element member : ArrayOf(json)) members.push_back(NodeOf(member));
  CheckLength(members.size(), *node, name, type, rules);
  return members;
}

auto RequestReader::Map(std::string_view name, std::string_view type, const ListRules& rules) const
    -> std::optional<Entries<Node>> {
  const auto node = Find(name, rules.presence);
  if (!node) return std::nullopt;
  const dom::element json = Element(*node);
  if (!json.is_object()) {
    findings_->Malformed(json.is_array() ? "Unrecognized collection type java.util.Map<java.lang.String, " +
                                               std::string(type) + ">"
                                         : "Unexpected field type");
    return std::nullopt;
  }
  Entries<Node> entries;
  for (const dom::key_value_pair field : ObjectOf(json)) {
    entries.emplace_back(field.key, NodeOf(field.value));
  }
  CheckLength(entries.size(), *node, name, {}, rules);
  return entries;
}

std::optional<std::vector<std::string_view>> RequestReader::Strings(std::string_view name,
                                                                    const ListRules& rules,
                                                                    const StringRules& member_rules) const {
  const auto nodes = List(name, {}, rules);
  if (!nodes) return std::nullopt;
  std::vector<std::string_view> texts;
  texts.reserve(nodes->size());
  for (size_t i = 0; i < nodes->size(); ++i) {
    if (Element((*nodes)[i]).is_null()) {
      findings_->MissingMember(PathOfMember(name, i + 1));
    } else if (const auto text = ReadString((*nodes)[i], member_rules, name, i + 1)) {
      texts.push_back(*text);
    }
  }
  return texts;
}

std::optional<RequestReader> RequestReader::ReadObject(const Node& node, std::string_view type,
                                                       std::string path) const {
  const dom::element json = Element(node);
  if (json.is_null()) {
    findings_->MissingMember(path);
    return std::nullopt;
  }
  if (!json.is_object()) {
    findings_->Malformed(NotAnObject(json, type, "Unexpected value type in payload"));
    return std::nullopt;
  }
  return RequestReader(node, *findings_, std::move(path));
}

std::optional<RequestReader> RequestReader::Object(std::string_view name, std::string_view type,
                                                   Presence presence) const {
  const auto node = Find(name, presence);
  if (!node) return std::nullopt;
  const dom::element json = Element(*node);
  if (!json.is_object()) {
    findings_->Malformed(NotAnObject(json, type, "Unexpected field type"));
    return std::nullopt;
  }
  return RequestReader(*node, *findings_, PathOf(name));
}

std::optional<std::vector<RequestReader>> RequestReader::Objects(std::string_view name, std::string_view type,
                                                                 const ListRules& rules) const {
  const auto nodes = List(name, type, rules);
  if (!nodes) return std::nullopt;
  std::vector<RequestReader> objects;
  objects.reserve(nodes->size());
  for (size_t i = 0; i < nodes->size(); ++i) {
    auto object = ReadObject((*nodes)[i], type, PathOfMember(name, i + 1));
    if (object) objects.push_back(*std::move(object));
  }
  return objects;
}

auto RequestReader::StringMap(std::string_view name, const ListRules& rules) const
    -> std::optional<Entries<std::string_view>> {
  const auto nodes = Map(name, "java.lang.String", rules);
  if (!nodes) return std::nullopt;
  Entries<std::string_view> texts;
  texts.reserve(nodes->size());
  for (const auto& [key, node] : *nodes) {
    if (Element(node).is_null()) {
      findings_->MissingMember(PathOf(name) + "." + std::string(key) + ".member");
    } else if (const auto text = ReadString(node, {}, name)) {
      texts.emplace_back(key, *text);
    }
  }
  return texts;
}

auto RequestReader::ObjectMap(std::string_view name, std::string_view type, const ListRules& rules) const
    -> std::optional<Entries<RequestReader>> {
  const auto nodes = Map(name, std::string(kPackage) + std::string(type), rules);
  if (!nodes) return std::nullopt;
  Entries<RequestReader> objects;
  objects.reserve(nodes->size());
  for (const auto& [key, node] : *nodes) {
    auto object = ReadObject(node, type, PathOf(name) + "." + std::string(key) + ".member");
    if (object) objects.emplace_back(key, *std::move(object));
  }
  return objects;
}

auto RequestReader::ObjectListMap(std::string_view name, std::string_view type, const ListRules& rules) const
    -> std::optional<Entries<std::vector<RequestReader>>> {
  const auto nodes = Map(name, "java.util.List<" + std::string(kPackage) + std::string(type) + ">", rules);
  if (!nodes) return std::nullopt;
  Entries<std::vector<RequestReader>> lists;
  lists.reserve(nodes->size());
  for (const auto& [key, node] : *nodes) {
    const std::string path = PathOf(name) + "." + std::string(key) + ".member";
    const dom::element json = Element(node);
    if (json.is_null()) {
      findings_->MissingMember(path);
      continue;
    }
    if (!json.is_array()) {
      findings_->Malformed(json.is_object() ? "Start of structure or map found where not expected"
                                            : "Unexpected value type in payload");
      continue;
    }
    auto& [list_key, objects] = lists.emplace_back(key, std::vector<RequestReader>());
    size_t position = 0;
    for (const dom::element member : ArrayOf(json)) {
      auto object = ReadObject(NodeOf(member), type, path + "." + std::to_string(++position) + ".member");
      if (object) objects.push_back(*std::move(object));
    }
  }
  return lists;
}

namespace {

// JSON of the wrong shape is noted; the rest is the caller's to report.
template <class T>
Result<T> Noted(Result<T> result, Findings& findings) {
  if (!result && result.error().code == Code::kMalformed) findings.Malformed(result.error().message);
  return result;
}

}  // namespace

std::optional<Result<item::Item>> RequestReader::Attributes(std::string_view name, Presence presence) const {
  const auto node = Find(name, presence);
  if (!node) return std::nullopt;
  return Noted(item::ReadItem(Element(*node)), *findings_);
}

std::optional<std::vector<Result<item::Item>>> RequestReader::AttributesList(std::string_view name,
                                                                             const ListRules& rules) const {
  const auto nodes = List(name, {}, rules);
  if (!nodes) return std::nullopt;
  std::vector<Result<item::Item>> items;
  items.reserve(nodes->size());
  for (size_t i = 0; i < nodes->size(); ++i) {
    if (Element((*nodes)[i]).is_null()) {
      findings_->MissingMember(PathOfMember(name, i + 1));
    } else {
      items.push_back(Noted(item::ReadItem(Element((*nodes)[i])), *findings_));
    }
  }
  return items;
}

std::optional<Result<item::AttributeValue>> RequestReader::Value(std::string_view name,
                                                                 Presence presence) const {
  const auto node = Find(name, presence);
  if (!node) return std::nullopt;
  return Noted(item::ReadValue(Element(*node)), *findings_);
}

std::optional<std::vector<Result<item::AttributeValue>>> RequestReader::Values(std::string_view name,
                                                                               const ListRules& rules) const {
  const auto nodes = List(name, {}, rules);
  if (!nodes) return std::nullopt;
  std::vector<Result<item::AttributeValue>> values;
  values.reserve(nodes->size());
  for (const Node& node : *nodes) values.push_back(Noted(item::ReadValue(Element(node)), *findings_));
  return values;
}

auto RequestReader::ValueMap(std::string_view name) const
    -> std::optional<Entries<Result<item::AttributeValue>>> {
  const auto nodes = Map(name, std::string(kPackage) + "AttributeValue", {});
  if (!nodes) return std::nullopt;
  Entries<Result<item::AttributeValue>> values;
  values.reserve(nodes->size());
  for (const auto& [key, node] : *nodes) {
    values.emplace_back(key, Noted(item::ReadValue(Element(node)), *findings_));
  }
  return values;
}

}  // namespace cairn::dynamodb
