#include "domains/values/plan/order.h"

#include <algorithm>

namespace cairn::values {
namespace {

// Those of `order` that are in `kept`.
ActionOrder Only(const ActionOrder& order, const std::set<std::string>& kept) {
  ActionOrder left;
  for (const std::string& action : order) {
    if (kept.contains(action)) left.push_back(action);
  }
  return left;
}

std::set<std::string> SetOf(const ActionOrder& order) { return {order.begin(), order.end()}; }

// Whether the todos that both have stand in the same order.
bool SameOrder(const ActionOrder& one, const ActionOrder& other) {
  return Only(one, SetOf(other)) == Only(other, SetOf(one));
}

}  // namespace

ActionOrder OrderOfTodos(const Plan& plan) {
  ActionOrder order;
  order.reserve(plan.todos.size());
  for (const Todo& todo : plan.todos) order.push_back(todo.action_id);
  return order;
}

ActionOrder JoinOrders(const ActionOrder& main, const ActionOrder& other, const std::set<std::string>& kept) {
  ActionOrder joined = Only(main, kept);
  const std::set<std::string> in_main = SetOf(joined);
  const std::set<std::string> in_other = SetOf(other);
  auto behind = joined.begin();  // where the next one of `other` goes
  for (const std::string& action : other) {
    if (!kept.contains(action)) continue;
    if (in_main.contains(action)) {
      behind = std::ranges::find(joined, action) + 1;
      continue;
    }
    // What main alone has at this place stays in front: it was there first.
    while (behind != joined.end() && in_main.contains(*behind) && !in_other.contains(*behind)) ++behind;
    behind = joined.insert(behind, action) + 1;
  }
  return joined;
}

std::optional<ActionOrder> MergeOrders(const OrderMerge& merge) {
  const ActionOrder base = Only(merge.base, merge.kept);
  const bool they_moved = !SameOrder(base, merge.theirs);
  const bool i_moved = !SameOrder(base, merge.mine);
  if (they_moved && i_moved && !SameOrder(Only(merge.theirs, merge.kept), merge.mine)) return std::nullopt;
  if (i_moved && !they_moved) return JoinOrders(merge.mine, merge.theirs, merge.kept);
  return JoinOrders(merge.theirs, merge.mine, merge.kept);
}

}  // namespace cairn::values
