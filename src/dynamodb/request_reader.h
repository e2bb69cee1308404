// RequestReader: typed access to the JSON object of a request, or to an object nested in it.
//
// Getters never fail: they return what is there and note in the request's Findings what is wrong with it. An
// operation reads all its members first and then asks Check() once:
//
//   const std::string table = request.TableName(TableNameKind::kData);
//   const auto limit = request.Integer("Limit", {.min = 1, .max = 100});
//   const auto item = request.Attributes("Item", Presence::kRequired);
//   CO_RETURN_IF_ERROR(request.Check());
//
// The order of the getters is the order of the findings in the message. JSON null counts as absent. Strings
// are views into the parsed request and live as long as the operation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "dynamodb/findings.h"
#include "item/attribute_value.h"

namespace simdjson::dom {
class element;
}  // namespace simdjson::dom

namespace cairn::dynamodb {

enum class Presence { kOptional, kRequired };

inline constexpr size_t kAnyLength = std::numeric_limits<size_t>::max();

struct StringRules {
  Presence presence = Presence::kOptional;
  size_t length_min = 0;
  size_t length_max = kAnyLength;
  std::string_view pattern = {};                // a regular expression, for the message
  bool (*matches)(std::string_view) = nullptr;  // what the pattern means
};

enum class NumberWidth { kInteger, kLong };  // Java's int and long: the name appears in messages

struct IntegerRules {
  Presence presence = Presence::kOptional;
  std::optional<int64_t> min = std::nullopt;
  std::optional<int64_t> max = std::nullopt;
  NumberWidth width = NumberWidth::kInteger;
};

struct ListRules {
  Presence presence = Presence::kOptional;
  size_t length_min = 0;
  size_t length_max = kAnyLength;
};

// One name of an enum; tables of them are passed to Enum(). Their order is the order in the message.
template <class E>
struct EnumName {
  std::string_view name;
  E value;
};

// [a-zA-Z0-9_.-]+, the pattern of table and index names.
inline constexpr std::string_view kNamePattern = "[a-zA-Z0-9_.-]+";
bool MatchesNamePattern(std::string_view text);
// Index names, backup names: 3 to 255 characters of the pattern.
inline constexpr StringRules kOptionalName = {Presence::kOptional, 3, 255, kNamePattern, MatchesNamePattern};
inline constexpr StringRules kRequiredName = {Presence::kRequired, 3, 255, kNamePattern, MatchesNamePattern};

// Operations on items and operations on tables complain differently about a bad table name.
enum class TableNameKind { kData, kControl };

class RequestReader {
 public:
  // `json` is an object; both live longer than the reader and all readers made from it.
  RequestReader(const simdjson::dom::element& json, Findings& findings);

  // What was found so far, in this object and in every other one of the same request.
  Status Check() const { return findings_->Check(); }
  Findings& findings() const { return *findings_; }

  // Whether the member is there and not null.
  bool Has(std::string_view name) const;
  // All members in order, also the unknown ones.
  std::vector<std::string_view> Names() const;

  // The table in member `name`, required, given by name or by ARN; always the name is returned.
  std::string TableName(TableNameKind kind, std::string_view name = "TableName") const;

  std::optional<std::string_view> String(std::string_view name, const StringRules& rules = {}) const;
  std::optional<int64_t> Integer(std::string_view name, const IntegerRules& rules = {}) const;
  std::optional<double> Double(std::string_view name) const;
  std::optional<bool> Boolean(std::string_view name, Presence presence = Presence::kOptional) const;
  template <class E, size_t N>
  std::optional<E> Enum(std::string_view name, const EnumName<E> (&values)[N],
                        Presence presence = Presence::kOptional) const;
  std::optional<std::vector<std::string_view>> Strings(std::string_view name, const ListRules& rules = {},
                                                       const StringRules& members = {}) const;

  // Nested structures. `type` is DynamoDB's name of the structure, which appears in messages.
  std::optional<RequestReader> Object(std::string_view name, std::string_view type,
                                      Presence presence = Presence::kOptional) const;
  std::optional<std::vector<RequestReader>> Objects(std::string_view name, std::string_view type,
                                                    const ListRules& rules = {}) const;

  // Maps, in the order of the request. Length rules are about the number of entries.
  template <class T>
  using Entries = std::vector<std::pair<std::string_view, T>>;
  std::optional<Entries<std::string_view>> StringMap(std::string_view name,
                                                     const ListRules& rules = {}) const;
  std::optional<Entries<RequestReader>> ObjectMap(std::string_view name, std::string_view type,
                                                  const ListRules& rules = {}) const;
  std::optional<Entries<std::vector<RequestReader>>> ObjectListMap(std::string_view name,
                                                                   std::string_view type,
                                                                   const ListRules& rules = {}) const;

  // Items and attribute values. JSON of the wrong shape is a finding; a value that breaks a rule of its type
  // (an empty set, a bad number) is only returned as an error, since DynamoDB looks at it after all findings.
  std::optional<Result<item::Item>> Attributes(std::string_view name,
                                               Presence presence = Presence::kOptional) const;
  std::optional<std::vector<Result<item::Item>>> AttributesList(std::string_view name,
                                                                const ListRules& rules = {}) const;
  std::optional<Result<item::AttributeValue>> Value(std::string_view name,
                                                    Presence presence = Presence::kOptional) const;
  std::optional<std::vector<Result<item::AttributeValue>>> Values(std::string_view name,
                                                                  const ListRules& rules = {}) const;
  // Like Attributes(), with an error per entry.
  std::optional<Entries<Result<item::AttributeValue>>> ValueMap(std::string_view name) const;

  // Where this object is in the request: "" or "keySchema.1.member"; and where its member `name` is.
  const std::string& path() const { return path_; }
  std::string PathOf(std::string_view name) const;

  // The member as Java prints it in messages: [a, b], {k=v}.
  std::string TextOf(std::string_view name) const;

 private:
  // A simdjson::dom::element, kept as bytes so that operations compile without simdjson's large header.
  using Node = std::array<uint64_t, 2>;

  RequestReader(const Node& node, Findings& findings, std::string path);
  std::optional<Node> Find(std::string_view name) const;
  std::optional<Node> Find(std::string_view name, Presence presence) const;
  std::optional<std::vector<Node>> List(std::string_view name, std::string_view type,
                                        const ListRules& rules) const;
  std::optional<Entries<Node>> Map(std::string_view name, std::string_view type,
                                   const ListRules& rules) const;
  std::optional<std::string_view> ReadString(const Node& node, const StringRules& rules,
                                             std::string_view name, size_t member = 0) const;
  void CheckLength(size_t length, const Node& node, std::string_view name, std::string_view type,
                   const ListRules& rules) const;
  std::optional<RequestReader> ReadObject(const Node& node, std::string_view type, std::string path) const;
  std::string PathOfMember(std::string_view name, size_t member) const;
  void EnumViolation(std::string_view name, std::string_view given,
                     std::span<const std::string_view> names) const;

  Node node_;
  Findings* findings_;
  std::string path_;
};

template <class E, size_t N>
std::optional<E> RequestReader::Enum(std::string_view name, const EnumName<E> (&values)[N],
                                     Presence presence) const {
  const auto given = String(name, {.presence = presence});
  if (!given) return std::nullopt;
  std::array<std::string_view, N> names;
  for (size_t i = 0; i < N; ++i) {
    if (values[i].name == *given) return values[i].value;
    names[i] = values[i].name;
  }
  EnumViolation(name, *given, names);
  return std::nullopt;
}

}  // namespace cairn::dynamodb
