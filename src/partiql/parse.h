// Statement text and parameters to a typed Statement. Pure; the only place that knows PartiQL's grammar.
//
// Errors are DynamoDB's own messages, e.g. `Statement wasn't well formed, can't be processed: Unexpected
// term`. Depth is bounded, so no text can exhaust the stack; the length (kStatementCharactersMax) is the
// caller's rule.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/result.h"
#include "item/attribute_value.h"
#include "partiql/statement.h"

namespace cairn::partiql {

inline constexpr size_t kStatementCharactersMax = 8192;

// `parameters` stand for the question marks in order; there must be as many.
Result<Statement> ParseStatement(std::string_view text, std::span<const item::AttributeValue> parameters);

}  // namespace cairn::partiql
