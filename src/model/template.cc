#include "model/template.h"

#include <algorithm>
#include <array>

#include "base/temporal_text.h"
#include "model/key_part.h"
#include "model/name_suggestion.h"
#include "model/text_form.h"

namespace cairn::model {
namespace {

constexpr size_t kTextBytesMax = 2048;  // a partition key has no more
constexpr int kPaddedWidthMax = 18;     // what fits 64 bits whatever the digits

struct FormatName {
  std::string_view name;
  Format format;
};
constexpr std::array kFormats{
    FormatName{"01", Format::kBit},
    FormatName{"yyyy", Format::kYear},
    FormatName{"yyyyMM", Format::kYearMonth},
    FormatName{"yyyyMMdd", Format::kYearMonthDay},
    FormatName{"epoch_ms", Format::kEpochMilliseconds},
    FormatName{"end_of_day", Format::kEndOfDay},
};

bool IsName(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; };
  if (text.empty() || !is_letter(text[0])) return false;
  return std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

Error At(size_t offset, std::string what) {
  return Invalid(std::move(what) + " at offset " + std::to_string(offset));
}

// "06d" and the names above, into `part`.
Status ParseFormat(std::string_view text, TemplatePart& part) {
  for (const FormatName& known : kFormats) {
    if (text != known.name) continue;
    part.format = known.format;
    return {};
  }
  if (text.size() >= 3 && text.size() <= 4 && text[0] == '0' && text.back() == 'd') {
    const auto width = ReadDigits(text.substr(1, text.size() - 2));
    if (width && text[1] != '0' && *width <= kPaddedWidthMax) {
      part.format = Format::kZeroPadded;
      part.width = static_cast<int>(*width);
      return {};
    }
  }
  std::vector<std::string_view> names;
  for (const FormatName& known : kFormats) names.push_back(known.name);
  std::string message = "unknown format '" + std::string(text) + "'" + DidYouMean(text, names);
  return Fail(At(part.offset,
                 message + "; formats are 01d to 018d, 01, yyyy, yyyyMM, yyyyMMdd, epoch_ms, end_of_day,"));
}

// What stands between the braces: name, step.name, each with :format.
Status ParsePlaceholder(std::string_view inner, TemplatePart& part) {
  std::string_view name = inner;
  if (const size_t colon = inner.find(':'); colon != std::string_view::npos) {
    name = inner.substr(0, colon);
    RETURN_IF_ERROR(ParseFormat(inner.substr(colon + 1), part));
  }
  if (const size_t dot = name.find('.'); dot != std::string_view::npos) {
    part.step = name.substr(0, dot);
    if (!IsName(part.step)) {
      return Fail(
          At(part.offset, "expected the name of a step before the '.' in {" + std::string(inner) + "}"));
    }
    name.remove_prefix(dot + 1);
  }
  if (!IsName(name)) {
    return Fail(At(part.offset,
                   "expected an attribute's name (letters, digits, '_') in {" + std::string(inner) + "}"));
  }
  part.attribute = name;
  return {};
}

std::string NameAsWritten(const TemplatePart& part) {
  return part.step.empty() ? part.attribute : part.step + "." + part.attribute;
}

const std::string& LookupName(const TemplatePart& part) {
  return part.lookup.empty() ? part.attribute : part.lookup;
}

// Where the value that begins at `begin` ends in `key`.
size_t ValueEnd(const std::vector<TemplatePart>& parts, size_t i, std::string_view key, size_t begin) {
  if (const size_t width = FixedWidth(parts[i]); width != 0) return begin + width;
  const bool other_end = i + 1 < parts.size() && parts[i + 1].is_literal() && parts[i + 1].literal[0] != '#';
  const size_t end = other_end ? key.find(parts[i + 1].literal, begin) : key.find('#', begin);
  return std::min(end, key.size());
}

// False when `values` holds something else under that name.
bool Agree(item::Item& values, const std::string& name, item::AttributeValue value) {
  if (const item::AttributeValue* known = values.Find(name)) return *known == value;
  values.Set(name, std::move(value));
  return true;
}

struct PartialText {
  const TemplatePart* part;
  std::string_view text;
};

// Whether what a key tells in part is what is known otherwise.
bool Consistent(const std::vector<PartialText>& partial, const item::Item& values) {
  std::string expected;
  for (const PartialText& piece : partial) {
    const item::AttributeValue* known = values.Find(LookupName(*piece.part));
    if (known == nullptr || piece.part->format == Format::kEndOfDay) continue;
    expected.clear();
    if (!AppendKeyPart(expected, *piece.part, *known) || expected != piece.text) return false;
  }
  return true;
}

}  // namespace

Result<Template> Template::Parse(std::string_view text) {
  if (text.empty()) return Fail(Invalid("a key template must not be empty"));
  if (text.size() > kTextBytesMax) return Fail(Invalid("a key template has at most 2048 bytes"));
  if (!IsUtf8(text)) return Fail(Invalid("a key template must be valid UTF-8"));
  Template result;
  result.text_ = text;
  for (size_t i = 0; i < text.size();) {
    TemplatePart part;
    part.offset = i;
    if (IsControl(text[i])) return Fail(At(i, "a control character cannot stand in a key: found one"));
    if (text[i] == '}') return Fail(At(i, "'}' without a '{' before it"));
    if (text[i] == '{') {
      const size_t end = text.find_first_of("{}", i + 1);
      if (end == std::string_view::npos || text[end] == '{') return Fail(At(i, "'{' is not closed by a '}'"));
      RETURN_IF_ERROR(ParsePlaceholder(text.substr(i + 1, end - i - 1), part));
      i = end + 1;
    } else {
      const auto end = std::find_if(text.begin() + static_cast<ptrdiff_t>(i), text.end(),
                                    [](char c) { return c == '{' || c == '}' || IsControl(c); });
      const auto next = static_cast<size_t>(end - text.begin());
      part.literal = text.substr(i, next - i);
      i = next;
    }
    result.parts_.push_back(std::move(part));
  }
  return result;
}

Status Template::Bind(const Resolver& resolver) {
  std::vector<TemplatePart> bound = parts_;
  for (TemplatePart& part : bound) {
    if (part.is_literal()) continue;
    ASSIGN_OR_RETURN(Target target, resolver(part));
    part.lookup = target.lookup.empty() ? NameAsWritten(part) : std::move(target.lookup);
    part.type = std::move(target.type);
    part.escape = target.escape;
    part.date_too = target.date_too;
    if (auto fits = CheckFormat(part); !fits) return Fail(At(part.offset, std::move(fits.error().message)));
  }
  parts_ = std::move(bound);
  return {};
}

bool Template::IsConstant() const { return std::ranges::all_of(parts_, &TemplatePart::is_literal); }

std::vector<std::string> Template::Dependencies() const {
  std::vector<std::string> names;
  for (const TemplatePart& part : parts_) {
    if (part.is_literal()) continue;
    std::string name = part.lookup.empty() ? NameAsWritten(part) : part.lookup;
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::string_view Template::LiteralPrefix() const {
  return parts_.empty() ? std::string_view() : std::string_view(parts_[0].literal);
}

Status Template::AppendTo(std::string& out, const item::Item& values) const {
  const size_t begin = out.size();
  for (const TemplatePart& part : parts_) {
    if (part.is_literal()) {
      out += part.literal;
      continue;
    }
    const item::AttributeValue* value = values.Find(part.lookup);
    if (value == nullptr) {
      out.resize(begin);
      return Fail(Invalid(NameAsWritten(part) + " is missing, and the key " + text_ + " needs it"));
    }
    if (auto status = AppendKeyPart(out, part, *value); !status) {
      out.resize(begin);
      return Fail(
          Invalid(DescribeProblem(NameAsWritten(part), status.error().message) + " (key " + text_ + ")"));
    }
  }
  return {};
}

Result<std::string> Template::Build(const item::Item& values) const {
  std::string key;
  RETURN_IF_ERROR(AppendTo(key, values));
  return key;
}

bool Template::Match(std::string_view key, item::Item& values) const {
  std::vector<PartialText> partial;
  size_t position = 0;
  for (size_t i = 0; i < parts_.size(); ++i) {
    const TemplatePart& part = parts_[i];
    if (part.is_literal()) {
      if (!key.substr(position).starts_with(part.literal)) return false;
      position += part.literal.size();
      continue;
    }
    const size_t end = ValueEnd(parts_, i, key, position);
    if (end > key.size()) return false;
    const std::string_view text = key.substr(position, end - position);
    KeyPartReading reading = ReadKeyPart(part, text);
    if (!reading.right) return false;
    if (!reading.value) {
      partial.push_back({&part, text});
    } else if (!Agree(values, LookupName(part), *std::move(reading.value))) {
      return false;
    }
    position = end;
  }
  return position == key.size() && Consistent(partial, values);
}

Status Template::CheckInvertible() const {
  for (size_t i = 0; i < parts_.size(); ++i) {
    const TemplatePart& part = parts_[i];
    if (part.is_literal()) continue;
    const std::string name = "{" + NameAsWritten(part) + "}";
    if (part.format == Format::kEndOfDay) {
      return Fail(
          At(part.offset, name + " with end_of_day is for the upper bound of a pattern, not for a key,"));
    }
    if (FixedWidth(part) != 0 || i + 1 == parts_.size()) continue;
    const TemplatePart& next = parts_[i + 1];
    if (next.literal.starts_with('#')) continue;
    const std::string what = next.is_literal() ? "'" + next.literal + "'" : "{" + NameAsWritten(next) + "}";
    return Fail(At(part.offset, name + " has values of any length, so " + what +
                                    " behind it must begin with '#': nothing tells where the value ends"));
  }
  return {};
}

}  // namespace cairn::model
