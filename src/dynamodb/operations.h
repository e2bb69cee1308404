// Every operation's handler: one function, one file of the same name in snake case (PutItem: put_item.cc).
// operation_table.cc maps wire names to them.
#pragma once

#include "dynamodb/operation.h"

namespace cairn::dynamodb {

// Items.
Task<Answer> GetItem(const OperationContext& context, const RequestReader& request);
Task<Answer> PutItem(const OperationContext& context, const RequestReader& request);
Task<Answer> UpdateItem(const OperationContext& context, const RequestReader& request);
Task<Answer> DeleteItem(const OperationContext& context, const RequestReader& request);
Task<Answer> Query(const OperationContext& context, const RequestReader& request);
Task<Answer> Scan(const OperationContext& context, const RequestReader& request);
Task<Answer> BatchGetItem(const OperationContext& context, const RequestReader& request);
Task<Answer> BatchWriteItem(const OperationContext& context, const RequestReader& request);
Task<Answer> TransactGetItems(const OperationContext& context, const RequestReader& request);
Task<Answer> TransactWriteItems(const OperationContext& context, const RequestReader& request);

// PartiQL.
Task<Answer> ExecuteStatement(const OperationContext& context, const RequestReader& request);
Task<Answer> BatchExecuteStatement(const OperationContext& context, const RequestReader& request);
Task<Answer> ExecuteTransaction(const OperationContext& context, const RequestReader& request);

// Tables.
Task<Answer> CreateTable(const OperationContext& context, const RequestReader& request);
Task<Answer> UpdateTable(const OperationContext& context, const RequestReader& request);
Task<Answer> DeleteTable(const OperationContext& context, const RequestReader& request);
Task<Answer> DescribeTable(const OperationContext& context, const RequestReader& request);
Task<Answer> ListTables(const OperationContext& context, const RequestReader& request);
Task<Answer> UpdateTimeToLive(const OperationContext& context, const RequestReader& request);
Task<Answer> DescribeTimeToLive(const OperationContext& context, const RequestReader& request);
Task<Answer> TagResource(const OperationContext& context, const RequestReader& request);
Task<Answer> UntagResource(const OperationContext& context, const RequestReader& request);
Task<Answer> ListTagsOfResource(const OperationContext& context, const RequestReader& request);
Task<Answer> DescribeLimits(const OperationContext& context, const RequestReader& request);
Task<Answer> DescribeEndpoints(const OperationContext& context, const RequestReader& request);

// Streams.
Task<Answer> ListStreams(const OperationContext& context, const RequestReader& request);
Task<Answer> DescribeStream(const OperationContext& context, const RequestReader& request);
Task<Answer> GetShardIterator(const OperationContext& context, const RequestReader& request);
Task<Answer> GetRecords(const OperationContext& context, const RequestReader& request);

// Backups.
Task<Answer> CreateBackup(const OperationContext& context, const RequestReader& request);
Task<Answer> DescribeBackup(const OperationContext& context, const RequestReader& request);
Task<Answer> ListBackups(const OperationContext& context, const RequestReader& request);
Task<Answer> DeleteBackup(const OperationContext& context, const RequestReader& request);
Task<Answer> RestoreTableFromBackup(const OperationContext& context, const RequestReader& request);
Task<Answer> DescribeContinuousBackups(const OperationContext& context, const RequestReader& request);

}  // namespace cairn::dynamodb
