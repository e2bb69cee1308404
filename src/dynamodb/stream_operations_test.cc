#include "dynamodb/shard_iterator.h"
#include "dynamodb/wire_fixture.h"
#include "item/attribute_value.h"

namespace cairn::dynamodb {
namespace {

constexpr const char* kArn =
    "arn:aws:dynamodb:eu-west-1:000000000000:table/Orders/stream/2026-11-15T19:42:30.123";
const store::StreamId kStream{"Orders", "2026-11-15T19:42:30.123"};

class StreamOperationsTest : public WireTest {
 protected:
  std::string StreamAnswer(const char* operation, std::string body) {
    return Answer(std::string("DynamoDBStreams_20120810.") + operation, std::move(body));
  }
  std::string StreamRefusal(const char* operation, std::string body) {
    return Refusal(std::string("DynamoDBStreams_20120810.") + operation, std::move(body));
  }
};

TEST_F(StreamOperationsTest, ListStreams) {
  store::ListStreamsRequest asked;
  store.on_list_streams = [&asked](store::ListStreamsRequest request) {
    asked = request;
    return store::ListStreamsResponse{{kStream}, kStream};
  };
  const std::string answer = StreamAnswer(
      "ListStreams",
      std::string(R"({"TableName":"Orders","Limit":1,"ExclusiveStartStreamArn":")") + kArn + "\"}");
  EXPECT_EQ(answer, std::string(R"({"Streams":[{"StreamArn":")") + kArn +
                        R"(","TableName":"Orders","StreamLabel":"2026-11-15T19:42:30.123"}],)"
                        R"("LastEvaluatedStreamArn":")" +
                        kArn + "\"}");
  EXPECT_EQ(asked.table, "Orders");
  EXPECT_EQ(asked.limit, 1u);
  EXPECT_EQ(asked.exclusive_start, kStream);
  StreamAnswer("ListStreams", "{}");
  EXPECT_EQ(asked.table, "");
}

TEST_F(StreamOperationsTest, DescribeStream) {
  store::StreamDescription stream;
  stream.id = kStream;
  stream.key_schema = {{{"pk", item::Type::kString}}, {}};
  stream.created = kStart;
  stream.shard_id = "shardId-00000001794771750123-0f0f0f0f";
  stream.starting_sequence = 2;  // of the first record
  store.on_describe_stream = [&stream](store::StreamId id) -> Result<store::StreamDescription> {
    if (id != kStream)
      return Fail(Code::kResourceNotFound, "Requested resource not found: Stream: x not found");
    return stream;
  };
  const std::string body = std::string(R"({"StreamArn":")") + kArn + "\"";
  EXPECT_EQ(StreamAnswer("DescribeStream", body + "}"),
            std::string(R"({"StreamDescription":{"StreamArn":")") + kArn +
                R"(","StreamLabel":"2026-11-15T19:42:30.123","StreamStatus":"ENABLED",)"
                R"("StreamViewType":"NEW_AND_OLD_IMAGES","CreationRequestDateTime":1794771750.123,)"
                R"("TableName":"Orders","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
                R"("Shards":[{"ShardId":"shardId-00000001794771750123-0f0f0f0f",)"
                R"("SequenceNumberRange":{"StartingSequenceNumber":"000000000000000000001"}}]}})");
  stream.status = store::StreamStatus::kDisabled;
  stream.ending_sequence = 9;
  const std::string closed = StreamAnswer("DescribeStream", body + "}");
  EXPECT_NE(closed.find(R"("EndingSequenceNumber":"000000000000000000009")"), closed.npos);
  EXPECT_NE(closed.find(R"("StreamStatus":"DISABLED")"), closed.npos);
  const std::string children = StreamAnswer(
      "DescribeStream",
      body + R"(,"ShardFilter":{"Type":"CHILD_SHARDS","ShardId":"shardId-00000001794771750123-0f0f0f0f"}})");
  EXPECT_NE(children.find(R"("Shards":[])"), children.npos);
  EXPECT_EQ(
      StreamRefusal("DescribeStream", body + R"(,"ShardFilter":{"Type":"OTHER"}})"),
      "2 validation errors detected: Value 'OTHER' at 'shardFilter.type' failed to satisfy constraint: "
      "Member must satisfy enum value set: [CHILD_SHARDS]; Value null at 'shardFilter.shardId' failed to "
      "satisfy constraint: Member must not be null");
  const std::string behind = StreamAnswer(
      "DescribeStream", body + R"(,"ExclusiveStartShardId":"shardId-00000001794771750123-0f0f0f0f"})");
  EXPECT_NE(behind.find(R"("Shards":[])"), behind.npos);
}

TEST_F(StreamOperationsTest, StreamArnsAreChecked) {
  EXPECT_EQ(StreamRefusal("DescribeStream",
                          R"({"StreamArn":"arn:aws:dynamodb:eu-west-1:000000000000:table/Orders"})"),
            "Invalid StreamArn: arn:aws:dynamodb:eu-west-1:000000000000:table/Orders");
  EXPECT_EQ(StreamRefusal("DescribeStream", R"({"StreamArn":"short"})"),
            "1 validation error detected: Value 'short' at 'streamArn' failed to satisfy constraint: Member "
            "must have "
            "length greater than or equal to 37");
}

