#include "dynamodb/operation_table.h"

#include <algorithm>

#include "dynamodb/operations.h"

namespace cairn::dynamodb {
namespace {

#define DYNAMODB(name) \
  { "DynamoDB_20120810." #name, name }
#define STREAMS(name) \
  { "DynamoDBStreams_20120810." #name, name }

constexpr Operation kOperations[] = {
    // Items.
    DYNAMODB(GetItem),
    DYNAMODB(PutItem),
    DYNAMODB(UpdateItem),
    DYNAMODB(DeleteItem),
    DYNAMODB(Query),
    DYNAMODB(Scan),
    DYNAMODB(BatchGetItem),
    DYNAMODB(BatchWriteItem),
    DYNAMODB(TransactGetItems),
    DYNAMODB(TransactWriteItems),
    // PartiQL.
    DYNAMODB(ExecuteStatement),
    DYNAMODB(BatchExecuteStatement),
    DYNAMODB(ExecuteTransaction),
    // Tables.
    DYNAMODB(CreateTable),
    DYNAMODB(UpdateTable),
    DYNAMODB(DeleteTable),
    DYNAMODB(DescribeTable),
    DYNAMODB(ListTables),
    DYNAMODB(UpdateTimeToLive),
    DYNAMODB(DescribeTimeToLive),
    DYNAMODB(TagResource),
    DYNAMODB(UntagResource),
    DYNAMODB(ListTagsOfResource),
    DYNAMODB(DescribeLimits),
    DYNAMODB(DescribeEndpoints),
    // Streams.
    STREAMS(ListStreams),
    STREAMS(DescribeStream),
    STREAMS(GetShardIterator),
    STREAMS(GetRecords),
    // Backups.
    DYNAMODB(CreateBackup),
    DYNAMODB(DescribeBackup),
    DYNAMODB(ListBackups),
    DYNAMODB(DeleteBackup),
    DYNAMODB(RestoreTableFromBackup),
    DYNAMODB(DescribeContinuousBackups),
};

#undef DYNAMODB
#undef STREAMS

}  // namespace

std::span<const Operation> AllOperations() { return kOperations; }

const Operation* FindOperation(std::string_view target) {
  const auto found = std::ranges::find(kOperations, target, &Operation::target);
  return found == std::end(kOperations) ? nullptr : found;
}

}  // namespace cairn::dynamodb
