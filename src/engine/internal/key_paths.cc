#include "engine/internal/key_paths.h"

#include <algorithm>

namespace cairn::engine::internal {
namespace {

std::unexpected<Error> Refused(std::string_view kind, std::string_view attribute) {
  return Fail(
      Invalid("Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: " +
              std::string(kind) + ": " + std::string(attribute)));
}

}  // namespace

Status CheckKeyPaths(const Table& table, const std::vector<std::string_view>& nested) {
  for (const std::string_view attribute : nested) {
    if (table.key_schema().Contains(attribute)) return Refused("Key", attribute);
  }
  for (const std::string_view attribute : nested) {
    const bool is_index_key = std::ranges::any_of(
        table.indexes, [&](const Index& index) { return index.definition.key_schema.Contains(attribute); });
    if (is_index_key) return Refused("IndexKey", attribute);
  }
  return {};
}

}  // namespace cairn::engine::internal
