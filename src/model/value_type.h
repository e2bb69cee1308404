// ValueType: the type of an attribute or parameter of a model, and the rules its values obey.
//
// A value is an item::AttributeValue throughout; the type says which one is right and how it is written:
//   string id uuid ulid date instant instant_ms email slug iana_tz enum ref -> S
//   int number epoch_s -> N     bool -> BOOL     map shape -> M     list -> L     set<string> -> SS,
//   set<int|number> -> NS
// Instants are UTC text of one fixed width, so that text order is time order:
//   instant "2026-11-15T19:42:30Z", instant_ms "2026-11-15T19:42:30.123Z", date "2026-11-15".
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "item/attribute_value.h"

namespace cairn::model {

enum class Kind {
  kString,
  kId,    // printable ASCII above '#': no space, ! " # or control characters; 1 to 256 bytes
  kUuid,  // prefix + version-agnostic lower-case UUID
  kUlid,  // 26 characters of Crockford's alphabet, upper case, first one at most '7'
  kInt,
  kNumber,
  kBool,
  kDate,
  kInstant,
  kInstantMs,
  kEpochSeconds,
  kEmail,
  kSlug,  // a-z 0-9 and single '-' between, 1 to 128 bytes
  kTimeZone,
  kMap,
  kList,
  kSet,
  kEnum,
  kShape,
  kRef,  // id of another entity: the rules of its id attribute's kind, or of kId
};

struct Enum;
struct Shape;

struct ValueType {
  Kind kind = Kind::kString;
  std::string name;  // enum, shape or entity; "" for the others
  std::shared_ptr<const ValueType>
      element;                        // of list and set; of kRef the type of the id it holds, null: kId
  std::string prefix;                 // of kUuid, e.g. "task_"
  const Enum* enumeration = nullptr;  // of kEnum, set once the model is loaded; owned by the Model
  const Shape* shape = nullptr;       // of kShape, likewise

  // As written in a model file: "list<ref:Goal>".
  std::string ToString() const;
  // The kind of attribute value that stores it.
  item::Type StoredType() const;
};

// Parses "list<shape:X>" and the like (no trailing '!'). Fails with what was expected, and a near name if
// any. Enum and shape pointers are left null.
Result<ValueType> ParseValueType(std::string_view text);

struct TextPattern;  // a compiled regular expression

// Limits an attribute may add to its type. Of lists and sets, the lengths count elements and the other limits
// hold for each element.
struct ValueLimits {
  std::optional<item::Number> min, max;           // of numbers; inclusive
  std::optional<int64_t> length_min, length_max;  // bytes of text, elements of lists, sets and maps
  std::vector<std::string> in;                    // the only allowed texts; empty: no restriction
  std::string pattern;  // ECMAScript regular expression for the whole text; "": none
  std::shared_ptr<const TextPattern>
      compiled_pattern;  // of `pattern`, by CompilePattern; null: compiled per check

  bool empty() const { return !min && !max && !length_min && !length_max && in.empty() && pattern.empty(); }
};

// Compiles limits.pattern once, when a model is loaded. Fails when it is no regular expression;
// back-references are refused, so that no text can make matching slow.
Status CompilePattern(ValueLimits& limits);

// Checks `value` against type and limits. The error is a sentence about the value alone, without the
// attribute's name: "must be one of BACKLOG, TODO, ...", "must be a date such as 2026-11-15". A value that is
// right but not in canonical form is canonicalised in place: an instant with an offset or with fractions
// becomes UTC of the right width (fractions are cut, never rounded), an upper-case UUID lower case, a whole
// number given as 5.0 is 5. List elements and shape members are checked too; errors then begin with the
// member's path ("[2].order must be ...", ".street is required"). Absent members with a default get it.
Status CheckValue(const ValueType& type, const ValueLimits& limits, item::AttributeValue& value);

// The sentence with its subject: "status must be one of ...", "steps[2].order must be ...".
std::string DescribeProblem(std::string_view attribute, std::string_view problem);

// Texts to values, for path and query parameters and for examples: "5" of an int is the number 5.
Result<item::AttributeValue> ParseText(const ValueType& type, std::string_view text);

// Time as a value of a temporal kind (date, instant, instant_ms, epoch_s), and back. Precondition: temporal
// kind. A time that four digits of a year cannot tell becomes the first or the last one that they can.
item::AttributeValue TimeValue(Kind kind, Time time);
Result<Time> ParseTime(Kind kind, const item::AttributeValue& value);
bool IsTemporal(Kind kind);

// ISO 8601 durations of weeks, days, hours, minutes and seconds: "P31D", "PT45M", "P1W"; up to 10000 years.
Result<std::chrono::seconds> ParseDuration(std::string_view text);

}  // namespace cairn::model
