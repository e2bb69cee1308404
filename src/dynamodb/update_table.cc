#include <algorithm>
#include <set>

#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"
#include "dynamodb/table_description_json.h"
#include "dynamodb/table_rules.h"
#include "dynamodb/table_schema.h"

namespace cairn::dynamodb {
namespace {

// One element of GlobalSecondaryIndexUpdates; exactly one of the three is set once the request has passed.
struct IndexChange {
  std::optional<store::UpdateIndex> update;
  std::optional<IndexSchema> create;
  std::optional<store::DeleteIndex> remove;

  std::string_view name() const { return update ? update->name : create ? create->name : remove->name; }
  int actions() const { return update.has_value() + create.has_value() + remove.has_value(); }
};

struct Changes {
  store::UpdateTableRequest request;  // without index changes
  std::vector<IndexChange> indexes;
  std::optional<StreamSpecification> stream;
};

IndexChange ReadIndexChange(const RequestReader& change) {
  IndexChange result;
  if (const auto update = change.Object("Update", "UpdateGlobalSecondaryIndexAction")) {
    result.update.emplace();
    result.update->name = update->String("IndexName", kRequiredName).value_or("");
    result.update->throughput = ReadThroughput(*update, "ProvisionedThroughput");
    result.update->on_demand = ReadOnDemandThroughput(*update, "OnDemandThroughput");
    result.update->warm = ReadWarmThroughput(*update);
  }
  if (const auto create = change.Object("Create", "CreateGlobalSecondaryIndexAction")) {
    result.create = ReadIndex(*create, store::IndexKind::kGlobal);
  }
  if (const auto remove = change.Object("Delete", "DeleteGlobalSecondaryIndexAction")) {
    result.remove.emplace(std::string(remove->String("IndexName", kRequiredName).value_or("")));
  }
  return result;
}

Changes ReadChanges(const RequestReader& request) {
  Changes changes;
  store::UpdateTableRequest& update = changes.request;
  update.table = request.TableName(TableNameKind::kControl);
  update.attribute_definitions = ReadAttributeDefinitions(request, Presence::kOptional);
  update.billing_mode = request.Enum("BillingMode", kBillingModes);
  update.throughput = ReadThroughput(request, "ProvisionedThroughput");
  const auto indexes = request.Objects("GlobalSecondaryIndexUpdates", "GlobalSecondaryIndexUpdate");
  if (indexes) {
    for (const RequestReader& change : *indexes) changes.indexes.push_back(ReadIndexChange(change));
  }
  changes.stream = ReadStreamSpecification(request);
  const auto sse = ReadSseSpecification(request, "SSESpecification");
  if (sse) update.encryption = sse->Wanted();
  update.table_class = ReadTableClass(request);
  update.deletion_protection = request.Boolean("DeletionProtectionEnabled");
  update.on_demand = ReadOnDemandThroughput(request, "OnDemandThroughput");
  update.warm = ReadWarmThroughput(request);
  return changes;
}

bool ChangesSomething(const Changes& changes) {
  const store::UpdateTableRequest& request = changes.request;
  return request.throughput || request.billing_mode || changes.stream || !changes.indexes.empty() ||
         request.table_class || request.deletion_protection || request.encryption || request.on_demand ||
         request.warm;
}

Status CheckCapacity(const store::UpdateTableRequest& request) {
  if (request.billing_mode == store::BillingMode::kProvisioned && !request.throughput) {
    return Fail(
        Invalid("One or more parameter values were invalid: ProvisionedThroughput must be specified when "
                "BillingMode is "
                "PROVISIONED"));
  }
  if (request.billing_mode == store::BillingMode::kPayPerRequest && request.throughput) {
    return Fail(Invalid(
        "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be "
        "specified when BillingMode is PAY_PER_REQUEST"));
  }
  return request.throughput ? CheckThroughput(*request.throughput) : Status();
}

Status CheckIndexChanges(const std::vector<IndexChange>& changes) {
  std::set<std::string_view> names;
  for (const IndexChange& change : changes) {
    if (change.actions() != 1) {
      return Fail(Invalid(
          change.actions() == 0
              ? "One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate.Update, "
                "GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null"
              : "One or more parameter values were invalid: Only one of GlobalSecondaryIndexUpdate.Update, "
                "GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete may be specified"));
    }
    if (!names.insert(change.name()).second) {
      return Fail(
          Invalid("One or more parameter values were invalid: Only one global secondary index update per "
                  "index is allowed simultaneously. Index: " +
                  std::string(change.name())));
    }
  }
  const auto online = std::ranges::count_if(changes, [](const IndexChange& c) { return !c.update; });
  if (online > 1) {
    return Fail(
        Code::kLimitExceeded,
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table");
  }
  return {};
}

Status CheckChanges(const Changes& changes) {
  if (!ChangesSomething(changes)) {
    return Fail(
        Invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
                "GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required"));
  }
  RETURN_IF_ERROR(CheckCapacity(changes.request));
  return CheckIndexChanges(changes.indexes);
}

// The request itself must define the attributes of a new index's key, also those that the table has defined.
Status AddIndexChanges(const Changes& changes, store::UpdateTableRequest& request) {
  for (const IndexChange& change : changes.indexes) {
    if (change.update) request.index_changes.emplace_back(*change.update);
    if (change.remove) request.index_changes.emplace_back(*change.remove);
    if (!change.create) continue;
    ASSIGN_OR_RETURN(store::IndexDefinition index,
                     DefineIndex(*change.create, request.attribute_definitions));
    request.index_changes.emplace_back(store::CreateIndex{std::move(index)});
  }
  return {};
}

Status AddStreamChange(const Changes& changes, store::UpdateTableRequest& request) {
  if (!changes.stream) return {};
  ASSIGN_OR_RETURN(const auto settings, DefineStream(*changes.stream));
  if (settings) {
    request.stream = *settings;
  } else {
    request.stream = store::DisableStream{};
  }
  return {};
}

}  // namespace

Task<Answer> UpdateTable(const OperationContext& context, const RequestReader& request) {
  const Changes changes = ReadChanges(request);
  CO_RETURN_IF_ERROR(request.Check());
  CO_RETURN_IF_ERROR(CheckChanges(changes));
  store::UpdateTableRequest update = changes.request;
  CO_RETURN_IF_ERROR(AddStreamChange(changes, update));
  CO_RETURN_IF_ERROR(AddIndexChanges(changes, update));
  auto updated = co_await context.store.UpdateTable(std::move(update));
  if (!updated) co_return std::unexpected(std::move(updated).error());
  co_return TableAnswer("TableDescription", *updated, context.arns);
}

}  // namespace cairn::dynamodb
