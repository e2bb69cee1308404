// WHERE: comparisons, functions, IS, IN, BETWEEN, AND, OR, NOT to an expr::Condition. Part of parsing.
#pragma once

#include <string_view>

#include "base/result.h"
#include "expr/condition.h"
#include "partiql/cursor.h"

namespace cairn::partiql {

// The condition after the keyword WHERE.
Result<expr::ConditionPtr> ParseCondition(Cursor& cursor);

// The messages about operands that WHERE and SET share. `name` is the operator or function as messages write
// it.
Error IncorrectOperandType(std::string_view name, item::Type type);
Error UnrecognizedFunction(const Token& name);

}  // namespace cairn::partiql
