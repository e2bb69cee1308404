#include "model/key_part.h"

#include <algorithm>
#include <cstdint>

#include "base/temporal_text.h"
#include "base/ulid.h"
#include "model/text_form.h"
#include "model/value_form.h"

namespace cairn::model {
namespace {

constexpr size_t kUuidBytes = 36;
constexpr size_t kEpochMillisecondsDigits = 13;
constexpr int64_t kEpochMillisecondsMax = 9'999'999'999'999;

Status Refuse(std::string why) { return Fail(Invalid(std::move(why))); }

size_t CompactDigits(Format format) {
  return format == Format::kYear ? 4 : format == Format::kYearMonth ? 6 : 8;
}

// Text: what may stand between two '#'.

bool MustEscape(char c) { return c == '%' || c == '#' || IsControl(c); }

void AppendEscaped(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (const char c : text) {
    if (MustEscape(c)) {
      out += '%';
      out += kHex[static_cast<uint8_t>(c) >> 4];
      out += kHex[static_cast<uint8_t>(c) & 15];
    } else {
      out += c;
    }
  }
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The inverse; nothing for a text that AppendEscaped does not write.
std::optional<std::string> Unescaped(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      if (MustEscape(text[i])) return std::nullopt;
      plain += text[i];
      continue;
    }
    if (text.size() - i < 3) return std::nullopt;
    const int high = HexDigit(text[i + 1]);
    const int low = HexDigit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    const char c = static_cast<char>(high * 16 + low);
    if (!MustEscape(c)) return std::nullopt;
    plain += c;
    i += 2;
  }
  return plain;
}

// Kinds whose form leaves no room for '#' and control characters, so that nobody need look for them again.
// The prefix of a UUID was checked when the template was bound.
bool FormForbidsDelimiters(Kind kind) {
  return kind != Kind::kString && kind != Kind::kEnum && kind != Kind::kEmail;
}

bool HasForbidden(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return c == '#' || IsControl(c); });
}

Status RefuseForbidden(std::string_view text) {
  if (text.find('#') != std::string_view::npos)
    return Refuse("contains '#', which separates the parts of a key");
  return Refuse("contains a control character, which cannot stand in a key");
}

Status AppendText(std::string& out, const TemplatePart& part, const ValueType& rules,
                  const std::string& text) {
  if (text.empty()) return Refuse("is empty, and a part of a key cannot be");
  if (!IsCanonicalText(rules, text)) {
    if (part.date_too && IsDateText(text)) {
      out += text;
      return {};
    }
    if (!IsUtf8(text)) return Refuse("is not valid UTF-8");
    if (part.escape == Escape::kRefuse && HasForbidden(text)) return RefuseForbidden(text);
    return Refuse(Expectation(rules));
  }
  if (part.escape == Escape::kPercent) {
    AppendEscaped(out, text);
    return {};
  }
  if (!FormForbidsDelimiters(rules.kind) && HasForbidden(text)) return RefuseForbidden(text);
  out += text;
  return {};
}

KeyPartReading ReadText(const TemplatePart& part, const ValueType& rules, std::string_view text) {
  if (text.empty()) return {};
  if (part.escape == Escape::kPercent) {
    auto plain = Unescaped(text);
    if (!plain || !IsCanonicalText(rules, *plain)) return {};
    return {.right = true, .value = *std::move(plain)};
  }
  if (HasForbidden(text) || !IsCanonicalText(rules, text)) return {};
  return {.right = true, .value = item::AttributeValue(text)};
}

// Numbers.

Status AppendPadded(std::string& out, const TemplatePart& part, const item::Number& number) {
  const std::optional<int64_t> whole = number.ToInteger();
  int64_t bound = 1;
  for (int i = 0; i < part.width; ++i) bound *= 10;
  if (!whole || *whole < 0 || *whole >= bound) {
    return Refuse("must be a whole number between 0 and " + std::to_string(bound - 1) + " to stand in a key");
  }
  AppendDigits(out, static_cast<uint64_t>(*whole), static_cast<size_t>(part.width));
  return {};
}

KeyPartReading ReadNumber(const ValueType& rules, std::string_view text) {
  const auto number = item::Number::Parse(text);
  if (!number || !IsRightNumber(rules, *number) || number->ToString() != text) return {};
  return {.right = true, .value = *number};
}

