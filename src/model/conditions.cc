#include "model/conditions.h"

namespace cairn::model {
namespace {

expr::DocumentPath Path(const std::string& attribute) { return {attribute, {}}; }

template <class Node>
expr::ConditionPtr Make(Node node) {
  return std::make_shared<const expr::Condition>(expr::Condition{std::move(node)});
}

}  // namespace

expr::ConditionPtr Exists(const std::string& attribute) {
  return Make(expr::AttributeExists{Path(attribute)});
}
expr::ConditionPtr NotExists(const std::string& attribute) {
  return Make(expr::AttributeNotExists{Path(attribute)});
}

expr::ConditionPtr Compare(const std::string& attribute, expr::Comparator comparator,
                           item::AttributeValue value) {
  return Make(expr::Comparison{Path(attribute), comparator, std::move(value)});
}

expr::ConditionPtr Is(const std::string& attribute, const item::AttributeValue* value) {
  return value == nullptr ? NotExists(attribute) : Equals(attribute, *value);
}

expr::ConditionPtr AnyOf(expr::ConditionPtr a, expr::ConditionPtr b) {
  return Make(expr::Or{std::move(a), std::move(b)});
}

expr::ConditionPtr AllOf(std::vector<expr::ConditionPtr> conditions) {
  expr::ConditionPtr all;
  for (expr::ConditionPtr& condition : conditions) {
    if (condition == nullptr) continue;
    all = all == nullptr ? std::move(condition) : Make(expr::And{std::move(all), std::move(condition)});
  }
  return all;
}

}  // namespace cairn::model
