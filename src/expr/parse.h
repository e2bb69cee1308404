// Expression text to trees. The only place that knows the grammar of DynamoDB's expressions.
//
// Errors are DynamoDB's own messages, e.g. `Invalid UpdateExpression: Syntax error; token: "=", near: "= ="`.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/projection.h"
#include "expr/update.h"
#include "item/attribute_value.h"

namespace cairn::expr {

inline constexpr size_t kExpressionBytesMax = 4096;
inline constexpr int kOperatorsMax = 300;

// ExpressionAttributeNames and ExpressionAttributeValues of one request. Parsing several expressions of one
// request against the same Placeholders records what was used, so that unused ones can be refused at the end.
struct Placeholders {
  std::map<std::string, std::string, std::less<>> names;            // "#n" -> attribute name
  std::map<std::string, item::AttributeValue, std::less<>> values;  // ":v" -> value
  std::set<std::string, std::less<>> used_names;
  std::set<std::string, std::less<>> used_values;
};

// `kind` is the parameter's name, as it appears in messages: "ConditionExpression", "FilterExpression", ...
Result<ConditionPtr> ParseCondition(std::string_view kind, std::string_view text, Placeholders& placeholders);
Result<Update> ParseUpdate(std::string_view text, Placeholders& placeholders);
Result<Projection> ParseProjection(std::string_view text, Placeholders& placeholders);
Result<KeyCondition> ParseKeyCondition(std::string_view text, Placeholders& placeholders);

// After all expressions of a request: fails when a given name or value was used by none.
Status CheckAllUsed(const Placeholders& placeholders);

}  // namespace cairn::expr