KeyPartReading ReadPadded(const TemplatePart& part, const ValueType& rules, std::string_view text) {
  const std::optional<int64_t> whole = ReadDigits(text);
  if (!whole || text.size() != static_cast<size_t>(part.width)) return {};
  const item::Number number(*whole);
  if (!IsRightNumber(rules, number)) return {};
  return {.right = true, .value = number};
}

// Times.

// The moment a value tells. Only canonical values: what is written into a key must be read back as the same.
std::optional<Time> TimeOf(const ValueType& rules, const item::AttributeValue& value) {
  if (rules.kind == Kind::kEpochSeconds) return EpochSecondsToTime(value.number());
  if (!IsCanonicalText(rules, value.string())) return std::nullopt;
  if (rules.kind == Kind::kDate) return ParseDate(value.string());
  return ParseInstant(value.string());
}

Status AppendTime(std::string& out, const TemplatePart& part, const ValueType& rules,
                  const item::AttributeValue& value) {
  const std::optional<Time> time = TimeOf(rules, value);
  if (!time) return Refuse(Expectation(rules));
  if (part.format != Format::kEpochMilliseconds) {
    AppendCompactDate(out, *time, CompactDigits(part.format));
    return {};
  }
  const int64_t milliseconds = EpochMilliseconds(*time);
  if (milliseconds < 0 || milliseconds > kEpochMillisecondsMax) {
    return Refuse("must lie between 1970 and 2286 to stand in a key as milliseconds");
  }
  AppendDigits(out, static_cast<uint64_t>(milliseconds), kEpochMillisecondsDigits);
  return {};
}

// yyyy, yyyyMM or yyyyMMdd: the day it names or begins with.
std::optional<std::chrono::sys_days> ReadCompactDate(std::string_view digits) {
  if (!ReadDigits(digits)) return std::nullopt;
  std::string date(digits.substr(0, 4));
  date += '-';
  date += digits.size() > 4 ? digits.substr(4, 2) : "01";
  date += '-';
  date += digits.size() > 6 ? digits.substr(6, 2) : "01";
  return ParseDate(date);
}

KeyPartReading ReadTime(const TemplatePart& part, const ValueType& rules, std::string_view text) {
  if (part.format != Format::kEpochMilliseconds) {
    if (text.size() != CompactDigits(part.format)) return {};
    const auto day = ReadCompactDate(text);
    if (!day) return {};
    if (part.format != Format::kYearMonthDay || rules.kind != Kind::kDate) return {.right = true};
    return {.right = true, .value = TimeValue(Kind::kDate, *day)};
  }
  if (text.size() != kEpochMillisecondsDigits) return {};
  const std::optional<int64_t> milliseconds = ReadDigits(text);
  if (!milliseconds) return {};
  if (rules.kind != Kind::kInstantMs && *milliseconds % 1000 != 0) return {};
  return {.right = true, .value = TimeValue(rules.kind, Time(std::chrono::milliseconds(*milliseconds)))};
}

Status AppendEndOfDay(std::string& out, const TemplatePart& part, const ValueType& rules,
                      const std::string& text) {
  if (!IsDateText(text)) return AppendText(out, part, rules, text);
  out += text;
  out += '~';
  return {};
}

Status RefuseFormat(const TemplatePart& part, std::string_view fits) {
  return Refuse("the format of {" + part.attribute + "} fits " + std::string(fits) + ", not " +
                part.type.ToString());
}

}  // namespace

