#include "model/value_type.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/check.h"
#include "base/temporal_text.h"
#include "model/name_suggestion.h"
#include "model/value_form.h"

namespace cairn::model {
namespace {

struct KindName {
  std::string_view name;
  Kind kind;
};

constexpr std::array kScalars{
    KindName{"string", Kind::kString},
    KindName{"id", Kind::kId},
    KindName{"uuid", Kind::kUuid},
    KindName{"ulid", Kind::kUlid},
    KindName{"int", Kind::kInt},
    KindName{"number", Kind::kNumber},
    KindName{"bool", Kind::kBool},
    KindName{"date", Kind::kDate},
    KindName{"instant", Kind::kInstant},
    KindName{"instant_ms", Kind::kInstantMs},
    KindName{"epoch_s", Kind::kEpochSeconds},
    KindName{"email", Kind::kEmail},
    KindName{"slug", Kind::kSlug},
    KindName{"iana_tz", Kind::kTimeZone},
    KindName{"map", Kind::kMap},
};
constexpr std::array kContainers{KindName{"list", Kind::kList}, KindName{"set", Kind::kSet}};
constexpr std::array kNamed{KindName{"enum", Kind::kEnum}, KindName{"shape", Kind::kShape},
                            KindName{"ref", Kind::kRef}};

// Deeper than any value may nest, and few enough not to overflow the stack.
constexpr int kTypeDepthMax = 16;

std::string_view NameOf(Kind kind) {
  for (const auto& names : {std::span<const KindName>(kScalars), std::span<const KindName>(kContainers),
                            std::span<const KindName>(kNamed)}) {
    for (const KindName& entry : names) {
      if (entry.kind == kind) return entry.name;
    }
  }
  return "string";
}

bool IsIdentifier(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; };
  if (text.empty() || !is_letter(text[0])) return false;
  return std::ranges::all_of(text,
                             [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; });
}

// The beginning of a text of unknown origin, fit for a message.
std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text.substr(0, 40)) quoted += c >= 0x20 && c < 0x7f ? c : '?';
  return quoted + (text.size() > 40 ? "...'" : "'");
}

Error UnknownType(std::string_view text) {
  std::vector<std::string_view> known;
  for (const KindName& entry : kScalars) known.push_back(entry.name);
  std::string message = "unknown type " + Quoted(text);
  if (text == "list" || text == "set") {
    message += "; write " + std::string(text) + "<T>, for example " + std::string(text) + "<string>";
  } else if (text == "enum" || text == "shape" || text == "ref") {
    message += "; write " + std::string(text) + ":Name";
  } else if (std::string near = DidYouMean(text, known); !near.empty()) {
    message += near;
  } else {
    message +=
        "; expected string, id, uuid, ulid, int, number, bool, date, instant, instant_ms, epoch_s, email, "
        "slug, "
        "iana_tz, map, list<T>, set<T>, enum:Name, shape:Name or ref:Entity";
  }
  return Invalid(std::move(message));
}

Result<ValueType> ParseAt(std::string_view text, int depth_left);

Result<ValueType> ParseContainer(Kind kind, std::string_view name, std::string_view inner, int depth_left) {
  if (depth_left == 0) return Fail(Invalid("the type nests too deep"));
  if (inner.empty()) return Fail(Invalid(std::string(name) + "<> needs the type of its elements"));
  ASSIGN_OR_RETURN(ValueType element, ParseAt(inner, depth_left - 1));
  ValueType type{.kind = kind};
  type.element = std::make_shared<const ValueType>(std::move(element));
  const item::Type stored = type.element->StoredType();
  if (kind == Kind::kSet && stored != item::Type::kString && stored != item::Type::kNumber) {
    return Fail(Invalid("a set holds texts or numbers, not " + type.element->ToString() + "; use list<" +
                        type.element->ToString() + ">"));
  }
  return type;
}

