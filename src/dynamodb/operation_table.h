// The one list of all operations that this server understands.
#pragma once

#include <span>
#include <string_view>

#include "dynamodb/operation.h"

namespace cairn::dynamodb {

struct Operation {
  std::string_view target;  // the X-Amz-Target header, e.g. "DynamoDB_20120810.PutItem"
  Handler handler;
};

std::span<const Operation> AllOperations();

// Null when there is no such operation. Operations that make sense only in AWS's cloud (global tables,
// Kinesis destinations, exports to S3, ...) are not in the table.
const Operation* FindOperation(std::string_view target);

}  // namespace cairn::dynamodb
