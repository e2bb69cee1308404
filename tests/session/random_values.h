// Random values of a model's types, for tests that try everything: always valid by type and limits.
#pragma once

#include <random>

#include "base/check.h"
#include "model/definition.h"

namespace cairn::model {

class RandomValues {
 public:
  explicit RandomValues(uint64_t seed) : engine_(seed) {}

  uint64_t Below(uint64_t bound) { return std::uniform_int_distribution<uint64_t>(0, bound - 1)(engine_); }
  bool Coin() { return Below(2) == 0; }

  // Ids that refer to something: what `ref:Goal` may be.
  std::map<std::string, std::vector<std::string>> pool;

  item::AttributeValue Value(const ValueType& type, const ValueLimits& limits = {}) {
    switch (type.kind) {
      case Kind::kString:
        if (!limits.pattern.empty()) return Matching(type, limits);
        return limits.in.empty() ? Text(limits, "abc DEF-9") : One(limits.in);
      case Kind::kId:
        return Text(limits, "abcXYZ019_-.");
      case Kind::kUuid:
        return type.prefix + Uuid();
      case Kind::kUlid:
        return Ulid();
      case Kind::kInt:
      case Kind::kNumber:
        return Integer(limits);
      case Kind::kBool:
        return item::AttributeValue(Coin());
      case Kind::kDate:
      case Kind::kInstant:
      case Kind::kInstantMs:
      case Kind::kEpochSeconds:
        return TimeValue(type.kind, Moment());
      case Kind::kEmail:
        return Letters(5) + "@example.com";
      case Kind::kSlug:
        return Letters(4) + "-" + Letters(3);
      case Kind::kTimeZone:
        return Coin() ? "Europe/Berlin" : "UTC";
      case Kind::kMap:
        return item::Map{{"k", item::Number(static_cast<int64_t>(Below(9)))}};
      case Kind::kList:
        return ListOf(type, limits);
      case Kind::kSet:
        return SetOf(type, limits);
      case Kind::kEnum:
        return limits.in.empty() ? One(type.enumeration->values) : One(limits.in);
      case Kind::kShape:
        return ShapeOf(*type.shape);
      case Kind::kRef:
        return Reference(type.name);
    }
    return item::AttributeValue();
  }

 private:
  // No generator of texts for regular expressions: one of a few that the models' patterns take.
  item::AttributeValue Matching(const ValueType& type, const ValueLimits& limits) {
    ValueLimits pattern_only;
    pattern_only.pattern = limits.pattern;
    for (const std::string& text :
         {Letters(6), "2027-01-0" + std::to_string(1 + Below(9)), std::string("2027-01-02T03:04:05")}) {
      item::AttributeValue value(text);
      if (CheckValue(type, pattern_only, value)) return value;
    }
    CHECK(false, ("no text for the pattern " + limits.pattern).c_str());
    return {};
  }
  std::string One(const std::vector<std::string>& choices) { return choices[Below(choices.size())]; }
  std::string Letters(size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += static_cast<char>('a' + Below(26));
    return text;
  }
  std::string Text(const ValueLimits& limits, std::string_view alphabet) {
    const auto least = static_cast<uint64_t>(std::max<int64_t>(1, limits.length_min.value_or(1)));
    const auto most =
        std::max(least, static_cast<uint64_t>(std::min<int64_t>(12, limits.length_max.value_or(12))));
    std::string text;
    for (uint64_t i = 0, n = least + Below(most - least + 1); i < n; ++i)
      text += alphabet[Below(alphabet.size())];
    return text;
  }
  std::string Uuid() {
    std::string text = "00000000-0000-4000-8000-000000000000";
    for (const size_t i : {0, 3, 9, 16, 30, 35}) text[i] = "0123456789abcdef"[Below(i == 16 ? 4 : 16)];
    text[14] = '4';
    text[19] = '8';
    return text;
  }
  std::string Ulid() {
    std::string text = "01";
    while (text.size() < 26) text += "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[Below(32)];
    return text;
  }
  item::AttributeValue Integer(const ValueLimits& limits) {
    const int64_t low = limits.min ? limits.min->ToInteger().value_or(0) : 0;
    const int64_t high = limits.max ? limits.max->ToInteger().value_or(low + 9) : low + 9;
    return item::Number(low + static_cast<int64_t>(Below(static_cast<uint64_t>(high - low) + 1)));
  }
  // After the tests' clock, so that no time to live has passed.
  Time Moment() {
    return Time(std::chrono::milliseconds(1'900'000'000'000 + static_cast<int64_t>(Below(100'000'000'000))));
  }
  std::string Reference(const std::string& entity) {
    const auto found = pool.find(entity);
    return found == pool.end() || found->second.empty() ? Ulid() : One(found->second);
  }
  uint64_t Count(const ValueLimits& limits) {
    return 1 + Below(static_cast<uint64_t>(std::min<int64_t>(3, limits.length_max.value_or(3))));
  }
  item::AttributeValue ListOf(const ValueType& type, const ValueLimits& limits) {
    item::List list;
    for (uint64_t i = 0, n = Count(limits); i < n; ++i)
      list.push_back(Value(*type.element, ElementLimits(limits)));
    return list;
  }
  static ValueLimits ElementLimits(const ValueLimits& limits) {
    ValueLimits element;
    element.pattern = limits.pattern;
    element.in = limits.in;
    return element;
  }
  item::AttributeValue SetOf(const ValueType& type, const ValueLimits& limits) {
    if (type.StoredType() == item::Type::kNumberSet) {
      item::NumberSet set;
      for (uint64_t i = 0, n = Count(limits); i < n; ++i) set.values.push_back(Value(*type.element).number());
      return set;
    }
    item::StringSet set;
    for (uint64_t i = 0, n = Count(limits); i < n; ++i) set.values.push_back(Value(*type.element).string());
    return set;
  }
  item::AttributeValue ShapeOf(const Shape& shape) {
    item::Map map;
    for (const Attribute& member : shape.members) {
      if (member.required || Coin()) map.Set(member.name, Value(member.type, member.limits));
    }
    return map;
  }

  std::mt19937_64 engine_;
};

}  // namespace cairn::model
