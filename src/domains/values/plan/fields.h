// The fields of todos and blocks as a table, under the names they are stored with, for what goes through all
// of them: differences and merges.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "domains/values/plan/plan.h"

namespace cairn::values {

// The value of a field: nothing, a number or a text; or the order of todos, which is a list of actions.
using PlanValue = std::variant<std::monostate, int64_t, std::string, std::vector<std::string>>;

template <class T>
struct PlanField {
  std::string_view name;  // "estimatedPomodoros"
  PlanValue (*get)(const T& thing);
  // False, and nothing changed, when the value cannot be one of this field.
  bool (*set)(T& thing, const PlanValue& value);
};

// All but the ids.
std::span<const PlanField<Todo>> TodoFields();
std::span<const PlanField<Block>> BlockFields();

// As JSON text: null, 3, "text", ["a","b"]; a todo or block as an object of its fields.
std::string PlanJson(const PlanValue& value);
std::string PlanJson(const Todo& todo);
std::string PlanJson(const Block& block);

}  // namespace cairn::values
