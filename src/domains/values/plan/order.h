// Orders of todos: which of them moved, and one order out of two. Used by differences and merges.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "domains/values/plan/plan.h"

namespace cairn::values {

using ActionOrder = std::vector<std::string>;

ActionOrder OrderOfTodos(const Plan& plan);

// For places that were 0..n-1 and stand in another order now: which of them did not move against each other.
// As many as possible did not (a longest increasing subsequence), so one todo that went to the top is one
// move, not n.
std::vector<bool> InPlace(std::span<const size_t> places);

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
