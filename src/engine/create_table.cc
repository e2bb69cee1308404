// CreateTable, DescribeTable, ListTables.
#include "engine/engine.h"
#include "engine/internal/catalog.h"
#include "engine/internal/streams.h"
#include "engine/internal/writer.h"

namespace cairn::engine {

using internal::CommitGroup;
using internal::Grouping;
using internal::Table;
using internal::TableRef;
using store::TableDescription;

Task<Result<TableDescription>> Engine::CreateTable(store::TableDefinition definition) {
  auto work = [&](CommitGroup& group) -> Result<TableDescription> {
    if (catalog_->FindAny(definition.name)) {
      return Fail(Code::kResourceInUse, "Table already exists: " + definition.name);
    }
    Table table;
    table.id = catalog_->NewId(group);
    table.uuid = NewUuid(random_);
    table.created = group.now();
    for (store::IndexDefinition& index_definition : definition.indexes) {
      internal::Index index;
      index.id = catalog_->NewId(group);
      index.definition = std::move(index_definition);
      table.indexes.push_back(std::move(index));
    }
    const auto stream = definition.stream;
    table.definition = std::move(definition);
    table.definition.indexes.clear();
    if (table.definition.billing_mode == store::BillingMode::kPayPerRequest)
      table.billing_mode_changed = group.now();
    if (stream) internal::EnableStream(*catalog_, group, table, stream->view, writer_->next_sequence());
    TableDescription description = internal::Describe(table);
    description.status = store::TableStatus::kCreating;  // the table can be used as soon as this is answered
    for (store::IndexDescription& index : description.indexes) index.status = store::IndexStatus::kCreating;
    catalog_->Save(group, std::move(table));
    return description;
  };
  co_return co_await writer_->Submit(work, Grouping::kAlone);
}

Task<Result<TableDescription>> Engine::DescribeTable(std::string name) {
  CO_ASSIGN_OR_RETURN(const TableRef table, catalog_->FindAny(name));
  co_return internal::Describe(*table);
}

Task<Result<store::ListTablesResponse>> Engine::ListTables(store::ListTablesRequest request) {
  store::ListTablesResponse response;
  for (const TableRef& table : catalog_->Tables()) {
    if (!request.exclusive_start_name.empty() && table->name() <= request.exclusive_start_name) continue;
    if (response.names.size() == request.limit) {
      response.last_evaluated_name = response.names.back();
      break;
    }
    response.names.push_back(table->name());
  }
  co_return response;
}

}  // namespace cairn::engine
