#include "expr/same_tree.h"

#include <algorithm>

namespace cairn::expr {
namespace {

bool Same(const ConditionPtr& a, const ConditionPtr& b) { return SameTree(*a, *b); }
bool Same(const SetValuePtr& a, const SetValuePtr& b) { return SameTree(*a, *b); }

// Nodes of the same alternative, one overload each.
bool Same(const Comparison& a, const Comparison& b) {
  return a.left == b.left && a.comparator == b.comparator && a.right == b.right;
}
bool Same(const Between& a, const Between& b) {
  return a.value == b.value && a.low == b.low && a.high == b.high;
}
bool Same(const In& a, const In& b) { return a.value == b.value && a.candidates == b.candidates; }
bool Same(const AttributeExists& a, const AttributeExists& b) { return a.path == b.path; }
bool Same(const AttributeNotExists& a, const AttributeNotExists& b) { return a.path == b.path; }
bool Same(const AttributeType& a, const AttributeType& b) { return a.path == b.path && a.type == b.type; }
bool Same(const BeginsWith& a, const BeginsWith& b) { return a.value == b.value && a.prefix == b.prefix; }
bool Same(const Contains& a, const Contains& b) {
  return a.container == b.container && a.element == b.element;
}
bool Same(const And& a, const And& b) { return Same(a.left, b.left) && Same(a.right, b.right); }
bool Same(const Or& a, const Or& b) { return Same(a.left, b.left) && Same(a.right, b.right); }
bool Same(const Not& a, const Not& b) { return Same(a.inner, b.inner); }

bool Same(const DocumentPath& a, const DocumentPath& b) { return a == b; }
bool Same(const item::AttributeValue& a, const item::AttributeValue& b) { return a == b; }
bool Same(const IfNotExists& a, const IfNotExists& b) {
  return a.path == b.path && Same(a.otherwise, b.otherwise);
}
bool Same(const ListAppend& a, const ListAppend& b) { return Same(a.front, b.front) && Same(a.back, b.back); }
bool Same(const Sum& a, const Sum& b) { return Same(a.left, b.left) && Same(a.right, b.right); }
bool Same(const Difference& a, const Difference& b) { return Same(a.left, b.left) && Same(a.right, b.right); }

template <class Variant>
bool SameNode(const Variant& a, const Variant& b) {
  if (a.index() != b.index()) return false;
  return std::visit([&b]<class Node>(const Node& node) { return Same(node, std::get<Node>(b)); }, a);
}

}  // namespace

bool SameTree(const Condition& a, const Condition& b) { return SameNode(a.node, b.node); }
bool SameTree(const SetValue& a, const SetValue& b) { return SameNode(a.node, b.node); }

bool SameTree(const Update& a, const Update& b) {
  const auto same_set = [](const SetAction& x, const SetAction& y) {
    return x.path == y.path && SameTree(*x.value, *y.value);
  };
  const auto same_path = [](const auto& x, const auto& y) { return x.path == y.path; };
  const auto same_value = [](const auto& x, const auto& y) { return x.path == y.path && x.value == y.value; };
  return std::ranges::equal(a.sets, b.sets, same_set) &&
         std::ranges::equal(a.removes, b.removes, same_path) &&
         std::ranges::equal(a.adds, b.adds, same_value) &&
         std::ranges::equal(a.deletes, b.deletes, same_value);
}

bool SameTree(const Projection& a, const Projection& b) { return a.paths == b.paths; }

bool SameTree(const KeyCondition& a, const KeyCondition& b) {
  return std::ranges::equal(a.comparisons, b.comparisons, [](const KeyComparison& x, const KeyComparison& y) {
    return x.attribute == y.attribute && x.op == y.op && x.value == y.value && x.high == y.high;
  });
}

}  // namespace cairn::expr
