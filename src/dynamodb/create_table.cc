#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"
#include "dynamodb/table_description_json.h"
#include "dynamodb/table_rules.h"
#include "dynamodb/table_schema.h"

namespace cairn::dynamodb {
namespace {

// The members without rules of their own.
void ReadSettings(const RequestReader& request, store::TableDefinition& definition) {
  const auto sse = ReadSseSpecification(request, "SSESpecification");
  if (sse && sse->enabled) definition.sse_key = sse->key;
  definition.tags = ReadTags(request, Presence::kOptional);
  definition.on_demand = ReadOnDemandThroughput(request, "OnDemandThroughput");
  definition.warm = ReadWarmThroughput(request);
  definition.table_class = ReadTableClass(request).value_or("");
  definition.deletion_protection = request.Boolean("DeletionProtectionEnabled").value_or(false);
}

Result<store::TableDefinition> ReadDefinition(const RequestReader& request) {
  store::TableDefinition definition;
  TableSchema schema;
  schema.attribute_definitions = ReadAttributeDefinitions(request, Presence::kRequired);
  definition.name = request.TableName(TableNameKind::kControl);
  schema.billing_mode = request.Enum("BillingMode", kBillingModes).value_or(store::BillingMode::kProvisioned);
  schema.throughput = ReadThroughput(request, "ProvisionedThroughput");
  schema.keys = ReadKeySchema(request, kTableKeyElementsMax);
  schema.local_indexes = ReadIndexes(request, "LocalSecondaryIndexes", store::IndexKind::kLocal);
  schema.global_indexes = ReadIndexes(request, "GlobalSecondaryIndexes", store::IndexKind::kGlobal);
  const auto stream = ReadStreamSpecification(request);
  ReadSettings(request, definition);
  RETURN_IF_ERROR(request.Check());

  RETURN_IF_ERROR(DefineTable(schema, definition));
  if (definition.tags.size() > kTagsMax) {
    return Fail(Invalid("One or more parameter values were invalid: Too many tags: the limit is " +
                        std::to_string(kTagsMax)));
  }
  if (stream) {
    ASSIGN_OR_RETURN(definition.stream, DefineStream(*stream));
  }
  return definition;
}

}  // namespace

Task<Answer> CreateTable(const OperationContext& context, const RequestReader& request) {
  CO_ASSIGN_OR_RETURN(store::TableDefinition definition, ReadDefinition(request));
  auto created = co_await context.store.CreateTable(std::move(definition));
  if (!created) co_return std::unexpected(std::move(created).error());
  co_return TableAnswer("TableDescription", *created, context.arns);
}

}  // namespace cairn::dynamodb
