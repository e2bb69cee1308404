// What a WHERE says about keys: equalities and ranges of key attributes told apart from the rest. Part of
// planning.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "expr/condition.h"
#include "expr/key_condition.h"
#include "item/attribute_value.h"
#include "item/key_schema.h"

namespace cairn::partiql {

using Conditions = std::vector<expr::ConditionPtr>;

// The parts of a chain of AND (of OR); null has none.
Conditions SplitAnd(const expr::ConditionPtr& condition);
Conditions SplitOr(const expr::ConditionPtr& condition);
// The opposite; null for no parts.
expr::ConditionPtr JoinAnd(const Conditions& parts);
expr::ConditionPtr JoinOr(const Conditions& parts);

expr::ConditionPtr Exists(std::string_view attribute);
expr::ConditionPtr NotExists(std::string_view attribute);

// The values one of which `attribute` must have: a = 1, a IN [1, 2], a = 1 OR a = 2. Each once, in order.
// Nothing when the condition says something else.
std::optional<std::vector<item::AttributeValue>> EqualValues(const expr::Condition& condition,
                                                             std::string_view attribute);

// The condition as a comparison that a key condition allows, if it is one about `attribute`.
std::optional<expr::KeyComparison> AsKeyComparison(const expr::Condition& condition,
                                                   std::string_view attribute);

bool Mentions(const expr::Condition& condition, const item::KeySchema& schema);

// Whether the condition excludes values of a sort attribute (NOT, <>) instead of choosing some.
bool ExcludesSortValues(const expr::Condition& condition, const item::KeySchema& schema);

// A whole key given by equalities, and what else the WHERE asks.
struct KeyMatch {
  item::Item key;
  expr::ConditionPtr rest;  // null: nothing else
};

enum class KeyEquality {
  kStrict,      // a = 1
  kSingleValue  // also a IN [1], also said twice with the same value
};

// Nothing when some key attribute of the schema is not given.
std::optional<KeyMatch> MatchKey(const expr::ConditionPtr& where, const item::KeySchema& schema,
                                 KeyEquality equality);

}  // namespace cairn::partiql
