// The one list of all operations that this server understands.
#pragma once

#include <span>
#include <string_view>

#include "dynamodb/leading_keys.h"
#include "dynamodb/operation.h"

namespace cairn::dynamodb {

// Which access keys may call an operation at all.
enum class Callers {
  kAll,          // also limited ones (leading_keys.h), on a LeadingKeysStore
  kWholeTables,  // limited ones without leading keys: it reads more than one tenant's items
  kUnlimited,    // it makes, changes or tells of tables as a whole
};

struct Operation {
  std::string_view target;  // the X-Amz-Target header, e.g. "DynamoDB_20120810.PutItem"
  Handler handler;
  Callers callers;
  // Members of a request that DynamoDB knows and this server does not serve: refused by name, not dropped.
  std::span<const std::string_view> unserved = {};

  // "PutItem"
  std::string_view name() const { return target.substr(target.find('.') + 1); }
};

std::span<const Operation> AllOperations();

// Whether a key with these limits may call it, as far as leading keys decide that.
bool MayCall(const LeadingKeys& limits, const Operation& operation);

// Null when there is no such operation. Operations that make sense only in AWS's cloud (global tables,
// Kinesis destinations, exports to S3, ...) are not in the table.
const Operation* FindOperation(std::string_view target);

}  // namespace cairn::dynamodb
