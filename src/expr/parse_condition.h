// The condition language, shared by ConditionExpression, FilterExpression and KeyConditionExpression.
// Callers outside this folder use expr/parse.h.
#pragma once

#include <string_view>

#include "base/result.h"
#include "expr/condition.h"
#include "expr/parse.h"

namespace cairn::expr {

struct ParsedCondition {
  ConditionPtr condition;
  // Whether size() of a constant was replaced by its result: the tree no longer shows it.
  bool folded_size = false;
};

Result<ParsedCondition> ParseConditionText(std::string_view kind, std::string_view text,
                                           Placeholders& placeholders);

}  // namespace cairn::expr
