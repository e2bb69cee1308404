// CheckValue and CompilePattern of model/value_type.h.
#include <algorithm>
#include <regex>

#include "base/temporal_text.h"
#include "item/item_size.h"
#include "model/definition.h"
#include "model/name_suggestion.h"
#include "model/text_form.h"
#include "model/value_form.h"

namespace cairn::model {

struct TextPattern {
  std::regex expression;
};

namespace {

constexpr size_t kPatternBytesMax = 512;
constexpr size_t kMatchedTextBytesMax = 1024;
constexpr size_t kNamedValuesMax = 12;  // in a message

// Lengths are those of the attribute itself; inside a list or set they are not asked again.
enum class Level { kWhole, kElement };

struct Context {
  const ValueLimits& limits;
  Level level = Level::kWhole;
  int depth_left = item::kNestingMax;
};

Status Check(const ValueType& type, const Context& context, item::AttributeValue& value);

Status Refuse(std::string why) { return Fail(Invalid(std::move(why))); }

Status CheckLength(const Context& context, size_t length, std::string_view unit) {
  if (context.level == Level::kElement) return {};
  const std::optional<int64_t> min = context.limits.length_min, max = context.limits.length_max;
  const auto signed_length = static_cast<int64_t>(length);
  const auto counted = [&](int64_t count) {
    return std::to_string(count) + " " + std::string(unit) + (count == 1 ? "" : "s");
  };
  if (min && signed_length < *min) {
    return Refuse("must have at least " + counted(*min));
  }
  if (max && signed_length > *max) {
    return Refuse("must have at most " + counted(*max));
  }
  return {};
}

Result<std::shared_ptr<const TextPattern>> Compile(const std::string& pattern) {
  if (pattern.size() > kPatternBytesMax) {
    return Fail(Invalid("the pattern is longer than " + std::to_string(kPatternBytesMax) + " bytes"));
  }
  try {
    // Polynomial: matching steps through the text once instead of backtracking, so its cost has a bound.
    const auto flags = std::regex::ECMAScript | std::regex_constants::__polynomial;
    return std::make_shared<const TextPattern>(std::regex(pattern, flags));
  } catch (const std::regex_error& error) {
    return Fail(Invalid("the pattern is no regular expression: " + std::string(error.what())));
  }
}

Status CheckPattern(const ValueLimits& limits, const std::string& text) {
  if (limits.pattern.empty()) return {};
  if (text.size() > kMatchedTextBytesMax) {
    return Refuse("must have at most " + std::to_string(kMatchedTextBytesMax) +
                  " bytes to be matched by its pattern");
  }
  std::shared_ptr<const TextPattern> pattern = limits.compiled_pattern;
  if (!pattern) {
    ASSIGN_OR_RETURN(pattern, Compile(limits.pattern));
  }
  try {
    if (std::regex_match(text, pattern->expression)) return {};
  } catch (const std::regex_error&) {
    return Refuse("is too long for its pattern");
  }
  return Refuse("must match the pattern " + limits.pattern);
}

Status CheckTextLimits(const Context& context, const std::string& text) {
  const ValueLimits& limits = context.limits;
  RETURN_IF_ERROR(CheckLength(context, text.size(), "byte"));
  if (!limits.in.empty() && std::ranges::find(limits.in, text) == limits.in.end()) {
    std::string expected = "must be one of ";
    for (size_t i = 0; i < limits.in.size() && i < kNamedValuesMax; ++i) {
      expected += (i == 0 ? "" : ", ") + limits.in[i];
    }
    return Refuse(expected + (limits.in.size() > kNamedValuesMax ? ", ..." : ""));
  }
  return CheckPattern(limits, text);
}

// The form in which a text is stored: nothing when it is so already, or is no value of the type at all.
std::optional<std::string> Canonicalised(const ValueType& rules, const std::string& text) {
  if (rules.kind == Kind::kUuid && text.starts_with(rules.prefix)) {
    std::string lower = text;
    std::ranges::transform(lower.begin() + static_cast<ptrdiff_t>(rules.prefix.size()), lower.end(),
                           lower.begin() + static_cast<ptrdiff_t>(rules.prefix.size()), [](char c) {
                             return c >= 'A' && c <= 'F' ? static_cast<char>(c + ('a' - 'A')) : c;
                           });
    return lower;
  }
  if (rules.kind != Kind::kInstant && rules.kind != Kind::kInstantMs) return std::nullopt;
  const std::optional<Time> time = ParseInstant(text);
  if (!time) return std::nullopt;
  std::string instant;
  if (rules.kind == Kind::kInstant) {
    AppendInstant(instant, *time);
  } else {
    AppendInstantMs(instant, *time);
  }
  return instant;
}

Status CheckText(const ValueType& rules, const Context& context, std::string& text, bool& changed) {
  if (!IsCanonicalText(rules, text)) {
    auto canonical = Canonicalised(rules, text);
    if (!canonical || !IsCanonicalText(rules, *canonical)) {
      return Refuse(IsUtf8(text) ? Expectation(rules) : "must be valid UTF-8");
    }
    text = *std::move(canonical);
    changed = true;
  }
  if (rules.kind == Kind::kTimeZone && !IsTimeZone(text)) return Refuse(Expectation(rules));
  return CheckTextLimits(context, text);
}

Status CheckNumber(const ValueType& rules, const Context& context, const item::Number& number) {
  if (!IsRightNumber(rules, number)) return Refuse(Expectation(rules));
  if (context.limits.min && number < *context.limits.min) {
    return Refuse("must be at least " + context.limits.min->ToString());
  }
  if (context.limits.max && number > *context.limits.max) {
    return Refuse("must be at most " + context.limits.max->ToString());
  }
  return {};
}

Status CheckList(const ValueType& rules, const Context& context, item::List& list) {
  RETURN_IF_ERROR(CheckLength(context, list.size(), "element"));
  if (!rules.element) return {};
  const Context inner{context.limits, Level::kElement, context.depth_left - 1};
  for (size_t i = 0; i < list.size(); ++i) {
    if (auto status = Check(*rules.element, inner, list[i]); !status) {
      return Refuse(DescribeProblem("[" + std::to_string(i) + "]", status.error().message));
    }
  }
  return {};
}

Status CheckStringSet(const ValueType& rules, const Context& context, item::AttributeValue& value) {
  RETURN_IF_ERROR(CheckLength(context, value.string_set().size(), "element"));
  if (!rules.element) return {};
  std::vector<std::string> texts = value.string_set();
  bool changed = false;
  for (std::string& text : texts) {
    const std::string given = text;
    if (auto status = CheckText(RulesOf(*rules.element), {context.limits, Level::kElement}, text, changed);
        !status) {
      return Refuse("element '" + given + "' " + status.error().message);
    }
  }
  if (changed) value = item::StringSet{std::move(texts)};
  return {};
}

Status CheckNumberSet(const ValueType& rules, const Context& context,
                      const std::vector<item::Number>& numbers) {
  RETURN_IF_ERROR(CheckLength(context, numbers.size(), "element"));
  if (!rules.element) return {};
  for (const item::Number& number : numbers) {
    if (auto status = CheckNumber(RulesOf(*rules.element), {context.limits, Level::kElement}, number);
        !status) {
      return Refuse("element " + number.ToString() + " " + status.error().message);
    }
  }
  return {};
}

const Attribute* FindMember(const Shape& shape, std::string_view name) {
  const auto found = std::ranges::find(shape.members, name, &Attribute::name);
  return found == shape.members.end() ? nullptr : &*found;
}

Status UnknownMember(const Shape& shape, const std::string& name) {
  std::vector<std::string_view> known;
  for (const Attribute& member : shape.members) known.push_back(member.name);
  return Refuse("." + name + " is no member of shape " + shape.name + DidYouMean(name, known));
}

Status CheckShape(const Shape& shape, const Context& context, item::Map& map) {
  for (item::Attribute& given : map) {
    const Attribute* member = FindMember(shape, given.name);
    if (member == nullptr) return UnknownMember(shape, given.name);
    if (member->nullable && given.value.is(item::Type::kNull)) continue;
    const Context inner{member->limits, Level::kWhole, context.depth_left - 1};
    if (auto status = Check(member->type, inner, given.value); !status) {
      return Refuse(DescribeProblem("." + given.name, status.error().message));
    }
  }
  for (const Attribute& member : shape.members) {
    if (map.Contains(member.name)) continue;
    if (member.default_value) {
      map.Set(member.name, *member.default_value);
    } else if (member.required) {
      return Refuse("." + member.name + " is required");
    }
  }
  return {};
}

Status Check(const ValueType& type, const Context& context, item::AttributeValue& value) {
  const ValueType& rules = RulesOf(type);
  if (context.depth_left < 0) return Refuse("nests too deep");
  if (value.type() != rules.StoredType()) return Refuse(Expectation(rules));
  switch (value.type()) {
    case item::Type::kString: {
      if (IsCanonicalText(rules, value.string()) && context.limits.empty() && rules.kind != Kind::kTimeZone)
        return {};
      std::string text = value.string();
      bool changed = false;
      RETURN_IF_ERROR(CheckText(rules, context, text, changed));
      if (changed) value = std::move(text);
      return {};
    }
    case item::Type::kNumber:
      return CheckNumber(rules, context, value.number());
    case item::Type::kList:
      return CheckList(rules, context, value.list());
    case item::Type::kStringSet:
      return CheckStringSet(rules, context, value);
    case item::Type::kNumberSet:
      return CheckNumberSet(rules, context, value.number_set());
    case item::Type::kMap:
      RETURN_IF_ERROR(CheckLength(context, value.map().size(), "member"));
      return rules.shape == nullptr ? Status() : CheckShape(*rules.shape, context, value.map());
    default:
      return {};  // a boolean has nothing more to check
  }
}

}  // namespace

Status CompilePattern(ValueLimits& limits) {
  limits.compiled_pattern = nullptr;
  if (limits.pattern.empty()) return {};
  ASSIGN_OR_RETURN(limits.compiled_pattern, Compile(limits.pattern));
  return {};
}

Status CheckValue(const ValueType& type, const ValueLimits& limits, item::AttributeValue& value) {
  return Check(type, {limits}, value);
}

}  // namespace cairn::model
