// Building the conditions that guard a model's writes.
#pragma once

#include <string>
#include <vector>

#include "expr/condition.h"

namespace cairn::model {

expr::ConditionPtr Exists(const std::string& attribute);
expr::ConditionPtr NotExists(const std::string& attribute);
expr::ConditionPtr Compare(const std::string& attribute, expr::Comparator comparator,
                           item::AttributeValue value);
inline expr::ConditionPtr Equals(const std::string& attribute, item::AttributeValue value) {
  return Compare(attribute, expr::Comparator::kEqual, std::move(value));
}
// The attribute has this value, or is absent when there is none.
expr::ConditionPtr Is(const std::string& attribute, const item::AttributeValue* value);
expr::ConditionPtr AnyOf(expr::ConditionPtr a, expr::ConditionPtr b);
// Null ones are left out; null when nothing is left.
expr::ConditionPtr AllOf(std::vector<expr::ConditionPtr> conditions);

}  // namespace cairn::model
