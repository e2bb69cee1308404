#include "item/attribute_value.h"

#include <algorithm>
#include <array>

namespace cairn::item {
namespace {

constexpr ptrdiff_t kFewAttributes = 32;
constexpr ptrdiff_t kFewChanges = 8;

auto LowerBound(auto& attributes, std::string_view name) {
  return std::lower_bound(attributes.begin(), attributes.end(), name,
                          [](const Attribute& attribute, std::string_view n) { return attribute.name < n; });
}

template <class T>
void SortUnique(std::vector<T>& values) {
  if (std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end()) return;
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

bool StrictlySorted(const std::vector<Attribute>& attributes) {
  return std::adjacent_find(attributes.begin(), attributes.end(), [](const Attribute& a, const Attribute& b) {
           return a.name >= b.name;
         }) == attributes.end();
}

}  // namespace

std::string_view TypeName(Type type) {
  static constexpr auto kNames =
      std::to_array<std::string_view>({"S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"});
  return kNames[static_cast<size_t>(type)];
}

Map::Map() = default;
Map::Map(const Map&) = default;
Map::Map(Map&&) noexcept = default;
Map& Map::operator=(const Map&) = default;
Map& Map::operator=(Map&&) noexcept = default;
Map::~Map() = default;

Map::Map(std::initializer_list<std::pair<std::string_view, AttributeValue>> attributes) {
  attributes_.reserve(attributes.size());
  for (const auto& [name, value] : attributes) Set(name, value);
}

Map Map::FromAttributes(std::vector<Attribute> attributes) {
  if (!StrictlySorted(attributes)) {
    // By insertion: stable, and for the few attributes of an item faster than what allocates a buffer first.
    const auto before = [](const Attribute& a, const Attribute& b) { return a.name < b.name; };
    if (std::ssize(attributes) > kFewAttributes) {
      std::stable_sort(attributes.begin(), attributes.end(), before);
    } else {
      for (auto next = attributes.begin() + 1; next != attributes.end(); ++next) {
        std::rotate(std::upper_bound(attributes.begin(), next, *next, before), next, next + 1);
      }
    }
    // Of equal names the last one stays: seen from the end it is the first.
    const auto kept = std::unique(attributes.rbegin(), attributes.rend(),
                                  [](const Attribute& a, const Attribute& b) { return a.name == b.name; });
    attributes.erase(attributes.begin(), kept.base());
  }
  Map map;
  map.attributes_ = std::move(attributes);
  return map;
}

const AttributeValue* Map::Find(std::string_view name) const {
  const auto at = LowerBound(attributes_, name);
  return at != attributes_.end() && at->name == name ? &at->value : nullptr;
}

AttributeValue* Map::Find(std::string_view name) {
  const auto at = LowerBound(attributes_, name);
  return at != attributes_.end() && at->name == name ? &at->value : nullptr;
}

void Map::Set(std::string_view name, AttributeValue value) {
  const auto at = LowerBound(attributes_, name);
  if (at != attributes_.end() && at->name == name) {
    at->value = std::move(value);
  } else {
    attributes_.insert(at, Attribute{std::string(name), std::move(value)});
  }
}

bool Map::Remove(std::string_view name) {
  const auto at = LowerBound(attributes_, name);
  if (at == attributes_.end() || at->name != name) return false;
  attributes_.erase(at);
  return true;
}

void Map::SetAll(std::vector<Attribute> sorted) {
  if (std::ssize(sorted) <= kFewChanges) {
    for (Attribute& attribute : sorted) Set(attribute.name, std::move(attribute.value));
    return;
  }
  std::vector<Attribute> merged;
  merged.reserve(attributes_.size() + sorted.size());
  auto old = attributes_.begin();
  for (Attribute& attribute : sorted) {
    while (old != attributes_.end() && old->name < attribute.name) merged.push_back(std::move(*old++));
    if (old != attributes_.end() && old->name == attribute.name) ++old;
    if (!merged.empty() && merged.back().name == attribute.name) merged.pop_back();
    merged.push_back(std::move(attribute));
  }
  merged.insert(merged.end(), std::make_move_iterator(old), std::make_move_iterator(attributes_.end()));
  attributes_ = std::move(merged);
}

void Map::RemoveAll(const std::vector<std::string_view>& sorted) {
  if (std::ssize(sorted) <= kFewChanges) {
    for (const std::string_view name : sorted) Remove(name);
    return;
  }
  auto removed = sorted.begin();
  std::erase_if(attributes_, [&](const Attribute& attribute) {
    while (removed != sorted.end() && *removed < attribute.name) ++removed;
    return removed != sorted.end() && *removed == attribute.name;
  });
}

size_t Map::size() const { return attributes_.size(); }
void Map::reserve(size_t count) { attributes_.reserve(count); }
const Attribute* Map::begin() const { return attributes_.data(); }
const Attribute* Map::end() const { return attributes_.data() + attributes_.size(); }
Attribute* Map::begin() { return attributes_.data(); }
Attribute* Map::end() { return attributes_.data() + attributes_.size(); }

bool operator==(const Map& a, const Map& b) { return a.attributes_ == b.attributes_; }

AttributeValue::AttributeValue(StringSet set) : value_(std::move(set)) {
  SortUnique(std::get<StringSet>(value_).values);
}
AttributeValue::AttributeValue(NumberSet set) : value_(std::move(set)) {
  SortUnique(std::get<NumberSet>(value_).values);
}
AttributeValue::AttributeValue(BinarySet set) : value_(std::move(set)) {
  SortUnique(std::get<BinarySet>(value_).values);
}

}  // namespace cairn::item
