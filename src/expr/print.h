// Trees back to expression text, for a store that speaks DynamoDB's protocol: parse(print(x)) gives x again.
//
// Every attribute name and every constant becomes a placeholder (#n0, :v0), so neither reserved words nor odd
// characters matter. All expressions of one request are printed with the same Placeholders. Does not check
// limits: a tree that no text could have given may print to one that DynamoDB refuses.
#pragma once

#include <string>

#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/parse.h"
#include "expr/projection.h"
#include "expr/update.h"

namespace cairn::expr {

// Each adds the names and values it needs to `placeholders`, whose keys must all have come from here.
std::string PrintCondition(const Condition& condition, Placeholders& placeholders);
std::string PrintProjection(const Projection& projection, Placeholders& placeholders);
std::string PrintKeyCondition(const KeyCondition& condition, Placeholders& placeholders);

// ADD of a list, which only AttributeUpdates can ask for, prints as the list_append that does the same.
// Precondition: the update is not empty.
std::string PrintUpdate(const Update& update, Placeholders& placeholders);

}  // namespace cairn::expr
