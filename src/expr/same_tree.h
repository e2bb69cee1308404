// Deep equality of expression trees. The trees share nodes through pointers, so == on them compares
// addresses.
#pragma once

#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/projection.h"
#include "expr/update.h"

namespace cairn::expr {

bool SameTree(const Condition& a, const Condition& b);
bool SameTree(const SetValue& a, const SetValue& b);
bool SameTree(const Update& a, const Update& b);  // UpdateSource apart
bool SameTree(const Projection& a, const Projection& b);
bool SameTree(const KeyCondition& a, const KeyCondition& b);

}  // namespace cairn::expr
