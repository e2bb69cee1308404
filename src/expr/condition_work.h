// How much an item makes of a condition's work. For whoever judges many conditions at once and must not hold
// up others.
#pragma once

#include <cstddef>

#include "expr/condition.h"

namespace cairn::expr {

// How often the condition goes through a whole value, at most: contains(), size(), and comparing one
// attribute with another. Comparing with a value of the request costs what that value does.
size_t CountPasses(const Condition& condition);

}  // namespace cairn::expr
