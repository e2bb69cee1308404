// The rules for operands of conditions that DynamoDB checks before it looks at any item. Used by
// parse_condition.cc, which notes the mistakes in DynamoDB's order.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "expr/condition.h"

namespace cairn::expr {

// Each returns the message of the broken rule, or nothing.
using BrokenRule = std::optional<std::string>;

// A path may not be compared with itself.
BrokenRule CheckDistinct(std::string_view function, const Operand& first, const Operand& other);

// Constants that are ordered must be of type S, N or B.
BrokenRule CheckOrdered(std::string_view function, const Operand& operand);

// Constant bounds of BETWEEN must be of one type and in order.
BrokenRule CheckBounds(const Operand& low, const Operand& high);

BrokenRule CheckBeginsWithOperand(const Operand& operand);
BrokenRule CheckContainer(const Operand& operand);
BrokenRule CheckTypeName(const Operand& operand);
BrokenRule CheckSizeOperand(const Operand& operand);

}  // namespace cairn::expr
