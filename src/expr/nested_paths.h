// Which attributes expressions look into: those named with steps behind them, as a of a.b or a[0]. DynamoDB
// refuses that for key attributes, which are scalars.
#pragma once

#include <string_view>
#include <vector>

#include "expr/condition.h"
#include "expr/projection.h"
#include "expr/update.h"

namespace cairn::expr {

// Each as often as it occurs. Views into the argument.
std::vector<std::string_view> NestedAttributes(const Condition& condition);
std::vector<std::string_view> NestedAttributes(const Projection& projection);
std::vector<std::string_view> NestedAttributes(const Update& update);

}  // namespace cairn::expr
