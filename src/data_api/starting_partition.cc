#include "data_api/starting_partition.h"

#include "base/check.h"
#include "data_api/own_partition.h"

namespace cairn::data_api {
namespace {

Task<Result<std::vector<StartingPartition>>> FindOwn(const std::vector<TableLabel>& tables,
                                                     model::Session& session) {
  const model::Model& model = session.database().model();
  std::vector<StartingPartition> starts;
  for (const TableLabel& entry : tables) {
    const model::Table* table = model.FindTable(entry.table);
    CHECK(table != nullptr, "the model has the tables it is said to have");
    auto key = OwnPrefix(*table, session.caller());
    if (!key) continue;
    starts.push_back({.label = entry.label,
                      .table = static_cast<size_t>(table - model.tables.data()),
                      .key = *std::move(key)});
  }
  co_return starts;
}

}  // namespace

FindStarts OwnPartitions(std::vector<TableLabel> tables) {
  return [tables = std::move(tables)](model::Session& session) { return FindOwn(tables, session); };
}

}  // namespace cairn::data_api
