#include "dynamodb/operation_table.h"

#include <algorithm>
#include <array>

#include "dynamodb/operations.h"

namespace cairn::dynamodb {
namespace {

// Global tables, resource policies and vector indexes.
constexpr auto kUnservedInCreateTable = std::to_array<std::string_view>(
    {"VectorIndexes", "ResourcePolicy", "GlobalTableSourceArn", "GlobalTableSettingsReplicationMode"});
constexpr auto kUnservedInUpdateTable =
    std::to_array<std::string_view>({"VectorIndexUpdates", "ReplicaUpdates", "MultiRegionConsistency",
                                     "GlobalTableWitnessUpdates", "GlobalTableSettingsReplicationMode"});

#define DYNAMODB(name, callers, ...) \
  { "DynamoDB_20120810." #name, name, Callers::callers __VA_OPT__(, ) __VA_ARGS__ }
#define STREAMS(name, callers) \
  { "DynamoDBStreams_20120810." #name, name, Callers::callers }

constexpr Operation kOperations[] = {
    // Items.
    DYNAMODB(GetItem, kAll),
    DYNAMODB(PutItem, kAll),
    DYNAMODB(UpdateItem, kAll),
    DYNAMODB(DeleteItem, kAll),
    DYNAMODB(Query, kAll),
    DYNAMODB(Scan, kWholeTables),
    DYNAMODB(BatchGetItem, kAll),
    DYNAMODB(BatchWriteItem, kAll),
    DYNAMODB(TransactGetItems, kAll),
    DYNAMODB(TransactWriteItems, kAll),
    // PartiQL.
    DYNAMODB(ExecuteStatement, kAll),
    DYNAMODB(BatchExecuteStatement, kAll),
    DYNAMODB(ExecuteTransaction, kAll),
    // Tables.
    DYNAMODB(CreateTable, kUnlimited, kUnservedInCreateTable),
    DYNAMODB(UpdateTable, kUnlimited, kUnservedInUpdateTable),
    DYNAMODB(DeleteTable, kUnlimited),
    DYNAMODB(DescribeTable, kAll),
    DYNAMODB(ListTables, kAll),
    DYNAMODB(UpdateTimeToLive, kUnlimited),
    DYNAMODB(DescribeTimeToLive, kUnlimited),
    DYNAMODB(TagResource, kUnlimited),
    DYNAMODB(UntagResource, kUnlimited),
    DYNAMODB(ListTagsOfResource, kUnlimited),
    DYNAMODB(DescribeLimits, kAll),
    DYNAMODB(DescribeEndpoints, kAll),
    // Streams.
    STREAMS(ListStreams, kUnlimited),
    STREAMS(DescribeStream, kUnlimited),
    STREAMS(GetShardIterator, kUnlimited),
    STREAMS(GetRecords, kUnlimited),
    // Backups.
    DYNAMODB(CreateBackup, kUnlimited),
    DYNAMODB(DescribeBackup, kUnlimited),
    DYNAMODB(ListBackups, kUnlimited),
    DYNAMODB(DeleteBackup, kUnlimited),
    DYNAMODB(RestoreTableFromBackup, kUnlimited),
    DYNAMODB(DescribeContinuousBackups, kUnlimited),
};

#undef DYNAMODB
#undef STREAMS

}  // namespace

std::span<const Operation> AllOperations() { return kOperations; }

bool MayCall(const LeadingKeys& limits, const Operation& operation) {
  return operation.callers == Callers::kAll ||
         (operation.callers == Callers::kWholeTables && limits.whole_tables());
}

const Operation* FindOperation(std::string_view target) {
  const auto found = std::ranges::find(kOperations, target, &Operation::target);
  return found == std::end(kOperations) ? nullptr : found;
}

}  // namespace cairn::dynamodb