Status CheckFormat(const TemplatePart& part) {
  const ValueType& rules = RulesOf(part.type);
  const Kind kind = rules.kind;
  switch (part.format) {
    case Format::kPlain:
      if (kind == Kind::kBool) {
        return Refuse("{" + part.attribute + "} is a bool and cannot stand in a key as it is; write {" +
                      part.attribute + ":01}");
      }
      if (!item::IsKeyType(rules.StoredType())) {
        return Refuse("{" + part.attribute + "} is a " + part.type.ToString() + " and cannot stand in a key");
      }
      if (kind == Kind::kUuid && HasForbidden(rules.prefix)) {
        return Refuse("{" + part.attribute + "}: the prefix " + rules.prefix + " cannot stand in a key");
      }
      return {};
    case Format::kZeroPadded:
      if (kind == Kind::kInt || kind == Kind::kEpochSeconds || kind == Kind::kNumber) return {};
      return RefuseFormat(part, "int, epoch_s and number");
    case Format::kBit:
      return kind == Kind::kBool ? Status() : RefuseFormat(part, "bool");
    case Format::kYear:
    case Format::kYearMonth:
    case Format::kYearMonthDay:
      return IsTemporal(kind) ? Status() : RefuseFormat(part, "date, instant, instant_ms and epoch_s");
    case Format::kEpochMilliseconds:
      if (IsTemporal(kind) && kind != Kind::kDate) return {};
      return RefuseFormat(part, "instant, instant_ms and epoch_s");
    case Format::kEndOfDay:
      if (IsTemporal(kind) && kind != Kind::kEpochSeconds) return {};
      return RefuseFormat(part, "date, instant and instant_ms");
  }
  return {};
}

size_t FixedWidth(const TemplatePart& part) {
  switch (part.format) {
    case Format::kZeroPadded:
      return static_cast<size_t>(part.width);
    case Format::kBit:
      return 1;
    case Format::kYear:
    case Format::kYearMonth:
    case Format::kYearMonthDay:
      return CompactDigits(part.format);
    case Format::kEpochMilliseconds:
      return kEpochMillisecondsDigits;
    case Format::kEndOfDay:
      return 0;
    case Format::kPlain:
      break;
  }
  if (part.date_too) return 0;
  const ValueType& rules = RulesOf(part.type);
  switch (rules.kind) {
    case Kind::kUlid:
      return kUlidBytes;
    case Kind::kUuid: {
      // What is escaped is longer, but always by the same.
      const auto escaped =
          part.escape == Escape::kPercent ? std::ranges::count_if(rules.prefix, MustEscape) : 0;
      return rules.prefix.size() + 2 * static_cast<size_t>(escaped) + kUuidBytes;
    }
    case Kind::kDate:
      return kDateBytes;
    case Kind::kInstant:
      return kInstantBytes;
    case Kind::kInstantMs:
      return kInstantMsBytes;
    default:
      return 0;
  }
}

Status AppendKeyPart(std::string& out, const TemplatePart& part, const item::AttributeValue& value) {
  const ValueType& rules = RulesOf(part.type);
  if (value.type() != rules.StoredType()) return Refuse(Expectation(rules));
  switch (part.format) {
    case Format::kPlain:
      if (value.is(item::Type::kString)) return AppendText(out, part, rules, value.string());
      if (!value.is(item::Type::kNumber) || !IsRightNumber(rules, value.number()))
        return Refuse(Expectation(rules));
      value.number().AppendTo(out);
      return {};
    case Format::kZeroPadded:
      if (!IsRightNumber(rules, value.number())) return Refuse(Expectation(rules));
      return AppendPadded(out, part, value.number());
    case Format::kBit:
      out += value.boolean() ? '1' : '0';
      return {};
    case Format::kYear:
    case Format::kYearMonth:
    case Format::kYearMonthDay:
    case Format::kEpochMilliseconds:
      return AppendTime(out, part, rules, value);
    case Format::kEndOfDay:
      return AppendEndOfDay(out, part, rules, value.string());
  }
  return {};
}

KeyPartReading ReadKeyPart(const TemplatePart& part, std::string_view text) {
  const ValueType& rules = RulesOf(part.type);
  switch (part.format) {
    case Format::kPlain:
      return rules.StoredType() == item::Type::kNumber ? ReadNumber(rules, text)
                                                       : ReadText(part, rules, text);
    case Format::kZeroPadded:
      return ReadPadded(part, rules, text);
    case Format::kBit:
      if (text != "0" && text != "1") return {};
      return {.right = true, .value = item::AttributeValue(text == "1")};
    case Format::kYear:
    case Format::kYearMonth:
    case Format::kYearMonthDay:
    case Format::kEpochMilliseconds:
      return ReadTime(part, rules, text);
    case Format::kEndOfDay:
      return {.right = true};
  }
  return {};
}

}  // namespace cairn::model
