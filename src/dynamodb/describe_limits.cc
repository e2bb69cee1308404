#include "dynamodb/json_writer.h"
#include "dynamodb/operations.h"

namespace cairn::dynamodb {

// AWS's default quotas: capacity is reported here, never enforced.
Task<Answer> DescribeLimits(const OperationContext&, const RequestReader&) {
  JsonWriter json;
  json.BeginObject();
  json.Member("AccountMaxReadCapacityUnits", 80'000).Member("AccountMaxWriteCapacityUnits", 80'000);
  json.Member("TableMaxReadCapacityUnits", 40'000).Member("TableMaxWriteCapacityUnits", 40'000);
  json.EndObject();
  co_return json.Take();
}

}  // namespace cairn::dynamodb
