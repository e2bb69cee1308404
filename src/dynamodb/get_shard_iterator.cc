#include "dynamodb/enum_names.h"
#include "dynamodb/json_writer.h"
#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"
#include "dynamodb/sequence_number.h"
#include "dynamodb/shard_iterator.h"
#include "dynamodb/stream_names.h"

namespace cairn::dynamodb {
namespace {

bool NeedsSequence(store::IteratorType type) {
  return type == store::IteratorType::kAtSequence || type == store::IteratorType::kAfterSequence;
}

Result<uint64_t> ReadSequence(store::IteratorType type, std::optional<std::string_view> text) {
  const std::string name(NameOf(kIteratorTypes, type));
  if (!NeedsSequence(type)) {
    if (!text) return 0;
    return Fail(
        Invalid("One or more parameter values were invalid: SequenceNumber must not be specified when "
                "ShardIteratorType is " +
                name));
  }
  if (!text) {
    return Fail(
        Invalid("One or more parameter values were invalid: SequenceNumber must be specified when "
                "ShardIteratorType is " +
                name));
  }
  const auto sequence = ParseSequenceNumber(*text);
  if (!sequence) return Fail(Invalid("Invalid SequenceNumber: " + std::string(*text)));
  return *sequence;
}

}  // namespace

Task<Answer> GetShardIterator(const OperationContext& context, const RequestReader& request) {
  store::GetShardPositionRequest get;
  const std::string_view arn = request.String("StreamArn", kStreamArn).value_or("");
  get.shard_id = request.String("ShardId", kShardId).value_or("");
  const auto type = request.Enum("ShardIteratorType", kIteratorTypes, Presence::kRequired);
  const auto sequence = request.String("SequenceNumber", {.length_min = kSequenceDigits, .length_max = 40});
  CO_RETURN_IF_ERROR(request.Check());
  CO_ASSIGN_OR_RETURN(get.stream, ReadStreamArn(arn));
  get.type = *type;
  CO_ASSIGN_OR_RETURN(get.sequence, ReadSequence(*type, sequence));
  auto position = co_await context.store.GetShardPosition(std::move(get));
  if (!position) co_return std::unexpected(std::move(position).error());

  JsonWriter json;
  json.BeginObject().Member("ShardIterator", MakeShardIterator(*position, context.clock.Now())).EndObject();
  co_return json.Take();
}

}  // namespace cairn::dynamodb
