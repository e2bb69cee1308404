// UpdateTable: billing, capacity, streams, protection, and indexes that come and go while the table serves.
#include "engine/engine.h"
#include "engine/internal/catalog.h"
#include "engine/internal/jobs.h"
#include "engine/internal/streams.h"
#include "engine/internal/writer.h"
#include "store/capacity.h"

namespace cairn::engine {
namespace {

using internal::Catalog;
using internal::CommitGroup;
using internal::Index;
using internal::Table;
using internal::TableRef;
using store::TableDescription;

Status ApplyIndexChange(Catalog& catalog, CommitGroup& group, Table& table,
                        const store::CreateIndex& change) {
  if (table.FindIndex(change.index.name)) {
    return Fail(Invalid("Attempting to create an index which already exists"));
  }
  const auto global = std::count_if(table.indexes.begin(), table.indexes.end(), [](const Index& index) {
    return index.definition.kind == store::IndexKind::kGlobal;
  });
  if (static_cast<size_t>(global) >= store::kGlobalIndexesMax) {
    return Fail(Code::kLimitExceeded,
                "Subscriber limit exceeded: The number of global secondary indexes is limited to 20");
  }
  RETURN_IF_ERROR(store::CheckNewCapacity(table.definition.billing_mode, change.index.throughput,
                                          change.index.on_demand, change.index.warm,
                                          "index " + change.index.name));
  Index index;
  index.id = catalog.NewId(group);
  index.definition = change.index;
  index.status = store::IndexStatus::kCreating;
  index.filling = std::make_shared<internal::IndexFilling>();
  table.indexes.push_back(std::move(index));
  return {};
}

Index* FindGlobal(Table& table, const std::string& name) {
  for (Index& index : table.indexes) {
    if (index.definition.name == name && index.definition.kind == store::IndexKind::kGlobal) return &index;
  }
  return nullptr;
}

Status ApplyIndexChange(Catalog&, CommitGroup&, Table& table, const store::DeleteIndex& change) {
  Index* index = FindGlobal(table, change.name);
  if (!index) return Fail(Code::kResourceNotFound, "Requested resource not found");
  index->status = store::IndexStatus::kDeleting;  // its rows are removed by the jobs
  return {};
}

// `definition`: of a table or an index.
template <class Definition>
store::Throughput WarmOf(store::BillingMode billing_mode, const Definition& definition) {
  return store::WarmOf(billing_mode, definition.throughput, definition.warm);
}

template <class Definition>
Status ApplyCapacity(const Table& table, Definition& definition,
                     const std::optional<store::OnDemandThroughput>& ceilings,
                     const std::optional<store::Throughput>& warm, const std::string& of) {
  const store::BillingMode billing_mode = table.definition.billing_mode;
  const store::Throughput current = WarmOf(billing_mode, definition);
  RETURN_IF_ERROR(store::CheckCapacityChange(billing_mode, current, ceilings, warm, of));
  if (ceilings) store::MergeCeilings(definition.on_demand, *ceilings);
  if (warm) {
    definition.warm = current;
    if (warm->read_units > 0) definition.warm->read_units = warm->read_units;
    if (warm->write_units > 0) definition.warm->write_units = warm->write_units;
  }
  return {};
}

Status ApplyIndexChange(Catalog&, CommitGroup&, Table& table, const store::UpdateIndex& change) {
  Index* index = FindGlobal(table, change.name);
  if (!index) return Fail(Code::kResourceNotFound, "Requested resource not found");
  if (change.throughput) index->definition.throughput = *change.throughput;
  return ApplyCapacity(table, index->definition, change.on_demand, change.warm, "index " + change.name);
}

// Keeps the definitions of attributes that some key uses, adding the new ones.
void MergeAttributeDefinitions(Table& table, const std::vector<item::KeyElement>& added) {
  std::vector<item::KeyElement> merged = table.definition.attribute_definitions;
  for (const item::KeyElement& element : added) {
    const bool known =
        std::any_of(merged.begin(), merged.end(), [&](const auto& old) { return old.name == element.name; });
    if (!known) merged.push_back(element);
  }
  std::erase_if(merged, [&](const item::KeyElement& element) {
    if (table.key_schema().Contains(element.name)) return false;
    return std::none_of(table.indexes.begin(), table.indexes.end(), [&](const Index& index) {
      return index.status != store::IndexStatus::kDeleting &&
             index.definition.key_schema.Contains(element.name);
    });
  });
  table.definition.attribute_definitions = std::move(merged);
}

Status CheckDefinitionsAgree(const Table& table, const std::vector<item::KeyElement>& given) {
  for (const item::KeyElement& element : given) {
    for (const item::KeyElement& known : table.definition.attribute_definitions) {
      if (known.name == element.name && known.type != element.type) {
        return Fail(Invalid("One or more parameter values were invalid: Attribute " + element.name +
                            " is already defined with type " + std::string(item::TypeName(known.type))));
      }
    }
  }
  return {};
}

void ApplyThroughput(Table& table, const store::Throughput& throughput, Time now) {
  const store::Throughput& old = table.definition.throughput;
  if (throughput.read_units > old.read_units || throughput.write_units > old.write_units) {
    table.throughput_increased = now;
  }
  if (throughput.read_units < old.read_units || throughput.write_units < old.write_units) {
    table.throughput_decreased = now;
  }
  table.definition.throughput = throughput;
}

std::unexpected<Error> NotByRequest(std::string_view what, const std::string& where) {
  return Fail(Invalid("One or more parameter values were invalid: " + std::string(what) +
                      " can be specified " + where + "when BillingMode is PAY_PER_REQUEST"));
}

// A table that is billed by request has no throughput, nor have its indexes.
Status CheckBilledByRequest(const store::UpdateTableRequest& request) {
  static constexpr std::string_view kUnits = "Neither ReadCapacityUnits nor WriteCapacityUnits";
  if (request.throughput) return NotByRequest(kUnits, "");
  for (const auto& change : request.index_changes) {
    const auto* create = std::get_if<store::CreateIndex>(&change);
    const auto* update = std::get_if<store::UpdateIndex>(&change);
    if (create != nullptr && create->index.throughput != store::Throughput())
      return NotByRequest(kUnits, "for index: " + create->index.name + " ");
    if (update != nullptr && update->throughput)
      return NotByRequest(kUnits, "for index: " + update->name + " ");
    if (update != nullptr && !update->on_demand && !update->warm) {
      return Fail(
          Invalid("One or more parameter values were invalid: The only Updates for index: " + update->name +
                  " when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, "
                  "WarmThroughput"));
    }
  }
  return {};
}

Status CheckBilling(const Table& table, const store::UpdateTableRequest& request) {
  const store::BillingMode mode = request.billing_mode.value_or(table.definition.billing_mode);
  if (mode == store::BillingMode::kPayPerRequest) return CheckBilledByRequest(request);
  for (const auto& change : request.index_changes) {
    const auto* update = std::get_if<store::UpdateIndex>(&change);
    if (update == nullptr || update->throughput || update->warm || update->on_demand) continue;
    return Fail(
        Invalid("One or more parameter values were invalid: Both ReadCapacityUnits and WriteCapacityUnits "
                "must be specified for index: " +
                update->name));
  }
  return {};
}

// DynamoDB refuses a request that asks for the throughput there is.
Status CheckThroughputChanges(const Table& table, const store::UpdateTableRequest& request) {
  const bool stays_provisioned =
      table.definition.billing_mode == store::BillingMode::kProvisioned &&
      request.billing_mode.value_or(store::BillingMode::kProvisioned) == store::BillingMode::kProvisioned;
  if (!stays_provisioned || !request.throughput || *request.throughput != table.definition.throughput)
    return {};
  const std::string read = std::to_string(request.throughput->read_units);
  const std::string write = std::to_string(request.throughput->write_units);
  return Fail(
      Invalid("The provisioned throughput for the table will not change. The requested value equals the "
              "current value. Current ReadCapacityUnits provisioned for the table: " +
              read + ". Requested ReadCapacityUnits: " + read +
              ". Current WriteCapacityUnits provisioned for the table: " + write +
              ". Requested WriteCapacityUnits: " + write +
              ". Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher "
              "limits."));
}

// Only what is billed by request has any.
void DropCeilings(Table& table) {
  table.definition.on_demand.reset();
  for (Index& index : table.indexes) index.definition.on_demand.reset();
}

// What was warm once stays so.
void KeepWarm(const Table& old, Table& table) {
  const auto keep = [&](const auto& before, auto& definition) {
    const store::Throughput warm = WarmOf(old.definition.billing_mode, before);
    const store::Throughput now = WarmOf(table.definition.billing_mode, definition);
    if (now.read_units >= warm.read_units && now.write_units >= warm.write_units) return;
    definition.warm = {.read_units = std::max(now.read_units, warm.read_units),
                       .write_units = std::max(now.write_units, warm.write_units)};
  };
  keep(old.definition, table.definition);
  for (Index& index : table.indexes) {
    const auto before = std::ranges::find(old.indexes, index.id, &Index::id);
    if (before != old.indexes.end()) keep(before->definition, index.definition);
  }
}

void ApplyBilling(Table& table, const store::UpdateTableRequest& request, Time now) {
  if (request.billing_mode) {
    if (*request.billing_mode == store::BillingMode::kPayPerRequest &&
        table.definition.billing_mode == store::BillingMode::kProvisioned) {
      table.billing_mode_changed = now;
      table.definition.throughput = {};
      for (Index& index : table.indexes) index.definition.throughput = {};
    }
    table.definition.billing_mode = *request.billing_mode;
    if (*request.billing_mode == store::BillingMode::kProvisioned) DropCeilings(table);
  }
  if (request.throughput) ApplyThroughput(table, *request.throughput, now);
}

Status ApplyStream(Catalog& catalog, CommitGroup& group, Table& table,
                   const std::variant<store::StreamSettings, store::DisableStream>& change,
                   uint64_t next_sequence) {
  if (const auto* settings = std::get_if<store::StreamSettings>(&change)) {
    if (table.stream) return Fail(Invalid("Table already has an enabled stream: TableName: " + table.name()));
    internal::EnableStream(catalog, group, table, settings->view, next_sequence);
    return {};
  }
  if (!table.stream) return Fail(Invalid("Table has no stream to disable: TableName: " + table.name()));
  internal::CloseStream(catalog, group, table.stream->id, next_sequence);
  table.stream.reset();
  table.definition.stream.reset();
  return {};
}

Result<Table> Changed(Catalog& catalog, CommitGroup& group, const Table& old,
                      const store::UpdateTableRequest& request, uint64_t next_sequence) {
  Table table = old;
  RETURN_IF_ERROR(CheckDefinitionsAgree(table, request.attribute_definitions));
  RETURN_IF_ERROR(CheckBilling(table, request));
  RETURN_IF_ERROR(CheckThroughputChanges(table, request));
  ApplyBilling(table, request, group.now());
  for (const auto& change : request.index_changes) {
    RETURN_IF_ERROR(
        std::visit([&](const auto& c) { return ApplyIndexChange(catalog, group, table, c); }, change));
  }
  MergeAttributeDefinitions(table, request.attribute_definitions);
  if (request.stream) RETURN_IF_ERROR(ApplyStream(catalog, group, table, *request.stream, next_sequence));
  if (request.deletion_protection) table.definition.deletion_protection = *request.deletion_protection;
  if (request.table_class) table.definition.table_class = *request.table_class;
  if (request.encryption) table.definition.sse_key = request.encryption->key;
  RETURN_IF_ERROR(ApplyCapacity(table, table.definition, request.on_demand, request.warm, "table"));
  KeepWarm(old, table);
  return table;
}

}  // namespace

Task<Result<TableDescription>> Engine::UpdateTable(store::UpdateTableRequest request) {
  auto work = [&](CommitGroup& group) -> Result<TableDescription> {
    ASSIGN_OR_RETURN(const TableRef old, catalog_->FindAny(request.table));
    if (internal::Describe(*old).status != store::TableStatus::kActive) {
      return Fail(
          Code::kResourceInUse,
          "Attempt to change a resource which is still in use: Table is being updated: " + request.table);
    }
    ASSIGN_OR_RETURN(Table table, Changed(*catalog_, group, *old, request, writer_->next_sequence()));
    TableDescription description = internal::Describe(table);
    description.status = store::TableStatus::kUpdating;
    catalog_->Save(group, std::move(table));
    return description;
  };
  auto result = co_await writer_->Submit(work, internal::Grouping::kAlone);
  if (result && !request.index_changes.empty()) jobs_->Kick();
  co_return result;
}

}  // namespace cairn::engine
