#include "expr/nested_paths.h"

namespace cairn::expr {
namespace {

class Collector {
 public:
  void operator()(const DocumentPath& path) {
    if (!path.steps.empty()) names_.push_back(path.attribute);
  }
  void operator()(const item::AttributeValue&) {}
  void operator()(const SizeOf& size) { (*this)(size.path); }
  void operator()(const Operand& operand) { std::visit(*this, operand); }

  void operator()(const Comparison& node) { All(node.left, node.right); }
  void operator()(const Between& node) { All(node.value, node.low, node.high); }
  void operator()(const In& node) {
    (*this)(node.value);
    for (const Operand& candidate : node.candidates) (*this)(candidate);
  }
  void operator()(const AttributeExists& node) { (*this)(node.path); }
  void operator()(const AttributeNotExists& node) { (*this)(node.path); }
  void operator()(const AttributeType& node) { All(node.path, node.type); }
  void operator()(const BeginsWith& node) { All(node.value, node.prefix); }
  void operator()(const Contains& node) { All(node.container, node.element); }
  void operator()(const And& node) { All(*node.left, *node.right); }
  void operator()(const Or& node) { All(*node.left, *node.right); }
  void operator()(const Not& node) { (*this)(*node.inner); }
  void operator()(const Condition& condition) { std::visit(*this, condition.node); }

  void operator()(const IfNotExists& node) { All(node.path, *node.otherwise); }
  void operator()(const ListAppend& node) { All(*node.front, *node.back); }
  void operator()(const Sum& node) { All(*node.left, *node.right); }
  void operator()(const Difference& node) { All(*node.left, *node.right); }
  void operator()(const SetValue& value) { std::visit(*this, value.node); }
  void operator()(const SetAction& action) { All(action.path, *action.value); }
  void operator()(const auto& action) requires requires { action.path; }
  { (*this)(action.path); }

  template <class List>
  void Each(const List& list) {
    for (const auto& element : list) (*this)(element);
  }
  std::vector<std::string_view> Take() { return std::move(names_); }

 private:
  void All(const auto&... parts) { ((*this)(parts), ...); }

  std::vector<std::string_view> names_;
};

}  // namespace

std::vector<std::string_view> NestedAttributes(const Condition& condition) {
  Collector collector;
  collector(condition);
  return collector.Take();
}

std::vector<std::string_view> NestedAttributes(const Projection& projection) {
  Collector collector;
  collector.Each(projection.paths);
  return collector.Take();
}

std::vector<std::string_view> NestedAttributes(const Update& update) {
  Collector collector;
  collector.Each(update.sets);
  collector.Each(update.removes);
  collector.Each(update.adds);
  collector.Each(update.deletes);
  return collector.Take();
}

}  // namespace cairn::expr