TEST_F(StreamOperationsTest, GetShardIteratorGivesATokenForThePosition) {
  store::GetShardPositionRequest asked;
  store.on_get_shard_position = [&asked](store::GetShardPositionRequest request) {
    asked = request;
    return store::ShardPosition{request.stream, 43};
  };
  const std::string body =
      std::string(R"({"StreamArn":")") + kArn + R"(","ShardId":"shardId-1","ShardIteratorType":)";
  const std::string token = MakeShardIterator({kStream, 43}, clock.Now());
  EXPECT_EQ(StreamAnswer("GetShardIterator",
                         body + R"("AFTER_SEQUENCE_NUMBER","SequenceNumber":"000000000000000000042"})"),
            R"({"ShardIterator":")" + token + "\"}");
  EXPECT_EQ(asked.stream, kStream);
  EXPECT_EQ(asked.shard_id, "shardId-1");
  EXPECT_EQ(asked.type, store::IteratorType::kAfterSequence);
  EXPECT_EQ(asked.sequence, 42u);
  StreamAnswer("GetShardIterator", body + R"("TRIM_HORIZON"})");
  EXPECT_EQ(asked.type, store::IteratorType::kTrimHorizon);
  EXPECT_EQ(
      StreamRefusal("GetShardIterator", body + R"("AT_SEQUENCE_NUMBER"})"),
      "One or more parameter values were invalid: SequenceNumber must be specified when ShardIteratorType is "
      "AT_SEQUENCE_NUMBER");
  EXPECT_EQ(
      StreamRefusal("GetShardIterator", body + R"("NOW"})"),
      "1 validation error detected: Value 'NOW' at 'shardIteratorType' failed to satisfy constraint: Member "
      "must satisfy enum value set: [TRIM_HORIZON, LATEST, AT_SEQUENCE_NUMBER, AFTER_SEQUENCE_NUMBER]");
}

store::StreamRecord Removal() {
  store::StreamRecord record;
  record.sequence = 7;
  record.event_id = "c4ca4238a0b923820dcc509a6f75849b";
  record.event = store::StreamEvent::kRemove;
  record.origin = store::ChangeOrigin::kTimeToLive;
  record.created = Time(std::chrono::milliseconds(1'794'771'750'123));
  record.keys = item::PackedItem::Pack({{"pk", "a"}});
  record.old_image = item::PackedItem::Pack({{"pk", "a"}, {"x", "b"}});
  record.size_bytes = 12;
  return record;
}

TEST_F(StreamOperationsTest, GetRecordsPrintsRecords) {
  store::GetRecordsRequest asked;
  store.on_get_records = [&asked](store::GetRecordsRequest request) {
    asked = request;
    return store::GetRecordsResponse{{Removal()}, store::ShardPosition{kStream, 8}};
  };
  const std::string token = MakeShardIterator({kStream, 7}, clock.Now());
  const std::string next = MakeShardIterator({kStream, 8}, clock.Now());
  EXPECT_EQ(StreamAnswer("GetRecords", R"({"ShardIterator":")" + token + R"(","Limit":10})"),
            R"({"NextShardIterator":")" + next +
                R"(","Records":[{"eventID":"c4ca4238a0b923820dcc509a6f75849b","eventName":"REMOVE",)"
                R"("eventVersion":"1.1","eventSource":"aws:dynamodb","awsRegion":"eu-west-1",)"
                R"("dynamodb":{"ApproximateCreationDateTime":1794771750,"Keys":{"pk":{"S":"a"}},)"
                R"("OldImage":{"pk":{"S":"a"},"x":{"S":"b"}},"SequenceNumber":"000000000000000000007",)"
                R"("SizeBytes":12,"StreamViewType":"NEW_AND_OLD_IMAGES"},)"
                R"("userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}}]})");
  EXPECT_EQ(asked.position.next_sequence, 7u);
  EXPECT_EQ(asked.limit, 10u);
}

TEST_F(StreamOperationsTest, AClosedShardReadToItsEndHasNoNextIterator) {
  store.on_get_records = [](store::GetRecordsRequest) { return store::GetRecordsResponse{}; };
  const std::string token = MakeShardIterator({kStream, 7}, clock.Now());
  EXPECT_EQ(StreamAnswer("GetRecords", R"({"ShardIterator":")" + token + "\"}"), R"({"Records":[]})");
}

TEST_F(StreamOperationsTest, OldIteratorsExpire) {
  const std::string token = MakeShardIterator({kStream, 7}, clock.Now());
  clock.Advance(std::chrono::minutes(16));
  const http::Response response =
      Call("DynamoDBStreams_20120810.GetRecords", R"({"ShardIterator":")" + token + "\"}");
  EXPECT_EQ(response.status, 400);
  EXPECT_NE(response.body.find("#ExpiredIteratorException"), std::string::npos) << response.body;
}

}  // namespace
}  // namespace cairn::dynamodb
