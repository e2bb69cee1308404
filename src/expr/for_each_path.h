// ForEachPath: every document path of an expression, in the order in which they are written. A template,
// because conditions are gone through for every item that is looked at. Private to expr.
#pragma once

#include "expr/condition.h"
#include "expr/projection.h"
#include "expr/update.h"

namespace cairn::expr {

// One overload per node. The nesting of expressions is bounded by the parsers.
template <class Visit>
class PathWalk {
 public:
  explicit PathWalk(Visit& visit) : visit_(visit) {}

  void operator()(const DocumentPath& path) const { visit_(path); }
  void operator()(const item::AttributeValue&) const {}
  void operator()(const SizeOf& size) const { visit_(size.path); }
  void operator()(const Operand& operand) const { std::visit(*this, operand); }

  void operator()(const Comparison& node) const { All(node.left, node.right); }
  void operator()(const Between& node) const { All(node.value, node.low, node.high); }
  void operator()(const In& node) const { All(node.value, node.candidates); }
  void operator()(const AttributeExists& node) const { visit_(node.path); }
  void operator()(const AttributeNotExists& node) const { visit_(node.path); }
  void operator()(const AttributeType& node) const { All(node.path, node.type); }
  void operator()(const BeginsWith& node) const { All(node.value, node.prefix); }
  void operator()(const Contains& node) const { All(node.container, node.element); }
  void operator()(const And& node) const { All(*node.left, *node.right); }
  void operator()(const Or& node) const { All(*node.left, *node.right); }
  void operator()(const Not& node) const { (*this)(*node.inner); }
  void operator()(const Condition& condition) const { std::visit(*this, condition.node); }

  void operator()(const Projection& projection) const { (*this)(projection.paths); }

  void operator()(const IfNotExists& node) const { All(node.path, *node.otherwise); }
  void operator()(const ListAppend& node) const { All(*node.front, *node.back); }
  void operator()(const Sum& node) const { All(*node.left, *node.right); }
  void operator()(const Difference& node) const { All(*node.left, *node.right); }
  void operator()(const SetValue& value) const { std::visit(*this, value.node); }
  void operator()(const SetAction& action) const { All(action.path, *action.value); }
  void operator()(const RemoveAction& action) const { visit_(action.path); }
  void operator()(const AddAction& action) const { visit_(action.path); }
  void operator()(const DeleteAction& action) const { visit_(action.path); }
  void operator()(const Update& update) const {
    All(update.sets, update.removes, update.adds, update.deletes);
  }

  template <class Element>
  void operator()(const std::vector<Element>& list) const {
    for (const Element& element : list) (*this)(element);
  }

 private:
  void All(const auto&... parts) const { ((*this)(parts), ...); }

  Visit& visit_;
};

// `expression`: a Condition, a Projection or an Update.
template <class Visit, class Expression>
void ForEachPath(Visit visit, const Expression& expression) {
  PathWalk<Visit> walk(visit);
  walk(expression);
}

}  // namespace cairn::expr
