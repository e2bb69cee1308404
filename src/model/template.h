// Template: the text of a key with placeholders, such as "EDGE#{parentNodeId}#{order:06d}#{childNodeId}".
//
// Typed by the attributes it names; builds keys whose byte order is the order of the values; refuses values
// that contain the delimiter '#' or a control character (or escapes them, where the attribute says escape =
// "percent"); and can be inverted: a key gives back the attributes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "item/attribute_value.h"
#include "model/value_type.h"

namespace cairn::model {

enum class Format {
  kPlain,
  kZeroPadded,         // {n:06d}: whole numbers of 0 to 999999
  kBit,                // {b:01}: false is 0, true is 1
  kYear,               // {t:yyyy} of date, instant, instant_ms, epoch_s
  kYearMonth,          // {t:yyyyMM}
  kYearMonthDay,       // {t:yyyyMMdd}
  kEpochMilliseconds,  // {t:epoch_ms}: 13 digits
  kEndOfDay,  // {to:end_of_day}: in the upper bound of a pattern only. A date gives "2026-01-31~", which
              // sorts behind every instant of that day; an instant stays as it is. Tells nothing to Match
};

enum class Escape { kRefuse, kPercent };

struct TemplatePart {
  std::string literal;    // not empty: fixed text, and nothing below counts
  std::string step;       // {head.headRevId}: "head", an earlier step of the pattern; else ""
  std::string attribute;  // the name as written
  Format format = Format::kPlain;
  int width = 0;      // of kZeroPadded
  size_t offset = 0;  // of the part in the template text, for error messages

  // Filled by Bind.
  std::string lookup;  // the name under which the value is found: the stored name, or "head.headRevId"
  ValueType type;
  Escape escape = Escape::kRefuse;
  bool date_too = false;

  bool is_literal() const { return !literal.empty(); }
};

class Template {
 public:
  Template() = default;
  // Reads the syntax. Errors say what is wrong and where ("at offset 7").
  static Result<Template> Parse(std::string_view text);

  // What a placeholder stands for.
  struct Target {
    std::string lookup;
    ValueType type;
    Escape escape = Escape::kRefuse;
    bool date_too = false;  // of instants in the bounds of a range: a plain date may stand for one
  };
  using Resolver = std::function<Result<Target>(const TemplatePart& placeholder)>;
  // Types every placeholder; checks that its format fits its type.
  Status Bind(const Resolver& resolver);

  const std::string& text() const { return text_; }
  const std::vector<TemplatePart>& parts() const { return parts_; }
  bool empty() const { return parts_.empty(); }
  bool IsConstant() const;
  // Names of the attributes it reads (lookup names once bound), in order, each once.
  std::vector<std::string> Dependencies() const;
  // The leading fixed text.
  std::string_view LiteralPrefix() const;

  // Appends the key text. `values` has the placeholders' values under their lookup names. A missing value,
  // one of the wrong type, or one that cannot stand in a key is an error that names the attribute. On error
  // `out` is as it was.
  Status AppendTo(std::string& out, const item::Item& values) const;
  Result<std::string> Build(const item::Item& values) const;

  // The inverse. Sets the attributes that the key tells completely (a {t:yyyy} tells only part: it is checked
  // against the attribute if that is known from another part, else ignored) in `values`. False when the key
  // is not of this form, or contradicts a value already set; `values` may then be half filled.
  bool Match(std::string_view key, item::Item& values) const;

  // Whether Match can always find where a value ends. If not, the sentence says which part is to blame.
  Status CheckInvertible() const;
  // Whether some key could be of both forms, judged by literals and by the kinds of values between them.
  bool Overlaps(const Template& other) const;
  // How this template, written in a pattern, lies on an entity's key template, segment by segment between
  // '#'s: for each placeholder of this template the position of the part of `entity_key` it stands for;
  // nothing when no key of `entity_key` has that form. Fixed text of the pattern may stand where the entity
  // has a placeholder (TASK#DONE#), never the reverse. AlignKey wants the whole key, AlignPrefix a beginning
  // of it (as begins_with, between and the comparisons use). Both work on unbound templates: this is how a
  // pattern's parameters get their types.
  std::optional<std::vector<size_t>> AlignKey(const Template& entity_key) const;
  std::optional<std::vector<size_t>> AlignPrefix(const Template& entity_key) const;
  // As a begins_with prefix of `entity_key`: ends with '#', or is the whole key. An open prefix also finds
  // longer values: TASK#DONE finds TASK#DONE_X.
  bool EndsAtBoundary(const Template& entity_key) const;

 private:
  std::string text_;
  std::vector<TemplatePart> parts_;
};

}  // namespace cairn::model
