#include <algorithm>

#include "dynamodb/backup_json.h"
#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"
#include "dynamodb/table_description_json.h"
#include "dynamodb/table_rules.h"
#include "dynamodb/table_schema.h"

namespace cairn::dynamodb {
namespace {

struct Overrides {
  std::optional<std::vector<IndexSchema>> global_indexes, local_indexes;
};

// The indexes to restore: a subset of the backup's, each as it was there, with new throughput if given.
Result<std::vector<store::IndexDefinition>> SelectIndexes(const std::vector<IndexSchema>& wanted,
                                                          const store::TableDescription& table) {
  std::vector<store::IndexDefinition> selected;
  for (const IndexSchema& schema : wanted) {
    ASSIGN_OR_RETURN(store::IndexDefinition index,
                     DefineIndex(schema, table.definition.attribute_definitions));
    const auto original = std::ranges::find_if(table.indexes, [&](const store::IndexDescription& candidate) {
      return candidate.definition.name == index.name && candidate.definition.kind == index.kind;
    });
    if (original == table.indexes.end() || original->definition.key_schema != index.key_schema ||
        original->definition.projection != index.projection ||
        original->definition.included != index.included) {
      return Fail(Invalid("One or more parameter values were invalid: Index " + index.name +
                          " is not an index of the backup"));
    }
    if (!schema.throughput) index.throughput = original->definition.throughput;
    selected.push_back(std::move(index));
  }
  return selected;
}

Status CheckCapacity(const store::RestoreTableRequest& restore) {
  if (restore.billing_mode == store::BillingMode::kPayPerRequest && restore.throughput) {
    return Fail(Invalid(
        "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be "
        "specified when BillingMode is PAY_PER_REQUEST"));
  }
  return restore.throughput ? CheckThroughput(*restore.throughput) : Status();
}

}  // namespace

Task<Answer> RestoreTableFromBackup(const OperationContext& context, const RequestReader& request) {
  store::RestoreTableRequest restore;
  restore.target_table = request.TableName(TableNameKind::kControl, "TargetTableName");
  const std::string_view arn = request.String("BackupArn", kBackupArn).value_or("");
  restore.billing_mode = request.Enum("BillingModeOverride", kBillingModes);
  restore.throughput = ReadThroughput(request, "ProvisionedThroughputOverride");
  restore.on_demand = ReadOnDemandThroughput(request, "OnDemandThroughputOverride");
  if (const auto sse = ReadSseSpecification(request, "SSESpecificationOverride"))
    restore.encryption = sse->Wanted();
  Overrides overrides;
  overrides.global_indexes = ReadIndexes(request, "GlobalSecondaryIndexOverride", store::IndexKind::kGlobal);
  overrides.local_indexes = ReadIndexes(request, "LocalSecondaryIndexOverride", store::IndexKind::kLocal);
  CO_RETURN_IF_ERROR(request.Check());
  CO_RETURN_IF_ERROR(CheckCapacity(restore));
  CO_ASSIGN_OR_RETURN(restore.backup, ReadBackupArn(arn));

  if (overrides.global_indexes || overrides.local_indexes) {
    auto backup = co_await context.store.DescribeBackup(restore.backup);
    if (!backup) co_return std::unexpected(std::move(backup).error());
    if (overrides.global_indexes) {
      CO_ASSIGN_OR_RETURN(restore.global_indexes, SelectIndexes(*overrides.global_indexes, backup->table));
    }
    if (overrides.local_indexes) {
      CO_ASSIGN_OR_RETURN(restore.local_indexes, SelectIndexes(*overrides.local_indexes, backup->table));
    }
  }
  auto restored = co_await context.store.RestoreTableFromBackup(std::move(restore));
  if (!restored) co_return std::unexpected(std::move(restored).error());
  co_return TableAnswer("TableDescription", *restored, context.arns);
}

}  // namespace cairn::dynamodb
