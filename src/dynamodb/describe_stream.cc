#include "dynamodb/enum_names.h"
#include "dynamodb/json_writer.h"
#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"
#include "dynamodb/sequence_number.h"
#include "dynamodb/stream_names.h"
#include "dynamodb/table_description_json.h"

namespace cairn::dynamodb {
namespace {

enum class ShardFilterType { kChildShards };
constexpr StringRules kFilteredShardId = {
    .presence = Presence::kRequired, .length_min = 28, .length_max = 65};
constexpr EnumName<ShardFilterType> kShardFilterTypes[] = {{"CHILD_SHARDS", ShardFilterType::kChildShards}};

void WriteShard(JsonWriter& json, const store::StreamDescription& stream) {
  json.BeginObject().Member("ShardId", stream.shard_id).Key("SequenceNumberRange").BeginObject();
  // The number before that of the first record: a reader who begins at it or after it misses none.
  json.Member("StartingSequenceNumber", FormatSequenceNumber(stream.starting_sequence - 1));
  if (stream.ending_sequence)
    json.Member("EndingSequenceNumber", FormatSequenceNumber(*stream.ending_sequence));
  json.EndObject().EndObject();
}

// Which shards were asked for.
struct ShardSelection {
  std::string exclusive_start;             // "": from the first
  std::optional<std::string> children_of;  // only the shards that follow this one
};

std::optional<std::string> ReadShardFilter(const RequestReader& request) {
  const auto filter = request.Object("ShardFilter", "ShardFilter");
  if (!filter) return std::nullopt;
  filter->Enum("Type", kShardFilterTypes, Presence::kRequired);
  return std::string(filter->String("ShardId", kFilteredShardId).value_or(""));
}

// A stream has one shard: it is on the first page, a page that starts behind it is empty, and no shard
// follows it.
std::string StreamAnswer(const store::StreamDescription& stream, const ShardSelection& selection,
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
  const bool is_after_start = selection.exclusive_start < stream.shard_id;
  if (is_after_start && !selection.children_of) WriteShard(json, stream);
  json.EndArray().EndObject().EndObject();
  return json.Take();
}

}  // namespace

Task<Answer> DescribeStream(const OperationContext& context, const RequestReader& request) {
  const std::string_view arn = request.String("StreamArn", kStreamArn).value_or("");
  request.Integer("Limit", {.min = 1, .max = 100});
  ShardSelection selection;
  selection.exclusive_start = request.String("ExclusiveStartShardId", kOptionalShardId).value_or("");
  selection.children_of = ReadShardFilter(request);
  CO_RETURN_IF_ERROR(request.Check());
  CO_ASSIGN_OR_RETURN(store::StreamId stream, ReadStreamArn(arn));
  auto description = co_await context.store.DescribeStream(std::move(stream));
  if (!description) co_return std::unexpected(std::move(description).error());
  if (selection.children_of && *selection.children_of != description->shard_id) {
    co_return std::unexpected(
        Error{Code::kResourceNotFound, "Requested resource not found: Shard does not exist"});
  }
  co_return StreamAnswer(*description, selection, context.arns);
}

}  // namespace cairn::dynamodb
