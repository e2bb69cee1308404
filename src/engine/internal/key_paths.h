// Key attributes are scalars: an expression that looks into one is refused.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/internal/table.h"
#include "expr/nested_paths.h"

namespace cairn::engine::internal {

// `nested`: of expr::NestedAttributes. Also for the keys of the table's indexes.
Status CheckKeyPaths(const Table& table, const std::vector<std::string_view>& nested);

inline Status CheckKeyPaths(const Table& table, const std::optional<expr::Projection>& projection) {
  return projection ? CheckKeyPaths(table, expr::NestedAttributes(*projection)) : Status();
}
inline Status CheckKeyPaths(const Table& table, const expr::ConditionPtr& condition) {
  return condition ? CheckKeyPaths(table, expr::NestedAttributes(*condition)) : Status();
}

}  // namespace cairn::engine::internal
