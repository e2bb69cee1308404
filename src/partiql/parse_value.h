// Literal values: 'text', 1.5e3, true, NULL, [..], {'a': ..}, <<..>> and parameters. Part of parsing.
#pragma once

#include "base/result.h"
#include "item/attribute_value.h"
#include "partiql/cursor.h"

namespace cairn::partiql {

// Whether a value, not a path or a function, begins here.
bool AtValue(const Cursor& cursor);

// One value. Names and calls have no place inside a value: `Unsupported data type: ...`.
Result<item::AttributeValue> ParseValue(Cursor& cursor);

// The item of an INSERT: {'a': 1, ...} or a parameter that is a map.
Result<item::Item> ParseItem(Cursor& cursor);

}  // namespace cairn::partiql
