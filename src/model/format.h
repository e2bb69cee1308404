// The model file format as data: which keys each table has, what their values look like, and a line about
// each. CheckDocument compares a document with it, ModelJsonSchema prints it; neither knows a key that is not
// in this list. What a form cannot say (an attribute that must exist, a template that must be invertible) is
// the loader's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/diagnostic.h"
#include "model/document.h"

namespace cairn::model {

struct TableForm;

struct Form {
  enum class Kind {
    kText,    // not empty
    kChoice,  // one of `choices`
    kWhole,   // an integer of `min` to `max`
    kNumber,
    kBoolean,
    kTrue,
    kFalse,
    kAny,     // any value: of a default, typed by its attribute
    kList,    // of `element`, at least `min` of them
    kNamed,   // a table from names to `element`; the fields of `record` are no names
    kRecord,  // a table with the keys of `record`
    kEither,  // one of `alternatives`, told apart by the kind of value
  };
  enum class Names { kIdentifier, kIndex, kAny };

  Kind kind = Kind::kText;
  std::span<const std::string_view> choices = {};
  int64_t min = 0, max = 0;
  const Form* element = nullptr;
  const TableForm* record = nullptr;
  std::span<const Form* const> alternatives = {};
  Names names = Names::kIdentifier;
};

struct KeyForm {
  enum class Need { kOptional, kRequired };

  std::string_view name;
  const Form* form;
  std::string_view doc;
  Need need = Need::kOptional;
};

struct TableForm {
  std::string_view name;  // "a pattern": for messages, and its place in the JSON Schema
  std::span<const KeyForm> fields;
};

// The whole document.
const TableForm& ModelFormat();

// Everything in `document` that is not of the format: unknown and missing keys, values of the wrong kind.
Diagnostics CheckDocument(const Node& document, const std::string& file);

// Choices in the order of the enumerators they stand for.
inline constexpr std::string_view kGenerateChoices[] = {"ulid", "uuid", "now"};            // Generate
inline constexpr std::string_view kAutoChoices[] = {"create", "update"};                   // Auto
inline constexpr std::string_view kCaseChoices[] = {"camel", "pascal", "upper", "lower"};  // NameCase
inline constexpr std::string_view kWriteChoices[] = {"mutable", "append", "once", "upsert", "idempotent"};
inline constexpr std::string_view kOperatorChoices[] = {"eq", "begins", "between", "lt", "lte", "gt", "gte"};

// Greatest page of a pattern.
inline constexpr int64_t kLimitMax = 1000;

}  // namespace cairn::model
