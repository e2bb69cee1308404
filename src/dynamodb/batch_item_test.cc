#include "dynamodb/wire_fixture.h"

namespace cairn::dynamodb {
namespace {

class BatchItemTest : public WireTest {
 protected:
  BatchItemTest() {
    store.on_batch_get_item = [this](store::BatchGetItemRequest request) {
      got = std::move(request);
      store::BatchGetItemResponse response;
      response.items.resize(got.tables.size());
      response.unprocessed_keys.resize(got.tables.size());
      response.items[0].push_back(item::PackedItem::Pack(item::Item{{"pk", "a"}}));
      return response;
    };
    store.on_batch_write_item = [this](store::BatchWriteItemRequest request) {
      written = std::move(request);
      store::BatchWriteItemResponse response;
      response.unprocessed.resize(written.tables.size());
      return response;
    };
  }
  // `count` times `element`, with # replaced by the position, joined by commas.
  static std::string Repeated(int count, std::string_view element) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      if (i > 0) text += ',';
      for (const char c : element) text += c == '#' ? std::to_string(i) : std::string(1, c);
    }
    return text;
  }
  store::BatchGetItemRequest got;
  store::BatchWriteItemRequest written;
};

TEST_F(BatchItemTest, GetAnswersByTable) {
  EXPECT_EQ(
      Answer("BatchGetItem", R"({"RequestItems":{"Orders":{"Keys":[{"pk":{"S":"a"}}],"ConsistentRead":true},)"
                             R"("Users":{"Keys":[{"pk":{"S":"b"}}],"ProjectionExpression":"pk"}}})"),
      R"({"Responses":{"Orders":[{"pk":{"S":"a"}}],"Users":[]},"UnprocessedKeys":{}})");
  ASSERT_EQ(got.tables.size(), 2u);
  EXPECT_EQ(got.tables[0].table, "Orders");
  EXPECT_EQ(got.tables[0].consistency, store::Consistency::kStrong);
  EXPECT_TRUE(got.tables[1].projection.has_value());
}

TEST_F(BatchItemTest, UnprocessedKeysCanBeSentAgain) {
  store.on_batch_get_item = [](store::BatchGetItemRequest) {
    return store::BatchGetItemResponse{{{}}, {{1}}, {{.table = "Orders", .table_units = {.read = 1}}}};
  };
  EXPECT_EQ(
      Answer("BatchGetItem",
             R"({"ReturnConsumedCapacity":"TOTAL","RequestItems":{"Orders":{"Keys":[{"pk":{"S":"a"}},)"
             R"({"pk":{"S":"b"}}],"ProjectionExpression":"#p","ExpressionAttributeNames":{"#p":"x"}}}})"),
      R"({"Responses":{"Orders":[]},"UnprocessedKeys":{"Orders":{"Keys":[{"pk":{"S":"b"}}],)"
      R"("ProjectionExpression":"#p","ExpressionAttributeNames":{"#p":"x"}}},)"
      R"("ConsumedCapacity":[{"TableName":"Orders","CapacityUnits":1.0}]})");
}

TEST_F(BatchItemTest, GetRefusesWhatNeedsNoTable) {
  EXPECT_EQ(Refusal("BatchGetItem", R"({"RequestItems":{}})"),
            "The requestItems parameter is required for BatchGetItem");
  EXPECT_EQ(Refusal("BatchGetItem", R"({})"),
            "1 validation error detected: Value null at 'requestItems' failed to satisfy constraint: Member "
            "must not "
            "be null");
  EXPECT_EQ(
      Refusal("BatchGetItem",
              R"({"RequestItems":{"Orders":{"Keys":[)" + Repeated(101, R"({"pk":{"S":"#"}})") + "]}}}"),
      "1 validation error detected: Value at 'RequestItems.Orders.member.Keys' failed to satisfy constraint: "
      "Member must have length less than or equal to 100");
  const std::string sixty = R"({"Keys":[)" + Repeated(60, R"({"pk":{"S":"#"}})") + "]}";
  EXPECT_EQ(Refusal("BatchGetItem", R"({"RequestItems":{"Orders":)" + sixty + R"(,"Users":)" + sixty + "}}"),
            "Too many items requested for the BatchGetItem call");
  EXPECT_EQ(Refusal("BatchGetItem",
                    R"({"RequestItems":{"Orders":{"Keys":[{"pk":{"N":"1"}},{"pk":{"N":"1.0"}}]}}})"),
            "Provided list of item keys contains duplicates");
}

TEST_F(BatchItemTest, WriteReadsPutsAndDeletes) {
  EXPECT_EQ(Answer("BatchWriteItem", R"({"RequestItems":{"Orders":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},)"
                                     R"({"DeleteRequest":{"Key":{"pk":{"S":"b"}}}}]}})"),
            R"({"UnprocessedItems":{}})");
  ASSERT_EQ(written.tables.size(), 1u);
  ASSERT_EQ(written.tables[0].actions.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<store::BatchPut>(written.tables[0].actions[0]));
  EXPECT_EQ(std::get<store::BatchDelete>(written.tables[0].actions[1]).key, (item::Item{{"pk", "b"}}));
}

TEST_F(BatchItemTest, UnprocessedItemsCanBeSentAgain) {
  store.on_batch_write_item = [](store::BatchWriteItemRequest) {
    return store::BatchWriteItemResponse{{{0, 1}}, {}, {{"Orders", {{item::Item{{"pk", "a"}}, 0, 1}}}}};
  };
  EXPECT_EQ(Answer("BatchWriteItem", R"({"RequestItems":{"Orders":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},)"
                                     R"({"DeleteRequest":{"Key":{"pk":{"S":"b"}}}}]}})"),
            R"({"UnprocessedItems":{"Orders":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},)"
            R"({"DeleteRequest":{"Key":{"pk":{"S":"b"}}}}]},"ItemCollectionMetrics":{"Orders":[)"
            R"({"ItemCollectionKey":{"pk":{"S":"a"}},"SizeEstimateRangeGB":[0.0,1.0]}]}})");
}

TEST_F(BatchItemTest, WriteRefusesWhatNeedsNoTable) {
  EXPECT_EQ(Refusal("BatchWriteItem", R"({"RequestItems":{}})"),
            "The requestItems parameter is required for BatchWriteItem");
  const std::string put = R"({"PutRequest":{"Item":{"pk":{"S":"#"}}}})";
  const std::string too_many =
      Refusal("BatchWriteItem", R"({"RequestItems":{"Orders":[)" + Repeated(26, put) + "]}}");
  EXPECT_TRUE(too_many.starts_with("1 validation error detected: Value '{Orders=[")) << too_many;
  EXPECT_TRUE(
      too_many.ends_with("]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy "
                         "constraint: [Member must have length "
                         "less than or equal to 25, Member must have length greater than or equal to 1]"))
      << too_many;
  const std::string twenty = "[" + Repeated(20, put) + "]";
  EXPECT_EQ(
      Refusal("BatchWriteItem", R"({"RequestItems":{"Orders":)" + twenty + R"(,"Users":)" + twenty + "}}"),
      "Too many items requested for the BatchWriteItem call");
  EXPECT_EQ(
      Refusal("BatchWriteItem", R"({"RequestItems":{"Orders":[{}]}})"),
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
      "datatypes");
}

}  // namespace
}  // namespace cairn::dynamodb
