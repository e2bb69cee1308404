#include "data_api/own_partition.h"

namespace cairn::data_api {

std::optional<std::string> OwnPrefix(const model::Table& table, const model::Caller& caller) {
  if (!table.tenant) return std::nullopt;
  const std::string* claim = caller.Claim(table.tenant->claim);
  if (claim == nullptr) return std::nullopt;
  item::Item values;
  for (const std::string& name : table.tenant->leading.Dependencies()) values.Set(name, *claim);
  auto prefix = table.tenant->leading.Build(values);
  if (!prefix) return std::nullopt;
  return *std::move(prefix);
}

bool IsOwn(const model::Table& table, const model::Caller& caller, std::string_view partition) {
  const auto prefix = OwnPrefix(table, caller);
  if (!prefix || !partition.starts_with(*prefix)) return false;
  const std::string_view rest = partition.substr(prefix->size());
  return rest.empty() || rest.starts_with('#') || prefix->ends_with('#');
}

}  // namespace cairn::data_api
