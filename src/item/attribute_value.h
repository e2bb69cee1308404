// AttributeValue: one value of DynamoDB's type system; Item: a map of named values.
//
// The tree form: easy to build, change and compare. Items at rest and in read answers are PackedItem bytes
// (item/packed_item.h).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "item/number.h"

namespace cairn::item {

class AttributeValue;
struct Attribute;  // a name and its value

// The order of the enumerators is the order of AttributeValue's alternatives, and their values are stored on
// disk (docs/storage-format.md): append only.
enum class Type : uint8_t {
  kString = 0,
  kNumber = 1,
  kBinary = 2,
  kBoolean = 3,
  kNull = 4,
  kMap = 5,
  kList = 6,
  kStringSet = 7,
  kNumberSet = 8,
  kBinarySet = 9,
};

// "S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS".
std::string_view TypeName(Type type);

struct Binary {
  std::string bytes;
  friend auto operator<=>(const Binary&, const Binary&) = default;
};
struct Null {
  friend auto operator<=>(const Null&, const Null&) = default;
};

// Sets are kept sorted and without duplicates, so equality is member-wise.
struct StringSet {
  std::vector<std::string> values;
  friend bool operator==(const StringSet&, const StringSet&) = default;
};
struct NumberSet {
  std::vector<Number> values;
  friend bool operator==(const NumberSet&, const NumberSet&) = default;
};
struct BinarySet {
  std::vector<std::string> values;
  friend bool operator==(const BinarySet&, const BinarySet&) = default;
};

using List = std::vector<AttributeValue>;

// Names to values, sorted by name: equality does not depend on insertion order.
class Map {
 public:
  Map();
  Map(std::initializer_list<std::pair<std::string_view, AttributeValue>> attributes);
  // From attributes in any order; of equal names the last one counts.
  static Map FromAttributes(std::vector<Attribute> attributes);
  Map(const Map&);
  Map(Map&&) noexcept;
  Map& operator=(const Map&);
  Map& operator=(Map&&) noexcept;
  ~Map();

  const AttributeValue* Find(std::string_view name) const;
  AttributeValue* Find(std::string_view name);
  bool Contains(std::string_view name) const { return Find(name) != nullptr; }
  // Adds or replaces.
  void Set(std::string_view name, AttributeValue value);
  // Returns whether it was there.
  bool Remove(std::string_view name);
  // Many at once, in one pass: Set and Remove move all that comes after. Sorted by name; of
  // equal names the last one counts.
  void SetAll(std::vector<Attribute> sorted);
  void RemoveAll(const std::vector<std::string_view>& sorted);

  size_t size() const;
  bool empty() const { return size() == 0; }
  void reserve(size_t count);
  const Attribute* begin() const;
  const Attribute* end() const;
  Attribute* begin();
  Attribute* end();

  friend bool operator==(const Map& a, const Map& b);

 private:
  std::vector<Attribute> attributes_;  // sorted by name
};

using Item = Map;

class AttributeValue {
 public:
  using Variant =
      std::variant<std::string, Number, Binary, bool, Null, Map, List, StringSet, NumberSet, BinarySet>;

  AttributeValue() : value_(Null{}) {}
  AttributeValue(std::string text) : value_(std::move(text)) {}
  AttributeValue(std::string_view text) : value_(std::string(text)) {}
  AttributeValue(const char* text) : value_(std::string(text)) {}
  AttributeValue(Number number) : value_(number) {}
  AttributeValue(Binary bytes) : value_(std::move(bytes)) {}
  explicit AttributeValue(bool truth) : value_(truth) {}
  AttributeValue(Null) : value_(Null{}) {}
  AttributeValue(Map map) : value_(std::move(map)) {}
  AttributeValue(List list) : value_(std::move(list)) {}
  // The set constructors sort and drop duplicates; an empty set is the caller's error.
  AttributeValue(StringSet set);
  AttributeValue(NumberSet set);
  AttributeValue(BinarySet set);

  Type type() const { return static_cast<Type>(value_.index()); }
  bool is(Type t) const { return type() == t; }

  // Precondition: the value has that type.
  const std::string& string() const { return std::get<std::string>(value_); }
  const Number& number() const { return std::get<Number>(value_); }
  const std::string& binary() const { return std::get<Binary>(value_).bytes; }
  bool boolean() const { return std::get<bool>(value_); }
  const Map& map() const { return std::get<Map>(value_); }
  Map& map() { return std::get<Map>(value_); }
  const List& list() const { return std::get<List>(value_); }
  List& list() { return std::get<List>(value_); }
  const std::vector<std::string>& string_set() const { return std::get<StringSet>(value_).values; }
  const std::vector<Number>& number_set() const { return std::get<NumberSet>(value_).values; }
  const std::vector<std::string>& binary_set() const { return std::get<BinarySet>(value_).values; }

  const Variant& variant() const { return value_; }

  friend bool operator==(const AttributeValue& a, const AttributeValue& b) { return a.value_ == b.value_; }

 private:
  Variant value_;
};

struct Attribute {
  std::string name;
  AttributeValue value;
  friend bool operator==(const Attribute&, const Attribute&) = default;
};

inline bool IsKeyType(Type type) {
  return type == Type::kString || type == Type::kNumber || type == Type::kBinary;
}
inline bool IsSet(Type type) { return type >= Type::kStringSet; }

}  // namespace cairn::item
