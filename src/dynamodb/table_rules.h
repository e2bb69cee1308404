// The rules of CreateTable and UpdateTable that need no existing table: pure functions from what was read
// (table_schema.h) to what the store takes, or DynamoDB's own message about what is wrong.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "dynamodb/table_schema.h"
#include "store/table.h"

namespace cairn::dynamodb {

// Everything CreateTable says about keys, indexes and capacity.
struct TableSchema {
  std::vector<item::KeyElement> attribute_definitions;
  std::vector<KeySchemaElement> keys;
  std::optional<std::vector<IndexSchema>> local_indexes;
  std::optional<std::vector<IndexSchema>> global_indexes;
  store::BillingMode billing_mode = store::BillingMode::kProvisioned;
  std::optional<store::Throughput> throughput;
};

// Judges a new table and fills key schema, attribute definitions, indexes, billing mode and throughput.
Status DefineTable(const TableSchema& schema, store::TableDefinition& definition);

// Judges one index against the attribute definitions. Used for every index of a new table and for the one
// that UpdateTable creates.
Result<store::IndexDefinition> DefineIndex(const IndexSchema& index,
                                           std::span<const item::KeyElement> attribute_definitions);

// Units above what DynamoDB takes.
Status CheckThroughput(const store::Throughput& throughput);

Result<std::optional<store::StreamSettings>> DefineStream(const StreamSpecification& specification);

}  // namespace cairn::dynamodb
