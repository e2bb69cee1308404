// Orders of todos: one out of two. Used by merges.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "domains/values/plan/plan.h"

namespace cairn::values {

using ActionOrder = std::vector<std::string>;

ActionOrder OrderOfTodos(const Plan& plan);

struct OrderMerge {
  const ActionOrder& base;
  const ActionOrder& theirs;
  const ActionOrder& mine;
  const std::set<std::string>& kept;  // the todos of the result
};

// The order of the side that reordered, with what only the other one has behind the todo that it follows
// there. Nothing when both reordered differently.
std::optional<ActionOrder> MergeOrders(const OrderMerge& merge);
// `main` with what only `other` has, as above; `kept` alone.
ActionOrder JoinOrders(const ActionOrder& main, const ActionOrder& other, const std::set<std::string>& kept);

}  // namespace cairn::values
