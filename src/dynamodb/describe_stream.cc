#include "dynamodb/enum_names.h"
#include "dynamodb/json_writer.h"
#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"
#include "dynamodb/sequence_number.h"
#include "dynamodb/stream_names.h"
#include "dynamodb/table_description_json.h"

namespace cairn::dynamodb {
namespace {

void WriteShard(JsonWriter& json, const store::StreamDescription& stream) {
  json.BeginObject().Member("ShardId", stream.shard_id).Key("SequenceNumberRange").BeginObject();
  json.Member("StartingSequenceNumber", FormatSequenceNumber(stream.starting_sequence));
  if (stream.ending_sequence)
    json.Member("EndingSequenceNumber", FormatSequenceNumber(*stream.ending_sequence));
  json.EndObject().EndObject();
}

// A stream has one shard: it is on the first page, and a page that starts behind it is empty.
std::string StreamAnswer(const store::StreamDescription& stream, std::string_view exclusive_start_shard,
                         const ArnSpace& arns) {
  JsonWriter json;
  json.BeginObject().Key("StreamDescription").BeginObject();
  json.Member("StreamArn", arns.Stream(stream.id)).Member("StreamLabel", stream.id.label);
  json.Member("StreamStatus", NameOf(kStreamStatuses, stream.status));
  json.Member("StreamViewType", NameOf(kStreamViews, stream.view));
  json.Member("CreationRequestDateTime", stream.created)
      .Member("TableName", stream.id.table)
      .Key("KeySchema");
  WriteKeySchema(json, stream.key_schema);
  json.Key("Shards").BeginArray();
  if (exclusive_start_shard.empty() || exclusive_start_shard < stream.shard_id) WriteShard(json, stream);
  json.EndArray().EndObject().EndObject();
  return json.Take();
}

}  // namespace

Task<Answer> DescribeStream(const OperationContext& context, const RequestReader& request) {
  const std::string_view arn = request.String("StreamArn", kStreamArn).value_or("");
  request.Integer("Limit", {.min = 1, .max = 100});
  const std::string start(request.String("ExclusiveStartShardId", kOptionalShardId).value_or(""));
  CO_RETURN_IF_ERROR(request.Check());
  CO_ASSIGN_OR_RETURN(store::StreamId stream, ReadStreamArn(arn));
  auto description = co_await context.store.DescribeStream(std::move(stream));
  if (!description) co_return std::unexpected(std::move(description).error());
  co_return StreamAnswer(*description, start, context.arns);
}

}  // namespace cairn::dynamodb
