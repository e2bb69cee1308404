#include "dynamodb/json_writer.h"
#include "dynamodb/operations.h"

namespace cairn::dynamodb {

// There is one endpoint: the address the client already uses.
Task<Answer> DescribeEndpoints(const OperationContext& context, const RequestReader&) {
  JsonWriter json;
  json.BeginObject().Key("Endpoints").BeginArray().BeginObject();
  json.Member("Address", context.host).Member("CachePeriodInMinutes", 1440);
  json.EndObject().EndArray().EndObject();
  co_return json.Take();
}

}  // namespace cairn::dynamodb
