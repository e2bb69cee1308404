#include "model/value_form.h"

#include <algorithm>

#include "base/temporal_text.h"
#include "base/ulid.h"
#include "model/definition.h"
#include "model/text_form.h"

namespace cairn::model {
namespace {

constexpr size_t kNamedValuesMax = 12;  // of an enum, in a message

std::string OneOf(const Enum& enumeration) {
  std::string text = "must be one of ";
  for (size_t i = 0; i < enumeration.values.size() && i < kNamedValuesMax; ++i) {
    text += (i == 0 ? "" : ", ") + enumeration.values[i];
  }
  return enumeration.values.size() > kNamedValuesMax ? text + ", ..." : text;
}

bool IsEnumText(const ValueType& type, std::string_view text) {
  if (type.enumeration == nullptr || type.enumeration->open) return !text.empty() && IsUtf8(text);
  return std::ranges::find(type.enumeration->values, text) != type.enumeration->values.end();
}

}  // namespace

const ValueType& RulesOf(const ValueType& type) {
  const ValueType* rules = &type;
  while (rules->kind == Kind::kRef && rules->element) rules = rules->element.get();
  return *rules;
}

std::string Expectation(const ValueType& type) {
  const ValueType& rules = RulesOf(type);
  switch (rules.kind) {
    case Kind::kString:
      return "must be a text";
    case Kind::kId:
    case Kind::kRef:
      return "must be an id: 1 to 256 printable ASCII characters without space, '!', '\"' and '#'";
    case Kind::kUuid:
      return "must be a UUID such as " + rules.prefix + "9b2f5c0e-3f53-4a9c-8d7e-0d6b9a1c2e3f";
    case Kind::kUlid:
      return "must be a ULID such as 01JCRZ6P4V8Q3W5X7Y9Z2A4B6C";
    case Kind::kInt:
      return "must be a whole number between -9223372036854775808 and 9223372036854775807";
    case Kind::kNumber:
      return "must be a number";
    case Kind::kBool:
      return "must be true or false";
    case Kind::kDate:
      return "must be a date such as 2026-11-15";
    case Kind::kInstant:
      return "must be an instant such as 2026-11-15T19:42:30Z";
    case Kind::kInstantMs:
      return "must be an instant such as 2026-11-15T19:42:30.123Z";
    case Kind::kEpochSeconds:
      return "must be a time in whole seconds since 1970 such as 1794771750";
    case Kind::kEmail:
      return "must be an e-mail address such as ada@example.org";
    case Kind::kSlug:
      return "must be a slug such as my-first-list: a-z, 0-9 and single '-' between, at most 128";
    case Kind::kTimeZone:
      return "must be a time zone such as Europe/Berlin or UTC";
    case Kind::kMap:
    case Kind::kShape:
      return "must be a map";
    case Kind::kList:
      return "must be a list";
    case Kind::kSet:
      return rules.StoredType() == item::Type::kNumberSet ? "must be a set of numbers"
                                                          : "must be a set of texts";
    case Kind::kEnum:
      return rules.enumeration && !rules.enumeration->open ? OneOf(*rules.enumeration)
                                                           : "must be a text, not empty";
  }
  return "must be a text";
}

bool IsCanonicalText(const ValueType& type, std::string_view text) {
  const ValueType& rules = RulesOf(type);
  switch (rules.kind) {
    case Kind::kString:
      return IsUtf8(text);
    case Kind::kId:
    case Kind::kRef:
      return IsIdText(text);
    case Kind::kUuid:
      return text.starts_with(rules.prefix) && IsUuidText(text.substr(rules.prefix.size()));
    case Kind::kUlid:
      return IsUlid(text);
    case Kind::kDate:
      return IsDateText(text);
    case Kind::kInstant:
      return IsInstantText(text);
    case Kind::kInstantMs:
      return IsInstantMsText(text);
    case Kind::kEmail:
      return IsEmailText(text);
    case Kind::kSlug:
      return IsSlugText(text);
    case Kind::kTimeZone:
      return IsTimeZoneName(text);
    case Kind::kEnum:
      return IsEnumText(rules, text);
    default:
      return false;  // not stored as text
  }
}

bool IsRightNumber(const ValueType& type, const item::Number& number) {
  switch (RulesOf(type).kind) {
    case Kind::kInt:
      return number.ToInteger().has_value();
    case Kind::kNumber:
      return true;
    case Kind::kEpochSeconds:
      return EpochSecondsToTime(number).has_value();
    default:
      return false;  // not stored as number
  }
}

std::optional<Time> EpochSecondsToTime(const item::Number& number) {
  const std::optional<int64_t> seconds = number.ToInteger();
  if (!seconds || *seconds < EpochSeconds(kTimeMin) || *seconds > EpochSeconds(kTimeMax)) return std::nullopt;
  return Time(std::chrono::seconds(*seconds));
}

}  // namespace cairn::model
