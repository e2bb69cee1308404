#include "dynamodb/enum_names.h"
#include "dynamodb/json_writer.h"
#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"
#include "dynamodb/sequence_number.h"
#include "dynamodb/shard_iterator.h"
#include "item/item_json.h"

namespace cairn::dynamodb {
namespace {

constexpr int64_t kRecordsMax = 1000;

void WriteImage(JsonWriter& json, std::string_view name, const std::optional<item::PackedItem>& image) {
  if (!image) return;
  json.Key(name);
  item::AppendItemJson(json.RawValue(), *image);
}

void WriteChange(JsonWriter& json, const store::StreamRecord& record) {
  json.BeginObject();
  // Whole seconds: DynamoDB's streams are no more exact.
  json.Member("ApproximateCreationDateTime", EpochSeconds(record.created)).Key("Keys");
  item::AppendItemJson(json.RawValue(), record.keys);
  WriteImage(json, "NewImage", record.new_image);
  WriteImage(json, "OldImage", record.old_image);
  json.Member("SequenceNumber", FormatSequenceNumber(record.sequence)).Member("SizeBytes", record.size_bytes);
  json.Member("StreamViewType", NameOf(kStreamViews, record.view)).EndObject();
}

void WriteRecord(JsonWriter& json, const store::StreamRecord& record, const ArnSpace& arns) {
  json.BeginObject()
      .Member("eventID", record.event_id)
      .Member("eventName", NameOf(kStreamEvents, record.event));
  json.Member("eventVersion", "1.1").Member("eventSource", "aws:dynamodb").Member("awsRegion", arns.region);
  json.Key("dynamodb");
  WriteChange(json, record);
  if (record.origin == store::ChangeOrigin::kTimeToLive) {
    json.Key("userIdentity").BeginObject();
    json.Member("PrincipalId", "dynamodb.amazonaws.com").Member("Type", "Service").EndObject();
  }
  json.EndObject();
}

}  // namespace

Task<Answer> GetRecords(const OperationContext& context, const RequestReader& request) {
  const std::string_view token =
      request.String("ShardIterator", {.presence = Presence::kRequired, .length_min = 1, .length_max = 2048})
          .value_or("");
  store::GetRecordsRequest get;
  get.limit = request.Integer("Limit", {.min = 1, .max = kRecordsMax}).value_or(kRecordsMax);
  CO_RETURN_IF_ERROR(request.Check());
  CO_ASSIGN_OR_RETURN(get.position, ReadShardIterator(token, context.clock.Now()));
  auto page = co_await context.store.GetRecords(std::move(get));
  if (!page) co_return std::unexpected(std::move(page).error());

  JsonWriter json;
  json.BeginObject();
  // Absent once a closed shard is read to its end: then readers stop.
  if (page->next) json.Member("NextShardIterator", MakeShardIterator(*page->next, context.clock.Now()));
  json.Key("Records").BeginArray();
  for (const store::StreamRecord& record : page->records) WriteRecord(json, record, context.arns);
  json.EndArray().EndObject();
  co_return json.Take();
}

}  // namespace cairn::dynamodb
