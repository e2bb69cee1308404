// The canonical form of values, shared by CheckValue and by templates. Private to the model layer.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "item/number.h"
#include "model/value_type.h"

namespace cairn::model {

// The type whose rules a value obeys: of a ref, that of the id it holds.
const ValueType& RulesOf(const ValueType& type);

// What a value of this type must be: "must be a date such as 2026-11-15".
std::string Expectation(const ValueType& type);

// Whether a text is right for a type that is stored as text, and in the form that is stored. A time zone is
// judged by its letters alone: whether it exists is CheckValue's question.
bool IsCanonicalText(const ValueType& type, std::string_view text);
// Whether a number is right for a type that is stored as number.
bool IsRightNumber(const ValueType& type, const item::Number& number);

// Nothing unless a whole number of seconds in the years 0001 to 9999.
std::optional<Time> EpochSecondsToTime(const item::Number& number);

}  // namespace cairn::model