Result<ValueType> ParseAt(std::string_view text, int depth_left) {
  for (const KindName& entry : kScalars) {
    if (text == entry.name) return ValueType{.kind = entry.kind};
  }
  for (const KindName& entry : kNamed) {
    if (!text.starts_with(entry.name) || !text.substr(entry.name.size()).starts_with(':')) continue;
    const std::string_view name = text.substr(entry.name.size() + 1);
    if (!IsIdentifier(name)) {
      return Fail(Invalid(std::string(entry.name) + ": must be followed by a name, not " + Quoted(name)));
    }
    return ValueType{.kind = entry.kind, .name = std::string(name)};
  }
  for (const KindName& entry : kContainers) {
    if (!text.starts_with(entry.name) || !text.substr(entry.name.size()).starts_with('<')) continue;
    if (!text.ends_with('>')) return Fail(Invalid("expected '>' at the end of " + Quoted(text)));
    const size_t begin = entry.name.size() + 1;
    return ParseContainer(entry.kind, entry.name, text.substr(begin, text.size() - begin - 1), depth_left);
  }
  return Fail(UnknownType(text));
}

}  // namespace

std::string ValueType::ToString() const {
  std::string text(NameOf(kind));
  if (kind == Kind::kList || kind == Kind::kSet) {
    text += "<" + (element ? element->ToString() : "string") + ">";
  } else if (kind == Kind::kEnum || kind == Kind::kShape || kind == Kind::kRef) {
    text += ":" + name;
  }
  return text;
}

item::Type ValueType::StoredType() const {
  switch (kind) {
    case Kind::kInt:
    case Kind::kNumber:
    case Kind::kEpochSeconds:
      return item::Type::kNumber;
    case Kind::kBool:
      return item::Type::kBoolean;
    case Kind::kMap:
    case Kind::kShape:
      return item::Type::kMap;
    case Kind::kList:
      return item::Type::kList;
    case Kind::kSet:
      return element && element->StoredType() == item::Type::kNumber ? item::Type::kNumberSet
                                                                     : item::Type::kStringSet;
    case Kind::kRef:
      return element ? element->StoredType() : item::Type::kString;
    default:
      return item::Type::kString;
  }
}

Result<ValueType> ParseValueType(std::string_view text) { return ParseAt(text, kTypeDepthMax); }

std::string DescribeProblem(std::string_view attribute, std::string_view problem) {
  std::string sentence(attribute);
  if (!problem.starts_with('[') && !problem.starts_with('.')) sentence += ' ';
  return sentence.append(problem);
}

Result<item::AttributeValue> ParseText(const ValueType& type, std::string_view text) {
  item::AttributeValue value;
  switch (type.StoredType()) {
    case item::Type::kString:
      value = text;
      break;
    case item::Type::kNumber: {
      auto number = item::Number::Parse(text);
      if (!number) return Fail(Invalid(Expectation(type)));
      value = *number;
      break;
    }
    case item::Type::kBoolean:
      if (text != "true" && text != "false") return Fail(Invalid(Expectation(type)));
      value = item::AttributeValue(text == "true");
      break;
    default:
      return Fail(Invalid("cannot be given as plain text: it is a " + type.ToString()));
  }
  RETURN_IF_ERROR(CheckValue(type, {}, value));
  return value;
}

bool IsTemporal(Kind kind) {
  return kind == Kind::kDate || kind == Kind::kInstant || kind == Kind::kInstantMs ||
         kind == Kind::kEpochSeconds;
}

item::AttributeValue TimeValue(Kind kind, Time time) {
  CHECK(IsTemporal(kind), "only temporal kinds hold times");
  time = std::clamp(time, kTimeMin, kTimeMax);
  if (kind == Kind::kEpochSeconds) return item::Number(EpochSeconds(time));
  std::string text;
  if (kind == Kind::kDate) AppendDate(text, time);
  if (kind == Kind::kInstant) AppendInstant(text, time);
  if (kind == Kind::kInstantMs) AppendInstantMs(text, time);
  return text;
}

Result<Time> ParseTime(Kind kind, const item::AttributeValue& value) {
  CHECK(IsTemporal(kind), "only temporal kinds hold times");
  std::optional<Time> time;
  if (kind == Kind::kEpochSeconds) {
    if (value.is(item::Type::kNumber)) time = EpochSecondsToTime(value.number());
  } else if (value.is(item::Type::kString)) {
    if (kind == Kind::kDate) {
      time = ParseDate(value.string());
    } else {
      time = ParseInstant(value.string());
    }
  }
  if (!time) return Fail(Invalid(Expectation({.kind = kind})));
  return *time;
}

}  // namespace cairn::model
